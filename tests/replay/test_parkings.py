"""The store of parkings: what goes in comes out, in order, and what is asked for is found."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klogreplay.replay import parkings as module
from klogreplay.replay.parkings import Memory, ParkingStore, Traits, stored
from klogreplay.replay.types import Judged, Parking
from tests.samples import missed, parking, right, undecided

TEXTS = st.text(st.characters() | st.sampled_from("\ud800\udc80\udfff"), max_size=8)
NUMBERS = st.integers(0, 1 << 70)


@st.composite
def parkings(draw: st.DrawFn) -> Parking:
    make = draw(st.sampled_from([parking, missed, right, undecided]))
    return make(
        pod=draw(st.sampled_from("abc") | TEXTS),
        line=draw(st.integers(0, 40)),
        source=draw(st.integers(0, 2)),
        error=draw(TEXTS),
        t=draw(NUMBERS),
        cycle=draw(st.none() | NUMBERS),
        needs=draw(st.lists(TEXTS, max_size=2)),
        timed=draw(st.booleans()),
    )


def place(one: Parking) -> tuple[int, int, str]:
    return one.source, one.line, one.pod


def but_for_proof(one: Judged) -> dict[str, Any]:
    return {name: getattr(one, name) for name in Judged.__struct_fields__}


@settings(deadline=None)
@given(st.lists(parkings(), max_size=30), st.integers(1, 5))
def test_what_goes_in_comes_out(given_in: list[Parking], run: int) -> None:
    store = ParkingStore(given_in)
    assert list(store) == given_in
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_RUN", run)
        store.sort()
    in_order = sorted(given_in, key=place)
    assert list(store) == [store[at] for at in range(len(store))] == in_order
    assert store == in_order
    assert store[1:-1] == in_order[1:-1]
    assert [but_for_proof(one) for one in store.without_proof()] == [but_for_proof(one) for one in in_order]
    for one in in_order:
        found = store.at(one.pod, one.source, one.line)
        assert found is not None
        assert place(store[found]) == place(one)


@settings(deadline=None)
@given(st.lists(parkings(), max_size=20), st.booleans(), st.booleans())
def test_selected_by_what_they_are(given_in: list[Parking], is_error: bool, woken: bool) -> None:
    store = ParkingStore(given_in)

    def wanted(each: Traits) -> bool:
        return each.verdict != "wrong" and each.is_error == is_error and each.woken == woken

    right_ones = [
        (at, one)
        for at, one in enumerate(given_in)
        if one.verdict != "wrong" and one.is_error == is_error and (one.wake_up is not None) == woken
    ]
    assert list(store.select(wanted)) == right_ones
    assert store.number_of(wanted) == len(right_ones)


@pytest.mark.parametrize(
    ("one", "traits"),
    [
        (parking(), Traits("wrong", is_error=True, parked=True, woken=True, flushed=True)),
        (right(), Traits("right", is_error=False, parked=True, woken=True, flushed=False)),
        (undecided(), Traits("undecided", is_error=False, parked=False, woken=False, flushed=False)),
    ],
    ids=lambda each: each.verdict,
)
def test_the_traits(one: Parking, traits: Traits) -> None:
    one.is_error = traits.is_error
    one.destination = "Unschedulable" if traits.parked else "unknown"
    assert list(ParkingStore([one]).select(lambda each: each == traits)) == [(0, one)]
    assert list(ParkingStore([one]).select(lambda each: each != traits)) == []


def test_a_text_is_looked_for_before_anything_is_made() -> None:
    store = ParkingStore([right(error="out of time"), right(error="too large"), right(pod="\udc80", error="in time")])
    assert [at for at, _ in store.select(lambda _: True, mentioning="time")] == [0, 2]


def test_of_several_on_one_line_the_last_is_found() -> None:
    store = ParkingStore([right(pod="a", line=4), right(pod="b", line=4), right(pod="a", line=4, attempt=9)])
    assert (store.at("a", 0, 4), store.at("b", 0, 4)) == (2, 1)
    assert (store.at("c", 0, 4), store.at("a", 1, 4), store.at("a", 0, 5)) == (None, None, None)


def test_only_the_pods_that_are_wanted() -> None:
    store = ParkingStore([right(pod="a"), right(pod="b")], only=["b"])
    assert [one.pod for one in store] == ["b"]


def test_what_is_read_back_is_amended() -> None:
    def amend(one: Judged) -> None:
        one.error = "amended"

    store = ParkingStore([right(), right(pod="\udc80")])
    store.amend = amend
    read_back = [*store, *store.without_proof(), store[0], *(one for _, one in store.select(lambda _: True))]
    assert {one.error for one in read_back} == {"amended"}


def test_needs_are_counted_once_a_parking() -> None:
    store = ParkingStore([undecided(needs=["a", "b", "a"]), undecided(needs=["a"]), right(needs=["a"])])
    assert store.needs == {(True, "a"): 2, (True, "b"): 1, (False, "a"): 1}


def test_bytes_go_to_the_spool_and_nowhere_else() -> None:
    class Counting(Memory):
        size = 0

        def append(self, data: bytes) -> None:
            self.size += len(data)
            super().append(data)

    spool = Counting()
    store = ParkingStore([right(error="x" * 1000)] * 3, spool=spool)
    assert spool.size > 3000
    assert [one.error for one in store] == ["x" * 1000] * 3


@pytest.mark.parametrize("other", [[], [right()], "ab", None])
def test_equal_to_a_list_of_the_same(other: Any) -> None:
    assert (ParkingStore([right()]) == other) is (other == [right()])


def test_a_store_is_not_stored_again() -> None:
    store = ParkingStore([right()])
    assert stored(store) is store
    assert stored([right()]) == store
