"""JSON after the schema klogreplay.analysis/v1: for programs. Log lines stand as they stood."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from klogreplay.report.formats import Options
from klogreplay.report.model import Analysis, FindingOut, ParkingOut
from klogreplay.report.rows import Rows


class Layout(NamedTuple):
    """What stands around and between fields and the items of lists."""

    open: str
    between: str
    close: str
    open_list: str
    between_items: str
    close_list: str


LINES = Layout("{\n", ",\n", "\n}\n", "[\n", ",\n", "\n]")
"""A parking or finding on each line, for grep and diff."""

ONE_LINE = Layout("{", ", ", "}", "[", ", ", "]")

_DUMPED_APART = {"parkings", "findings"}


def render(analysis: Analysis, options: Options) -> Iterator[str]:
    """Render as ASCII-only JSON with a parking or finding on each line, piece by piece.

    It can be shown in any terminal: no control or bidi character survives raw.
    """
    return pieces(analysis, LINES)


def pieces(analysis: Analysis, layout: Layout) -> Iterator[str]:
    """The report in the field order of the model, without what says nothing here."""
    placed = len(analysis.inputs) > 1
    out = analysis.model_dump(mode="json", by_alias=True, exclude=_DUMPED_APART)
    if not placed:
        for process in out["log"]["processes"]:
            del process["first_input"], process["last_input"]
        for gap in out["log"]["gaps"]:
            del gap["input"], gap["next_input"]
    before = layout.open
    for name, field in Analysis.model_fields.items():
        key = field.alias or name
        value = out.get(key)
        if name == "parkings":
            yield from _list(f'{before}"{key}": ', _parkings(analysis, placed=placed), layout)
        elif name == "findings":
            findings = (finding_json(finding, placed=placed) for finding in analysis.findings)
            yield from _list(f'{before}"{key}": ', findings, layout)
        elif name in ("pods", "plugin_table") and not value:
            continue
        elif isinstance(value, list):
            yield from _list(f'{before}"{key}": ', map(json.dumps, value), layout)
        else:
            yield f'{before}"{key}": {json.dumps(value)}'
        before = layout.between
    yield layout.close


def _list(head: str, items: Iterable[str], layout: Layout) -> Iterator[str]:
    before = head + layout.open_list
    empty = True
    for item in items:
        yield before
        yield item
        before = layout.between_items
        empty = False
    yield f"{head}[]" if empty else layout.close_list


def _parkings(analysis: Analysis, *, placed: bool) -> Iterator[str]:
    if isinstance(analysis.parkings, Rows):
        return analysis.parkings.json(placed=placed)
    return (parking_json(parking, placed=placed) for parking in analysis.parkings)


def parking_json(parking: ParkingOut, *, placed: bool) -> str:
    """A parking by itself, without its inputs unless `placed`."""
    out = parking.model_dump(mode="json")
    _without_inputs([] if placed else [out, out["wake_up"], *out["concurrent_events"]])
    return json.dumps(out)


def finding_json(finding: FindingOut, *, placed: bool, indexed: bool = True) -> str:
    """A finding by itself, without its inputs unless `placed`, without the index of its parking unless `indexed`."""
    out = finding.model_dump(mode="json", exclude=None if indexed else {"parking"})
    _without_inputs([] if placed else out["proof"])
    return json.dumps(out)


def _without_inputs(placed: Iterable[dict[str, Any] | None]) -> None:
    for each in placed:
        if each is not None:
            del each["input"]
