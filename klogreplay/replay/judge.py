"""The verdict on one failed attempt: was it right to park it, by the newest queue with every known fix?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy

import msgspec

from klogreplay.queue import FIXES, REFERENCE, Profile
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.effects import Effects
from klogreplay.replay.scene import without_window
from klogreplay.replay.simulate import PARKED, outcome
from klogreplay.replay.types import Cause, Grade, Verdict
from klogreplay.replay.worlds import CrowdedError, World, worlds

SHORT_WINDOW_US = 5_000
"""In a shorter window an event without any line is improbable (none was among 400 such windows recorded)."""


GRADES: tuple[Grade, ...] = ("proven", "likely", "suspected")
"""From the best to the weakest."""


class AsBuilt(msgspec.Struct):
    """One release that the log may be of: its queue, and what its tables say."""

    release: str
    profile: Profile
    effects: Effects
    hints: bool


class Judgement(msgspec.Struct):
    """A verdict.

    `parked` False: not to be listed, the queue as built cannot have parked the pod. None: nobody can say.
    """

    parked: bool | None
    verdict: Verdict
    grade: Grade
    causes: list[Cause]
    expected: str | None
    reasons: tuple[str, ...] = ()


def judge(attempt: Attempt, built: Sequence[AsBuilt]) -> Judgement:
    """Judge `attempt` for every release the log may be of; the verdict holds only if it holds in all."""
    verdicts = [_judge_one(attempt, one) for one in built]
    explained = [v for v in verdicts if "divergence" not in v.reasons]
    if explained:
        # A release whose queue cannot have parked the pod is not the one that did.
        verdicts = explained
    first = verdicts[0]
    if all(v.parked is False for v in verdicts):
        return first
    listed = [v for v in verdicts if v.parked is not False]
    if len({v.verdict for v in listed}) > 1 or (listed[0].verdict == "wrong" and len(listed) < len(verdicts)):
        return Judgement(None, "undecided", "suspected", [], None, ("release",))
    weakest = max(listed, key=lambda v: GRADES.index(v.grade))
    return Judgement(
        parked=attempt.destination == PARKED or all(v.parked for v in verdicts) or None,
        verdict=weakest.verdict,
        grade=weakest.grade,
        causes=_common_causes(listed),
        expected=weakest.expected,
        reasons=weakest.reasons,
    )


def _common_causes(listed: Iterable[Judgement]) -> list[Cause]:
    causes: dict[str, Cause] = {}
    rows = [v.causes for v in listed]
    for row in rows:
        for cause in row:
            everywhere = all(any(c.code == cause.code for c in other) for other in rows)
            grade: Grade = cause.grade if everywhere else "suspected"
            known = causes.get(cause.code)
            if known is None or known.grade != "suspected":
                causes[cause.code] = Cause(cause.code, grade)
    return list(causes.values())


def _judge_one(attempt: Attempt, built: AsBuilt) -> Judgement:
    judgement = _judge_strictly(attempt, built)
    window = attempt.window
    if judgement.reasons != ("events",) or window is None or not any(event.answers for event in window.events):
        return judgement
    # What hint functions answered for other pods decides nothing for sure, but better than nothing.
    second = _judge_strictly(attempt, built, likely=True)
    if second.verdict == "undecided":
        return judgement
    second.grade = "likely"
    second.causes = _no_better_than_likely(second.causes)
    return second


def _no_better_than_likely(causes: Iterable[Cause]) -> list[Cause]:
    return [Cause(cause.code, max(cause.grade, "likely", key=GRADES.index)) for cause in causes]


def _judge_strictly(attempt: Attempt, built: AsBuilt, *, likely: bool = False) -> Judgement:
    known_parked = attempt.destination == PARKED
    if attempt.orphan:
        return _orphan(built)
    shortcut = _shortcut(attempt, built, known_parked)
    if shortcut is not None:
        return shortcut
    reference = reference_for(built)
    holds = not clears_at_pop(built.profile)
    try:
        all_worlds = worlds(attempt, built.effects, holds=holds, likely=likely)
    except CrowdedError:
        if not attempt.is_error:
            return Judgement(None, "undecided", "suspected", [], None, ("busy",))
        # Whatever came while it was in flight, an error does not belong into unschedulablePods.
        attempt = without_window(attempt)
        all_worlds = worlds(attempt, built.effects, holds=holds)
    consistent = [w for w in all_worlds if outcome(built.profile, w, is_error=attempt.is_error) == PARKED]
    if not consistent:
        if not known_parked:
            return Judgement(False, "right", "proven", [], None)
        return _divergence(attempt, built, all_worlds, reference)
    expected = {w: outcome(reference, w, is_error=attempt.is_error) for w in consistent}
    verdict, grade = _weigh(attempt, expected)
    parked = known_parked or (len(consistent) == len(all_worlds) and _all_seen(attempt))
    if verdict == "wrong" and not parked:
        # Nobody is accused of a parking that no line shows, unless every event that could prevent it would show.
        return Judgement(None, "undecided", "suspected", [], None, ("destination",))
    if verdict == "wrong" and not attempt.is_error and attempt.window is not None and attempt.window.hole:
        # This Pop and this failure may be of two attempts: what came between them proves nothing.
        return Judgement(known_parked or None, "undecided", "suspected", [], None, ("hole",))
    if verdict == "undecided":
        return Judgement(None, "undecided", "suspected", [], None, ("events",))
    causes: list[Cause] = []
    queue: str | None = PARKED
    if verdict == "wrong":
        causes = _causes(attempt, built, consistent)
        queue = min(q for q in expected.values() if q != PARKED)
        if attempt.quiet and not attempt.is_error:
            grade, causes = "likely", _no_better_than_likely(causes)
    return Judgement(parked or None, verdict, grade, causes, queue)


def _all_seen(attempt: Attempt) -> bool:
    """Whether the log shows all that the queue as built decided by: the Pop and every event since."""
    window = attempt.window
    return (
        window is not None and window.exhaustive and window.pop_lo is not None and not window.cut and not attempt.untold
    )


def _orphan(built: AsBuilt) -> Judgement:
    """A printed parking without its failure line: right where this queue parks nothing but rejections, rightly."""
    never_errors = FIXES["error-without-plugins"].apply(built.profile) == built.profile
    if never_errors and not depends_on_others(built) and clears_at_pop(built.profile):
        return Judgement(True, "right", "proven", [], PARKED)
    return Judgement(True, "undecided", "suspected", [], None, ("failure",))


def reference_for(built: AsBuilt) -> Profile:
    """The newest queue with every known fix, with queueing hints as the log's scheduler has them.

    With the gate off the older move-request cycle rules are what its operator chose, not a bug.
    """
    if built.hints:
        return REFERENCE
    profile = built.profile
    for fix in FIXES.values():
        profile = fix.apply(profile)
    return profile


def clears_at_pop(profile: Profile) -> bool:
    """Whether the queue forgets a pod's plugin set when it pops it (kubernetes#120334)."""
    return FIXES["stale-plugins"].apply(profile) == profile


