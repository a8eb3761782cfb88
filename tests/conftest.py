"""Fixtures that all tests share: where the project's fixtures are, and the recorded data where it is at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"
_RECORDED = Path(os.environ.get("KLOGREPLAY_RECORDED", ROOT.parent / "shared" / "data"))


settings.register_profile("repeatable", derandomize=True)
settings.register_profile("random", settings.get_profile("default"))
settings.load_profile(os.environ.get("KLOGREPLAY_EXAMPLES", "repeatable"))
"""A change is judged by the same examples each time; KLOGREPLAY_EXAMPLES=random looks for new ones."""


def recorded_path() -> Path | None:
    """The folder of the recorded data, or None where this checkout has none."""
    return _RECORDED if (_RECORDED / "sched-logs" / "index.json").is_file() else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs the recorded data, where there is none."""
    if recorded_path() is not None:
        return
    skip = pytest.mark.skip(reason="recorded data is not at hand (../shared/data)")
    for item in items:
        if item.get_closest_marker("recorded"):
            item.add_marker(skip)


def pytest_terminal_summary(terminalreporter: object, config: pytest.Config) -> None:
    """Say in one line how many tests were skipped for want of the recorded data."""
    if recorded_path() is None:
        skipped = len(getattr(terminalreporter, "stats", {}).get("skipped", []))
        if skipped:
            getattr(terminalreporter, "write_line")(  # noqa: B009
                f"{skipped} tests skipped: the recorded data (../shared/data) is not at hand"
            )


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The project's fixtures."""
    return FIXTURES


@pytest.fixture(scope="session")
def recorded() -> Path:
    """The recorded data; a test that uses it carries the marker `recorded`."""
    path = recorded_path()
    if path is None:
        pytest.skip("recorded data is not at hand (../shared/data)")
    return path
