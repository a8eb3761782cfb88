"""Lines that stand for lines left out, as people write them into tickets: `...`, `[…]`, `<snip>`."""

from __future__ import annotations

import re

from klogreplay.intake.repairs.headers import Mended

LEFT_OUT = "lines were left out where the log has “...”; what they say is missing"

_LONGEST = 60
_MARK = re.compile(
    r"[ \t]*+(?:[(\[<{] ?)?"
    r"(?:\.{3,60}+|…{1,20}+|(?:\.\.\. ?|-{1,9} ?)?(?:snip(?:ped)?|cut|truncated|omitted)(?: ?\.\.\.| ?-{1,9})?)"
    r"(?: ?[)\]>}])?\s*",
    re.IGNORECASE,
)


def mend(line: str) -> Mended | None:
    """An empty line in the place of such a mark; None for other lines."""
    if len(line) > _LONGEST or _MARK.fullmatch(line) is None:
        return None
    return Mended("", LEFT_OUT)
