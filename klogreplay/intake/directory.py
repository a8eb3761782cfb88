"""The log files of a directory."""

from __future__ import annotations

import os
from pathlib import Path

from klogreplay.intake.errors import NoLogsError
from klogreplay.intake.limits import Limits
from klogreplay.intake.names import is_log_name


def log_files(path: str, limits: Limits) -> list[str]:
    """The files below `path` that are logs by their names, in the order of their paths.

    Links to a file that is taken anyway are left out: klog keeps "kube-scheduler.INFO" pointing at its newest file.
    Raises NoLogsError where there is none, or more than the limit.
    """
    found: list[str] = []
    for folder, subfolders, names in os.walk(path):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        found.extend(os.path.join(folder, name) for name in sorted(names) if is_log_name(name))
        if len(found) > limits.files:
            raise NoLogsError(f"{path}: more than {limits.files} log files")
    real = {os.path.realpath(file) for file in found if not Path(file).is_symlink()}
    kept = [
        file
        for file in found
        if Path(file).is_file() and not (Path(file).is_symlink() and os.path.realpath(file) in real)
    ]
    if not kept:
        raise NoLogsError(f"{path}: a directory without log files")
    return kept
