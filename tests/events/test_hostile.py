"""Nothing that a log may hold makes the extraction raise, or take longer than its size warrants."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klogreplay.events.extract import RELEVANT_MESSAGES, RELEVANT_STARTS, classify
from klogreplay.events.fiterror import error_source, parse_fit_error
from klogreplay.events.jsonlines import json_line
from tests.events.reading import event_of, made, printed

KEYS = [
    "pod", "Pod", "node", "event", "queue", "hint", "plugin", "status", "err", "reason", "config", "featureGates",
    "featureGate", "value", "version", "pods", "summary", "numPods", "unschedulablePlugins", "unschedulable plugins",
    "pendingPlugins", "schedulingCycle", "inFlightEventsSize", "resourceclaims", "resourceclaim", "claim",
    "preemptor", "victim", "waitingPod", "nominatedNodeName", "conditionReason",
]  # fmt: skip
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["{", "map[", "[a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*KEYS, "name", "Label"]), inner),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(sorted(RELEVANT_MESSAGES)),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=8),
    st.sampled_from([None, "Reserve", "UnhandledError"]),
)
def test_any_value_under_any_message(message: str, values: dict[str, Any], logger: str | None) -> None:
    record = made(message, values=values, logger=logger)
    event = event_of(record)
    assert (event is not None) == (classify(record) == "understood")
    if event is not None:
        assert "\n" not in json_line(event, "07:00:00.000000")


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(RELEVANT_STARTS), st.text(max_size=40))
def test_any_text_behind_a_formatted_start(start: str, rest: str) -> None:
    record = printed(start + rest)
    assert (event_of(record) is not None) == (classify(record) == "understood")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="0/123 nodesareavailable:,.{}x\n", max_size=60))
def test_any_text_as_an_error(text: str) -> None:
    for err in (text, "0/3 nodes are available:" + text):
        fit = parse_fit_error(err)
        assert fit is None or all(reason for _, reason in fit.reasons)
        error_source(err)


SIZE = 200_000
REPEATED = [
    "{",
    "{a",
    "a",
    " ",
    ". ",
    ".",
    ", 1 ",
    "1 a, ",
    '"',
    "\n",
    "9",
    "pod ",
    "Pod a/b ",
    ": ",
    "map[",
    "a:{} ",
    "-",
]


@pytest.mark.parametrize("piece", REPEATED, ids=[repr(piece) for piece in REPEATED])
def test_a_long_text_takes_no_longer_than_its_length(piece: str) -> None:
    long = piece * (SIZE // len(piece))
    started = time.process_time()
    parse_fit_error("0/3 nodes are available: " + long)
    error_source("running " + long)
    for start in RELEVANT_STARTS:
        classify(printed(start + long[: SIZE // 10]))
    for value in (long, "map[" + long + "]", "{" + long):
        values = dict.fromkeys(KEYS, value)
        for message in (
            "Pod moved to an internal scheduling queue",
            "Error occurred",
            "Updated",
            "Discarding the popped pod",
        ):
            classify(made(message, values=values | {"queue": "Active", "hint": None}))
    classify(printed(long))
    assert time.process_time() - started < 5