def depends_on_others(built: AsBuilt) -> bool:
    """Whether a hand-back may depend on who else was in flight: only with markers of the first generation."""
    return built.hints and FIXES["missed-events"].apply(built.profile) != built.profile


def _shortcut(attempt: Attempt, built: AsBuilt, known_parked: bool) -> Judgement | None:
    """Verdicts that need no simulation, since the queue as built and the reference cannot differ on them."""
    right = Judgement(known_parked or None, "right", "proven", [], PARKED)
    if attempt.gated:
        return right
    if attempt.is_error:
        return None
    if not depends_on_others(built):
        # A rejection is judged by the same rules in both: parked only if nothing relevant came since the Pop.
        return right
    window = attempt.window
    if window is None or window.pop_lo is None or window.cut:
        return None
    if not any(window.open_at_pop(other) for other in window.others):
        # Nobody else was in flight at the Pop, so there was no marker that could have been removed.
        return right
    return None


def _weigh(attempt: Attempt, expected: dict[World, str]) -> tuple[Verdict, Grade]:
    window = attempt.window
    if all(q != PARKED for q in expected.values()):
        return "wrong", "proven"
    if window is None or window.pop_lo is None:
        # Who else was in flight is not known either: nothing can be said of events.
        return "undecided", "suspected"
    if all(q == PARKED for q in expected.values()):
        return "right", "likely" if window.cut else "proven"
    one = {q == PARKED for w, q in expected.items() if w.unseen <= 1}
    if one == {True} and window.well_lit:
        # Only two events at once, both without any line, could make it wrong.
        return "right", "likely"
    none = {q == PARKED for w, q in expected.items() if w.unseen == 0}
    if none == {True} and window.back_hi - window.pop_lo < SHORT_WINDOW_US:
        return "right", "likely"
    return "undecided", "suspected"


