"""What holds the code base together: imports point one way, modules stay small, nothing names a developer's machine."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "klogreplay"
ORDER = ("knowledge", "intake", "klog", "events", "claims", "queue", "replay", "rules", "report", "cli")
ALONE = {"knowledge": set(), "queue": {"knowledge"}}
"""Packages that import less than their place would let them."""
LONGEST = 400
PURE = ("queue", "replay", "rules")
"""Packages without I/O, but for what can be run by itself (`python -m`)."""
IO_MODULES = {"io", "os", "pathlib", "sys", "socket", "subprocess", "tempfile", "shutil", "time", "random", "logging"}
TERMINAL = {"rich", "typer", "click"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, wherever in it, by its full name; with the line."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield node.lineno, module
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}"


def package_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "klogreplay" and len(parts) > 1 and parts[1] in ORDER else None


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    if parts[0] not in ORDER:
        assert parts in (("__init__.py",), ("__main__.py",))
        return
    own = parts[0]
    allowed = {own, *ALONE.get(own, set(ORDER[: ORDER.index(own)]))}
    wrong = [
        (line, module)
        for line, module in imports(path)
        if (package := package_of(module)) is not None and package not in allowed
    ]
    assert wrong == []


def test_every_package_is_in_the_order() -> None:
    assert {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()} == set(ORDER)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_only_the_edges_know_files_and_terminals(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0]
    found = {module.split(".")[0] for _, module in imports(path)}
    program = "conformance" in path.parts or '__name__ == "__main__"' in path.read_text(encoding="utf-8")
    if own in PURE and not program:
        assert not found & IO_MODULES
    if own not in ("cli", "report"):
        assert not found & TERMINAL


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def tracked() -> list[Path]:
    """The files of the repository: those that git knows, all where it does not."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        return [path for path in ROOT.rglob("*") if path.is_file() and not set(path.parts) & {".venv", ".git"}]
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


MACHINE = re.compile(rb"(?<![\w.~-])/(?:home|root|Users|opt|srv|mnt|work)/[A-Za-z0-9_.-]+/")
"""A path that exists on somebody's machine only."""


def test_nothing_names_somebodys_machine() -> None:
    found = [
        f"{name_of(path)}: {match[0].decode()}"
        for path in tracked()
        if path.suffix not in {".gz", ".zst", ".xz", ".bz2", ".zip", ".png"} and "fixtures" not in path.parts
        for match in MACHINE.finditer(path.read_bytes())
    ]
    assert found == []


def test_every_test_directory_is_a_package() -> None:
    """Else two test modules of one name would clash."""
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert [name_of(folder) for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []
