"""Which release wrote a log, and with which gates."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import pytest

from klogreplay.knowledge import GateFinding, Identifier, SeenBehaviour, release_key, releases
from klogreplay.knowledge.site import describe, format_pieces, names_of, sites, split_site
from tests.knowledge.shapes import observed, shapes, shapes_of

LOGS = {
    "1.22.6": ("1.22.6",),
    "1.26.1": ("1.26.0-rc.1", "1.26.0", "1.26.1", "1.26.2"),
    "1.28.0": ("1.28.0",),
    "1.28.0-hintsoff": ("1.28.0",),
    "1.28.3": ("1.28.3",),
    "1.31.1": ("1.31.0", "1.31.1", "1.31.2"),
    "1.36.2": ("1.36.2",),
}


@pytest.mark.parametrize("name", LOGS)
def test_a_log_without_start_up_lines_is_identified(fixtures: Path, name: str) -> None:
    result = observed(fixtures / "knowledge" / "logs" / f"{name}.log").result()
    assert result.candidates == LOGS[name]
    assert result.range == (LOGS[name][0], LOGS[name][-1])
    assert result.version == (LOGS[name][0] if len(LOGS[name]) == 1 else None)
    assert result.nearest == (None if result.version else name)
    assert not result.vendor
    assert result.evidence


def test_evidence_cites_the_lines_that_narrow(fixtures: Path) -> None:
    path = fixtures / "knowledge" / "logs" / "1.36.2.log"
    texts = dict(enumerate(path.read_text().splitlines(), 1))
    evidence = observed(path).result().evidence
    assert evidence[0].says.startswith("printed here only by ")
    assert all(texts[item.line] == item.text for item in evidence)
    assert [item.line for item in evidence] == sorted(item.line for item in evidence)


def test_nothing_seen_leaves_every_release() -> None:
    result = Identifier().result()
    assert result.candidates == releases()
    assert (result.version, result.nearest, result.vendor) == (None, "1.36.2", False)
    assert result.gates["SchedulerQueueingHints"].value is None


def test_a_start_up_line_names_the_version() -> None:
    identifier = Identifier()
    identifier.observe_version("v1.28.6", line=3, line_text="I…")
    result = identifier.result()
    assert (result.version, result.candidates, result.nearest) == ("1.28.6", ("1.28.6",), None)
    assert result.gates["SchedulerQueueingHints"] == GateFinding(False, "default of 1.28.6")
    assert [(item.line, item.says) for item in result.evidence] == [(3, "the scheduler names its version: 1.28.6")]
    assert result.notes == ()


def test_two_named_versions_leave_both() -> None:
    identifier = Identifier()
    for version in ("v1.29.1", "v1.28.0", "v1.29.1", "unknown"):
        identifier.observe_version(version)
    result = identifier.result()
    assert (result.version, result.candidates) == (None, ("1.28.0", "1.29.1"))


def test_a_named_version_that_its_lines_contradict_is_a_vendor_build(fixtures: Path) -> None:
    identifier = observed(fixtures / "knowledge" / "logs" / "1.28.0.log")
    for shape in shapes(fixtures / "knowledge" / "logs" / "1.36.2.log"):
        identifier.observe(shape.site, shape.message, None, shape.structured)
    identifier.observe_version("v1.28.0")
    result = identifier.result()
    assert (result.version, result.vendor) == ("1.28.0", True)


def test_a_message_at_a_line_of_no_release_is_a_vendor_build(fixtures: Path) -> None:
    identifier = observed(fixtures / "knowledge" / "logs" / "1.28.0.log")
    identifier.observe("schedule_one.go:5", "Attempting to schedule pod", ("pod",), True, line=900, text="moved")
    result = identifier.result()
    assert (result.vendor, result.version, result.candidates, result.nearest) == (True, None, ("1.28.0",), "1.28.0")
    assert result.evidence[-1].says == "no known release prints this message at this place"


def test_lines_that_fit_no_single_release_leave_the_best_fit(fixtures: Path) -> None:
    identifier = observed(fixtures / "knowledge" / "logs" / "1.28.0.log")
    identifier.observe("schedule_one.go:107", "About to try and schedule pod", ("pod",), True)
    result = identifier.result()
    assert (result.vendor, result.version, result.candidates) == (True, None, ("1.28.0",))


def test_what_the_catalogue_does_not_know_is_passed_over() -> None:
    identifier = Identifier()
    for site, message in [
        ("coscheduling.go:204", "Released the reservation"),
        ("schedule_one.go:80", "an added message"),
        ("plugin.go:10", "hello"),
        ("klog.go:766", "anything at all"),
        ("no site", "x"),
        (":", ""),
        ("a.go:99999999999999999999", "x"),
        ("schedule_one.go:١٠٧", "Released the reservation"),
    ]:
        identifier.observe(site, message, None, True)
    result = identifier.result()
    assert "1.36.2" in result.candidates
    assert not result.vendor


def test_a_klogr_prefix_is_looked_behind() -> None:
    plain, prefixed = Identifier(), Identifier()
    plain.observe("dynamicresources.go:1064", "reserve", None, True)
    prefixed.observe("dynamicresources.go:1064", "Reserve/DynamicResources: reserve", None, True)
    assert plain.result().candidates == prefixed.result().candidates
    assert sites().find("scheduling_queue.go", 630, "no/such: message", True) is None


def test_printf_messages_fit_their_format() -> None:
    assert format_pieces("%s: %d%% of %v\nmore %v") == ("", ": ", "% of ", "")
    identifier = Identifier()
    identifier.observe("reflector.go:255", "Listing and watching *v1.Pod from k8s.io/x/factory.go:134", None, False)
    narrowed = identifier.result()
    identifier = Identifier()
    identifier.observe("reflector.go:255", "Listing and watching *v1.Pod from k8s.io/x/factory.go:134", None, True)
    assert len(narrowed.candidates) < len(identifier.result().candidates) == len(releases())


def test_a_library_that_was_not_read_excludes_nothing() -> None:
    # Only the newest trees hold this allocator; whether the others print the line cannot be told.
    found = sites().find("allocator.go", 1026, "Device allocated", True)
    assert found is not None
    assert "1.28.0" in names_of(found.releases)
    assert 50 < len(names_of(found.releases)) < 117


def test_the_program_around_the_scheduler_tells_nothing() -> None:
    # k3s and others embed the scheduler in a program of their own.
    assert sites().find("server.go", 154, "Starting Kubernetes Scheduler", True) is None


def test_without_call_sites_the_messages_narrow() -> None:
    identifier = Identifier()
    identifier.observe("", "Pod moved to an internal scheduling queue, because the pod is gated", None, True)
    assert identifier.result().range == ("1.33.0", "1.36.2")


def test_split_site_and_describe() -> None:
    assert split_site("queue/scheduling_queue.go:525") == ("scheduling_queue.go", 525)
    assert split_site("nothing") is None
    order = releases()
    mask = sum(1 << order.index(name) for name in ("1.28.0", "1.28.3", "1.28.4", "1.36.2"))
    assert describe(mask) == "1.28.0 to 1.28.4, 1.36.2"


class TestGates:
    """Feature gates: flag over line over config over behaviour over default."""

    GATE = "SchedulerQueueingHints"

    def of(self, identifier: Identifier) -> GateFinding:
        return identifier.result().gates[self.GATE]

    def test_order_of_weight(self) -> None:
        identifier = Identifier()
        identifier.observe_version("v1.28.0")
        assert self.of(identifier) == GateFinding(True, "default of 1.28.0")
        identifier.observe_behaviour(SeenBehaviour(self.GATE, False, "parked by the move request cycle", 90, "…"))
        assert self.of(identifier) == GateFinding(False, "seen: parked by the move request cycle (line 90)")
        identifier.observe_config(
            "kind: X\nfeatureGates:\n  SchedulerQueueingHints: true\n  Other: false\nnext: 1\n", line=5
        )
        assert self.of(identifier) == GateFinding(True, "component config (line 5)")
        identifier.observe_gates({self.GATE: False}, line=2)
        assert self.of(identifier) == GateFinding(False, "feature gates line (line 2)")
        identifier.observe_flag("--feature-gates", '"Other=true,:SchedulerQueueingHints=true"', line=1)
        assert self.of(identifier) == GateFinding(True, "--feature-gates (line 1)")
        assert identifier.result().gates["Other"] == GateFinding(True, "--feature-gates (line 1)")

    def test_hints_show_at_the_queues_call_sites(self, fixtures: Path) -> None:
        off = self.of(observed(fixtures / "knowledge" / "logs" / "1.28.0-hintsoff.log"))
        on = self.of(observed(fixtures / "knowledge" / "logs" / "1.36.2.log"))
        assert (off.value, on.value) == (False, True)
        assert off.evidence.startswith("seen: scheduling_queue.go:")

    def test_candidates_that_differ_leave_it_open(self) -> None:
        identifier = Identifier()
        identifier.observe_version("v1.28.4")
        identifier.observe_version("v1.28.6")
        assert self.of(identifier) == GateFinding(None, "the default differs within 1.28.4 to 1.28.6")

    def test_all_beta_switches_what_is_beta_and_not_locked(self) -> None:
        identifier = Identifier()
        identifier.observe_version("v1.33.0")
        identifier.observe_flag("feature-gates", "AllBeta=false")
        gates = identifier.result().gates
        assert gates["SchedulerPopFromBackoffQ"] == GateFinding(False, "set by AllBeta")
        assert gates["PodSchedulingReadiness"].value is True
        assert "AllBeta" not in gates

    @pytest.mark.parametrize("value", ["", '""', ",,,=", "A=maybe", "=true", "a" * 100_000, "A=true," * 100_000])
    def test_hostile_flags(self, value: str) -> None:
        identifier = Identifier()
        started = time.process_time()
        identifier.observe_flag("feature-gates", value)
        identifier.observe_config("featureGates:\n" * 5000 + value)
        assert time.process_time() - started < 1
        assert len(identifier.result().gates) < 20


def test_any_number_of_versions_and_gates_is_bounded() -> None:
    identifier = Identifier()
    for number in range(5000):
        identifier.observe_version(f"v1.{number % 999}.{number}-{'x' * number}")
        identifier.observe_gates({f"Gate{number}": True})
    result = identifier.result()
    assert len(result.notes) == len(result.evidence) == 20
    assert result.candidates == ("1.18.2", "1.19.0-rc.4")
    assert len(result.gates) < 600


def test_many_hostile_shapes_cost_little() -> None:
    identifier = Identifier()
    started = time.process_time()
    for number in range(20_000):
        identifier.observe(f"scheduling_queue.go:{number}", f"Pod moved {number}", None, number % 2 == 0)
        identifier.observe("reflector.go:255", f"{number} " + "Listing and watching " * 50, None, False)
    assert time.process_time() - started < 5
    assert not identifier.result().vendor


@pytest.mark.recorded
def test_every_recorded_log_is_identified_no_wider_than_its_call_sites_allow(recorded: Path) -> None:
    fingerprint = json.loads((recorded / "catalog" / "fingerprint.json").read_text())
    table, absent = fingerprint["table"], fingerprint["notInTree"]
    allowed = {
        key: frozenset(known) | frozenset(absent.get(fingerprint["sitePackage"].get(key, ""), ()))
        for key, known in table.items()
    }
    logs = sorted((recorded / "sched-logs").glob("1.*/**/scheduler.log*"))
    assert len(logs) > 400
    for path in logs:
        release = path.relative_to(recorded / "sched-logs").parts[0]
        identifier = Identifier()
        possible = frozenset(releases())
        for shape in shapes(path):
            possible &= allowed.get(f"{shape.site}|{shape.message}", possible)
            identifier.observe(shape.site, shape.message, None, shape.structured)
        result = identifier.result()
        assert release in result.candidates, path
        assert possible.issuperset(result.candidates), path
        assert not result.vendor, path
        assert result.candidates == tuple(sorted(result.candidates, key=release_key)), path
        # The widest that the releases' own call sites leave: six patch releases of one minor and its next alpha.
        assert len(result.candidates) <= 5, path


@pytest.mark.recorded
def test_gates_seen_in_recorded_logs_are_right(recorded: Path) -> None:
    seen = 0
    for path in sorted((recorded / "sched-logs").glob("1.*/**/scheduler.log*")):
        truth = json.loads(next(iter(sorted(path.parent.glob("truth*.json")))).read_text())
        finding = observed(path).result().gates.get("SchedulerQueueingHints")
        if finding is not None and finding.evidence.startswith("seen"):
            seen += 1
            assert finding.value is truth["queueingHints"], path
    assert seen > 250


@pytest.mark.recorded
def test_lines_of_the_queue_alone_never_exclude_their_release(recorded: Path) -> None:
    seen = set()
    for folder in sorted(path for path in (recorded / "queue-vectors").iterdir() if path.is_dir()):
        for path in sorted(folder.glob("*.*random*.jsonl.gz"))[::7]:
            identifier = Identifier()
            with gzip.open(path, "rt") as rows:
                for row in rows:
                    for shape in shapes_of(json.loads(row).get("log") or ()):
                        identifier.observe(shape.site, shape.message, None, shape.structured)
            result = identifier.result()
            assert folder.name in result.candidates, path
            assert not result.vendor, path
            hints = result.gates.get("SchedulerQueueingHints")
            if hints is not None and hints.evidence.startswith("seen"):
                seen.add(folder.name)
                assert hints.value is path.name.startswith("hints"), path
    assert len(seen) >= 10
