from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from klogreplay.claims.objects import Pod, ResourceClaim, ResourceClaimTemplate
from klogreplay.claims.reading import Objects, read_objects
from klogreplay.claims.rows import ClaimRow, rows_of_objects
from klogreplay.claims.semantics import semantics_of

from .builders import ANNOTATION, claim, pod

ENTRY = {"name": "gpu", "resourceClaimTemplateName": "t"}


def rows(*items: Pod | ResourceClaim | ResourceClaimTemplate, version: str | None = None) -> list[ClaimRow]:
    objects = Objects()
    for item in items:
        objects.add(item)
    objects.complete_claims = any(isinstance(item, ResourceClaim) for item in items)
    return list(rows_of_objects(objects, semantics_of(version)))


def waits(*items: Pod | ResourceClaim | ResourceClaimTemplate, version: str | None = None) -> tuple[str, str] | None:
    (row,) = rows(*items, version=version)
    return None if row.wait is None else (row.wait.code, row.wait.text)


def named(**more: Any) -> Pod:
    return pod("web-0", ENTRY, resourceClaimStatuses=[{"name": "gpu", "resourceClaimName": "c"}], **more)


def test_json_has_these_fields_in_this_order() -> None:
    (row,) = rows(pod("web-0", ENTRY), claim("web-0-gpu-x7f2p", annotations={ANNOTATION: "gpu"}))
    assert list(row.to_json().items()) == [
        ("pod", "default/web-0"),
        ("entry", "gpu"),
        ("state", "not-created"),
        ("name", None),
        ("must_check_owner", False),
        ("error", 'pod "default/web-0": ResourceClaim not created yet'),
        ("owner", "unknown"),
        ("resolved_by", "claim-annotation"),
        ("waits_for", "its status to name claim web-0-gpu-x7f2p, which exists"),
    ]


def test_template_that_is_not_there() -> None:
    there = ResourceClaimTemplate.model_validate({"metadata": {"name": "t", "namespace": "default"}})
    other = ResourceClaimTemplate.model_validate({"metadata": {"name": "u", "namespace": "default"}})
    controller = "the claim controller to create a claim"
    assert waits(pod("web-0", ENTRY), there) == ("creation", f"{controller} from template t")
    assert waits(pod("web-0", ENTRY), other) == ("creation", f"{controller}; template t does not exist")


def test_legacy_claim_is_taken_over_until_1_31() -> None:
    items = (pod("web-0", ENTRY), claim("web-0-gpu"))
    assert waits(*items, version="1.31") == ("status-update", "its status to name claim web-0-gpu, which exists")
    found = waits(*items, version="1.32")
    assert found is not None
    assert found[0] == "creation"
    assert "web-0-gpu, made by 1.27 or older, is not taken over" in found[1]


def test_claim_that_does_not_exist() -> None:
    assert waits(named(), claim("other")) == ("missing", "claim c, which does not exist")
    assert waits(named()) is None, "without a list of claims nothing is known"
    assert waits(pod("web-0", ENTRY), claim("other"), version="1.27") == (
        "creation",
        "the claim controller to create claim web-0-gpu",
    )


@pytest.mark.parametrize(
    ("of_claim", "wait"),
    [
        ({"status": {"allocation": {}}}, None),
        ({"status": {}}, ("allocation", "the allocation of claim c")),
        (
            {"status": {"allocation": {}, "deallocationRequested": True}},
            ("deallocation", "the deallocation of claim c"),
        ),
        (
            {"status": {"allocation": {}}, "metadata": {"deletionTimestamp": "2026-12-01T07:34:51Z"}},
            ("deletion", "the deletion of claim c, and for a new one"),
        ),
        (
            {"status": {"allocation": {}}, "owner_uid": "other"},
            ("foreign", "a claim of its own: c belongs to an older or newer pod web-0, of UID other"),
        ),
        ({"status": {"allocation": {}}, "owner_uid": None}, ("foreign", "a claim of its own: c belongs to nobody")),
    ],
)
def test_claim_that_exists(of_claim: dict[str, Any], wait: tuple[str, str] | None) -> None:
    assert waits(named(), claim("c", of_claim.pop("owner_uid", "uid-1"), **of_claim)) == wait


