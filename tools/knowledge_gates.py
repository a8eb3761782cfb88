"""The table `gates`: per main release the feature gates that the scheduler reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def build(catalogue: Path) -> dict[str, Any]:
    """Release -> gate -> [default, stage, locked to the default]."""
    versions = json.loads((catalogue / "gates.json").read_text())["versions"]
    return {
        release: {
            gate: [facts["default"], facts["stage"], facts["lockedToDefault"]] for gate, facts in sorted(gates.items())
        }
        for release, gates in versions.items()
    }
