from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from klogreplay.claims.evidence import collect
from klogreplay.claims.log_relation import LogRelation, claim_names
from klogreplay.claims.log_rows import rows_of_log
from klogreplay.claims.rows import ClaimRow
from klogreplay.claims.semantics import semantics_of

from .builders import events_of, log_line, read_log
from .test_rows import KINDS

POD = 'pod="ns/web-0"'
CLAIM = "ns/web-0-gpu-x7f2p"


def relation(*lines: str) -> LogRelation:
    found = LogRelation()
    for event in events_of(lines):
        found.feed(event)
    return found


def rows(lines: Iterable[str], version: str = "1.34") -> list[ClaimRow]:
    return list(rows_of_log(relation(*lines), semantics_of(version)))


def plugin(message: str, *, prefix: str = "PreFilter", clock: str = "10:00:00.000000", severity: str = "I") -> str:
    """A line of the plugin as 1.29 and later print it."""
    name, _, pairs = message.partition("|")
    return log_line("dynamicresources.go:1", f'"{name}" logger="{prefix}.DynamicResources" {pairs}', clock, severity)


# --- over all releases: the real call sites, with the values in the form that the release prints ----------------------

VALUES = {
    "KObj": '"{}"',
    "KObjSlice": '["{}"]',
    "KObjs": "[{}]",
    "stringer": '"{}"',
    "textWriter": '"{}"',
    "string": '"{}"',
    "namedString": '"{}"',
}
TYING = {
    "pod resource claims",
    "reserve",
    "reserved",
    "is reserved",
    "Preparing allocation with structured parameters",
    "Requesting deallocation of ResourceClaim",
    "Deallocation of ResourceClaim",
    "claim for pod got created",
    "claim for pod got modified where the pod doesn't care",
    "status of claim for pod got updated",
    "created claim for extended resources",
}


def line_of_site(site: dict[str, Any], release: str) -> str | None:
    """A line as the call site prints it, None where it has no claim."""
    minor = int(release.split(".")[1])
    hint = "got" in site["message"]
    message, pairs = site["message"], ""
    if not hint and minor <= 28:
        message = f"PreFilter/DynamicResources: {message}"
    elif not hint:
        pairs = ' logger="PreFilter.DynamicResources"'
    block = ""
    for key, form in zip(site["keys"], site["valueForms"], strict=True):
        name = CLAIM if key in ("claim", "resourceclaim", "resourceclaims") else "ns/web-0" if key == "pod" else "n-1"
        if form == "Format":
            namespace, _, plain = name.partition("/")
            document = json.dumps({"metadata": {"name": plain, "namespace": namespace}, "spec": {}}, indent=2)
            block = "".join(f"\n\t{part}" for part in document.splitlines()) + "\n >"
            pairs += f" {key}=<"
        elif key == "err":
            continue
        else:
            pairs += f" {key}={VALUES[form].format(name)}"
    if "claim" not in "".join(site["keys"]):
        return None
    return log_line(f"{site['file'].rpartition('/')[2]}:{site['line']}", f'"{message}"{pairs}{block}')


@pytest.mark.recorded
def test_claims_of_pods_over_all_releases(recorded: Path) -> None:
    releases = json.loads((recorded / "catalog" / "callsites.json").read_text())["versions"]
    tested: dict[str, set[str]] = {}
    for release, sites in releases.items():
        for site in sites:
            if site["file"].rpartition("/")[2] not in ("dynamicresources.go", "extendeddynamicresources.go"):
                continue
            if site["message"] not in TYING or (text := line_of_site(site, release)) is None:
                continue
            found = relation(*text.split("\n"))
            assert list(found.pods) == ["ns/web-0"], (release, text)
            assert list(found.pods["ns/web-0"].claims) == [CLAIM], (release, text)
            tested.setdefault(release, set()).add(site["message"])
    assert len(tested) == 12
    assert all("pod resource claims" in messages for messages in tested.values())
    assert set().union(*tested.values()) == TYING


