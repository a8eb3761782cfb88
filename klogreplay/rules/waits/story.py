"""The answer for one pod: what each attempt failed on, where the pod went, what woke it, and why it waited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from klogreplay.events import types as ev
from klogreplay.events.fiterror import parse_fit_error
from klogreplay.knowledge import gate_owner, gates_in
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.types import Evidence, Parking
from klogreplay.rules.phrases import counted, quoted, seconds
from klogreplay.rules.types import Finding
from klogreplay.rules.waits.watch import Life, Try

LONGEST = 300
"""Characters of an error that an attempt's row shows."""
SCHEDULING_GATES = "SchedulingGates"
BACKOFF_OVER = "BackoffComplete"
WAITS_SHOWN = 6
"""Waits after errors that are told, so that one sees backoff grow."""
SLOW_US = 5_000_000
"""A victim that takes longer than this to go is worth a word."""

_QUEUES = {"Unschedulable": "unschedulablePods", "Backoff": "backoffQ", "Active": "activeQ"}


class Row(msgspec.Struct):
    """One failed attempt.

    `reasons` are those of a fit error with their counts, or the error. `destination` is the queue's part ("unknown"
    where it cannot be told), `wake_up` the event that moved the pod next (None: not shown), `waited_us` the time from
    the failure to the next attempt or the binding, in microseconds. `verdict` is that on the parking, if it was one.
    """

    number: int
    line: int
    source: int
    t: int
    is_error: bool
    reasons: list[str]
    plugins: tuple[str, ...] | None
    destination: str
    evidence: Evidence
    wake_up: str | None
    waited_us: int | None
    verdict: str | None


class Story(msgspec.Struct):
    """The answer for one pod. `right`: the log shows nothing wrong in the queue. `more` rows are left out."""

    pod: str
    answer: str
    right: bool
    rows: list[Row]
    more: int = 0


def tell(
    life: Life,
    attempts: Iterable[Attempt],
    parkings: Iterable[Parking],
    findings: Iterable[Finding],
    end_t: int,
    plugins_of: Callable[[str], Sequence[str]],
) -> Story:
    """Tell the story of a pod that was watched.

    `attempts` are the replay's failed attempts and `parkings` its verdicts, of any pods; so are `findings`. `end_t` is
    the time of the log's last event, in microseconds. `plugins_of` gives the plugins that reject with a reason, for
    attempts that the replay did not have to judge.
    """
    followed = {each.line: each for each in attempts if each.pod == life.pod}
    judged = [each for each in parkings if each.pod == life.pod]
    verdicts: dict[int, Parking] = {each.line: each for each in judged}
    rows = [_row(n, one, life, followed, verdicts, plugins_of) for n, one in enumerate(life.tries, 1)]
    wrong = sum(each.verdict == "wrong" for each in judged)
    undecided = sum(each.verdict == "undecided" for each in judged)
    told = [each for each in findings if each.pod == life.pod and not each.observation]
    if wrong:
        tried = counted(len(rows) + life.more, "failed attempt")
        answer = f"{wrong} of {tried} {'was' if wrong == 1 else 'were'} wrongly parked."
    elif told:
        codes = ", ".join(dict.fromkeys(f"{each.code} {each.name} ({each.grade})" for each in told))
        answer = f"The queue parked the pod rightly, as far as the log shows; but see {codes}."
    elif undecided:
        answer = (
            f"Nothing proven wrong in the queue; {counted(undecided, 'failed attempt')} cannot be judged from this log."
        )
    else:
        answer = f"Nothing wrong in the queue: {_because(life, rows, end_t)}"
    return Story(life.pod, answer, not wrong and not told and not undecided, rows, life.more)


def _row(
    number: int,
    one: Try,
    life: Life,
    followed: Mapping[int, Attempt],
    verdicts: Mapping[int, Parking],
    plugins_of: Callable[[str], Sequence[str]],
) -> Row:
    failed = one.failed
    attempt = followed.get(failed.line)
    back = one.handed_back
    parking = verdicts.get(failed.line) or (None if back is None else verdicts.get(back.line))
    destination, evidence = _destination(one, attempt, parking)
    plugins = _plugins(failed, plugins_of)
    if attempt is not None:
        names = attempt.own.plugins
        plugins = tuple(sorted(names.names)) if names.complete and not attempt.is_error else None
    after = one.again
    if after is None and life.bound is not None and life.tries[-1] is one:
        after = life.bound
    moved = one.moved.event if one.moved is not None else None
    if moved is None and parking is not None and parking.wake_up is not None and parking.wake_up.event != "unknown":
        moved = parking.wake_up.event
    return Row(
        number=number,
        line=failed.line,
        source=failed.source,
        t=failed.t,
        is_error=attempt.is_error if attempt is not None else failed.error,
        reasons=_reasons(failed),
        plugins=plugins,
        destination=destination,
        evidence=evidence,
        wake_up=moved,
        waited_us=None if after is None else max(0, after.t - failed.t),
        verdict=None if parking is None else _verdict(parking),
    )


def _destination(one: Try, attempt: Attempt | None, parking: Parking | None) -> tuple[str, Evidence]:
    if one.handed_back is not None:
        return _QUEUES[one.handed_back.queue], "observed"
    if attempt is not None and attempt.destination is not None:
        return _QUEUES[attempt.destination], attempt.destination_evidence
    if parking is not None and parking.destination == "Unschedulable":
        return _QUEUES["Unschedulable"], parking.destination_evidence
    if parking is None and one.moved is not None and one.moved.event == BACKOFF_OVER:
        # The replay lists what was or may have been parked: this attempt it followed into backoffQ.
        return _QUEUES["Backoff"], "derived"
    return "unknown", "unknown"


