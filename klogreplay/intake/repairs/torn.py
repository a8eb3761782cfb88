"""Records written into each other, by processes that share a file: one begins in the middle of the other's line.

Only a structured record is parted, and only where the header inside cannot be text between its quotes. The rest of the
outer record follows on a line of its own; the two are joined if that makes a whole record.
"""

from __future__ import annotations

import re

from klogreplay.intake.probe import CALLER, DATE, TIME

JOINED = "records written into each other were parted and joined"
LOST = "records are torn by others, and their rest is not found"

_HEADER = rf"[IWEF]{DATE.decode()} {TIME.decode()} {{1,7}}[0-9]{{1,7}} {CALLER.decode()}\] "
_INNER = re.compile(rf"(?<=.){_HEADER}", re.DOTALL)
_QUOTED = r'"(?:[^"\\\n]++|\\.)*+"'
_JSON = rf'[\[{{](?:{_QUOTED}|[^"\n \]}}]++|[\]}}](?! |\r?\Z))*+[\]}}]'
_WHOLE = re.compile(rf'{_HEADER}{_QUOTED}(?: [^="\n]{{1,64}}=(?:{_QUOTED}|{_JSON}|[^" \n]++))*+\r?')
_STRUCTURED = re.compile(rf'{_HEADER}"')
_SHORTEST = 40


def part(line: str) -> tuple[str, str] | None:
    """What a line holds of the outer record, and the record that begins inside; None of a line that is not torn."""
    if line.find(".go:", _SHORTEST) < 0:
        return None
    inner = _INNER.search(line, 1)
    if inner is None or _STRUCTURED.match(line) is None or is_whole(line):
        return None
    return line[: inner.start()], line[inner.start() :]


def is_whole(line: str) -> bool:
    """Whether a line is a structured record from its header to its last pair, with every quote closed."""
    return _WHOLE.fullmatch(line) is not None
