"""The model against recordings of the real queues: every state, every Pop, every error text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from klogreplay.queue import profile_for
from klogreplay.queue.behaviours import AXES
from klogreplay.queue.conformance.__main__ import Override, conform, profile_of
from klogreplay.queue.conformance.compare import differences
from klogreplay.queue.conformance.player import Player
from klogreplay.queue.conformance.recording import Header, Row, read
from klogreplay.queue.profiles import recorded_releases
from klogreplay.queue.releases import HINTS, POP, RELEASES
from tests.conftest import FIXTURES

VECTORS = FIXTURES / "queue-vectors"

OPERATIONS = {
    "1.22.6": 672,
    "1.23.3": 672,
    "1.24.4": 672,
    "1.25.2": 672,
    "1.26.1": 672,
    "1.27.1": 672,
    "1.28.0": 1464,
    "1.28.3": 1464,
    "1.29.1": 1344,
    "1.30.1": 1344,
    "1.31.1": 1584,
    "1.32.2": 1584,
    "1.33.0": 2688,
    "1.34.1": 1886,
    "1.35.4": 1766,
    "1.36.2": 1768,
}


def vectors(release: str) -> Path:
    return VECTORS / f"{release}.jsonl.gz"


@pytest.mark.parametrize("release", recorded_releases())
def test_every_hand_written_scenario_is_reproduced(release: str) -> None:
    report = conform(read(vectors(release)))
    assert report.first is None, report.first
    assert report.ops == OPERATIONS[release]


@pytest.mark.recorded
@pytest.mark.parametrize("release", recorded_releases())
def test_every_recording_is_reproduced(recorded: Path, release: str) -> None:
    files = sorted((recorded / "queue-vectors" / release).glob("*.jsonl.gz"))
    assert files
    for file in files:
        report = conform(read(file))
        assert report.first is None, (file.name, report.first)
        assert report.ops


UNTOLD = {
    "claim_event": "no recording has a generated claim where DynamicResourceAllocation is off",
    "leftover_limit": "the recordings state the limit; the default is not asked for",
    "pre_enqueue_order": "no recorded pod is gated by two plugins at once",
    "recreated_pod": "the recording driver decides itself whether the failed attempt is handed back",
    "update_difference": "no recording changes a claim where updates are judged by difference",
    "zero_max_backoff": "every recording has a maximum backoff of 10 s",
    "active_entry 1.31.1": "from 1.31 on gated pods are not parked beside a queued copy, so no copy is left to sweep",
    "return_not_in_flight 1.31.1 nohints": "not asked where the move-request cycle decides",
    "duplicate_pop 1.32.2 nohints": "without hints no pod is known to be in flight",
    "wildcard_events 1.32.2 nohints": "without hints no wildcard event carries an object",
    "gated_backoff 1.32.2 nohints": "no recorded gated pod is freed while it backs off",
    "delete_search 1.33.0 nohints": "a pod in two places comes from an update judged by hints",
    "delete_search 1.33.0 hints-pop": "with pop-from-backoff such an update ends at the first queue",
    "plugins_at_pop 1.34.1": "no pod with a gating plugin reaches Pop any more",
    "gated_pods_on_events 1.34.1 hints-pop": "no recorded pod is gated by SchedulingGates and another plugin's event",
}
"""Changes that no recording can tell, and why; other tests have those that can be told at all."""


def combination(gates: Mapping[str, bool]) -> str:
    """The recordings' name of a setting of the gates, such as "hints-nopop"."""
    words = ["hints" if gates.get(HINTS) else "nohints"]
    if POP in gates:
        words.append("pop" if gates[POP] else "nopop")
    return "-".join(words)


def recorded_changes() -> list[tuple[str, str, str, str]]:
    """(axis, behaviour before, release, combination) wherever a recorded release differs from the one before it."""
    changes = []
    for before, release in zip(recorded_releases(), recorded_releases()[1:], strict=False):
        for hints in (True, False):
            for pop in (True, False):
                gates = {HINTS: hints, POP: pop}
                old, new = profile_for(before, gates), profile_for(release, gates)
                named = combination(new.gates)
                for axis in AXES:
                    was = old.behaviours[axis]
                    told = not any(f"{axis} {release} {named}".startswith(untold) for untold in UNTOLD)
                    change = (axis, was, release, named)
                    if was != new.behaviours[axis] and told and change not in changes:
                        changes.append(change)
    return changes


@pytest.mark.parametrize(("axis", "was", "release", "named"), recorded_changes())
def test_every_change_between_recorded_releases_shows(axis: str, was: str, release: str, named: str) -> None:
    """A release with one behaviour of the release before it no longer reproduces that release's recordings."""
    items = recordings(release, named)
    assert items
    override = Override(release, {}, {axis: was})
    player = None
    for item in items:
        if isinstance(item, Header):
            player = Player(item, profile_of(item, override))
        elif differences(item, player.play(item), player):
            return
    pytest.fail("every row is the same")


@cache
def recordings(release: str, named: str) -> list[Header | Row]:
    """The rows of the fixtures of one release and combination, with their headers."""
    items, wanted = [], False
    for item in read(vectors(release)):
        if isinstance(item, Header):
            wanted = item.combo == named
        if wanted:
            items.append(item)
    return items


def test_the_fixtures_are_the_recorded_releases() -> None:
    assert {path.name.removesuffix(".jsonl.gz") for path in VECTORS.glob("*.jsonl.gz")} == set(recorded_releases())
    assert set(RELEASES) > set(recorded_releases())