def _divergence(attempt: Attempt, built: AsBuilt, all_worlds: list[World], reference: Profile) -> Judgement:
    """The log says parked and the model, as built, never parks: an input is missing, or the bug is not known."""
    if all(outcome(reference, w, is_error=attempt.is_error) != PARKED for w in all_worlds) and attempt.is_error:
        doubted = _had_the_log_lost_a_rejection(attempt, built)
        if doubted:
            return Judgement(True, "wrong", "proven", doubted, "Backoff", ("lost",))
        if attempt.destination_evidence != "observed":
            # No line says that this queue did what it cannot do: rather a line is missing.
            return Judgement(None, "undecided", "suspected", [], None, ("divergence", "destination"))
        return Judgement(True, "wrong", "likely", [], "Backoff", ("divergence",))
    return Judgement(True, "undecided", "suspected", [], None, ("divergence",))


def _had_the_log_lost_a_rejection(attempt: Attempt, built: AsBuilt) -> list[Cause]:
    """The causes there would be if the entry held plugins that no line here tells of; none where it cannot matter."""
    if clears_at_pop(built.profile) or attempt.held is None or not attempt.held.surely_empty:
        return []
    doubted = copy(attempt)
    doubted.held = None
    # Whether anything was held, and what the events meant to it, makes four readings of one that was not too much.
    consistent = [
        w
        for w in worlds(doubted, built.effects, holds=True, patience=4)
        if outcome(built.profile, w, is_error=attempt.is_error) == PARKED
    ]
    return [Cause(cause.code, "suspected") for cause in _causes(doubted, built, consistent)] if consistent else []


def _causes(attempt: Attempt, built: AsBuilt, consistent: list[World]) -> list[Cause]:
    """The fixes that, each alone, make the parking go away; else the smallest set of them that does.

    Judged in the worlds that suppose least beyond the log's lines.
    """
    window = attempt.window
    seen = consistent
    if window is not None and window.pop_lo is not None:
        least = min(w.unseen for w in consistent)
        seen = [w for w in consistent if w.unseen == least]
    single: dict[str, int] = {}
    for name, fix in FIXES.items():
        fixed = fix.apply(built.profile)
        if fixed != built.profile:
            cured = sum(outcome(fixed, w, is_error=attempt.is_error) != PARKED for w in seen)
            if cured:
                single[name] = cured
    if single:
        # A fix that helps in every reading leaves nothing to suspect of those that help in some.
        sure = {name: n for name, n in single.items() if n == len(seen)}
        return [Cause(name, "proven" if n == len(seen) else "suspected") for name, n in (sure or single).items()]
    alone = {
        name
        for name, fix in FIXES.items()
        if any(outcome(fix.apply(built.profile), w, is_error=attempt.is_error) != PARKED for w in consistent)
    }
    names = list(FIXES)
    for i, one in enumerate(names):
        for two in names[i + 1 :]:
            fixed = FIXES[two].apply(FIXES[one].apply(built.profile))
            if all(outcome(fixed, w, is_error=attempt.is_error) != PARKED for w in seen):
                # An event without any line would make one of the two fixes enough.
                return [Cause(name, "likely" if alone and name not in alone else "proven") for name in (one, two)]
    return []
