"""Which claims a pod has and what it waits for, from the scheduler's log alone.

The plugin's lines tie claims to pods: what PreFilter lists (`pod resource claims`), what is allocated and reserved, and
what hint functions call a "claim for pod". A hint line that merely says of which claim an event was does not tie it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from klogreplay.claims.reasons import Reason, read_reason
from klogreplay.events import types as ev

PLUGIN = "DynamicResources"
FLUSH = "UnschedulableTimeout"

_TYING_HINTS = frozenset(
    {
        "claim for pod got created",
        "claim for pod got modified where the pod doesn't care",
        "status of claim for pod got updated",
    }
)
# Under `podSchedulingCtx` these name the pod's PodSchedulingContext, which is no claim.
_CONTEXT_LINES = frozenset({"publishing", "context-deleted"})

# The claim for a pod's extended resources is called so until it is written to the API server (1.34+).
_IN_MEMORY = "<extended-resources>"

Left = Literal["bound", "gone"]

FIRST_WORDS = frozenset(
    {
        ev.ClaimLine,
        ev.HintLine,
        ev.PreEnqueueStatus,
        ev.PluginStatus,
        ev.PluginRejected,
        ev.PluginFailed,
        ev.AttemptFailed,
    }
)
"""The kinds of events that may say a first word about a pod and its claims."""


class Seen(msgspec.Struct, gc=False, frozen=True):
    """A line that showed something: its place, its time in microseconds, and itself."""

    line: int
    t: int
    text: str
    source: int = 0


class WaitOver(msgspec.Struct, gc=False):
    """A pod that waited for a claim to appear, from `waited` on, until the queue moved it for `event` (`moved`).

    `gated`: PreEnqueue had turned it away. `updated` is the latest update of the pod while it waited, where the log
    shows updates (V4, 1.30+). `after` is what the next attempt found.
    """

    reason: Reason
    gated: bool
    waited: Seen
    event: str
    moved: Seen
    updated: Seen | None = None
    next_attempt: Seen | None = None
    after: Literal["claims", "no-claims", "waits-again"] | None = None


class PodLife(msgspec.Struct):
    """One pod (of one UID, as far as the log tells) and its claims.

    `claims` are those tied to it, with the line that first did. `waits` is the latest reason given, `since` the first
    line of those that gave it without another in between, `told` the latest. `gated`: PreEnqueue gave it. `needs_none`:
    it had waited for a claim, and went through an attempt for which PreFilter listed none. `over` are the waits for a
    claim to appear that ended with a move.
    """

    pod: str
    claims: dict[str, Seen] = msgspec.field(default_factory=dict)
    waits: Reason | None = None
    since: Seen | None = None
    told: Seen | None = None
    gated: bool = False
    ever_waited: bool = False
    left: Left | None = None
    needs_none: Seen | None = None
    attempt: Seen | None = None
    listed: bool = False
    over: list[WaitOver] = msgspec.field(default_factory=list)
    updated: Seen | None = None


class LogRelation:
    """The relation of pods and claims, fed with the events of a log in their order.

    `pods` keeps the latest pod of each name. `seen` are all claims that the log mentions, tied or not, with the first
    line. `begun`: something was said of a pod; before, only `FIRST_WORDS` tell more than the time. `lists_claims`: the
    log is of a level (V5) at which PreFilter prints what it found. `end_t` is the time of the last
    event, in microseconds.
    """

    def __init__(self) -> None:
        self.pods: dict[str, PodLife] = {}
        self.users: dict[str, set[str]] = {}
        self.seen: dict[str, Seen] = {}
        self.lists_claims = False
        self.end_t = 0
        self.begun = False
        self._last_reason: Reason | None = None
        self._nameless: Reason | None = None
        self._handlers = {
            ev.ClaimLine: self._claim_line,
            ev.HintLine: self._hint_line,
            ev.PreEnqueueStatus: self._pre_enqueue,
            ev.PluginStatus: self._plugin_status,
            ev.PluginRejected: self._plugin_rejected,
            ev.PluginFailed: self._plugin_failed,
            ev.AttemptFailed: self._attempt_failed,
            ev.Attempting: self._attempting,
            ev.Moved: self._moved,
            ev.Bound: self._bound,
            ev.AssignedPodAdded: self._bound,
            ev.PodAdded: self._added,
            ev.PodUpdated: self._updated,
            ev.PodDeleted: self._deleted,
        }

    def feed(self, event: ev.SchedulerEvent) -> None:
        """Take one event."""
        self._last_reason, self._nameless = self._nameless, None
        handler = self._handlers.get(type(event))
        if handler is not None:
            handler(event)  # type: ignore[operator]  # it stands under the event's type
        self.end_t = max(self.end_t, event.t)

    # Pods without claims would fill the memory of a long log: a life begins with the plugin's first word about the pod.

    def _life(self, pod: str) -> PodLife:
        life = self.pods.get(pod)
        if life is None:
            life = self.pods[pod] = PodLife(pod)
            self.begun = True
        return life

    def _tie(self, pod: str, claims: Iterable[str], seen: Seen) -> None:
        life = self._life(pod)
        for claim in claims:
            life.claims.setdefault(claim, seen)
            self.users.setdefault(claim, set()).add(pod)
            self.seen.setdefault(claim, seen)

    def _wait(self, pod: str, reason: Reason, seen: Seen, *, gated: bool) -> None:
        life = self._life(pod)
        if life.waits is None or life.waits.code != reason.code or life.waits.claim != reason.claim:
            life.since = seen
        life.waits, life.told, life.gated, life.ever_waited = reason, seen, gated, True
        life.left = None
        if life.over and life.over[-1].after is None:
            life.over[-1].after = "waits-again"
        if reason.claim is not None and reason.code in ("not-owner", "not-found", "being-deleted"):
            self._tie(pod, (_in_namespace_of(pod, reason.claim),), seen)

    def _reason(self, event: ev.SchedulerEvent, text: str | None, pod: str | None, *, gated: bool = False) -> None:
        reason = read_reason(text) if text else None
        if reason is None:
            return
        # PreEnqueue's line has no pod of its own: the text names it, or else the status line that follows.
        subject = pod or reason.pod
        if subject is None:
            self._nameless = reason
            self.begun = True
        else:
            self._wait(subject, reason, seen_at(event), gated=gated)

    def _claim_line(self, event: ev.ClaimLine) -> None:
        if event.what not in _CONTEXT_LINES:
            names = tuple(claim_names(event.claims))
            if event.pod is not None:
                if event.what == "claims":
                    self._listed(event, names)
                elif names:
                    self._tie(event.pod, names, seen_at(event))
            else:
                for name in names:
                    self.seen.setdefault(name, seen_at(event))
        self._reason(event, event.reason, event.pod, gated=event.pod is None)

    def _listed(self, event: ev.ClaimLine, names: tuple[str, ...]) -> None:
        self.lists_claims = True
        if not names or event.pod is None:
            return
        self._tie(event.pod, names, seen_at(event))
        life = self.pods[event.pod]
        life.listed = True
        life.waits = life.since = life.told = None
        life.gated = False
        if life.over and life.over[-1].after is None:
            life.over[-1].after = "claims"

    def _hint_line(self, event: ev.HintLine) -> None:
        if event.plugin != PLUGIN:
            return
        names = tuple(claim_names(event.claims))
        if event.message in _TYING_HINTS:
            self._tie(event.pod, names, seen_at(event))
        elif not event.message.startswith("PodScheduling"):
            for name in names:
                self.seen.setdefault(name, seen_at(event))
        life = self.pods.get(event.pod)
        self._reason(event, event.reason, event.pod, gated=life is not None and life.gated)

    def _pre_enqueue(self, event: ev.PreEnqueueStatus) -> None:
        if event.plugin != PLUGIN:
            return
        life = self._life(event.pod)
        life.gated = life.ever_waited = True
        if read_reason(event.status) is not None:
            self._reason(event, event.status, event.pod, gated=True)
        elif self._last_reason is not None:
            # Up to 1.29 the status is printed as {}, and the reason stands in the line before.
            self._wait(event.pod, self._last_reason, seen_at(event), gated=True)

    def _plugin_status(self, event: ev.PluginStatus) -> None:
        self._if_claims(event, event.pod, event.status)

    def _plugin_rejected(self, event: ev.PluginRejected) -> None:
        if event.plugin == PLUGIN:
            self._reason(event, event.status, event.pod)

    def _plugin_failed(self, event: ev.PluginFailed) -> None:
        if event.plugin == PLUGIN:
            self._reason(event, event.err, event.pod)

    def _attempt_failed(self, event: ev.AttemptFailed) -> None:
        self._if_claims(event, event.pod, event.err)

    def _if_claims(self, event: ev.SchedulerEvent, pod: str, text: str) -> None:
        # Most failures have nothing to do with claims, and all of the plugin's texts say one of these words.
        if "laim" in text or "waiting for resource driver" in text or "podscheduling" in text:
            self._reason(event, text, pod)

    def _attempting(self, event: ev.Attempting) -> None:
        life = self.pods.get(event.pod)
        if life is None:
            return
        life.attempt, life.listed = seen_at(event), False
        if life.over and life.over[-1].next_attempt is None:
            life.over[-1].next_attempt = life.attempt

    def _moved(self, event: ev.Moved) -> None:
        life = self.pods.get(event.pod)
        if life is None or life.waits is None or life.told is None or event.queue == "Unschedulable":
            return
        if life.waits.code not in ("not-created", "not-found") or (life.over and life.over[-1].after is None):
            return
        since = life.since or life.told
        updated = life.updated if life.updated is not None and life.updated.t > since.t else None
        life.over.append(WaitOver(life.waits, life.gated, since, event.event, seen_at(event), updated))

    def _bound(self, event: ev.Bound | ev.AssignedPodAdded) -> None:
        life = self.pods.get(event.pod)
        if life is None or life.left == "bound":
            return
        if self.lists_claims and life.attempt is not None and not life.listed and life.ever_waited and not life.claims:
            life.needs_none = life.attempt
            if life.over and life.over[-1].after is None:
                life.over[-1].after = "no-claims"
        life.left = "bound"
        life.waits = life.since = life.told = None
        life.gated = False

    def _added(self, event: ev.PodAdded) -> None:
        life = self.pods.get(event.pod)
        if life is not None and life.left is not None:
            for claim in life.claims:
                self.users[claim].discard(event.pod)
            del self.pods[event.pod]

    def _updated(self, event: ev.PodUpdated) -> None:
        life = self.pods.get(event.pod)
        if life is not None:
            life.updated = seen_at(event)

    def _deleted(self, event: ev.PodDeleted) -> None:
        # A bound pod leaves this informer, too, before or after its "Successfully bound".
        life = self.pods.get(event.pod)
        if life is not None and life.left is None:
            life.left = "gone"


def _in_namespace_of(pod: str, claim: str) -> str:
    """A claim as "namespace/name"; some texts give only the name, and a pod's claims are in its namespace."""
    namespace = pod.rpartition("/")[0]
    return claim if "/" in claim or not namespace else f"{namespace}/{claim}"


def claim_names(printed: Iterable[str]) -> Iterator[str]:
    """Claims as "namespace/name" from what a line printed: names, or (1.30+, `reserved`) whole objects as JSON."""
    parts = list(printed)
    if not parts or not parts[0].startswith("{"):
        yield from (part for part in parts if part and not part.endswith(_IN_MEMORY))
        return
    try:
        metadata = json.loads(" ".join(parts))["metadata"]
        name, namespace = metadata["name"], metadata.get("namespace", "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    if isinstance(name, str) and isinstance(namespace, str):
        yield f"{namespace}/{name}" if namespace else name


def seen_at(event: ev.SchedulerEvent) -> Seen:
    """The line of an event."""
    return Seen(event.line, event.t, event.text, event.source)
