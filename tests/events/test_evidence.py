"""What is known of other libraries' messages, and whether a log is kube-scheduler's."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from klogreplay.events.evidence import is_scheduler_line, looks_like_scheduler
from klogreplay.events.known import known
from tests.conftest import FIXTURES, ROOT
from tests.events.reading import made, printed, records_of


@pytest.mark.parametrize("log", sorted((FIXTURES / "events").glob("1.*.log")), ids=lambda log: log.stem)
def test_a_schedulers_log_is_told(log: Path) -> None:
    assert looks_like_scheduler(records_of(log))


def test_what_other_components_print_too_is_no_evidence() -> None:
    others = [
        made("Updated", values={"featureGates": {}}),
        made("Error occurred", values={"err": "x"}),
        made("Failed to delete", values={}),
        made("Caches are synced", values={"controller": "x"}),
        made("Successfully acquired lease", values={"lock": "kube-system/kube-controller-manager"}),
        made("SyncLoop ADD", values={"source": "api", "pods": []}),
        made("Requested to terminate, exiting"),
        made("Add event for ns", values={}),
        printed("feature gates: {map[]}"),
        printed('FLAG: --v="5"'),
        printed("attempting to acquire leader lease kube-system/kube-controller-manager..."),
        printed("Starting reflector *v1.Pod (0s) from k8s.io/client-go/informers/factory.go:134"),
        printed("Serving securely on [::]:10259"),
        printed("x"),
    ]
    assert [record.msg for record in others if is_scheduler_line(record)] == []
    assert not looks_like_scheduler(others)
    assert not looks_like_scheduler([])


def test_one_line_of_its_own_is_enough() -> None:
    for record in (
        made("Unable to schedule pod; no fit; waiting", values={"pod": "a/b"}),
        made("Add event for unscheduled pod", values={"pod": "a/b"}),
        made("Reserve/DynamicResources: Pod rejected by plugin", values={"pod": "a/b"}),
        made("Starting Kubernetes Scheduler", values={"version": "v1.30.1"}),
        printed("Attempting to schedule pod: a/b"),
        printed("attempting to acquire leader lease  kube-system/kube-scheduler..."),
        printed('FLAG: --leader-elect-resource-name="kube-scheduler"'),
    ):
        assert is_scheduler_line(record), record.msg


def test_a_formatted_message_is_known_by_its_constant_pieces() -> None:
    table = known()
    assert table.printf("Unable to look up PVC info for a/b\n") is True
    assert table.printf("Stopping reflector *v1.Pod (0s) from k8s.io/client-go/informers/factory.go:134") is False
    assert table.printf("Could not retrieve anything") is None
    assert table.printf("") is None
    assert table.structured("Plugin scored node for pod") is True
    assert table.structured("Caches populated") is False
    assert table.structured("never printed") is None


@pytest.mark.recorded
def test_the_table_is_what_the_catalogue_gives(recorded: Path, tmp_path: Path) -> None:
    tool = tmp_path / "tools" / "known_messages.py"
    made_table = tmp_path / "klogreplay" / "events" / "data" / "known_messages.json.gz"
    tool.parent.mkdir()
    made_table.parent.mkdir(parents=True)
    tool.write_text((ROOT / "tools" / "known_messages.py").read_text())
    subprocess.run([sys.executable, str(tool), str(recorded / "catalog" / "messages.json")], check=True, timeout=60)
    shipped = ROOT / "klogreplay" / "events" / "data" / "known_messages.json.gz"
    assert json.loads(gzip.decompress(made_table.read_bytes())) == json.loads(gzip.decompress(shipped.read_bytes()))
