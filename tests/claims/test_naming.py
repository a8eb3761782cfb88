from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from klogreplay.claims.naming import Resolution, claim_name
from klogreplay.claims.objects import Pod, ResourceClaim
from klogreplay.claims.owner import is_for_pod, is_reserved_for_pod
from klogreplay.claims.semantics import semantics_of

from .builders import claim, pod

CASES = json.loads((Path(__file__).parents[2] / "fixtures" / "claims" / "resourceclaim.json").read_text())["cases"]
ALSO = {"1.27.1": ("1.26.1",), "1.28.0": ("1.30.1", "1.31.1", "1.32.2"), "1.34.1": ("v1.36.2",)}


def nested(document: dict[str, Any]) -> dict[str, Any]:
    """The pod in the shape that it had up to 1.30."""
    document = json.loads(json.dumps(document))
    for entry in document["spec"]["resourceClaims"]:
        fields = [field for field in ("resourceClaimName", "resourceClaimTemplateName") if field in entry]
        entry["source"] = {field: entry.pop(field) for field in fields}
    return document


def outcome(document: dict[str, Any], case: dict[str, Any], version: str) -> dict[str, Any]:
    measured = Pod.model_validate(document)
    found: dict[str, Any] = {}
    for entry in measured.spec.resource_claims:
        if entry.name == case["podClaim"]:
            resolution = claim_name(measured, entry, semantics_of(version))
            found = {"name": resolution.name}
            if version not in {"1.26.1", "1.27.1"}:
                found |= {"error": resolution.error, "mustCheckOwner": resolution.must_check_owner}
    if case["claim"] is not None:
        of_case = ResourceClaim.model_validate(case["claim"])
        found["isForPod"] = is_for_pod(measured, of_case)
        found["isReservedForPod"] = is_reserved_for_pod(measured, of_case)
    return found


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
@pytest.mark.parametrize("shape", [lambda document: document, nested], ids=["flat", "source"])
def test_measured(case: dict[str, Any], shape: Any) -> None:
    for measured_on, expected in case["results"].items():
        for version in (measured_on, *ALSO[measured_on]):
            assert outcome(shape(case["pod"]), case, version) == expected, version


@pytest.mark.recorded
def test_fixture_is_the_recorded_table(recorded: Path) -> None:
    assert json.loads((recorded / "claims" / "resourceclaim.json").read_text())["cases"] == CASES


def resolve(entry: dict[str, Any], version: str, **status: Any) -> Resolution:
    subject = pod("web-0", entry, **status)
    return claim_name(subject, subject.spec.resource_claims[0], semantics_of(version))


def test_empty_direct_name_is_a_name() -> None:
    for version in ("1.27", "1.34"):
        assert resolve({"name": "gpu", "resourceClaimName": ""}, version).name == ""


def test_empty_template_name_is_a_template() -> None:
    found = resolve({"name": "gpu", "resourceClaimTemplateName": ""}, "1.30")
    assert (found.state, found.error) == ("not-created", 'pod "default/web-0": ResourceClaim not created yet')


def test_null_fields_are_not_set() -> None:
    entry = {"name": "gpu", "resourceClaimName": None, "resourceClaimTemplateName": None, "source": None}
    assert resolve(entry, "1.31").state == "invalid"


def test_flat_field_beside_an_empty_source() -> None:
    assert resolve({"name": "gpu", "resourceClaimName": "a", "source": {}}, "1.28").name == "a"


def test_status_without_a_name_means_not_needed() -> None:
    entry = {"name": "gpu", "resourceClaimTemplateName": "t"}
    found = resolve(entry, "1.28", resourceClaimStatuses=[{"name": "gpu"}])
    assert (found.state, found.name, found.must_check_owner, found.error) == ("not-needed", None, True, None)
    assert resolve(entry, "1.27", resourceClaimStatuses=[{"name": "gpu"}]).name == "web-0-gpu"


def test_up_to_1_27_only_a_template_makes_the_plugin_check_the_owner() -> None:
    assert resolve({"name": "gpu", "resourceClaimTemplateName": "t"}, "1.27").must_check_owner
    assert not resolve({"name": "gpu", "resourceClaimName": "c"}, "1.27").must_check_owner
    assert not resolve({"name": "gpu"}, "1.27").must_check_owner
    assert resolve({"name": "gpu", "resourceClaimName": "c", "resourceClaimTemplateName": "t"}, "1.27").must_check_owner


def test_empty_names_and_namespaces_in_the_error() -> None:
    subject = Pod.model_validate({"spec": {"resourceClaims": [{}]}})
    found = claim_name(subject, subject.spec.resource_claims[0], semantics_of(None))
    assert found.error == 'pod "/", spec.resourceClaim "": none of the supported fields are set'


def test_two_empty_uids_are_equal() -> None:
    assert is_for_pod(pod(uid=""), claim("c", "")) is None
    assert is_for_pod(pod(uid=""), claim("c", None)) == (
        "ResourceClaim default/c was not created for pod default/web-0 (pod is not owner)"
    )


def test_the_first_controller_counts() -> None:
    owners = [{"uid": "other", "controller": True}, {"uid": "uid-1", "controller": True}]
    assert is_for_pod(pod(), claim("c", metadata={"ownerReferences": owners})) is not None
    owners[0]["controller"] = False
    assert is_for_pod(pod(), claim("c", metadata={"ownerReferences": owners})) is None


@pytest.mark.parametrize("version", ["", "1", "latest", "1.x", "-1.28", "١.٢٨"])
def test_what_is_no_version(version: str) -> None:
    with pytest.raises(ValueError, match="not a Kubernetes version"):
        semantics_of(version)


def test_versions_as_vendors_write_them() -> None:
    assert not semantics_of("v1.27.16-eks-a18cd3a").recorded_names
    assert semantics_of(" v1.28.0-alpha.2 ").recorded_names
    assert not semantics_of("1.33.5+k3s1").extended_resources
    assert semantics_of("1.34").extended_resources