@pytest.mark.recorded
def test_claims_named_by_other_events_are_not_the_pods(recorded: Path) -> None:
    releases = json.loads((recorded / "catalog" / "callsites.json").read_text())["versions"]
    tested = 0
    for release, sites in releases.items():
        for site in sites:
            text = None
            if site["message"] in (
                "pod is not schedulable",
                "unrelated claim got modified",
                "pod is not schedulable after resource claim change",
                "claim with structured parameters got deallocated",
            ):
                text = line_of_site(site | {"message": site["message"]}, release)
            if text is not None and "claim" in site["keys"]:
                found = relation(text)
                assert not found.users, (release, text)
                tested += 1
    assert tested >= 20


# --- what the texts come to -------------------------------------------------------------------------------------------


def test_pod_that_only_the_reason_names() -> None:
    text = '"pod unschedulable" reason="pod \\"ns/web-0\\": ResourceClaim not created yet"'
    (row,) = rows([log_line("dynamicresources.go:277", text)])
    assert (row.pod, row.entry, row.state, row.name) == ("ns/web-0", None, "not-created", None)
    assert row.error == 'pod "ns/web-0": ResourceClaim not created yet'
    assert (row.owner, row.resolved_by) == ("unknown", "log")
    assert row.wait is not None
    assert row.wait.code == "creation"


def test_reason_whose_pod_stands_in_the_next_line() -> None:
    (row,) = rows(
        [
            log_line("dynamicresources.go:336", '"pod unschedulable" reason="resourceclaim \\"c\\" is being deleted"'),
            log_line(
                "scheduling_queue.go:518",
                f'"Status after running PreEnqueue plugin" {POD} plugin="DynamicResources" status={{}}',
            ),
        ]
    )
    assert (row.pod, row.state, row.name) == ("ns/web-0", "named", "c")
    assert row.wait is not None
    assert row.wait.code == "deletion"


def test_reason_is_not_given_to_a_later_pod() -> None:
    found = relation(
        log_line("dynamicresources.go:336", '"pod unschedulable" reason="resourceclaim \\"c\\" is being deleted"'),
        log_line("eventhandlers.go:126", '"Add event for unscheduled pod" pod="ns/other"'),
        log_line(
            "scheduling_queue.go:518",
            f'"Status after running PreEnqueue plugin" {POD} plugin="DynamicResources" status={{}}',
        ),
    )
    assert found.pods["ns/web-0"].waits is None


def test_status_of_pre_enqueue_from_1_30() -> None:
    (row,) = rows(
        [
            log_line(
                "scheduling_queue.go:539",
                f'"Status after running PreEnqueue plugin" {POD} plugin="DynamicResources" '
                f'status="could not find ResourceClaim \\"{CLAIM}\\""',
            )
        ]
    )
    assert (row.state, row.name, row.entry, row.must_check_owner) == ("named", "web-0-gpu-x7f2p", "gpu", True)
    assert row.wait is not None
    assert row.wait.code == "missing"


def test_foreign_claim() -> None:
    reason = f"ResourceClaim {CLAIM} was not created for pod ns/web-0 (pod is not owner)"
    (row,) = rows([log_line("dynamicresources.go:277", f'"pod unschedulable" reason="{reason}"')])
    assert (row.state, row.name, row.owner) == ("named", "web-0-gpu-x7f2p", "foreign")
    assert row.wait is not None
    assert row.wait.code == "foreign"


def test_deterministic_name_up_to_1_27() -> None:
    reason = 'waiting for dynamic resource controller to create the resourceclaim \\"web-0-gpu\\"'
    text = f'"PreFilter/DynamicResources: pod unschedulable" reason="{reason}" {POD}'
    (row,) = rows([log_line("dynamicresources.go:321", text)], "1.27")
    assert (row.state, row.name, row.entry) == ("named", "web-0-gpu", "gpu")
    assert row.wait is not None
    assert (row.wait.code, row.wait.text) == ("creation", "the claim controller to create claim web-0-gpu")


