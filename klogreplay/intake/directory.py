"""From what the user named to what is read: files, the logs of directories, patterns and archives, standard input."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from klogreplay.intake.archive import BLOCK, contents_of
from klogreplay.intake.compression import detect_compression
from klogreplay.intake.errors import IntakeError, MissingInputError, NoLogsError
from klogreplay.intake.item import STDIN, Item, Peekable, file_item, open_file, open_stdin
from klogreplay.intake.limits import CHUNK, Limits
from klogreplay.intake.names import Container, container_of, is_log_name

_LONGEST_MAGIC = 6
_NO_FILE_NAME = re.compile(rb"[\s\[{\"]")
"""In the first bytes of a stream: it does not begin with a file name, as tar does, and need not be waited for."""


class Expanded(msgspec.Struct):
    """What is to be read, in the order named, and what was left out of it."""

    items: list[Item]
    warnings: list[str]


def expand(paths: Sequence[str], limits: Limits) -> Expanded:
    """All logs that the paths name: "-" is standard input, and a path that does not exist may be a pattern.

    Archives are opened. Raises IntakeError for what was named and is not there, or holds no log.
    """
    out = Expanded([], [])
    for path in dict.fromkeys(paths):
        if path == STDIN:
            _add(out, _passing(STDIN, open_stdin()), limits)
        elif os.path.isdir(path):
            for file in log_files(path, limits, out.warnings):
                _add(out, file_item(file, found=True), limits)
        elif os.path.exists(path) and not os.path.isfile(path):
            _add(out, _passing(path, open_file(path)), limits)
        elif os.path.exists(path) or not glob.has_magic(path):
            _add(out, file_item(path), limits)
        else:
            for file in _matching(path, limits):
                _add(out, file_item(file, found=True), limits)
    if not paths:
        raise MissingInputError("no input given")
    return out


def _passing(name: str, raw: BinaryIO) -> Item:
    """Standard input or a pipe: it is opened once, whatever is done with it."""
    reader = Peekable(raw)
    return Item(name, lambda: cast(BinaryIO, reader), once=True)


def _add(out: Expanded, item: Item, limits: Limits) -> None:
    """Add the item, or the logs inside it where it is an archive."""
    try:
        inside = _contents(item, limits)
    except IntakeError as error:
        if not item.found:
            raise
        out.warnings.append(f"{error}; left out")
        return
    if inside is None:
        out.items.append(item)
        return
    out.items += inside.items
    out.warnings += inside.warnings


def _contents(item: Item, limits: Limits) -> Expanded | None:
    raw = item.open()
    reader = raw if isinstance(raw, Peekable) else Peekable(raw)
    try:
        head = reader.peek(_LONGEST_MAGIC)
        if detect_compression(head) is not None:
            head = reader.peek(CHUNK)
        elif not item.once or not _NO_FILE_NAME.search(head):
            head = reader.peek(BLOCK)
        found = contents_of(item, cast(BinaryIO, reader), head, limits)
    except OSError as error:
        raise MissingInputError(f"{item.name}: {error.strerror or error}") from None
    finally:
        if not item.once:
            reader.close()
    return None if found is None else Expanded(_selected(found.items), found.warnings)


def _matching(pattern: str, limits: Limits) -> list[str]:
    files = sorted(file for file in glob.glob(pattern, recursive=True) if Path(file).is_file())
    if not files:
        raise MissingInputError(f"{pattern}: no such file")
    if len(files) > limits.files:
        raise NoLogsError(f"{pattern}: more than {limits.files} log files")
    return _without_second_names(files)


def log_files(path: str, limits: Limits, warnings: list[str] | None = None) -> list[str]:
    """The files below `path` that are logs by their names, in the order of their paths.

    Links to a file that is taken anyway are left out: klog keeps "kube-scheduler.INFO" pointing at its newest file.
    Where the folders are those of kubelet or of a cluster dump, so are the logs of other containers, with a word in
    `warnings`. Raises NoLogsError where there is none, or more than the limit.
    """
    found: list[str] = []
    for folder, subfolders, names in os.walk(path):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        found.extend(os.path.join(folder, name) for name in sorted(names) if is_log_name(name))
        if len(found) > limits.files:
            raise NoLogsError(f"{path}: more than {limits.files} log files")
    kept = _without_second_names(found)
    if not kept:
        raise NoLogsError(f"{path}: a directory without log files")
    chosen = set(_of_schedulers(kept))
    if warnings is not None and len(chosen) < len(kept):
        warnings.append(f"{path}: {len(kept) - len(chosen)} logs of other containers are left out")
    return [file for file in kept if file in chosen]


def _without_second_names(found: list[str]) -> list[str]:
    real = {os.path.realpath(file) for file in found if not Path(file).is_symlink()}
    kept: list[str] = []
    for file in found:
        if not Path(file).is_file():
            continue
        if Path(file).is_symlink():
            target = os.path.realpath(file)
            if target in real:
                continue
            real.add(target)
        kept.append(file)
    return kept


def _of_schedulers(paths: Iterable[str]) -> Iterator[str]:
    """The paths that are not, by their folders, the logs of other containers than the schedulers'.

    All of them where no container looks like a scheduler's.
    """
    by_path = {path: container_of(path) for path in paths}
    best: dict[str, int] = {}
    for container in filter(None, by_path.values()):
        best[container.pod] = max(best.get(container.pod, 0), container.likeness)
    none = not any(best.values())
    return (path for path, one in by_path.items() if none or one is None or _is_best(one, best))


def _is_best(container: Container, best: dict[str, int]) -> bool:
    return container.likeness > 0 and container.likeness == best[container.pod]


def _selected(items: list[Item]) -> list[Item]:
    kept = set(_of_schedulers(item.name for item in items))
    return [item for item in items if item.name in kept]
