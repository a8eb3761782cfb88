"""Build klogreplay/events/data/known_messages.json.gz from the catalogue of messages.

    python tools/known_messages.py MESSAGES_JSON

MESSAGES_JSON is the catalogue's messages.json: every message that kube-scheduler and the libraries in it can log, over
all catalogued releases. Kept are the structured messages and, of the formatted ones, the constant pieces between the
verbs, each with a mark whether only pkg/scheduler prints it. The output is reproducible: same input, same bytes.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path

OUTPUT = Path(__file__).resolve().parents[1] / "klogreplay" / "events" / "data" / "known_messages.json.gz"
OWN_GROUPS = {"scheduler"}
VERB = re.compile(r"%[-+# 0]*[0-9.*]*[a-zA-Z]")
FEWEST_LETTERS = 6
"""A format with fewer constant letters ("%s: %s") would match anything."""


def pieces(message: str) -> list[str]:
    """The constant pieces of a format, in order; the text between two of them is a verb's."""
    return [piece.replace("%%", "%") for piece in VERB.split(message.rstrip())]


def letters(parts: list[str]) -> int:
    """How many letters the constant pieces have together."""
    return sum(char.isalpha() for part in parts for char in part)


def build(catalogue: dict[str, dict[str, list[str]]]) -> dict[str, list[object]]:
    """The table: structured [message, own] and printf [pieces, own], sorted."""
    structured: list[object] = []
    printf: list[object] = []
    for message, facts in sorted(catalogue.items()):
        own = set(facts["groups"]) <= OWN_GROUPS
        kinds = set(facts["kind"])
        if "structured" in kinds and letters([VERB.sub("", message)]) > 0:
            structured.append([message, own])
        if kinds - {"structured"}:
            parts = pieces(message)
            if letters(parts) >= FEWEST_LETTERS:
                printf.append([parts, own])
    return {"structured": structured, "printf": printf}


def main() -> None:
    """Read the catalogue named on the command line and write the table."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    table = build(json.loads(Path(sys.argv[1]).read_text("utf-8")))
    text = json.dumps(table, separators=(",", ":"), ensure_ascii=False)
    OUTPUT.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{OUTPUT.name}: {len(table['structured'])} structured, {len(table['printf'])} formatted messages")


if __name__ == "__main__":
    main()
