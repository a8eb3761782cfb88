"""Where a failed pod went, where the log prints it and where it follows from what comes after.

The rules rest on three facts of the queue: only pods in unschedulablePods are asked about events and moved by them;
a pod in backoffQ leaves it at the first flush after its expiry (or, from 1.33, by a Pop); silence proves nothing
unless the line that would have broken it is printed at the proven verbosity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from klogreplay.knowledge.moves import site_function
from klogreplay.replay import windows
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.backoff import LOG_GAP_US, SILENCE_SLACK_US, TICK_SLACK_US
from klogreplay.replay.rejectors import Own, PluginSet
from klogreplay.replay.types import Evidence, WakeUp

if TYPE_CHECKING:
    from klogreplay.events import types as ev
    from klogreplay.replay.follow import Follower
    from klogreplay.replay.pods import PodState

DIRECT_POP_US = 500_000
"""A pod handed back straight to activeQ is popped within this when nothing else keeps the scheduler busy."""

MOVE_LINE = "moved: new pod, update, backoff done"
HINTS_ON = "moved: failed attempt, hints on"
HINTS_OFF = "moved: failed attempt, hints off"
EVENT_LINE = "moved: cluster event, line with hint or struct"


def resolve(f: Follower, state: PodState, queue: str, evidence: Evidence, line: int, text: str, says: str) -> None:
    """The pending attempt of `state`, which has one, went to `queue`."""
    attempt = state.pending
    assert attempt is not None
    state.pending = None
    _set(attempt, queue, evidence, line, text, says)
    if queue == "Unschedulable":
        state.parked = attempt


def _set(attempt: Attempt, queue: str, evidence: Evidence, line: int, text: str, says: str) -> None:
    attempt.destination = queue
    attempt.destination_evidence = evidence
    attempt.destination_line = line
    attempt.destination_text = text
    attempt.destination_says = says


def moved(f: Follower, state: PodState, e: ev.Moved) -> None:
    """A pod whose destination is open was moved, by something else than its hand-back."""
    from klogreplay.replay.moves import NOT_CLUSTER_EVENTS, is_own_update, wake  # noqa: PLC0415 - they need each other

    if state.pending is not None and not _is_whole(f, state.pending, e.line):
        # Another attempt, of which no line is left, may lie between.
        let_go(f, state, WakeUp(e.event, e.line, e.t, e.text))
        return
    if e.event not in NOT_CLUSTER_EVENTS and not is_own_update(e.event):
        parked = "events move only pods that are in unschedulablePods"
    elif is_own_update(e.event) and e.queue == "Backoff":
        parked = "an update moves a pod to backoffQ only from unschedulablePods"
    elif e.event == "BackoffComplete":
        where = _backoff_complete_from(f, e)
        if where is None:
            let_go(f, state, WakeUp(e.event, e.line, e.t, e.text))
            return
        if where == "backoff":
            resolve(f, state, "Backoff", "derived", e.line, e.text, "it came out of backoffQ")
            return
        parked = "this line is printed where an update moves a pod out of unschedulablePods"
    else:
        # It was added anew, or activated: that takes a pod out of either queue.
        let_go(f, state, WakeUp(e.event, e.line, e.t, e.text))
        return
    resolve(f, state, "Unschedulable", "derived", e.line, e.text, parked)
    if e.queue != "Unschedulable":
        wake(f, state, WakeUp(e.event, e.line, e.t, e.text))


def asked(f: Follower, state: PodState, e: ev.EventNotHelping) -> None:
    """A pod whose destination is open was asked about an event, so it is in unschedulablePods."""
    if state.pending is not None and not _is_whole(f, state.pending, e.line):
        # It may be there after another attempt, of which no line is left.
        let_go(f, state, WakeUp("unknown", e.line, e.t, e.text))
        return
    says = "only pods in unschedulablePods are asked, so it was there"
    resolve(f, state, "Unschedulable", "derived", e.line, e.text, says)


def let_go(f: Follower, state: PodState, wake_up: WakeUp) -> None:
    """The pod of an open attempt is out of the queue that it was handed back to, whichever that was.

    Where it is out before its hand-back was surely over, it may have been dropped or refused instead.
    """
    attempt = state.pending
    if attempt is None:
        return
    state.pending = None
    attempt.wake = wake_up
    attempt.untold = attempt.back_hi is None and attempt.destination is None
    f.emit(attempt)


def _backoff_complete_from(f: Follower, e: ev.Moved) -> str | None:
    """Which of its two call sites printed "BackoffComplete": the flush of backoffQ, or Update (1.26–1.31)."""
    functions = {site_function(release, e.site) for release in f.visibility.releases}
    if functions and all(name is not None and "flushBackoffQCompleted" in name for name in functions):
        return "backoff"
    if functions and all(name is not None and name.endswith("Update") for name in functions):
        return "unschedulable"
    return None


def popped(f: Follower, state: PodState, e: ev.SchedulerEvent) -> None:
    """The pod shows up in a new attempt while its last one is parked, or is open."""
    from klogreplay.replay.moves import wake  # noqa: PLC0415 - they need each other

    if state.parked is not None:
        wake(f, state, WakeUp("unknown", e.line, e.t, e.text))
        return
    attempt = state.pending
    assert attempt is not None
    if attempt.back_hi is None and attempt.serial:
        attempt.back_hi = e.t
    back_hi = attempt.back_hi if attempt.back_hi is not None else attempt.t
    if attempt.timeless:
        pass
    elif f.visibility.prints(MOVE_LINE):
        idle = f.flights.idle_since(e.t)
        quick = e.t - back_hi <= DIRECT_POP_US or idle is None or e.t - max(idle, back_hi) <= DIRECT_POP_US
        if quick and _is_whole(f, attempt, e.line):
            says = "no move line comes before this Pop: it was handed back straight to activeQ"
            _set(attempt, "Active", "derived", e.line, e.text, says)
    elif (
        not _hand_back_is_printed(f)
        and _too_late_for_backoff(f, attempt, back_hi, e.t)
        and _is_whole(f, attempt, e.line)
    ):
        says = "had it been in backoffQ, it would have been popped long before"
        _set(attempt, "Unschedulable", "derived", e.line, e.text, says)
    let_go(f, state, WakeUp("unknown", e.line, e.t, e.text))


def _too_late_for_backoff(f: Follower, attempt: Attempt, back_hi: int, t: int) -> bool:
    """Whether the scheduler sat idle after the pod's backoff must have ended and before it was popped."""
    due = back_hi + attempt.backoff_us + SILENCE_SLACK_US
    if not attempt.backoff_known or t <= due or f.gap_from > attempt.t:
        return False
    sched = f.flights.idle_since(t)
    return sched is not None and t - max(sched, due) > TICK_SLACK_US


