"""What is kept of live pods."""

from __future__ import annotations

import pytest

from klogreplay.replay.pods import PodBook
from klogreplay.replay.rejectors import NOTHING


def test_a_pod_met_in_the_middle_of_its_life_has_an_unknown_entry() -> None:
    book = PodBook()
    assert book.get("a/b") is None
    state = book.need("a/b")
    assert book.need("a/b") is state
    assert (state.attempts, state.queue_attempts, state.held) == (0, None, None)
    assert list(book) == [state]


def test_one_that_is_seen_to_come_begins_with_nothing_held_and_nothing_counted() -> None:
    book = PodBook()
    old = book.need("a/b")
    state = book.added("a/b")
    assert state is not old
    assert (state.queue_attempts, state.held, state.held_lines) == (0, NOTHING, ())


def test_a_bound_pod_leaves_and_its_delete_line_is_known_as_such_once() -> None:
    book = PodBook()
    book.added("a/b")
    book.bound("a/b", 5)
    assert book.get("a/b") is None
    assert book.take_bound("a/b")
    assert not book.take_bound("a/b")


def test_one_that_comes_again_under_its_name_is_no_bound_one() -> None:
    book = PodBook()
    book.bound("a/b", 5)
    book.added("a/b")
    assert not book.take_bound("a/b")


def test_only_so_many_bound_ones_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PodBook, "MAX_BOUND", 2)
    book = PodBook()
    for name in ("a", "b", "c"):
        book.bound(name, 1)
    assert [book.take_bound(name) for name in ("a", "b", "c")] == [False, True, True]


def test_a_deleted_pod_gives_its_last_state() -> None:
    book = PodBook()
    state = book.need("a/b")
    assert book.deleted("a/b") is state
    assert book.deleted("a/b") is None
