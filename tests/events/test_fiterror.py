"""The FitError grammar over its forms, and the sources that error texts name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klogreplay.events import types as ev
from klogreplay.events.fiterror import FitError, error_source, parse_fit_error
from tests.conftest import FIXTURES
from tests.events.reading import event_of, records_of

NESTED = "preemption: 0/6 nodes are available: 3 No preemption victims found for incoming pod, 3 Insufficient cpu."

FORMS = [
    # 1.18-1.23
    (
        "0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu.",
        FitError(3, ((1, "node(s) were unschedulable"), (2, "Insufficient cpu")), False, None),
    ),
    (
        "0/2 nodes are available: 1 node(s) had taint {a/b: c}, that the pod didn't tolerate, 1 Too many pods.",
        FitError(
            2, ((1, "node(s) had taint {a/b: c}, that the pod didn't tolerate"), (1, "Too many pods")), False, None
        ),
    ),
    # 1.24, 1.25
    (
        f"0/6 nodes are available: 6 Insufficient nvidia.com/gpu. {NESTED}",
        FitError(6, ((6, "Insufficient nvidia.com/gpu"),), False, NESTED),
    ),
    # 1.26, 1.27: the text of PreFilter, and the same for every node
    (
        f"0/6 nodes are available: pod has unbound immediate PersistentVolumeClaims. 6 pod has unbound. {NESTED}.",
        FitError(6, ((None, "pod has unbound immediate PersistentVolumeClaims"), (6, "pod has unbound")), True, NESTED),
    ),
    # 1.28
    (
        f"0/6 nodes are available: 6 Insufficient cpu. {NESTED}.",
        FitError(6, ((6, "Insufficient cpu"),), False, NESTED),
    ),
    (
        '0/1 nodes are available: 1 x. preemption: pod "a" not found.',
        FitError(1, ((1, "x"),), False, 'preemption: pod "a" not found.'),
    ),
    # 1.29 and later
    (
        f"0/6 nodes are available: resourceclaim in use. no new claims to deallocate, {NESTED}",
        FitError(6, ((None, "resourceclaim in use"),), True, f"no new claims to deallocate, {NESTED}"),
    ),
    (
        '0/4 nodes are available: persistentvolumeclaim "data.x" not found. not found',
        FitError(4, ((None, 'persistentvolumeclaim "data.x" not found'),), True, "not found"),
    ),
    (
        "0/4 nodes are available: 4 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.",
        FitError(4, ((4, "Insufficient cpu"),), False, "preemption: not eligible due to preemptionPolicy=Never."),
    ),
    (
        "0/60 nodes are available: 1 node(s) had untolerated taint(s), 59 pod group pg-1 has fewer than 2 members.",
        FitError(
            60, ((1, "node(s) had untolerated taint(s)"), (59, "pod group pg-1 has fewer than 2 members")), False, None
        ),
    ),
    # what braces hold ends no reason
    (
        "0/2 nodes are available: 2 taint {k: 1. b, 3 c}, 1 d. e",
        FitError(2, ((2, "taint {k: 1. b, 3 c}"), (1, "d")), False, "e"),
    ),
    ("0/2 nodes are available: 2 open {brace. e", FitError(2, ((2, "open {brace"),), False, "e")),
    # cut off, or empty
    ("0/3 nodes are available: 3 Insufficient cpu", FitError(3, ((3, "Insufficient cpu"),), False, None)),
    ("0/3 nodes are available: .", FitError(3, (), False, None)),
    ("0/3 nodes are available:", FitError(3, (), False, None)),
    ("0/1 nodes are available: two\nlines. x\ny", FitError(1, ((None, "two\nlines"),), True, "x\ny")),
]


@pytest.mark.parametrize(("text", "told"), FORMS, ids=[text[25:65] for text, _ in FORMS])
def test_a_form(text: str, told: FitError) -> None:
    assert parse_fit_error(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0/3",
        "0/x nodes are available: 1 a.",
        "1/3 nodes are available: 1 a.",
        "0/9999999999 nodes are available: 1 a.",
        'running Bind plugin "DefaultBinder": 0/3 nodes are available: 1 a.',
        "0/2 placements are available, first placement status: x",
    ],
)
def test_no_fit_error(text: str) -> None:
    assert parse_fit_error(text) is None


# A reason as plugins write them: no ", " before a number and no ". ", or both within braces.
WORDS = st.from_regex(r"[a-z(][a-z()/:'-]{0,9}( [a-z0-9./{}:,_-]{1,9}){0,4}[a-z)]", fullmatch=True).filter(
    lambda text: not re.search(r"[.,] |[{}]", text)
)
BRACED = st.tuples(WORDS, st.text(alphabet="abc.,: 123", min_size=1)).map(lambda pair: f"{pair[0]} {{{pair[1]}}}")
REASONS = st.lists(st.tuples(st.integers(0, 99999), WORDS | BRACED), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 9999), REASONS, st.none() | WORDS, st.sampled_from(["", "."]))
def test_what_is_written_is_read(total: int, reasons: list[tuple[int, str]], postfilter: str | None, dot: str) -> None:
    text = f"0/{total} nodes are available: " + ", ".join(f"{count} {reason}" for count, reason in reasons) + "."
    if postfilter is not None:
        text += f" preemption: {postfilter}.{dot}"
    told = None if postfilter is None else f"preemption: {postfilter}."
    assert parse_fit_error(text) == FitError(total, tuple(reasons), False, told)


@pytest.mark.parametrize("release", ["1.22.6", "1.24.4", "1.26.1", "1.28.0", "1.29.1", "1.34.1", "1.36.2"])
def test_the_failures_of_a_release(release: str) -> None:
    fits = errors = 0
    for record in records_of(FIXTURES / "events" / f"{release}.log"):
        event = event_of(record)
        if not isinstance(event, ev.AttemptFailed):
            continue
        fit = parse_fit_error(event.err)
        assert (fit is None) == event.error, event.err
        if fit is None:
            errors += 1
            assert error_source(event.err) is not None, event.err
        else:
            fits += 1
            assert fit.reasons
            assert sum(count or 0 for count, _ in fit.reasons) >= (0 if fit.prefilter else fit.total)
    assert fits > 1
    assert errors > 0


@pytest.mark.parametrize(
    ("err", "source"),
    [
        ('running Reserve plugin "DynamicResources": conflict', ("Reserve", "DynamicResources")),
        ('running PreBind plugin "VolumeBinding": binding volumes: x', ("PreBind", "VolumeBinding")),
        ('running Bind plugin "DefaultBinder": pods "a" not found', ("Bind", "DefaultBinder")),
        ('binding rejected: running Bind plugin "DefaultBinder": pods "a" not found', ("Bind", "DefaultBinder")),
        ('running Permit plugin "Coscheduling": rpc error', ("Permit", "Coscheduling")),
        ('running PreFilter plugin "VolumeBinding": x', ("PreFilter", "VolumeBinding")),
        ('running PreScore plugin "NodeAffinity": x', ("PreScore", "NodeAffinity")),
        ('running "VolumeBinding" filter plugin: x', ("Filter", "VolumeBinding")),
        ('running AddPod on PreFilter plugin "InterPodAffinity": x', ("PreFilter", "InterPodAffinity")),
        ('running Score plugins: plugin "NodeAffinity" failed with: x', ("Score", "NodeAffinity")),
        ("running Normalize on Score plugins: x", ("Score", None)),
        ("waiting on permit for pod: preempted", ("Permit", None)),
        ("preempted by DefaultPreemption", ("PreBind", "DefaultPreemption")),
        ('running "VolumeBinding" filter plugin for pod "a": x', ("Filter", "VolumeBinding")),
        ('error while running "V" prebind plugin for pod "a": x', ("PreBind", "V")),
        ('error while running Reserve in "V" reserve plugin for pod "a": x', ("Reserve", "V")),
        ('error while running "V" permit plugin for pod "a": x', ("Permit", "V")),
        ('error while running score plugin for pod "a": x', ("Score", None)),
        ('plugin "DefaultBinder" failed to bind pod "a/b": x', ("Bind", "DefaultBinder")),
        ('error received while waiting on permit for pod "a": x', ("Permit", None)),
        ("the server is currently unable to handle the request", None),
        ('said: running Bind plugin "X": y', None),
        ("", None),
    ],
)
def test_where_an_error_comes_from(err: str, source: tuple[str, str | None] | None) -> None:
    assert error_source(err) == source
