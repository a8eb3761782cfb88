"""Which claim, or which PodSchedulingContext, a cluster event was about, and which pods that concerns.

The queue's own lines name an event by its label only. The plugin's hint lines, printed under the same lock just before,
name the object; the lines of one event stand together. What they do not tell stays unknown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Literal

import msgspec

from klogreplay.claims.generated import read_claim_name
from klogreplay.claims.log_relation import LogRelation, Seen, claim_names, seen_at
from klogreplay.events import types as ev

Kind = Literal["ResourceClaim", "PodSchedulingContext"]

SAME_EVENT_US = 1_000
"""The lines of one event follow each other within microseconds; what comes later than this is not taken for one."""

_CONTEXT_HINTS = ("PodSchedulingContext", "PodScheduling")
_UNRELATED_CONTEXT = "PodSchedulingContext for unrelated pod got modified"


class ClaimEvent(msgspec.Struct, gc=False):
    """One claim event as the queue handled it.

    `label` is the event's, `object` "namespace/name" of the claim or context, None where the log does not tell it.
    `seen` is the first of the queue's lines that show the event, `last_line` the number of the last. `asked_count` is
    how many parked pods were asked, `asked` those of them that the object may concern. `checked_for` is set where the
    event was put to the rejectors of one in-flight pod when that pod came back.
    """

    kind: Kind
    label: str
    seen: Seen
    last_line: int
    object: str | None = None
    asked: tuple[str, ...] = ()
    asked_count: int = 0
    checked_for: str | None = None

    @property
    def t(self) -> int:
        """The time of the first line, in microseconds."""
        return self.seen.t


ASKED_KINDS = frozenset({ev.HintLine, ev.Moved, ev.EventNotHelping, ev.EventReceived, ev.InFlightEventChecked})
"""The kinds of events that `Attribution.feed` looks at."""


@lru_cache(maxsize=1024)
def kind_of_label(label: str) -> Kind | None:
    """What a label's object is: "ResourceClaimUpdate", "resource.k8s.io/ResourceClaimAdd", "PodSchedulingAdd" ..."""
    resource = label.rpartition("/")[2]
    for action in ("Add", "Update", "Delete"):
        stem = resource.removesuffix(action)
        if stem == "ResourceClaim":
            return "ResourceClaim"
        if stem in _CONTEXT_HINTS:
            return "PodSchedulingContext"
    return None


