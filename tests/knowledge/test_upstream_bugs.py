"""Known upstream bugs, by release."""

from __future__ import annotations

import pytest

from klogreplay import knowledge


def affecting(release: str, **gates: bool) -> dict[str, str]:
    return {found.bug.id: found.certainty for found in knowledge.bugs_affecting(release, gates)}


def test_every_bug_has_a_title_and_references() -> None:
    assert len(knowledge.bugs()) == 58
    for name, bug in knowledge.bugs().items():
        assert name == bug.id
        assert bug.title
        assert bug.refs
        assert bug.affected_text


@pytest.mark.parametrize(
    ("kb", "first", "last", "fixed"),
    [
        ("KB12", "1.25.2", "1.25.14", "1.25.15"),
        ("KB12", "1.26.0", "1.26.9", "1.26.10"),
        ("KB12", "1.27.0", "1.27.6", "1.27.7"),
        ("KB12", "1.28.0", "1.28.0", "1.28.3"),
        ("KB13", "1.28.0", "1.28.0", "1.28.3"),
        ("KB15", "1.22.6", "1.28.14", "1.29.0"),
        ("KB21", "1.30.2", "1.30.2", "1.30.4"),
        ("KB17", "1.32.0", "1.35.4", "1.35.7"),
        ("KB22", "1.28.0", "1.28.4", "1.31.0"),
    ],
)
def test_what_was_measured_in_the_source(kb: str, first: str, last: str, fixed: str) -> None:
    on = {"SchedulerQueueingHints": True}
    assert affecting(first, **on)[kb] == "measured"
    assert affecting(last, **on)[kb] == "measured"
    assert kb not in affecting(fixed, **on)


def test_releases_whose_source_was_not_read_follow_what_is_stated() -> None:
    assert affecting("1.28.1")["KB13"] == "stated"
    assert "KB13" not in affecting("1.28.2")
    assert affecting("1.28.2")["KB12"] == "inferred"
    assert affecting("1.26.6")["KB12"] == "stated"


def test_a_bug_that_needs_a_gate_follows_the_gate() -> None:
    assert "KB13" not in affecting("1.28.0", SchedulerQueueingHints=False)
    assert "KB16" in affecting("1.29.1", SchedulerQueueingHints=True)
    assert "KB16" not in affecting("1.29.1")
    assert "KB09" in affecting("1.31.1")
    assert "KB09" not in affecting("1.32.2")
    assert "KB09" in affecting("1.32.2", SchedulerQueueingHints=False)


def test_a_bound_without_a_patch_takes_the_whole_minor() -> None:
    assert "KB19" in affecting("1.30.14")
    assert "KB19" not in affecting("1.31.0")
    assert "KB30" in affecting("1.32.0")
    assert "KB18" in affecting("1.22.0-alpha.3")
    assert "KB18" not in affecting("1.21.9")


def test_what_no_kubernetes_release_has() -> None:
    for release in knowledge.releases():
        assert not {"KB53", "KB54", "KB55", "KB58"} & affecting(release).keys()


def test_bugs_by_cause_and_their_fixes() -> None:
    stale = knowledge.bug("stale-plugins")
    assert stale is not None
    assert (stale.id, stale.refs[0]) == ("KB12", "PR #120334")
    assert [fix.release for fix in knowledge.fixed_in("stale-plugins") if fix.certain] == [
        "1.25.15",
        "1.26.10",
        "1.27.7",
        "1.28.3",
        "1.29.0",
    ]
    assert [(fix.release, fix.certain) for fix in knowledge.fixed_in("missed-events")] == [
        ("1.28.2", True),
        ("1.29.0", True),
    ]
    assert [(fix.release, fix.certain) for fix in knowledge.fixed_in("KB08")] == [
        ("1.24.0", True),
        ("1.23.7", False),
        ("1.22.10", False),
    ]
    assert knowledge.bug("KB99") is None
    assert knowledge.fixed_in("KB99") == ()
    assert knowledge.fixed_in("KB34") == ()


def test_no_release_no_bugs() -> None:
    with pytest.raises(ValueError, match="not a Kubernetes release"):
        knowledge.bugs_affecting("latest")
