"""JSON after the schema klogreplay.analysis/v1: for programs. Log lines stand as they stood."""

from __future__ import annotations

import json
from typing import Any

from klogreplay.report.formats import Options
from klogreplay.report.model import Analysis


def as_object(analysis: Analysis) -> dict[str, Any]:
    """The report as plain values, in the field order of the model."""
    out = analysis.model_dump(mode="json", by_alias=True)
    if len(analysis.inputs) < 2:
        for process in out["log"]["processes"]:
            del process["first_input"], process["last_input"]
        for gap in out["log"]["gaps"]:
            del gap["input"], gap["next_input"]
        for parking in out["parkings"]:
            for placed in (parking, parking["wake_up"], *parking["concurrent_events"]):
                if placed is not None:
                    del placed["input"]
        for finding in out["findings"]:
            for cited in finding["proof"]:
                del cited["input"]
    if not out["pods"]:
        del out["pods"]
    if out["plugin_table"] is None:
        del out["plugin_table"]
    return out


def render(analysis: Analysis, options: Options) -> str:
    """Render as ASCII-only JSON with a parking or finding on each line.

    It can be shown in any terminal: no control or bidi character survives raw.
    """
    parts = [f"{json.dumps(key)}: {_value(value)}" for key, value in as_object(analysis).items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _value(value: Any) -> str:
    """A top-level value; the items of a list stand on a line each, for grep and diff."""
    if not isinstance(value, list) or not value:
        return json.dumps(value)
    return "[\n" + ",\n".join(json.dumps(item) for item in value) + "\n]"
