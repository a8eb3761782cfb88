"""KR902: lines that are in none of the tables."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.replay.types import Cited
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.phrases import counted
from klogreplay.rules.types import Finding


class LinesNotUnderstood(Rule):
    """The log holds lines that no known scheduler release prints.

    ## What it is

    An observation. Such lines are counted and otherwise left out; what they would tell is not in the verdicts.

    ## Why it happens

    A plugin of your own, a fork, a release newer than the tables, another program in the same file, or a damaged log.

    ## Which versions

    Any.

    ## What the log shows

    The commonest kinds are cited with the first line of each.

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
            grade="proven",
            summary=f"{counted(case.unknown_lines, 'line')} not understood.",
            proof=[
                Cited(
                    line=shape.line,
                    text=shape.text,
                    says=f"first of {counted(shape.count, 'such line')}",
                    source=shape.source,
                )
                for shape in case.unknown_shapes
            ],
        )
