"""KR902: lines that are in none of the tables."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.intake.probe import Look, look
from klogreplay.intake.repairs import Known, headers
from klogreplay.replay.types import Cited
from klogreplay.rules.base import Case, Rule, UnknownShape
from klogreplay.rules.phrases import counted
from klogreplay.rules.types import Finding

_HEADLESS = ", without a klog header"


class LinesNotUnderstood(Rule):
    """The log holds lines that no known scheduler release prints.

    ## What it is

    An observation. Such lines are counted and otherwise left out; what they would tell is not in the verdicts.

    ## Why it happens

    A plugin of your own, a fork, a release newer than the tables, another program in the same file, or a damaged log.

    ## Which versions

    Any.

    ## What the log shows

    The commonest kinds are cited with the first line of each. Only a line with a klog header proves that some scheduler
    printed what no known release prints; any other may be the rest of a record whose beginning is not in the log, or
    text of whatever was around it. Where there are only such, the finding is no more than suspected.

    ## What to do

    If the lines are a plugin's of yours, describe the plugin (`--plugins`). If a scheduler of a known release prints
    them, please report them.

    ## References

    - docs/rules/README.md for the other rules
    """

    code = "KR902"
    name = "lines-not-understood"
    observation = True

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding with the commonest kinds of unknown lines."""
        if not case.unknown_lines:
            return
        yield self.finding(
            pod=None,
            grade="proven" if any(map(_has_header, case.unknown_shapes)) else "suspected",
            summary=f"{counted(case.unknown_lines, 'line')} not understood.",
            proof=[
                Cited(
                    line=shape.line,
                    text=shape.text,
                    says=f"first of {counted(shape.count, 'such line')}{'' if _has_header(shape) else _HEADLESS}",
                    source=shape.source,
                )
                for shape in case.unknown_shapes
            ],
        )


def _has_header(shape: UnknownShape) -> bool:
    """Whether the line has a klog header, if perhaps one that lost its severity, date or process id."""
    return look(shape.text.encode("utf-8", "replace")) is Look.RECORD or headers.mend(shape.text, Known()) is not None
