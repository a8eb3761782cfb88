"""All that is known of claims in one run: the table, and what the rules KR3xx look at.

A run has objects, a log, or both. Objects have the last word on names and owners; the log tells what pods waited for
while it was written, and speaks for pods that the objects do not have.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from klogreplay.claims.attribution import ASKED_KINDS, Attribution
from klogreplay.claims.log_relation import FIRST_WORDS, LogRelation, PodLife
from klogreplay.claims.log_rows import rows_of_log, wait_of_log
from klogreplay.claims.reading import Objects
from klogreplay.claims.rows import ClaimRow, rows_of_objects
from klogreplay.claims.semantics import Semantics, semantics_of
from klogreplay.claims.waits import done_with_claims
from klogreplay.events.types import SchedulerEvent


class ClaimEvidence(msgspec.Struct, kw_only=True):
    """What one run knows of claims. `objects` and `relation` are empty where the run has none."""

    rows: list[ClaimRow]
    semantics: Semantics
    objects: Objects
    relation: LogRelation
    attribution: Attribution

    def life(self, pod: str) -> PodLife | None:
        """What the log tells of a pod, None where it tells nothing."""
        return self.relation.pods.get(pod)

    def waited_us(self, pod: str) -> int | None:
        """How long the pod has been waiting for the same thing when the log ends, in microseconds."""
        life = self.life(pod)
        if life is None or life.waits is None or life.since is None or life.left is not None:
            return None
        return self.relation.end_t - life.since.t


class ClaimCollector:
    """Takes the events of a log, one by one, and gives the evidence at the end."""

    def __init__(self) -> None:
        self._relation = LogRelation()
        self._attribution = Attribution(self._relation)

    def feed(self, event: SchedulerEvent) -> None:
        """Take one event, in the order of the lines."""
        relation, kind = self._relation, event.__class__
        if relation.begun or kind in FIRST_WORDS:
            relation.feed(event)
        elif event.t > relation.end_t:
            relation.end_t = event.t
        if kind in ASKED_KINDS:
            self._attribution.feed(event)

    def finish(self, objects: Objects | None = None, version: str | None = None) -> ClaimEvidence:
        """The evidence, with claims named as the release `version` names them (None: the newest).

        Raises ValueError for what is no version.
        """
        self._attribution.finish()
        objects = objects or Objects()
        semantics = semantics_of(version)
        from_objects = list(rows_of_objects(objects, semantics))
        present = {pod.key: done_with_claims(pod) for pod in objects.pods.values()}
        for row in from_objects:
            if not present[row.pod]:
                self._add_wait_of_log(row)
        self._attribution.known = _claims_of(from_objects, objects)
        from_log = (row for row in rows_of_log(self._relation, semantics) if row.pod not in present)
        rows = sorted([*from_objects, *from_log], key=lambda row: row.pod) if present else list(from_log)
        return ClaimEvidence(
            rows=rows,
            semantics=semantics,
            objects=objects,
            relation=self._relation,
            attribution=self._attribution,
        )

    def _add_wait_of_log(self, row: ClaimRow) -> None:
        # Objects cannot tell that a driver has to answer, or that an update collided; the log can.
        life = self._relation.pods.get(row.pod)
        if row.wait is not None or row.state != "named" or life is None or life.waits is None:
            return
        about = life.waits.claim
        if life.waits.code in ("driver", "conflict", "cannot-allocate", "in-use", "in-allocation") and (
            about is None or life.waits.kind != "resourceclaims" or about.rpartition("/")[2] == row.name
        ):
            row.wait = wait_of_log(life)


def collect(
    events: Iterable[SchedulerEvent], objects: Objects | None = None, version: str | None = None
) -> ClaimEvidence:
    """The evidence of a whole log (see `ClaimCollector`)."""
    collector = ClaimCollector()
    for event in events:
        collector.feed(event)
    return collector.finish(objects, version)


def _claims_of(rows: Iterable[ClaimRow], objects: Objects) -> dict[str, set[str]]:
    claims: dict[str, set[str]] = {pod.key: set() for pod in objects.pods.values()}
    for row in rows:
        namespace = row.pod.rpartition("/")[0]
        if row.name is not None:
            claims[row.pod].add(f"{namespace}/{row.name}")
        if row.orphan is not None:
            claims[row.pod].add(row.orphan.claim.key)
    return claims
