"""The table `releases`: release order, which releases have all catalogues, and what each queue does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def build(catalogue: Path) -> dict[str, Any]:
    """Releases in true order, the main ones, and the rows of behaviours.json without where they were read from."""
    order: list[str] = json.loads((catalogue / "fingerprint.json").read_text())["releases"]
    rows: dict[str, dict[str, Any]] = json.loads((catalogue / "behaviours.json").read_text())
    main = json.loads((catalogue / "plugins.json").read_text())
    if set(order) != set(rows):
        raise ValueError("fingerprint.json and behaviours.json do not list the same releases")
    return {
        "order": order,
        "main": [release for release in order if release in main],
        "behaviours": {
            release: {key: value for key, value in row.items() if key != "source"} for release, row in rows.items()
        },
    }
