"""Each rule on claims fires on its fixture and keeps quiet on the near miss."""

from __future__ import annotations

from pathlib import Path

import pytest

from klogreplay.claims.evidence import ClaimCollector
from klogreplay.claims.reading import Objects, read_objects
from klogreplay.events.types import SchedulerEvent
from klogreplay.replay.analyze import Options, Replay
from klogreplay.replay.types import ConcurrentEvent, Effect, Parking
from klogreplay.rules.base import Case
from klogreplay.rules.claims.concurrent_events import name_objects
from klogreplay.rules.registry import RULES, run_rules
from klogreplay.rules.types import Finding
from tests.samples import parking

from .builders import events_of, read_log

RULES_ON_CLAIMS = [rule for rule in RULES if rule.code.startswith("KR3")]


def case_of(events: list[SchedulerEvent], objects: Objects | None = None, version: str | None = None) -> Case:
    collector = ClaimCollector()
    replay = Replay(Options(kubernetes_version=version))
    for event in events:
        collector.feed(event)
        replay.feed(event)
    result = replay.finish()
    return Case(
        parkings=result.parkings,
        release=version or result.release,
        candidates=result.candidates,
        claims=collector.finish(objects, version or result.release),
    )


def findings(path: Path, version: str | None = None) -> list[Finding]:
    if path.suffix == ".log":
        case = case_of(list(read_log(path)), version=version)
    else:
        case = case_of([], read_objects([str(path)]), version)
    return run_rules(case, RULES_ON_CLAIMS)


VERSIONS = {"KR304": "1.27.1"}
GRADES = {"KR301": "likely", "KR302": "likely", "KR307": "likely"}


@pytest.mark.parametrize("code", [rule.code for rule in RULES_ON_CLAIMS])
def test_fires(code: str, fixtures: Path) -> None:
    (path,) = (fixtures / "claims" / "rules").glob(f"{code.lower()}-fires.*")
    (finding,) = findings(path, VERSIONS.get(code))
    assert (finding.code, finding.grade) == (code, GRADES.get(code, "proven"))
    assert finding.pod is not None
    assert finding.pod in finding.summary
    assert not finding.observation
    assert bool(finding.proof) == (path.suffix == ".log")


@pytest.mark.parametrize("code", [rule.code for rule in RULES_ON_CLAIMS])
def test_near_miss(code: str, fixtures: Path) -> None:
    (path,) = (fixtures / "claims" / "rules").glob(f"{code.lower()}-near-miss.*")
    assert [finding.code for finding in findings(path, VERSIONS.get(code))] == (["KR301"] if code == "KR302" else [])


def test_no_rule_speaks_where_claims_were_not_looked_at() -> None:
    assert run_rules(Case(parkings=()), RULES_ON_CLAIMS) == []


def test_legacy_names_collide_only_up_to_1_27(fixtures: Path) -> None:
    path = fixtures / "claims" / "rules" / "kr304-fires.yaml"
    assert [(found.code, found.pod) for found in findings(path, "1.28")] == [
        ("KR301", "team-a/a-b"),
        ("KR302", "team-a/a"),
    ]


def test_shared_legacy_name_that_nobody_has_yet_is_a_suspicion(tmp_path: Path, fixtures: Path) -> None:
    text = (fixtures / "claims" / "rules" / "kr304-fires.yaml").read_text()
    claims = text.index("- apiVersion: resource.k8s.io")
    path = tmp_path / "objects.yaml"
    path.write_text(text[:claims] + text[claims:].replace("a-b-c", "unrelated"))
    found = findings(path, "1.27")
    assert [(each.code, each.pod, each.grade) for each in found if each.code == "KR304"] == [
        ("KR304", "team-a/a", "suspected"),
        ("KR304", "team-a/a-b", "suspected"),
    ]


def test_without_a_list_of_claims_the_missing_claim_is_a_suspicion(tmp_path: Path, fixtures: Path) -> None:
    text = (fixtures / "claims" / "rules" / "kr301-fires.yaml").read_text()
    path = tmp_path / "pods.yaml"
    path.write_text(text[: text.index("- apiVersion: resource.k8s.io")])
    assert [(found.code, found.pod, found.grade) for found in findings(path)] == [
        ("KR301", "team-a/web-0", "suspected")
    ]


@pytest.mark.parametrize("release", ["v1.28.3", "v1.30.1", "v1.30.3", "v1.30.4", "v1.31.0"])
def test_gated_pods_are_asked_by_other_releases(release: str, fixtures: Path) -> None:
    lines = (fixtures / "claims" / "rules" / "kr305-fires.log").read_text().replace("v1.30.2", release).splitlines()
    assert "KR305" not in [found.code for found in run_rules(case_of(list(events_of(lines))), RULES_ON_CLAIMS)]


def test_gated_pod_that_still_sleeps_when_the_log_ends(fixtures: Path) -> None:
    lines = (fixtures / "claims" / "rules" / "kr305-fires.log").read_text().splitlines()
    (finding,) = run_rules(case_of(list(events_of(lines[:17]))), [rule for rule in RULES if rule.code == "KR305"])
    assert finding.summary.endswith("It was still asleep when the log ends.")
    assert [cited.line for cited in finding.proof] == [15, 17]


def test_wait_for_the_status_is_not_ended_by_the_claim(fixtures: Path) -> None:
    """Without "could not find ResourceClaim" the pod waits for its status, and the claim's event cannot help it."""
    lines = (fixtures / "claims" / "rules" / "kr305-fires.log").read_text().splitlines()
    lines = [line for line in lines if "could not find" not in line]
    assert "KR305" not in [found.code for found in run_rules(case_of(list(events_of(lines))), RULES_ON_CLAIMS)]


