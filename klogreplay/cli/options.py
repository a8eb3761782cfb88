"""Options that several commands share: read and checked in one place. Each raises Stop (usage)."""

from __future__ import annotations

from klogreplay.cli.exits import usage


def pod(text: str) -> str:
    """A pod as NAMESPACE/NAME."""
    namespace, _, name = text.partition("/")
    if not namespace or not name or "/" in name:
        raise usage(f"--pod {text}: want NAMESPACE/NAME")
    return text


def gate(text: str) -> tuple[str, bool]:
    """A feature gate as NAME=true or NAME=false, in any case, as Kubernetes takes them."""
    name, _, value = text.partition("=")
    if not name.isidentifier() or value.lower() not in ("true", "false"):
        raise usage(f"--feature-gate {text}: want NAME=true or NAME=false")
    return name, value.lower() == "true"


def release(text: str | None, option: str = "--kubernetes-version") -> str | None:
    """A Kubernetes release such as 1.28.0, v1.28.3 or 1.31."""
    if text is None:
        return None
    from klogreplay.knowledge import normalise_release

    found = normalise_release(text)
    if found is None:
        raise usage(f"{option} {text}: not a Kubernetes release, such as 1.28.3")
    return found
