"""Reports of one or several analyses: of all logs together, or of each by itself in a process of its own."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import msgspec

from klogreplay.claims.reading import ObjectsError
from klogreplay.cli.analyze import FailOn, exit_code
from klogreplay.cli.exits import Stop, not_read, usage
from klogreplay.cli.run import Request, analyse
from klogreplay.intake import IntakeError
from klogreplay.report.formats import Options, render

YOUNG = 50_000
"""Objects made before the collector looks for garbage: reading makes many and leaves no cycles behind."""


class Task(msgspec.Struct):
    """What to analyse, in which form to report it, and what counts as a finding."""

    request: Request
    form: str
    options: Options
    fail_on: FailOn


class _Ended(msgspec.Struct):
    """How one analysis ended: with a report, or with a message and an exit code."""

    text: str
    code: int
    stopped: bool = False


def reports(task: Task, jobs: int | None, codes: list[int]) -> Iterator[str]:
    """The reports, in the order of the logs; `codes` gets the exit code of each.

    Without `jobs` it is one report of all logs together. Raises Stop for what cannot be analysed, once the reports
    before it are given.
    """
    for ended in _analyses(task, jobs):
        if ended.stopped:
            raise Stop(ended.text, ended.code)
        codes.append(ended.code)
        yield ended.text


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
    with ProcessPoolExecutor(min(jobs, len(tasks)), initializer=_quiet) as pool:
        yield from pool.map(_analysis, tasks)


def _analysis(task: Task) -> _Ended:
    before = gc.get_threshold()
    gc.set_threshold(YOUNG, *before[1:])
    try:
        analysis = analyse(task.request)
        return _Ended(render(task.form, analysis, task.options), exit_code(analysis, task.fail_on))
    except (IntakeError, ObjectsError) as error:
        stop = not_read(error)
    except Stop as error:
        stop = error
    finally:
        gc.set_threshold(*before)
    return _Ended(stop.message, stop.code, stopped=True)


def _quiet() -> None:
    """Several bars of progress on one terminal would overwrite each other."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
