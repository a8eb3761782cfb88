"""Build the data files of `klogreplay.knowledge` from a catalogue of kube-scheduler facts.

    python tools/build_knowledge.py CATALOGUE [--out DIR]

CATALOGUE is the folder that holds behaviours.json, events.json, gates.json, plugins.json, fingerprint.json and the
call sites; the bugs are read from upstream/known-bugs.json beside it. Each table is made by one module
(`knowledge_*.py` beside this one) and written as gzipped JSON with sorted keys, so that the same catalogue gives the
same text.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import knowledge_bugs
import knowledge_events
import knowledge_gates
import knowledge_hints
import knowledge_moves
import knowledge_plugins
import knowledge_releases
import knowledge_sites

OUT = Path(__file__).resolve().parents[1] / "klogreplay" / "knowledge" / "data"

BUILDERS: dict[str, Callable[[Path], Any]] = {
    "releases": knowledge_releases.build,
    "bugs": knowledge_bugs.build,
    "events": knowledge_events.build,
    "gates": knowledge_gates.build,
    "hints": knowledge_hints.build,
    "moves": knowledge_moves.build,
    "plugins": knowledge_plugins.build,
    "sites": knowledge_sites.build,
}


def encode(table: Any) -> bytes:
    """The table as it is shipped: compact JSON with sorted keys, gzipped without a time stamp."""
    text = json.dumps(table, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def main(argv: list[str]) -> int:
    """Write every table; the sizes go to stderr."""
    parser = argparse.ArgumentParser(description="Build the data files of klogreplay.knowledge.")
    parser.add_argument("catalogue", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args(argv)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, build in BUILDERS.items():
        data = encode(build(arguments.catalogue))
        (arguments.out / f"{name}.json.gz").write_bytes(data)
        print(f"{name}: {len(data)} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
