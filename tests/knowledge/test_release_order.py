"""Release names and their order."""

from __future__ import annotations

import random

import pytest

from klogreplay import knowledge


def test_there_are_117_releases_each_once_and_in_order() -> None:
    releases = knowledge.releases()
    assert len(releases) == 117
    shuffled = list(releases)
    random.Random(7).shuffle(shuffled)
    assert tuple(sorted(shuffled, key=knowledge.release_key)) == releases


def test_sixteen_releases_have_all_catalogues() -> None:
    main = knowledge.main_releases()
    assert len(main) == 16
    assert (main[0], main[6:8], main[-1]) == ("1.22.6", ("1.28.0", "1.28.3"), "1.36.2")


def test_pre_releases_stand_before_their_release() -> None:
    names = ["1.28.1", "1.28.0", "1.28.0-rc.1", "1.28.0-beta.0", "1.28.0-alpha.10", "1.28.0-alpha.2", "1.27.16"]
    assert sorted(names, key=knowledge.release_key) == names[::-1]


@pytest.mark.parametrize(
    ("printed", "release"),
    [
        ("v1.28.0-rc.1+vendor", "1.28.0-rc.1"),
        ("v1.28.3-eks-4f4795d", "1.28.3"),
        ("v1.27.3-gke.1700", "1.27.3"),
        ("v1.26.5+k3s1", "1.26.5"),
        ("1.36.2", "1.36.2"),
        ("v1.28", "1.28.0"),
        (" v1.28.0 ", "1.28.0"),
        ("v1.29.0-alpha.1.22+0e5c6d29", "1.29.0-alpha.1"),
        ("", None),
        ("v1", None),
        ("latest", None),
        ("v1.28.99999999999999999999", None),
        ("v١.٢٨.٠", None),
    ],
)
def test_versions_as_programs_print_them(printed: str, release: str | None) -> None:
    assert knowledge.normalise_release(printed) == release


def test_release_key_refuses_what_is_no_release() -> None:
    with pytest.raises(ValueError, match="not a Kubernetes release: 'head'"):
        knowledge.release_key("head")


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("1.28.3", "1.28.3"),
        ("1.28.1", "1.28.0"),
        ("1.28.2", "1.28.3"),
        ("1.28.5", "1.28.6"),
        ("1.30.3", "1.30.4"),
        ("1.28.0-rc.1", "1.28.0"),
        ("1.34.0", "1.34.1"),
        ("1.99.0", "1.36.2"),
        ("1.2.0", "1.18.2"),
    ],
)
def test_nearest_release(asked: str, nearest: str) -> None:
    assert knowledge.nearest_release(asked) == nearest


@pytest.mark.parametrize(
    ("asked", "speaks", "assumed"),
    [
        ("1.28.0", "1.28.0", False),
        ("v1.28.0+vendor", "1.28.0", False),
        ("1.28.14", "1.28.3", True),
        ("1.28.0-beta.0", "1.28.0", True),
        ("1.25.0-alpha.0", "1.24.4", True),
        ("1.33.0-alpha.0", "1.32.2", True),
        ("1.18.2", "1.22.6", True),
    ],
)
def test_which_catalogue_speaks_for_a_release(asked: str, speaks: str, assumed: bool) -> None:
    assert knowledge.catalogue_of(asked) == (speaks, assumed)