class Attribution:
    """Finds the objects of claim events; fed with the events of a log in their order.

    `events` are the claim events in log order. `relation` is fed by the caller and is asked only when a question is
    put, so that what a later line tells counts for an earlier event. `known` are the claims of the pods of which the
    objects are at hand (both "namespace/name"); of those it has the last word.
    """

    def __init__(self, relation: LogRelation, known: Mapping[str, Collection[str]] | None = None) -> None:
        self._relation = relation
        self.known: Mapping[str, Collection[str]] = known if known is not None else {}
        self.events: list[ClaimEvent] = []
        self._starts: list[tuple[int, int]] = []
        self._open: ClaimEvent | None = None
        self._asked_pods: set[str] = set()
        self._last_asked: str | None = None
        self._last_t = 0
        self._hint: tuple[str, str | None] | None = None
        self._check: ClaimEvent | None = None

    def feed(self, event: ev.SchedulerEvent) -> None:
        """Take one event."""
        kind = event.__class__
        if kind is ev.HintLine:
            if isinstance(event, ev.HintLine) and event.plugin == "DynamicResources":
                self._hinted(event)
        elif kind is ev.Moved or kind is ev.EventNotHelping:
            self._asked(event)  # type: ignore[arg-type]  # `kind` tells
        elif kind is ev.EventReceived:
            self._received(event)  # type: ignore[arg-type]  # `kind` tells
        elif kind is ev.InFlightEventChecked:
            self._checked(event)  # type: ignore[arg-type]  # `kind` tells

    def finish(self) -> None:
        """The log is over."""
        self._close()

    def event_at(self, line: int, source: int = 0) -> ClaimEvent | None:
        """The claim event among whose lines a line stands, None where there is none."""
        index = bisect_right(self._starts, (source, line)) - 1
        if index < 0:
            return None
        event = self.events[index]
        return event if event.seen.source == source and line <= event.last_line else None

    def concerns(self, event: ClaimEvent, pod: str) -> bool | None:
        """Whether the event's object is one of the pod's; None where that cannot be told."""
        if event.object is None:
            return None
        if event.kind == "PodSchedulingContext":
            return event.object == pod
        known = self.known.get(pod)
        if known is not None:
            return event.object in known
        return concerns_claim(self._relation, event.object, pod)

    def _hinted(self, event: ev.HintLine) -> None:
        names = next(claim_names(event.claims), None)
        if event.message.startswith(_CONTEXT_HINTS):
            # A hint about a context is printed only when it is that of the pod asked, but for one message.
            names = names if event.message == _UNRELATED_CONTEXT else event.pod
        if self._check is not None and self._check.checked_for == event.pod:
            self._check.object = self._check.object or names
            self._check = None
            return
        self._hint = (event.pod, names)

    def _take_hint(self, pod: str) -> str | None:
        hint, self._hint = self._hint, None
        return hint[1] if hint is not None and hint[0] == pod else None

    def _asked(self, event: ev.Moved | ev.EventNotHelping) -> None:
        self._check = None
        kind = kind_of_label(event.event)
        hinted = self._take_hint(event.pod)
        if kind is None:
            self._close()
            return
        current = self._open
        # From 1.31 on one move may print two lines.
        again = event.pod == self._last_asked and isinstance(event, ev.Moved)
        if (
            current is None
            or current.label != event.event
            or event.t - self._last_t > SAME_EVENT_US
            or (hinted is not None and current.object is not None and hinted != current.object)
            or (event.pod in self._asked_pods and not again)
        ):
            current = self._begin(kind, event)
        current.object = current.object or hinted
        self._asked_pods.add(event.pod)
        self._last_asked = event.pod
        self._note(current, event)

    def _received(self, event: ev.EventReceived) -> None:
        self._hint = self._check = None
        kind = kind_of_label(event.event)
        current = self._open
        if kind is not None:
            if current is None or current.label != event.event or event.t - self._last_t > SAME_EVENT_US:
                current = self._begin(kind, event)
            self._note(current, event)
        # This line ends the handling of an event.
        self._close()

    def _checked(self, event: ev.InFlightEventChecked) -> None:
        self._hint = self._check = None
        self._close()
        kind = kind_of_label(event.event)
        if kind is not None:
            self._check = self._begin(kind, event)
            self._check.checked_for = event.pod
            self._close()

    def _begin(
        self, kind: Kind, event: ev.Moved | ev.EventNotHelping | ev.EventReceived | ev.InFlightEventChecked
    ) -> ClaimEvent:
        self._close()
        self._open = ClaimEvent(kind, event.event, seen_at(event), event.line)
        self.events.append(self._open)
        self._starts.append((event.source, event.line))
        return self._open

    def _note(self, current: ClaimEvent, event: ev.SchedulerEvent) -> None:
        current.last_line = event.line
        self._last_t = event.t

    def _close(self) -> None:
        """End the event at hand. Of the pods asked, only those that it may concern are kept: there may be thousands."""
        current, asked = self._open, self._asked_pods
        self._open = self._last_asked = None
        if current is None or not asked:
            return
        current.asked_count = len(asked)
        if current.object is not None:
            own = self._relation.users.get(current.object, set()) & asked
            own.update(pod for pod in _possible_owners(current.object) if pod in asked)
            current.asked = tuple(sorted(own))
        self._asked_pods = set()


def _possible_owners(claim: str) -> Iterator[str]:
    """The pods for which a claim of this name can have been made, the pod of a PodSchedulingContext among them."""
    yield claim
    end = claim.find("-")
    while end >= 0:
        yield claim[:end]
        end = claim.find("-", end + 1)


def concerns_claim(relation: LogRelation, claim: str, pod: str) -> bool | None:
    """Whether a claim is one of a pod's, by what the log ties together and by the names that generated claims have."""
    users = relation.users.get(claim, ())
    if pod in users:
        return True
    namespace, _, name = claim.rpartition("/")
    pod_namespace, _, pod_name = pod.rpartition("/")
    if namespace != pod_namespace:
        return False
    life = relation.pods.get(pod)
    if life is not None and life.claims and life.attempt is not None:
        # PreFilter listed all that the pod has.
        return False
    if any(read_claim_name(user.rpartition("/")[2], name) is not None for user in users):
        return False
    return True if read_claim_name(pod_name, name) is not None else None