def test_direct_reference_has_no_entry() -> None:
    (row,) = rows([plugin(f'pod resource claims|{POD} resourceclaims=["ns/shared"]')])
    assert (row.entry, row.name, row.must_check_owner, row.wait) == (None, "shared", False, None)


def test_invalid_entry() -> None:
    reason = 'pod \\"ns/web-0\\", spec.resourceClaim \\"gpu\\": none of the supported fields are set'
    (row,) = rows([log_line("dynamicresources.go:277", f'"pod unschedulable" reason="{reason}"')])
    assert (row.state, row.entry, row.error) == (
        "invalid",
        "gpu",
        'pod "ns/web-0", spec.resourceClaim "gpu": none of the supported fields are set',
    )


def test_listing_ends_the_wait_and_a_new_reason_begins_one() -> None:
    lines = [
        log_line("d.go:277", '"pod unschedulable" reason="pod \\"ns/web-0\\": ResourceClaim not created yet"'),
        plugin(f'pod resource claims|{POD} resourceclaims=["{CLAIM}"]'),
    ]
    assert rows(lines)[0].wait is None
    lines.append(plugin(f'pod unschedulable|{POD} resourceclaim="{CLAIM}" reason="resourceclaim in use"'))
    (row,) = rows(lines)
    assert row.wait is not None
    assert row.wait.code == "in-use"


def test_bound_pod_waits_for_nothing() -> None:
    found = rows(
        [
            plugin(f'pod resource claims|{POD} resourceclaims=["{CLAIM}"]'),
            plugin(
                f'pod waiting for external component|{POD} reason="waiting for resource driver to allocate resource"'
            ),
            log_line("schedule_one.go:286", f'"Successfully bound pod to node" {POD} node="n"'),
        ]
    )
    assert [row.wait for row in found] == [None]


def test_not_needed_only_for_a_pod_that_had_waited() -> None:
    def life(waits: bool) -> list[ClaimRow]:
        gate = log_line("d.go:277", '"pod unschedulable" reason="pod \\"ns/web-0\\": ResourceClaim not created yet"')
        return rows(
            [
                plugin('pod resource claims|pod="ns/other" resourceclaims=["ns/shared"]'),
                *([gate] if waits else []),
                log_line("schedule_one.go:93", f'"Attempting to schedule pod" {POD}'),
                plugin(f"pod resource claims|{POD} resourceclaims=[]"),
                log_line("schedule_one.go:286", f'"Successfully bound pod to node" {POD} node="n"'),
            ]
        )

    assert [(row.pod, row.state) for row in life(waits=True)] == [
        ("ns/other", "named"),
        ("ns/web-0", "not-needed"),
    ]
    assert [row.pod for row in life(waits=False)] == ["ns/other"]


def test_name_used_again_begins_anew() -> None:
    found = relation(
        plugin(f'pod resource claims|{POD} resourceclaims=["{CLAIM}"]'),
        log_line("eventhandlers.go:171", f'"Delete event for unscheduled pod" {POD}'),
        log_line("eventhandlers.go:126", f'"Add event for unscheduled pod" {POD}'),
        plugin(f'pod resource claims|{POD} resourceclaims=["ns/web-0-gpu-zzzzz"]'),
    )
    assert list(found.pods["ns/web-0"].claims) == ["ns/web-0-gpu-zzzzz"]
    assert found.users[CLAIM] == set()


def test_claims_that_cannot_be_allocated() -> None:
    (row,) = rows(
        [plugin(f'pod unschedulable|{POD} node="n" resourceclaims=["{CLAIM}"] reason="cannot allocate all claims"')]
    )
    assert (row.name, row.entry) == ("web-0-gpu-x7f2p", "gpu")
    assert row.wait is not None
    assert (row.wait.code, row.wait.text) == ("allocation", "its claims: cannot allocate all claims")


