"""What fuzzing once found: inputs that made some version fail. Each goes every way again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FIXTURES
from tests.fuzz import pipeline

FOUND = sorted(path for path in (FIXTURES / "fuzz").iterdir() if path.suffix != ".md")


@pytest.mark.parametrize("found", FOUND, ids=[path.stem for path in FOUND])
def test_what_was_found_once(found: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KLOGREPLAY_TRACEBACK", "1")
    pipeline.through(found)
    for arguments in pipeline.COMMANDS:
        pipeline.by_command(found, tmp_path, arguments)
