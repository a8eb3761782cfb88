"""The JSON Schema of the report, generated from the model; shipped as analysis.schema.json beside this file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from klogreplay.report.model import SCHEMA, Analysis

SCHEMA_FILE = Path(__file__).with_name("analysis.schema.json")


def analysis_schema() -> dict[str, Any]:
    """The schema (draft 2020-12) that every JSON report holds to."""
    body = Analysis.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA, **body}


def schema_text() -> str:
    """The schema as the text of the shipped file."""
    return json.dumps(analysis_schema(), indent=2) + "\n"