def _plugins(failed: ev.AttemptFailed, plugins_of: Callable[[str], Sequence[str]]) -> tuple[str, ...] | None:
    fit = None if failed.error else parse_fit_error(failed.err)
    named = [plugins_of(reason) for _, reason in fit.reasons] if fit is not None else []
    return tuple(sorted({plugin for each in named for plugin in each})) if named and all(named) else None


def _verdict(parking: Parking) -> str:
    return parking.verdict if parking.verdict == "undecided" else f"{parking.verdict} ({parking.grade})"


def _reasons(failed: ev.AttemptFailed) -> list[str]:
    fit = None if failed.error else parse_fit_error(failed.err)
    if fit is None or not fit.reasons:
        return [_short(failed.err) if failed.err else "no reason printed"]
    return [_short(reason if count is None else f"{count} {reason}") for count, reason in fit.reasons]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def _because(life: Life, rows: Sequence[Row], end_t: int) -> str:
    gates = _gates(life, end_t)
    if not rows:
        if gates:
            return f"the pod waited because {gates}. {_end_of(life)}"
        if life.attempts:
            return f"no attempt of the pod failed. {_end_of(life)}"
        return f"no attempt of the pod is in this log. {_end_of(life)}"
    before = f"Before, {gates}." if gates and life.gates[0].since.line < rows[0].line else ""
    return " ".join(part for part in (_failures(rows), before, _victims(life, end_t), _ended(life, rows)) if part)


def _gates(life: Life, end_t: int) -> str:
    """What kept the pod from its first attempt, as half a sentence."""
    if not life.gates:
        return ""
    gate = life.gates[0]
    until = gate.opened
    held = seconds((end_t if until is None else until.t) - gate.since.t)
    who = (
        f"it had scheduling gates{_named(gate.told.status)}"
        if gate.plugin == SCHEDULING_GATES
        else f"the PreEnqueue plugin {quoted([gate.plugin])} kept it out of activeQ"
    )
    still = "still when the log ends" if until is None else f"until line {until.line}"
    return f"{who} for {held} (from line {gate.since.line}, {still})"


def _named(status: str) -> str:
    """The scheduling gates by name, and of a well-known one who puts it there."""
    names = gates_in(status)
    if not names:
        return ""
    owners = [owner for name in names if (owner := gate_owner(name)) is not None]
    return f" {quoted(names)}" + (f" ({'; '.join(owners)})" if owners else "")


def _end_of(life: Life) -> str:
    if life.bound is not None:
        return f"It was bound to {life.bound.node or 'a node'} (line {life.bound.line})."
    if life.deleted is not None:
        return f"It was deleted (line {life.deleted.line})."
    return "It was not bound before the log ends."


def _failures(rows: Sequence[Row]) -> str:
    fits = [row for row in rows if not row.is_error]
    errors = [row for row in rows if row.is_error]
    causes = []
    if fits:
        last = fits[-1]
        often = f" in {len(fits)} attempts" if len(fits) > 1 else ""
        changing = ", for changing reasons, at last" if len({tuple(row.reasons) for row in fits}) > 1 else ""
        rejectors = f" ({quoted(last.plugins)})" if last.plugins else ""
        causes.append(f"no node fitted{often}{changing}: {', '.join(last.reasons)}{rejectors}")
    if errors:
        waits = [seconds(row.waited_us) for row in errors if row.waited_us is not None][:WAITS_SHOWN]
        after = f" (after {', '.join(waits)})" if waits else ""
        was = "was" if len(errors) == 1 else "were"
        causes.append(
            f"{counted(len(errors), 'attempt')} failed with an error and {was} retried{after}; the last: "
            f"{errors[-1].reasons[0]}"
        )
    return f"the pod waited because {'; and because '.join(causes)}."


def _victims(life: Life, end_t: int) -> str:
    waits = [(one, (one.gone.t if one.gone is not None else end_t) - one.preempted.t) for one in life.victims]
    slow = [(one, us) for one, us in waits if us >= SLOW_US or one.gone is None]
    if not life.victims:
        return ""
    if not slow:
        return f"It preempted {counted(len(life.victims), 'pod')}, which went within {seconds(SLOW_US)}."
    one, us = max(slow, key=lambda each: each[1])
    still = "and was still there when the log ends" if one.gone is None else "to go"
    return f"It preempted {one.name}, which took {seconds(us)} {still}."


def _ended(life: Life, rows: Sequence[Row]) -> str:
    last, one = rows[-1], life.tries[-1]
    asked = sum(one.asked.values())
    heard = (
        f" It was asked about {counted(asked, 'event')} that did not help ({', '.join(sorted(one.asked)[:4])})."
        if asked
        else ""
    )
    if life.bound is not None:
        woken = f'"{last.wake_up}" moved it' if last.wake_up is not None else "The next attempt came"
        after = f" after {seconds(last.waited_us)}" if last.waited_us is not None else ""
        return f"{woken}{after}, and it was bound to {life.bound.node or 'a node'}.{heard}"
    if life.deleted is not None:
        return f"It was deleted (line {life.deleted.line}) before anything helped.{heard}"
    if life.gated and life.gates:
        return f"Since then it is gated by {quoted([life.gates[-1].plugin])} (line {life.gates[-1].told.line}).{heard}"
    return f"Nothing that could help it came before the log ends.{heard}"
