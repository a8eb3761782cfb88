"""KR113: hint functions said that an event does not help, and the flush showed that one of them did."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.knowledge import registrations
from klogreplay.rules.base import Case, Rule
from klogreplay.rules.known_bugs import references
from klogreplay.rules.phrases import counted, quoted, seconds
from klogreplay.rules.queue.rescues import Explained, explained, flushed
from klogreplay.rules.queue.suspects import suspects
from klogreplay.rules.sensors.base import cite_all
from klogreplay.rules.sensors.flush_rescues import Asked
from klogreplay.rules.types import Finding

SHOWN = 6
"""Kinds of events that a finding names."""


class SkipDisproved(Rule):
    """A parked pod was asked about events, each time with the answer that they do not help, and one of them did.

    ## What it is

    The pod was parked rightly. Events came, its rejector plugins' hint functions were asked, and said skip. Then the
    flush retried the pod, and it was bound at once. The flush changes nothing in the cluster, so something that came
    before it had made room, and one of the answers was wrong; or the event that helped is one that the plugins did not
    register for.

    ## Why it happens

    A hint function that looks at too little: known bugs of in-tree plugins are named in the finding where plugin, event
    and release fit. With a plugin of your own it is most likely that plugin's function.

    ## Which versions

    1.28 and later, with SchedulerQueueingHints on. The bugs' releases are given with the finding.

    ## What the log shows

    "Event is not making pod schedulable" for the pod (-v=5), at times with a line of the plugin before it that gives
    the reason; then event="UnschedulableTimeout" and "Successfully bound pod to node" at the next attempt.

    ## What to do

    Compare the last such event before the flush with what the plugin waits for; -v=6 and above let in-tree plugins say
    more. Until it is fixed, shorten `--pod-max-in-unschedulable-pods-duration`.

    ## References

    - kubernetes#134393, kubernetes#135394, kubernetes#141354 (InterPodAffinity), kubernetes#122444 (NodeResourcesFit,
      NodePorts), kubernetes#127464 (PodTopologySpread), kubernetes#140831, kubernetes#126807 (DynamicResources),
      kubernetes#133929 (VolumeBinding)
    """

    code = "KR113"
    name = "skip-disproved"

    def check(self, case: Case) -> Iterator[Finding]:
        """One finding for each such rescue."""
        for found in explained(case, "skip"):
            yield self._finding(case, found)

    def _finding(self, case: Case, found: Explained) -> Finding:
        rescue = found.rescue
        parking = None if found.parking is None else found.parking[1]
        named = suspects(case, rescue, parking)
        asked = sorted(rescue.asked, key=lambda each: each.last.line)
        plugins = () if parking is None else parking.rejector_plugins or ()
        said = " by the hint functions of " + quoted(plugins) if plugins else ""
        return self.finding(
            pod=rescue.pod,
            parking=found.index,
            grade=found.grade,
            summary=(
                f"{rescue.pod} waited {seconds(rescue.waited_us)} {flushed(rescue)}. Meanwhile it had been asked about "
                f"{_kinds(asked)}, and the answer{said} was skip each time: one of these was wrong, or the event that "
                f"helped is none that they are registered for.{_own(case, plugins)}"
                + "".join(f" {references([match.bug])[0].ref} if {suspect.decides}." for suspect, match in named)
            ),
            proof=cite_all(
                [
                    (rescue.failed, "the attempt failed"),
                    (rescue.parked, "the queue parked the pod"),
                    *((hint, f"{hint.plugin} says why an event does not help") for hint in rescue.hints),
                    *((each.last, f"{each.event} is said not to help") for each in asked[-SHOWN:]),
                    (rescue.flush, "the flush, not an event, took the pod out"),
                    (rescue.bound, "it was bound at the next attempt"),
                ]
            ),
            upstream=references(match.bug for _, match in named),
        )


def _kinds(asked: list[Asked]) -> str:
    shown = [f"{each.event} ({counted(each.count, 'time')})" for each in asked[-SHOWN:]]
    more = len(asked) - len(shown)
    return ", ".join(shown) + (f" and {more} more kinds" if more else "")


def _own(case: Case, plugins: tuple[str, ...]) -> str:
    releases = [case.release] if case.release is not None else list(case.candidates)
    foreign = [
        plugin for plugin in plugins if releases and all(registrations(each, plugin) is None for each in releases)
    ]
    return f" {quoted(foreign)} is no plugin of Kubernetes itself." if foreign else ""
