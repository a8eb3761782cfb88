from __future__ import annotations

from klogreplay.claims.ambiguity import ambiguous_names
from klogreplay.claims.objects import ResourceClaim
from klogreplay.claims.transition import orphaned_claims

from .builders import ANNOTATION, claim, pod

ENTRY = {"name": "gpu", "resourceClaimTemplateName": "t"}


def found(*claims: ResourceClaim) -> list[tuple[str, str]]:
    subject = pod("web-0", ENTRY)
    return [
        (each.claim.metadata.name, each.sign)
        for each in orphaned_claims(subject, subject.spec.resource_claims[0], claims)
    ]


def test_annotated_claim_of_the_pod() -> None:
    assert found(claim("web-0-gpu-x7f2p", annotations={ANNOTATION: "gpu"})) == [("web-0-gpu-x7f2p", "annotation")]


def test_legacy_name_without_annotation() -> None:
    assert found(claim("web-0-gpu")) == [("web-0-gpu", "legacy-name")]


def test_annotation_for_another_entry_rules_out_even_the_legacy_name() -> None:
    assert found(claim("web-0-gpu", annotations={ANNOTATION: "nic"})) == []


def test_empty_annotation_is_an_annotation() -> None:
    assert found(claim("web-0-gpu", annotations={ANNOTATION: ""})) == []


def test_any_other_name_without_annotation() -> None:
    assert found(claim("web-0-gpu-x7f2p"), claim("web-0-gp")) == []


def test_owner_must_be_the_pod() -> None:
    not_pod = [{"kind": "Deployment", "uid": "uid-1", "controller": True}]
    assert (
        found(
            claim("web-0-gpu", "other"),
            claim("web-0-gpu", None),
            claim("web-0-gpu", namespace="elsewhere"),
            claim("web-0-gpu", metadata={"ownerReferences": not_pod}),
        )
        == []
    )


def test_first_of_several() -> None:
    first = claim("b", annotations={ANNOTATION: "gpu"})
    assert found(first, claim("web-0-gpu"))[0] == ("b", "annotation")


def test_two_pods_one_deterministic_name() -> None:
    a = pod("a", {"name": "b-c", "resourceClaimTemplateName": "t"}, uid="1")
    a_b = pod("a-b", {"name": "c", "source": {"resourceClaimTemplateName": "t"}}, uid="2")
    assert ambiguous_names([a, a_b]) == {("default", "a-b-c"): (("default/a", "b-c"), ("default/a-b", "c"))}


def test_direct_references_and_other_names_are_not_ambiguous() -> None:
    a = pod("a", {"name": "b-c", "resourceClaimTemplateName": "t"})
    direct = pod("a-b", {"name": "c", "resourceClaimName": "a-b-c"})
    other = pod("a-b", {"name": "d", "resourceClaimTemplateName": "t"})
    assert ambiguous_names([a, direct, other]) == {}
