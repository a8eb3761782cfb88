"""The bookkeeping of pods in flight, taken alone."""

from __future__ import annotations

from klogreplay.queue import (
    Occurrence,
)
from klogreplay.queue.releases import HINTS
from tests.queue.build import (
    NODE_ADD,
    NODE_LABEL,
    Bench,
)


def test_the_marker_of_the_first_generation() -> None:
    bench = Bench("1.28.0")
    bench.add("p")
    first = bench.pop()
    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
    bench.add("q")
    bench.pop()
    bench.queue.move_all_to_active_or_backoff(NODE_LABEL)
    tracker = bench.queue.in_flight
    assert tracker.markers() == {"uid-p": None, "uid-q": 0}
    assert [(entry.occurrence.label, entry.ref_count) for entry in tracker.entries()] == [
        ("NodeAdd", 1),
        ("NodeLabelChange", 2),
    ]
    bench.queue.done(first.pod.uid)
    bench.queue.done(first.pod.uid)
    assert tracker.markers() == {"uid-q": "removed"}
    assert [(entry.occurrence.label, entry.ref_count) for entry in tracker.entries()] == [("NodeLabelChange", 1)]
    assert tracker.record_for("uid-q", (Occurrence(NODE_ADD),)) is False
    assert tracker.since_pop("uid-q") == []
    assert tracker.since_pop("uid-p") is None
    assert tracker.popped("uid-q", True) is False
    assert tracker.popped("uid-q", False) is True
    assert tracker.markers() == {"uid-q": 0}
    bench.queue.done("uid-q")
    assert (tracker.pods(), tracker.entries_kept(), tracker.holds_events()) == (0, 1, True)


def test_a_tracker_that_tracks_nothing() -> None:
    tracker = Bench("1.22.6").queue.in_flight
    assert tracker.popped("u", True)
    assert not tracker.record(Occurrence(NODE_ADD))
    assert not tracker.record_for("u", (Occurrence(NODE_ADD),))
    assert tracker.since_pop("u") is None
    tracker.done("u")
    assert (tracker.pods(), tracker.entries_kept(), tracker.holds_events()) == (0, 0, False)
    assert (tracker.entries(), tracker.markers()) == ([], {})


def test_keeping_an_event_is_told() -> None:
    for release in ("1.28.0", "1.36.2"):
        bench = Bench(release, gates={HINTS: True})
        tracker = bench.queue.in_flight
        assert tracker.record(Occurrence(NODE_ADD)) is False
        bench.add("p")
        bench.pop()
        assert tracker.record(Occurrence(NODE_ADD)) is True
    assert tracker.record_for("uid-p", (Occurrence(NODE_ADD),)) is True
    assert tracker.record_for("uid-q", (Occurrence(NODE_ADD),)) is False
