"""Which known releases speak for one that is not among them."""

from __future__ import annotations

import pytest

from klogreplay.knowledge.standins import for_release, for_unfitting, neighbours
from klogreplay.knowledge.upstream import CODES
from klogreplay.queue import FIXES


@pytest.mark.parametrize(
    ("name", "standins"),
    [
        ("1.28.0", ("1.28.0",)),
        ("v1.28.3", ("1.28.3",)),
        # Both neighbours, where nothing tells on which side of a fix it is.
        ("v1.28.2", ("1.28.0", "1.28.3")),
        # 1.28.2 has the fixes by the release notes, 1.28.1 has not.
        ("v1.28.1", ("1.28.0",)),
        ("1.27.3-gke.100", ("1.27.2", "1.27.4")),
        ("1.30.7", ("1.30.6", "1.30.10")),
        ("1.28.99", ("1.28.14",)),
        # Minor releases of which nothing is known: the nearest there is.
        ("1.15.0", ("1.18.2",)),
        ("1.99.0", ("1.36.2",)),
    ],
)
def test_a_release_that_is_named(name: str, standins: tuple[str, ...]) -> None:
    assert for_release(name) == standins


def test_what_is_no_release_is_refused() -> None:
    with pytest.raises(ValueError, match="not a Kubernetes release: 'latest'"):
        for_release("latest")


@pytest.mark.parametrize(
    ("candidates", "standins"),
    [
        # A build of the main branch may lack what came since the release before.
        (("1.28.0",), ("1.28.0-beta.0", "1.28.0")),
        (("1.29.0-alpha.1",), ("1.28.0", "1.29.0-alpha.1")),
        (("1.28.0-alpha.2", "1.28.0"), ("1.27.0", "1.28.0-alpha.2", "1.28.0")),
        # A patch release comes from a branch of its own.
        (("1.28.3",), ("1.28.3",)),
        (("1.18.2",), ("1.18.2",)),
    ],
)
def test_a_build_that_fits_no_release(candidates: tuple[str, ...], standins: tuple[str, ...]) -> None:
    assert for_unfitting(candidates) == standins


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("1.28.0", ("1.28.0",)),
        # Whatever fix is between them.
        ("v1.28.1", ("1.28.0", "1.28.3")),
        ("1.28.5-eks-1", ("1.28.4", "1.28.6")),
        ("1.29.0-alpha.2", ("1.29.0-alpha.1", "1.29.0-alpha.3")),
        ("1.28.99", ("1.28.14",)),
        ("1.15.0", ("1.18.2",)),
        ("1.99.0", ("1.36.2",)),
    ],
)
def test_the_known_releases_around_one(name: str, near: tuple[str, ...]) -> None:
    assert neighbours(name) == near


def test_the_fixes_that_tell_stand_ins_apart_are_those_of_the_model() -> None:
    assert set(CODES) == set(FIXES)
