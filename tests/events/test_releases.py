"""Cut-down recorded logs of each release, dialect and configuration form, against their exact events."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from klogreplay.events.extract import classify
from klogreplay.events.jsonlines import json_line
from tests.conftest import FIXTURES
from tests.events.reading import event_of, records_of, time_text

LOGS = sorted((FIXTURES / "events").glob("*.log"))
RELEASES = {
    "1.22.6", "1.23.3", "1.24.4", "1.25.2", "1.26.1", "1.27.1", "1.28.0", "1.28.3",
    "1.29.1", "1.30.1", "1.31.1", "1.32.2", "1.33.0", "1.34.1", "1.35.4", "1.36.2",
}  # fmt: skip
# What the recordings' own out-of-tree plugins print: no release of kube-scheduler does.
OUT_OF_TREE = ("Released the reservation", "pod of the same group was added")


def test_every_recorded_release_has_a_log() -> None:
    assert {log.stem for log in LOGS} >= RELEASES


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_the_events_of_a_log(log: Path) -> None:
    made = [
        json.loads(json_line(event, time_text(record.header)))
        for record in records_of(log)
        if (event := event_of(record)) is not None
    ]
    assert made == [json.loads(line) for line in log.with_suffix(".jsonl").read_text().splitlines()]


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_only_out_of_tree_lines_are_unknown(log: Path) -> None:
    unknown = [record.msg for record in records_of(log) if classify(record) == "unknown"]
    assert [msg for msg in unknown if not msg.endswith(OUT_OF_TREE)] == []


def test_the_configuration_reads_alike_in_its_three_forms() -> None:
    configs = []
    for release in ("1.22.6", "1.23.3", "1.24.4"):
        (record,) = records_of(FIXTURES / "events" / f"config-{release}.log")
        event = event_of(record)
        configs.append(event.config.splitlines())  # type: ignore[union-attr]
    for config in configs:
        assert config[0].startswith("apiVersion: kubescheduler.config.k8s.io/v1beta")
        assert config[-1].strip() == "schedulerName: default-scheduler"
