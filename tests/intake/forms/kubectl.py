"""kubectl and tools like it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tests.intake.forms.base import CONTAINER, POD, Form, each, json_lines, text


def _stern_coloured(lines: Sequence[str]) -> bytes:
    head = f"\x1b[1;92m+\x1b[0m \x1b[32m{POD}\x1b[0m › \x1b[33m{CONTAINER}\x1b[0m"
    return text([head, *(f"\x1b[32m{POD}\x1b[0m \x1b[33m{CONTAINER}\x1b[0m {line}" for line in lines)])


def _kubetail(lines: Sequence[str]) -> bytes:
    """Its `read` takes backslashes and outer blanks away, and its default colours the whole line."""
    start, end = "\x1b[36m", "\x1b(B\x1b[m"
    plain = [re.sub(r"\\(.)", r"\1", line).strip(" \t") for line in lines]
    return text(["Will tail 1 logs...", f"{start}{POD}{end}", *(f"{start}[{POD}] {line} {end}" for line in plain)])


FORMS: tuple[Form, ...] = (
    Form("kubectl-timestamps", "kubectl logs --timestamps", each(lambda at: f"{at.nano()} {at.line}"), ("timestamps",)),
    Form(
        "kubectl-prefix",
        "kubectl logs --prefix",
        each(lambda at: f"[pod/{POD}/{CONTAINER}] {at.line}"),
        ("kubectl-prefix",),
    ),
    Form(
        "kubectl-prefix-timestamps",
        "kubectl logs --prefix --timestamps",
        each(lambda at: f"[pod/{POD}/{CONTAINER}] {at.nano()} {at.line}"),
        ("kubectl-prefix", "timestamps"),
    ),
    Form("stern", "stern", each(lambda at: f"{POD} {CONTAINER} {at.line}"), ("stern",)),
    Form("stern-colours", "stern with colours", _stern_coloured, ("ansi", "stern")),
    Form(
        "stern-all-namespaces",
        "stern --all-namespaces --timestamps",
        each(lambda at: f"kube-system {POD} {CONTAINER} {at.iso()} {at.line}"),
        ("stern", "timestamps"),
    ),
    Form(
        "stern-json",
        "stern --output json",
        json_lines(lambda at: {"message": at.line, "namespace": "x", "podName": POD, "containerName": CONTAINER}),
        ("stern-json",),
    ),
    Form("kubetail", "kubetail with colours", _kubetail, ("ansi", "kubetail"), loses="backslashes"),
)
