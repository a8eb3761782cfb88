"""The answers for single pods: from the stories of the rules to the report, and as lines for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from klogreplay.report.model import Analysis, AttemptOut, PodOut, Valued
from klogreplay.report.sanitize import readable
from klogreplay.rules.phrases import counted, seconds
from klogreplay.rules.waits.story import Row, Story

MAX_ROWS = 50
"""Attempts of a pod that a report for people lists."""


def pod_out(story: Story, clock: Callable[[int], str]) -> PodOut:
    """A story as part of the report; `clock` formats the log's microseconds."""
    return PodOut(
        pod=readable(story.pod),
        answer=readable(story.answer),
        right=story.right,
        attempts=[_attempt(row, clock) for row in story.rows],
        more_attempts=story.more,
    )


def _attempt(row: Row, clock: Callable[[int], str]) -> AttemptOut:
    return AttemptOut(
        attempt=row.number,
        time=clock(row.t),
        line=row.line,
        is_error=row.is_error,
        reasons=[readable(reason) for reason in row.reasons],
        rejector_plugins=None if row.plugins is None else [readable(plugin) for plugin in row.plugins],
        destination=Valued(value=row.destination, evidence=row.evidence),
        wake_up=None if row.wake_up is None else readable(row.wake_up),
        waited_seconds=None if row.waited_us is None else row.waited_us / 1_000_000,
        verdict=row.verdict,
        input=row.source,
    )


def verdict_of(pods: Iterable[PodOut]) -> str | None:
    """The report's first sentence where just one pod was asked for and nothing is wrong with it."""
    rows = list(pods)
    return rows[0].answer if len(rows) == 1 and rows[0].right else None


def attempt_lines(analysis: Analysis, pod: PodOut, place: Callable[[Analysis, int, int], str]) -> Iterator[str]:
    """A line for each attempt, the same things in the same order; what is as in the attempt before is not repeated."""
    if not pod.attempts:
        yield "no failed attempt in this log"
    before: list[str] | None = None
    for one in pod.attempts[:MAX_ROWS]:
        reasons = "the same" if one.reasons == before else "; ".join(one.reasons)
        before = one.reasons
        rejectors = f", rejected by {', '.join(one.rejector_plugins)}" if one.rejector_plugins else ""
        went = f"to {one.destination.value}" if one.destination.value != "unknown" else "where to is not shown"
        woken = f", woken by {one.wake_up}" if one.wake_up is not None else ""
        after = (
            f", next attempt after {seconds(round(one.waited_seconds * 1_000_000))}"
            if one.waited_seconds is not None
            else ""
        )
        judged = f"; {one.verdict}" if one.verdict is not None else ""
        where = place(analysis, one.line, one.input)
        kind = "error: " if one.is_error else ""
        yield f"{one.attempt}. {where}, {one.time}: {kind}{reasons}{rejectors}; {went}{woken}{after}{judged}"
    hidden = len(pod.attempts) - MAX_ROWS + pod.more_attempts
    if len(pod.attempts) > MAX_ROWS or pod.more_attempts:
        yield f"and {counted(max(hidden, pod.more_attempts), 'more failed attempt')}"
