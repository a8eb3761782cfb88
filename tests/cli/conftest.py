"""Run the command line in this process, or as a program where the process itself matters."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from klogreplay.cli import main
from tests.conftest import ROOT


class Ran(NamedTuple):
    """What a run gave."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run `klogreplay` with arguments in this process."""

    def call(*arguments: object) -> Ran:
        capfdbinary.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode(), err.decode())

    return call


def program(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m klogreplay` as a program, from the repository's root."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}  # type: ignore[dict-item]
    return subprocess.run(
        [sys.executable, "-m", "klogreplay", *arguments],
        capture_output=True,
        timeout=120,
        check=False,
        cwd=ROOT,
        env=environment,
        **options,  # type: ignore[call-overload]
    )