def test_log_that_does_not_name_the_claims() -> None:
    err = "0/3 nodes are available: 3 cannot allocate all claims. still not schedulable"
    (row,) = rows([log_line("schedule_one.go:1", f'"Unable to schedule pod; no fit; waiting" {POD} err="{err}"')])
    assert (row.state, row.name, row.must_check_owner, row.error) == ("named", None, None, None)
    assert row.wait is not None
    assert row.wait.code == "allocation"


def test_extended_resource_claim_is_none_before_it_is_written() -> None:
    pending = plugin(
        f'Preparing allocation with structured parameters|{POD} resourceclaims=["ns/<extended-resources>"]'
    )
    assert rows([pending]) == []
    made = json.dumps({"metadata": {"name": "web-0-extended-resources-x7f2p", "namespace": "ns"}})
    text = plugin(f'created claim for extended resources|{POD} node="n" resourceclaim=<')
    (row,) = rows([pending, text, f"\t{made}", " >"])
    assert (row.entry, row.name, row.must_check_owner) == (None, "web-0-extended-resources-x7f2p", True)


def test_hostile_objects_in_lines() -> None:
    assert list(claim_names(["{", '"metadata":', "5}"])) == []
    assert list(claim_names(["{" * 100_000])) == []
    assert list(claim_names(['{"metadata":{"name":5}}'])) == []
    assert list(claim_names(["", "ns/a"])) == ["ns/a"]


# --- whole logs -------------------------------------------------------------------------------------------------------


def check_kinds(log: Path, kinds: dict[str, str], version: str) -> None:
    evidence = collect(read_log(log), version=version)
    found = {row.pod: row for row in evidence.rows}
    assert found.keys() == kinds.keys()
    for name, kind in kinds.items():
        row = found[name]
        code = row.wait.code if row.wait is not None else None
        state, _, wait = KINDS[kind]
        assert row.state == state, name
        if kind.startswith("claim has the deterministic name"):
            # A log tells of the legacy claim only where a line names it.
            assert code in ("status-update", "creation"), name
        elif kind.startswith("claim by name"):
            assert (row.name, row.entry, code in (None, "in-use")) == ("shared-claim", None, True)
        elif "PodSchedulingContext conflicts" in kind:
            assert code in (None, "retry"), name
        else:
            assert code == wait, name
        if kind.startswith("generated name") or kind == "claim owned by another pod":
            assert (row.entry, row.must_check_owner) == ("gpu", True)
            assert row.name is not None
            assert row.name.startswith(f"{name.rpartition('/')[2]}-gpu-")


def test_kinds_from_the_log_alone(fixtures: Path) -> None:
    folder = fixtures / "claims" / "s16-1.28.3"
    check_kinds(folder / "scheduler.log", json.loads((folder / "kinds.json").read_text()), "1.28.3")


@pytest.mark.recorded
def test_kinds_from_all_recorded_logs_alone(recorded: Path) -> None:
    logs = sorted(recorded.glob("sched-logs/*/S16*/*/scheduler.log"))
    assert len(logs) >= 9
    for log in logs:
        truth = json.loads((log.parent / "truth.json").read_text())
        check_kinds(log, truth["notes"]["kinds"], log.parts[-4])


@pytest.mark.recorded
def test_claim_of_the_victim_from_the_log(recorded: Path) -> None:
    tested = 0
    for log in sorted(recorded.glob("sched-logs/*/S01-dra*/*/scheduler.log")):
        victim = json.loads((log.parent / "truth.json").read_text())["notes"]["draVictim"]
        evidence = collect(read_log(log), version=log.parts[-4])
        claims = [row.name for row in evidence.rows if row.pod == victim]
        if int(log.parent.name.rpartition("-v")[2]) < 4:
            # Below -v=4 no line of the plugin is printed.
            assert claims == []
            continue
        assert claims
        assert all(claim is not None and claim.startswith("claim-") for claim in claims), log
        assert {row.pod for row in evidence.rows} == {victim}
        tested += 1
    assert tested >= 15
