"""What a log can show: the verbosity that its lines prove."""

from __future__ import annotations

from klogreplay.replay.visibility import Visibility

POP = "About to try and schedule pod"
BACK = "moved: failed attempt, hints on"
RECEIVED = "Event received while pods are in flight"


def test_nothing_is_claimed_before_a_line_was_seen() -> None:
    visibility = Visibility(["1.28.0"])
    assert visibility.proven is None
    assert not visibility.prints(POP)
    assert not visibility.prints("Error scheduling pod; retrying")


def test_a_line_proves_its_level_and_a_lower_one_takes_nothing_back() -> None:
    visibility = Visibility(["1.28.0"])
    visibility.saw_line(POP)
    assert visibility.proven == 4
    visibility.saw_line("no fit")
    assert visibility.proven == 4
    assert visibility.prints(POP)
    assert not visibility.prints(BACK)


def test_a_flag_does_the_same() -> None:
    visibility = Visibility(["1.28.0"])
    visibility.saw_level(6)
    assert visibility.prints(BACK)


def test_of_several_releases_a_line_proves_the_least_and_is_claimed_at_the_highest() -> None:
    # The hand-back is printed at -v=6 in 1.28 and at -v=3 from 1.29 on.
    visibility = Visibility(["1.28.3", "1.29.1"])
    visibility.saw_line(BACK)
    assert visibility.proven == 3
    assert visibility.level_of(BACK) == 6
    assert not visibility.prints(BACK)


def test_a_line_that_one_of_the_releases_has_not_is_never_claimed() -> None:
    visibility = Visibility(["1.28.0", "1.28.3"])
    visibility.saw_level(10)
    assert visibility.level_of(RECEIVED) is None
    assert not visibility.prints(RECEIVED)


def test_a_line_that_no_release_has_proves_nothing() -> None:
    visibility = Visibility(["1.28.0"])
    visibility.saw_line(RECEIVED)
    assert visibility.proven is None


def test_an_error_line_is_printed_at_every_level() -> None:
    visibility = Visibility(["1.28.0"])
    visibility.saw_line("Error scheduling pod; retrying")
    assert visibility.proven == 0
    assert visibility.prints("Error scheduling pod; retrying")


def test_without_any_release_nothing_is_known() -> None:
    visibility = Visibility()
    visibility.saw_line(POP)
    visibility.saw_level(9)
    assert not visibility.prints(POP)


def test_what_is_learnt_of_the_release_later_counts() -> None:
    visibility = Visibility(["1.28.0", "1.28.3"])
    visibility.saw_level(5)
    assert not visibility.prints(RECEIVED)
    visibility.set_releases(["1.28.3"])
    assert visibility.releases == ("1.28.3",)
    assert visibility.prints(RECEIVED)