@pytest.mark.parametrize(
    ("version", "shareable", "users", "in_use"),
    [
        ("v1alpha2", False, ["other"], True),
        ("v1alpha2", True, ["other"], False),
        ("v1alpha2", False, [], False),
        ("v1alpha2", False, ["other", "uid-1"], False),
        ("v1alpha3", False, ["other"], False),
        ("v1", False, ["other"], False),
    ],
)
def test_claim_in_use(version: str, shareable: bool, users: Sequence[str], in_use: bool) -> None:
    reserved = [{"resource": "pods", "name": "p", "uid": uid} for uid in users]
    shared = claim(
        "c",
        api_version=f"resource.k8s.io/{version}",
        status={"allocation": {"shareable": shareable}, "reservedFor": reserved},
    )
    expected = ("in-use", "claim c, which is in use by pods/p") if in_use else None
    assert waits(named(), shared) == expected


def test_pod_on_a_node_waits_for_nothing() -> None:
    bound = pod("web-0", ENTRY).model_copy(
        update={"spec": pod("web-0", ENTRY).spec.model_copy(update={"node_name": "n"})}
    )
    assert waits(bound) is None
    assert waits(pod("web-0", ENTRY, phase="Failed")) is None


def test_ambiguous_names_are_told_up_to_1_27() -> None:
    items = (
        pod("a", {"name": "b-c", "resourceClaimTemplateName": "t"}, uid="1"),
        pod("a-b", {"name": "c", "resourceClaimTemplateName": "t"}, uid="2"),
        claim("a-b-c", "1"),
    )
    found = [(row.name, row.resolved_by, row.owner, row.wait and row.wait.code) for row in rows(*items, version="1.27")]
    assert found == [
        ("a-b-c", "ambiguous-deterministic-name", "ok", "allocation"),
        ("a-b-c", "ambiguous-deterministic-name", "foreign", "foreign"),
    ]
    # From 1.28 on the owner decides: the claim is that of the first pod, and the second gets one of its own.
    found_later = [(row.name, row.resolved_by, row.wait and row.wait.code) for row in rows(*items, version="1.28")]
    assert found_later == [(None, "legacy-name", "status-update"), (None, None, "creation")]


def test_extended_resource_claim_from_1_34() -> None:
    subject = pod(extendedResourceClaimStatus={"resourceClaimName": "web-0-extended-resources-abc"})
    (row,) = rows(subject, claim("web-0-extended-resources-abc"), version="1.34")
    assert (row.entry, row.state, row.name, row.owner) == (None, "named", "web-0-extended-resources-abc", "ok")
    assert row.resolved_by == "status.extendedResourceClaimStatus"
    assert rows(subject, version="1.33") == []


# What the kinds of scenario S16 come to, by the words of its truth file.
KINDS = {
    "claim has the deterministic name <pod>-<claim>, no status entry": ("not-created", "legacy-name", "status-update"),
    "status entry with nil name: no claim needed": ("not-needed", "status.resourceClaimStatuses", None),
    "claim not generated yet": ("not-created", None, "creation"),
    "claim owned by another pod": ("named", "status.resourceClaimStatuses", "foreign"),
    "claim by name, not shareable, two pods want it": ("named", "spec.resourceClaimName", None),
    "generated name, immediate allocation": ("named", "status.resourceClaimStatuses", None),
    "generated name, delayed allocation": ("named", "status.resourceClaimStatuses", None),
    "generated name, delayed allocation, update of its PodSchedulingContext conflicts once": (
        "named",
        "status.resourceClaimStatuses",
        None,
    ),
}


def check_kinds(folder: Path, kinds: dict[str, str], version: str) -> None:
    found = {row.pod: row for row in rows_of_objects(read_objects([str(folder)]), semantics_of(version))}
    assert found.keys() == kinds.keys()
    in_use = 0
    for name, kind in kinds.items():
        row = found[name]
        state, resolved_by, wait = KINDS[kind]
        code = row.wait.code if row.wait is not None else None
        assert (row.state, row.resolved_by) == (state, resolved_by), name
        if code == "in-use":
            in_use += 1
            assert kind == "claim by name, not shareable, two pods want it"
        elif code == "allocation":
            # A stale-plugin victim whose driver had not answered when the objects were dumped.
            assert "PodSchedulingContext conflicts" in kind
        else:
            assert code == wait, name
    assert in_use == 1


def test_kinds_of_the_claims_scenario(fixtures: Path) -> None:
    folder = fixtures / "claims" / "s16-1.28.3"
    check_kinds(folder, json.loads((folder / "kinds.json").read_text()), "1.28.3")


@pytest.mark.recorded
def test_kinds_of_all_recorded_claims_scenarios(recorded: Path) -> None:
    folders = [path.parent for path in sorted(recorded.glob("sched-logs/*/S16*/*/claims.json"))]
    assert len(folders) >= 9
    for folder in folders:
        truth = json.loads((folder / "truth.json").read_text())
        check_kinds(folder, truth["notes"]["kinds"], folder.parts[-3])