def _is_whole(f: Follower, attempt: Attempt, line: int) -> bool:
    """Whether nothing tells that lines are missing between the attempt's failure and `line`, which is read now."""
    if f.holes.between(attempt.line, line, attempt.t, f.last_t):
        attempt.hole = True
        return False
    return True


def silent(f: Follower, attempt: Attempt, due: int, line: int) -> None:
    """The pod of an open attempt has been silent until after `due`, when backoffQ would surely have let it go.

    `line` is the first one after that.
    """
    if attempt.destination is not None or attempt.emitted:
        return
    if not f.visibility.prints(MOVE_LINE) or _hand_back_is_printed(f):
        return
    if f.gap_from > attempt.t - LOG_GAP_US or not _is_whole(f, attempt, line):
        return
    state = f.pods.get(attempt.pod)
    if state is None or state.pending is not attempt:
        return
    says = "no BackoffComplete line follows within the backoff time and one flush of backoffQ"
    evidence: Evidence = "derived" if f.backoff.configured else "assumed"
    resolve(f, state, "Unschedulable", evidence, attempt.line, attempt.text, says)


def _hand_back_is_printed(f: Follower) -> bool:
    """Whether the log would print the hand-back itself: then its absence is a lost line, and silence proves nothing."""
    see = f.visibility
    return see.prints(HINTS_ON) or (see.level_of(HINTS_ON) is None and see.prints(HINTS_OFF))


def without_failure(f: Follower, state: PodState, e: ev.Moved) -> None:
    """A hand-back is printed of which no failure line was seen (its start was cut off)."""
    if e.queue == "Unschedulable":
        _orphan_hand_back(f, state, e)


def _orphan_hand_back(f: Follower, state: PodState, e: ev.Moved) -> None:
    """A printed parking whose failure line is missing: what it failed on cannot be told."""
    from klogreplay.replay.moves import wake  # noqa: PLC0415 - they need each other

    if state.parked is not None:
        wake(f, state, WakeUp("unknown", e.line, e.t, e.text))
    own = Own(PluginSet(e.plugins or frozenset(), e.plugins is not None), "unknown", False)
    attempt = Attempt(
        pod=e.pod, number=max(state.attempts, 1), queue_attempts=state.queue_attempts,
        flight=f.flights.open.get(e.pod), t=e.t, line=e.line, source=e.source, text=e.text, is_error=False,
        err="", own=own, held=state.held, held_lines=state.held_lines, orphan=True, back_hi=e.t, back_t=e.t,
        back_line=e.line, hint=e.hint, cycle=e.cycle,
        backoff_us=f.backoff.of(state.queue_attempts), backoff_known=state.queue_attempts is not None,
    )  # fmt: skip
    f.flights.end(e.pod, e.t, e.t)
    state.held = None
    state.pending = attempt
    windows.close(f, attempt)
    resolve(f, state, e.queue, "observed", e.line, e.text, "the queue says where the pod went")
