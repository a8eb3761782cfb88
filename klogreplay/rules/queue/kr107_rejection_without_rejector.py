"""KR107: nodes were rejected by something that the queue does not count among the rejectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from klogreplay.events.fiterror import FitError, parse_fit_error
from klogreplay.knowledge import plugins_of_reason
from klogreplay.replay.parkings import Traits
from klogreplay.replay.types import Grade, Parking
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import Match, matching, named, references, weakest
from klogreplay.rules.phrases import attempt, quoted, stay
from klogreplay.rules.types import Finding

PREFILTERED = "node is filtered out by the prefilter result"
"""The text for nodes that a PreFilterResult cut (kubernetes#119779 and its backports); older releases give none."""


class _Unclaimed(msgspec.Struct):
    """What of a fit error no rejector stands for: reasons, and nodes without any."""

    reasons: tuple[str, ...]
    nodes: int


class RejectionWithoutRejector(Rule):
    """Part of a rejection has no rejector plugin, so no event that would lift it wakes the pod.

    ## What it is

    An attempt was turned away for reasons of which one belongs to none of the plugins that the queue noted. The pod
    waits for events of the noted plugins only. When the other reason goes away, nothing happens.

    ## Why it happens

    Up to 1.29 a node that a scheduler extender turns away has no plugin. Up to 1.30 nodes that a PreFilter plugin cut
    beforehand (PreFilterResult: a node affinity by name, a bound local volume) are not counted for that plugin.

    ## Which versions

    Extenders: 1.22 to 1.29, fixed in 1.30.0. PreFilterResult: up to 1.30, fixed in 1.31.0.

    ## What the log shows

    "Unable to schedule pod; no fit; waiting" with a reason that no plugin of the printed set gives, or with reasons for
    fewer nodes than there are. The set is printed from 1.28.3 on at -v=5, from 1.29 on at -v=3.

    ## What to do

    Upgrade. Until then shorten `--pod-max-in-unschedulable-pods-duration`. If the reason is that of a plugin of your
    own which the set leaves out, its Filter returns a status without the plugin's name.

    ## References

    - kubernetes#122022 (extenders), kubernetes#122251 (PreFilterResult), kubernetes#119779
    """

    code = "KR107"
    name = "rejection-without-rejector"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each pod, on its first parking for such a reason that lasted until the flush or the end."""
        told: set[str] = set()
        for index, parking in case.judged.select(_lasted):
            if parking.pod in told:
                continue
            fit = parse_fit_error(parking.error)
            unclaimed = None if fit is None else _unclaimed(case, parking, fit)
            bugs = [] if unclaimed is None else _bugs(case, unclaimed)
            if unclaimed is not None and bugs:
                told.add(parking.pod)
                yield self._finding(index, parking, unclaimed, bugs)

    def _finding(self, index: int, parking: Parking, unclaimed: _Unclaimed, bugs: list[Match]) -> Finding:
        what = (
            f"for {quoted(unclaimed.reasons)}, which none of its rejectors gives"
            if unclaimed.reasons
            else f"with no reason for {unclaimed.nodes} of the nodes, as when a PreFilter plugin cuts them beforehand"
        )
        rescued: Grade = "likely" if parking.wake_up is not None else "suspected"
        both = "" if len(bugs) == 1 else f" {named([match.bug for match in bugs])}: the reason's own text tells which."
        return self.finding(
            pod=parking.pod,
            parking=index,
            grade=weakest(rescued, bugs[0].best),
            summary=(
                f"{attempt(parking)} was rejected {what}, and noted as rejected by "
                f"{quoted(parking.rejector_plugins or ()) or 'nobody'} only: no event about the other reason can wake "
                f"the pod. {stay(parking)}{both}"
            ),
            proof=parking.proof,
            upstream=references(match.bug for match in bugs),
        )


def _lasted(each: Traits) -> bool:
    return not each.is_error and each.parked and each.verdict != "wrong" and (each.flushed or not each.woken)


def _unclaimed(case: Case, parking: Parking, fit: FitError) -> _Unclaimed | None:
    if fit.prefilter or parking.rejector_plugins is None or parking.rejector_evidence != "observed":
        return None
    releases = [case.release] if case.release is not None else list(case.candidates)
    known: set[str] = set()
    strange: list[str] = []
    for _, reason in fit.reasons:
        plugins = _plugins(releases, reason)
        known |= plugins
        if not plugins:
            strange.append(reason)
    if strange and set(parking.rejector_plugins) <= known:
        return _Unclaimed(tuple(strange), 0)
    counted = sum(count or 0 for count, _ in fit.reasons)
    if not strange and counted < fit.total:
        return _Unclaimed((), fit.total - counted)
    return None


def _plugins(releases: Sequence[str], reason: str) -> set[str]:
    return {plugin for release in releases for plugin in plugins_of_reason(release, reason)}


def _bugs(case: Case, unclaimed: _Unclaimed) -> list[Match]:
    if not unclaimed.reasons or all(reason == PREFILTERED for reason in unclaimed.reasons):
        return matching(case, "KB19")
    return matching(case, "KB18", "KB19") if PREFILTERED in unclaimed.reasons else matching(case, "KB18")
