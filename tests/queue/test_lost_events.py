"""The lost concurrent event of the first in-flight generation, found by search; the second generation loses none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klogreplay.queue import FIXES, all_releases, profile_for
from klogreplay.queue.releases import HINTS
from tests.conftest import ROOT
from tests.queue.interleavings import Step, interleavings, lost_events

SMALLEST: tuple[Step, ...] = (("pop", 0), ("event", 0), ("pop", 1), ("event", 0), ("fail", 0), ("fail", 1))
"""p0's end takes the first event out of the list, and with it the mark of where p1's own events begin."""


def test_the_smallest_interleaving_that_loses_an_event_is_found() -> None:
    profile = profile_for("1.28.0", {HINTS: True})
    losing = [steps for steps in interleavings(6, 3) if lost_events(profile, steps)]
    assert losing[0] == SMALLEST
    assert lost_events(profile, SMALLEST) == [1]
    pops, ends = SMALLEST[:3], (("fail", 0), ("done", 0))
    assert losing == [
        *((*pops, ("event", 0), end, ("fail", 1)) for end in ends),
        *((*pops, end, ("event", 0), ("fail", 1)) for end in ends),
    ]


def test_the_document_tells_the_smallest_interleaving() -> None:
    words = {"pop": "Pop", "event": "NodeAdd", "fail": "fails"}
    told = " → ".join(
        words[what] if what == "event" else f"{words[what]} p{pod}" if what == "pop" else f"p{pod} {words[what]}"
        for what, pod in SMALLEST
    )
    assert told in (ROOT / "docs" / "queue-model.md").read_text(encoding="utf-8")


def test_the_fix_loses_no_event_in_any_interleaving() -> None:
    profile = FIXES["missed-events"].apply(profile_for("1.28.0", {HINTS: True}))
    for steps in interleavings(6, 3):
        assert not lost_events(profile, steps)


FIXED = [
    release for release in all_releases() if profile_for(release, {HINTS: True}).behaviours["in_flight"] == "own-entry"
]


@st.composite
def long_interleavings(draw: st.DrawFn) -> tuple[Step, ...]:
    """A sensible interleaving of up to 40 steps over up to eight pods."""
    steps: list[Step] = []
    in_flight: list[int] = []
    popped = 0
    for _ in range(draw(st.integers(1, 40))):
        choices = ["pop"] * (popped < 8) + ["event", "fail", "done"] * bool(in_flight)
        if not choices:
            break
        what = draw(st.sampled_from(choices))
        if what == "pop":
            steps.append(("pop", popped))
            in_flight.append(popped)
            popped += 1
        elif what == "event":
            steps.append(("event", 0))
        else:
            pod = draw(st.sampled_from(in_flight))
            in_flight.remove(pod)
            steps.append((what, pod))
    return tuple(steps)


@given(st.sampled_from(FIXED), long_interleavings())
def test_no_release_with_own_entries_loses_an_event(release: str, steps: tuple[Step, ...]) -> None:
    assert not lost_events(profile_for(release, {HINTS: True}), steps)


@pytest.mark.parametrize("release", ["1.22.6", "1.28.0", "1.33.0"])
def test_without_hints_no_event_is_lost_either(release: str) -> None:
    """The move-request cycle errs to the other side: any event of the attempt's time sends the pod to backoff."""
    profile = profile_for(release, {HINTS: False})
    for steps in interleavings(6, 2):
        assert not lost_events(profile, steps)
