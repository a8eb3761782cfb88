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
        for parking in out["parkings"]:
            del parking["input"]
        for finding in out["findings"]:
            for cited in finding["proof"]:
                del cited["input"]
    return out


def render(analysis: Analysis, options: Options) -> str:
    """Render as ASCII-only JSON: it can be shown in any terminal, and no control or bidi character survives raw."""
    return json.dumps(as_object(analysis), ensure_ascii=True, indent=2) + "\n"