def test_conflict_elsewhere_is_no_reservation_conflict() -> None:
    case = Case(parkings=[parking(error='Operation cannot be fulfilled on pods "a": the object has been modified')])
    assert run_rules(case, RULES_ON_CLAIMS) == []


def test_conflict_names_the_claim() -> None:
    error = (
        'running Reserve plugin "DynamicResources": Operation cannot be fulfilled on resourceclaims.resource.k8s.io "c"'
    )
    (finding,) = run_rules(Case(parkings=[parking(error=error)]), RULES_ON_CLAIMS)
    assert (finding.code, finding.parking, finding.grade) == ("KR306", 0, "proven")
    assert "claim c to another writer" in finding.summary


def test_long_wait_in_the_log_makes_the_missing_claim_likely() -> None:
    wait = '"pod unschedulable" reason="pod \\"ns/web-0\\": ResourceClaim not created yet"'

    def grades(seconds: str) -> list[tuple[str, str]]:
        lines = [f"I1201 10:00:{second}.000000 1 dynamicresources.go:336] {wait}" for second in ("00", seconds)]
        return [(each.code, each.grade) for each in run_rules(case_of(list(events_of(lines))), RULES_ON_CLAIMS)]

    assert grades("00") == []
    assert grades("29") == [("KR301", "suspected")]
    assert grades("30") == [("KR301", "likely")]


def test_pod_that_needs_nothing_by_its_status_and_waits_in_the_log(tmp_path: Path) -> None:
    objects = tmp_path / "pods.yaml"
    objects.write_text(
        "kind: Pod\nmetadata: {name: web-0, namespace: ns}\n"
        "spec: {resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]}\n"
        "status: {resourceClaimStatuses: [{name: gpu}]}\n"
    )
    wait = '"pod unschedulable" reason="pod \\"ns/web-0\\": ResourceClaim not created yet"'
    lines = [f"I1201 10:00:{second}.000000 1 dynamicresources.go:336] {wait}" for second in ("00", "45")]
    (finding,) = run_rules(case_of(list(events_of(lines)), read_objects([str(objects)])), RULES_ON_CLAIMS)
    assert (finding.code, finding.grade) == ("KR307", "likely")
    assert [cited.line for cited in finding.proof] == [1, 2]


def concurrent(event: str, line: int, effect: Effect = "unknown") -> ConcurrentEvent:
    return ConcurrentEvent(event, None, line, None, "observed", effect)


def objects_of(parking: Parking, version: str, fixtures: Path) -> list[tuple[str | None, str]]:
    evidence = case_of(list(read_log(fixtures / "claims" / "s16-1.28.3" / "scheduler.log")), version=version).claims
    name_objects([parking], evidence)
    return [(event.object, event.effect) for event in parking.concurrent_events]


def test_concurrent_claim_events_are_counted_for_their_pod(fixtures: Path) -> None:
    """One claim's update, as two parked pods were asked about it."""
    lines = (fixtures / "claims" / "s16-1.28.3" / "scheduler.log").read_text().splitlines()
    name = "team-a/trainer-mvzz4x8mt-r89qk-gpu-7q4cw"
    claim = f"resourceclaim {name}"
    update = next(
        number
        for number, line in enumerate(lines, 1)
        if 'event="ResourceClaimUpdate"' in line and name in lines[number - 2]
    )

    def of(pod: str, plugins: tuple[str, ...], version: str = "1.28.3") -> list[tuple[str | None, str]]:
        concurrent_events = [concurrent(event, update) for event in ("ResourceClaimUpdate", "NodeAdd")]
        case = parking(pod=pod, rejector_plugins=plugins, concurrent_events=concurrent_events)
        return objects_of(case, version, fixtures)

    neighbour = "team-a/trainer-lsdzxlstm-ng89t"
    own = "team-a/trainer-mvzz4x8mt-r89qk"
    assert of(own, ("DynamicResources",)) == [(claim, "unknown"), (None, "unknown")]
    assert of(neighbour, ("DynamicResources",)) == [(claim, "skip"), (None, "unknown")]
    assert of(neighbour, ("DynamicResources", "NodeAffinity")) == [(claim, "unknown"), (None, "unknown")]
    assert of(neighbour, ("DynamicResources",), "1.30.1") == [(claim, "unknown"), (None, "unknown")]


@pytest.mark.recorded
def test_recorded_runs_accuse_nobody_else(recorded: Path) -> None:
    """On the recorded claims scenarios the rules name the pods that the truth names, and no other."""
    by_kind = {
        "claim not generated yet": {"KR301"},
        "claim has the deterministic name <pod>-<claim>, no status entry": {"KR302"},
        "claim owned by another pod": {"KR303"},
    }
    import json

    for log in sorted(recorded.glob("sched-logs/*/S16*/*/scheduler.log")):
        kinds = json.loads((log.parent / "truth.json").read_text())["notes"]["kinds"]
        case = case_of(list(read_log(log)), read_objects([str(log.parent)]), log.parts[-4])
        found: dict[str, set[str]] = {}
        for finding in run_rules(case, RULES_ON_CLAIMS):
            assert finding.pod is not None
            found.setdefault(finding.pod, set()).add(finding.code)
        expected = {pod: by_kind[kind] for pod, kind in kinds.items() if kind in by_kind}
        if log.parts[-4] == "1.28.0":
            expected |= {pod: {"KR306"} for pod, kind in kinds.items() if "PodSchedulingContext conflicts" in kind}
        assert found == expected, log
