"""Versions that a log names: those that the catalogue does not have, that the lines contradict, and vendors' builds."""

from __future__ import annotations

from pathlib import Path

import pytest

from klogreplay.cli.identify import as_json, as_text
from klogreplay.knowledge import Identification, Identifier, nearest_release, releases
from klogreplay.knowledge.named_version import LONGEST, named_version, unknown_as
from klogreplay.knowledge.site import mask_of
from klogreplay.knowledge.standins import for_release, neighbours
from tests.knowledge.shapes import observed

NOT_KNOWN = "not among the known releases"


def logs(fixtures: Path, name: str, *versions: str) -> Identification:
    """What is found where the fixture's log names these versions."""
    identifier = observed(fixtures / "knowledge" / "logs" / f"{name}.log")
    for at, version in enumerate(versions):
        identifier.observe_version(version, line=1000 + at, line_text=f'version="{version}"')
    return identifier.result()


def named(*versions: str) -> Identification:
    identifier = Identifier()
    for version in versions:
        identifier.observe_version(version)
    return identifier.result()


@pytest.mark.parametrize(
    ("text", "release", "suffix", "build"),
    [
        ("v1.28.0", "1.28.0", "", ""),
        (" 1.28 ", "1.28.0", "", ""),
        ("v1.28.0-rc.1", "1.28.0-rc.1", "", ""),
        ("v1.28.0-eks-abcdef", "1.28.0", "-eks-abcdef", "a vendor's build of 1.28.0"),
        ("v1.28.5-gke.1217000", "1.28.5", "-gke.1217000", "a vendor's build of 1.28.5"),
        ("v1.28.0+k3s1", "1.28.0", "+k3s1", "a vendor's build of 1.28.0"),
        ("v1.28.0-rc.1+rke2r1", "1.28.0-rc.1", "+rke2r1", "a vendor's build of 1.28.0-rc.1"),
        ("v1.30.0-alpha.3.112+8f2a9c01d2e3f4", "1.30.0-alpha.3", ".112+8f2a9c01d2e3f4", "a development build after"),
        ("v1.28.0-dirty", "1.28.0", "-dirty", "a development build after 1.28.0"),
    ],
)
def test_what_a_version_names(text: str, release: str, suffix: str, build: str) -> None:
    found = named_version(text)
    assert found is not None
    assert (found.release, found.suffix) == (release, suffix)
    assert found.build.startswith(build)
    assert bool(found.build) == bool(build)
    assert found.name == (text if suffix else release)


@pytest.mark.parametrize("text", ["", "latest", "v1", "1.28.0.1", "v1.99999.0", "x1.28.0"])
def test_what_names_none(text: str) -> None:
    assert named_version(text) is None


def test_a_long_suffix_is_cut() -> None:
    found = named_version("v1.28.0-" + "x" * 1_000_000)
    assert found is not None
    assert len(found.printed) == len(found.suffix) == LONGEST


@pytest.mark.parametrize(
    ("release", "how"),
    [
        ("1.36.2", ""),
        ("1.36.3", "newer than all known releases"),
        ("2.0.0", "newer than all known releases"),
        ("1.18.1", "older than all known releases"),
        ("1.28.5", NOT_KNOWN),
        ("1.29.0-alpha.2", NOT_KNOWN),
    ],
)
def test_how_a_release_is_not_known(release: str, how: str) -> None:
    assert unknown_as(release) == how


def uncatalogued() -> list[str]:
    """Every patch release that is missing between two of the catalogue, and those around it."""
    return [name for minor in range(17, 39) for patch in range(20) if (name := f"1.{minor}.{patch}") not in releases()]


@pytest.mark.parametrize("suffix", ["", "-eks-1", "+k3s1"])
def test_a_version_that_the_catalogue_does_not_have_is_never_the_one_found(suffix: str) -> None:
    seen = set()
    for name in uncatalogued():
        found = named(f"v{name}{suffix}")
        assert (found.version, found.vendor) == (None, False)
        assert found.candidates == for_release(name)
        assert set(found.candidates) <= set(releases())
        assert found.nearest in found.candidates
        assert found.range == (found.candidates[0], found.candidates[-1])
        (line,) = found.evidence
        assert name + suffix in line.says
        assert unknown_as(name) in line.says
        (note,) = found.notes
        assert f"The log names v{name}{suffix}" in note.replace("names 1", "names v1")
        assert all(release in note for release in found.candidates)
        seen.add(len(found.candidates))
    assert seen == {1, 2}


