"""Reports of one or several analyses: of all logs together, or of each by itself in a process of its own."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import msgspec

from klogreplay.claims.reading import ObjectsError
from klogreplay.cli.analyze import FailOn, exit_code
from klogreplay.cli.exits import Stop, cannot_write, not_read, usage
from klogreplay.cli.run import Request, analyse
from klogreplay.intake import IntakeError
from klogreplay.report.formats import Options, pieces

YOUNG = 50_000
"""Objects made before the collector looks for garbage: reading makes many and leaves no cycles behind."""

_PIECE = 1 << 16


class Task(msgspec.Struct):
    """What to analyse, in which form to report it, and what counts as a finding."""

    request: Request
    form: str
    options: Options
    fail_on: FailOn


class _Ended(msgspec.Struct):
    """How one analysis ended: with a report, or with a message and an exit code."""

    report: Iterable[str]
    code: int
    message: str | None = None


def reports(task: Task, jobs: int | None, codes: list[int]) -> Iterator[str]:
    """The reports, in the order of the logs and piece by piece; `codes` gets the exit code of each.

    Without `jobs` it is one report of all logs together; raises Stop where they cannot be analysed. With `jobs`, of a
    log that cannot be analysed one line on stderr says why, in its place among the reports.
    """
    said: set[str] = set()
    with _few_collections():
        for ended in _analyses(task, jobs):
            if ended.message is not None:
                if jobs is None:
                    raise Stop(ended.message, ended.code)
                # What is wrong with the objects or the plugin table is wrong for each log.
                if ended.message not in said:
                    said.add(ended.message)
                    _say_in_place(ended.message)
            codes.append(ended.code)
            yield from ended.report


def _say_in_place(message: str) -> None:
    """One line on stderr, after what was written before it where both go to one place."""
    from klogreplay.cli.guard import say

    with suppress(OSError, ValueError):
        # What cannot be written now fails again, and is told, at the next write.
        if sys.stdout is not None:
            sys.stdout.flush()
    say(message)


def _analyses(task: Task, jobs: int | None) -> Iterator[_Ended]:
    if jobs is None:
        yield _analysis(task)
        return
    paths = task.request.paths
    if "-" in paths:
        raise usage("--jobs is for files: standard input is read as one log")
    tasks = [msgspec.structs.replace(task, request=msgspec.structs.replace(task.request, paths=[p])) for p in paths]
    if jobs == 1 or len(tasks) == 1:
        yield from map(_analysis, tasks)
        return
    with _folder() as folder, ProcessPoolExecutor(min(jobs, len(tasks)), initializer=_quiet) as pool:
        yield from pool.map(partial(_analysis_apart, folder), range(len(tasks)), tasks)


def _analysis(task: Task) -> _Ended:
    try:
        analysis = analyse(task.request)
        return _Ended(pieces(task.form, analysis, task.options), exit_code(analysis, task.fail_on))
    except (IntakeError, ObjectsError) as error:
        stop = not_read(error)
    except Stop as error:
        stop = error
    return _Ended((), stop.code, stop.message)


def _analysis_apart(folder: Path | None, number: int, task: Task) -> _Ended:
    """The same in a process of its own: the report, which may be larger than memory, is left in a file."""
    with _few_collections():
        ended = _analysis(task)
        if folder is None:
            return _Ended(list(ended.report), ended.code, ended.message)
        path = folder / str(number)
        try:
            with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
                file.writelines(ended.report)
        except OSError as error:
            stop = cannot_write(f" a temporary file: {error.strerror or error}")
            return _Ended((), stop.code, stop.message)
        return _Ended(_Left(path), ended.code, ended.message)


class _Left(msgspec.Struct):
    """A report that was left in a file; it can be read once."""

    path: Path

    def __iter__(self) -> Iterator[str]:
        with self.path.open(encoding="utf-8", newline="") as file:
            while piece := file.read(_PIECE):
                yield piece
        self.path.unlink()


@contextmanager
def _folder() -> Iterator[Path | None]:
    """A folder for as long as it is needed; None where none can be made."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="klogreplay-", ignore_cleanup_errors=True)
    except OSError:
        yield None
        return
    with folder as name:
        yield Path(name)


@contextmanager
def _few_collections() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _quiet() -> None:
    """Several bars of progress on one terminal would overwrite each other."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
