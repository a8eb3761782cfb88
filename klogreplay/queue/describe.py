"""The table of behaviours as Markdown, from the registry and the release table.

`python -m klogreplay.queue.describe docs/queue-model.md` writes it between the markers of that file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Final

from klogreplay.queue.behaviours import AXES
from klogreplay.queue.behaviours.axis import Axis
from klogreplay.queue.profiles import all_releases, choose
from klogreplay.queue.releases import RELEASES, Release

BEGIN: Final = "<!-- behaviours: begin -->"
END: Final = "<!-- behaviours: end -->"


def behaviour_table() -> str:
    """One table per axis: behaviour, releases, upstream change, what it does."""
    return "\n".join(line for axis in AXES.values() for line in _axis(axis))


def releases_of(axis: str, behaviour: str) -> str:
    """The releases with this behaviour, as ranges, with the feature gates that choose it where gates do."""
    by_condition: dict[str, list[str]] = {}
    for name in all_releases():
        for condition in _conditions(RELEASES[name], axis, behaviour):
            by_condition.setdefault(condition, []).append(name)
    return "; ".join(
        f"{', '.join(_ranges(names))}{f' ({condition})' if condition else ''}"
        for condition, names in by_condition.items()
    )


def insert_table(text: str) -> str:
    """The document with the table between its markers. Raises ValueError for a document without them."""
    if BEGIN not in text or END not in text:
        raise ValueError(f"no {BEGIN} … {END}")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{behaviour_table()}\n{END}{after}"


def _axis(axis: Axis[object]) -> Iterator[str]:
    yield f"### {axis.name}"
    yield ""
    yield axis.asks
    yield ""
    yield "| behaviour | releases | upstream | what it does |"
    yield "| --- | --- | --- | --- |"
    for behaviour in axis.behaviours:
        upstream = ", ".join(behaviour.upstream)
        yield f"| {behaviour.name} | {releases_of(axis.name, behaviour.name)} | {upstream} | {behaviour.does} |"
    yield ""


def _conditions(release: Release, axis: str, behaviour: str) -> Iterator[str]:
    """Under which settings of its gates the release has the behaviour: "" for any, else each setting that does."""
    choice = release.choices[axis]
    free = [name for name, gate in release.gates.items() if not gate.locked]
    locked = {name: gate.default for name, gate in release.gates.items() if gate.locked}
    settings = [dict(zip(free, values, strict=True)) for values in product((True, False), repeat=len(free))]
    chosen = [setting for setting in settings if choose(choice, {**locked, **setting}) == behaviour]
    if len(chosen) == len(settings):
        yield ""
        return
    decisive = [name for name in free if _decides(name, chosen, settings)]
    yield from dict.fromkeys(
        ", ".join(f"{name} {'on' if setting[name] else 'off'}" for name in decisive) for setting in chosen
    )


def _decides(name: str, chosen: list[dict[str, bool]], settings: list[dict[str, bool]]) -> bool:
    return any({**setting, name: not setting[name]} not in chosen for setting in chosen)


def _ranges(names: list[str]) -> Iterator[str]:
    order: Mapping[str, int] = {name: number for number, name in enumerate(all_releases())}
    newest = all_releases()[-1]
    start = previous = names[0]
    for name in [*names[1:], ""]:
        if name and order[name] == order[previous] + 1:
            previous = name
            continue
        if previous == newest and start != newest:
            yield f"{start} on"
        else:
            yield start if start == previous else f"{start}–{previous}"
        start = previous = name


def main(path: str) -> None:
    """Write the table into the document at `path`."""
    document = Path(path)
    document.write_text(insert_table(document.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