def test_between_two_known_ones() -> None:
    found = named("v1.28.5")
    assert (found.candidates, found.nearest) == (("1.28.4", "1.28.6"), nearest_release("1.28.5"))
    assert found.notes == (f"The log names 1.28.5, which is {NOT_KNOWN}: 1.28.4 and 1.28.6 speak for it.",)
    assert as_text(found).startswith(f"Kubernetes 1.28.4, 1.28.6 (closest: 1.28.6)\n{found.notes[0]}\n")


@pytest.mark.parametrize(("version", "how"), [("v1.37.0", "newer"), ("v1.17.4", "older")])
def test_beyond_the_catalogue(version: str, how: str) -> None:
    found = named(version)
    end = releases()[-1] if how == "newer" else releases()[0]
    assert (found.version, found.candidates, found.nearest) == (None, (end,), end)
    assert f"which is {how} than all known releases: {end} speaks for it" in as_text(found)


def test_lines_narrow_the_stand_ins(fixtures: Path) -> None:
    """1.28.2 is between 1.28.0 and 1.28.3; the lines of each exclude the other."""
    assert logs(fixtures, "1.28.0", "v1.28.2").candidates == ("1.28.0",)
    found = logs(fixtures, "1.28.3", "v1.28.2")
    assert (found.version, found.candidates, found.nearest, found.vendor) == (None, ("1.28.3",), "1.28.3", False)
    assert "1.28.3 speaks for it" in found.notes[0]


def test_lines_of_both_stand_ins_are_no_conflict() -> None:
    """A release between two may print some lines as the one before and others as the one after."""
    identifier = Identifier()
    before, after = (mask_of((name,)) for name in neighbours("1.28.5"))
    for mask in (before, after):
        identifier._narrow(mask, 1, "", "{}")
    identifier.observe_version("v1.28.5")
    found = identifier.result()
    assert (found.candidates, found.vendor) == (("1.28.4", "1.28.6"), False)


@pytest.mark.parametrize("version", ["v1.28.5", "v1.28.99", "v1.37.0", "v1.17.0", "v1.29.1", "v1.29.5-rke2", "v1.22"])
def test_a_version_that_the_lines_contradict(fixtures: Path, version: str) -> None:
    found = logs(fixtures, "1.28.0", version)
    name = named_version(version)
    assert name is not None
    release = name.release
    assert found.vendor
    assert found.version == (release if release in releases() else None)
    assert found.candidates == for_release(release)
    assert f"Its lines are not those of {release}: they are those of 1.28.0.\n" in as_text(found)
    unlike = [line for line in found.evidence if line.says.endswith(f", not by {release}, which the log names")]
    assert unlike
    assert all(line.says.startswith("printed here only by ") for line in unlike)


def test_a_version_that_the_lines_fit_is_not_contradicted(fixtures: Path) -> None:
    for name in ("1.22.6", "1.26.1", "1.28.0", "1.28.3", "1.31.1", "1.36.2"):
        for suffix in ("", "-eks-abcdef", "+k3s1"):
            found = logs(fixtures, name, f"v{name}{suffix}")
            assert (found.version, found.candidates, found.nearest, found.vendor) == (name, (name,), None, False)
            assert not any("not by" in line.says for line in found.evidence)
            assert len(found.notes) == bool(suffix)


@pytest.mark.parametrize("suffix", ["-eks-abcdef", "+k3s1", "-gke.100"])
def test_a_vendors_build_is_told_with_its_suffix(fixtures: Path, suffix: str) -> None:
    found = logs(fixtures, "1.28.0", f"v1.28.0{suffix}")
    told = f"v1.28.0{suffix}, a vendor's build of 1.28.0"
    assert found.evidence[-1].says == f"the scheduler names its version: {told}"
    assert as_text(found).startswith(f"Kubernetes 1.28.0\nThe log names {told}.\n")


def test_versions_of_several_processes(fixtures: Path) -> None:
    found = named("v1.28.5", "v1.29.1")
    assert (found.version, found.candidates) == (None, ("1.28.4", "1.28.6", "1.29.1"))
    found = named("v1.28.0", "v1.28.0-eks-1")
    assert (found.version, len(found.evidence)) == ("1.28.0", 2)
    assert not logs(fixtures, "1.28.0", "v1.28.0", "v1.36.2").vendor
    found = logs(fixtures, "1.28.0", "v1.26.1", "v1.36.2")
    assert found.vendor
    assert found.notes == ("Its lines are not those of 1.26.1 or 1.36.2: they are those of 1.28.0.",)


def test_a_hostile_suffix_reaches_no_terminal() -> None:
    found = named("v1.28.5-\x1b[31m\u202e\udc80\n" + "x" * 100_000)
    assert not set(as_text(found)) & set("\x1b\u202e\udc80")
    assert as_text(found).count("\n") < 20
    assert as_json(found).isascii()
    assert len(as_text(found)) < 3000
