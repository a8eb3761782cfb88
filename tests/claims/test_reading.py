from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from klogreplay.claims.reading import Objects, ObjectsError, read_objects
from klogreplay.claims.rows import rows_of_objects
from klogreplay.claims.semantics import semantics_of

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "web-0", "namespace": "default", "uid": "u", "creationTimestamp": None},
    "spec": {"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "t"}]},
}
API_VERSIONS = ("v1alpha1", "v1alpha2", "v1alpha3", "v1beta1", "v1beta2", "v1")


def claim(version: str = "v1", name: str = "c") -> dict[str, Any]:
    return {"apiVersion": f"resource.k8s.io/{version}", "kind": "ResourceClaim", "metadata": {"name": name}}


def listed(*items: dict[str, Any], kind: str = "List") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "items": list(items)}


def read(tmp_path: Path, content: Any, name: str = "objects.json") -> Objects:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return read_objects([str(path)])


def refusal(tmp_path: Path, content: Any, name: str = "objects.json") -> str:
    with pytest.raises(ObjectsError) as caught:
        read(tmp_path, content, name)
    text = str(caught.value)
    assert text.startswith(str(tmp_path / name))
    assert "\n" not in text
    return text.removeprefix(f"{tmp_path / name}: ")


def read_or_refuse(tmp_path: Path, content: bytes) -> Objects | str:
    try:
        return read(tmp_path, content)
    except ObjectsError as error:
        return str(error)


def test_list_of_kinds(tmp_path: Path) -> None:
    template = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": {"name": "t"}}
    context = {"apiVersion": "resource.k8s.io/v1alpha2", "kind": "PodSchedulingContext", "metadata": {"name": "web-0"}}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}
    objects = read(tmp_path, listed(POD, claim(), template, context, node))
    assert list(objects.pods) == [("default", "web-0")]
    assert list(objects.claims) == [("", "c")]
    assert list(objects.templates) == [("", "t")]
    assert list(objects.contexts) == [("", "web-0")]


@pytest.mark.parametrize("version", API_VERSIONS)
def test_every_api_version(tmp_path: Path, version: str) -> None:
    objects = read(tmp_path, claim(version))
    assert objects.claims["", "c"].api_version == f"resource.k8s.io/{version}"


def test_first_name_of_the_scheduling_context(tmp_path: Path) -> None:
    old = {"apiVersion": "resource.k8s.io/v1alpha1", "kind": "PodScheduling", "metadata": {"name": "web-0"}}
    assert list(read(tmp_path, old).contexts) == [("", "web-0")]


def test_typed_list_without_kinds_of_items(tmp_path: Path) -> None:
    item = {"metadata": {"name": "c", "namespace": "default"}}
    assert list(read(tmp_path, listed(item, kind="ResourceClaimList")).claims) == [("default", "c")]


def test_empty_claim_list_says_that_there_are_none(tmp_path: Path) -> None:
    assert read(tmp_path, {"kind": "ResourceClaimList", "items": None}).complete_claims
    assert not read(tmp_path, listed(POD)).complete_claims


def test_kind_of_the_same_name_in_another_group(tmp_path: Path) -> None:
    other = claim() | {"apiVersion": "cdi.k8s.io/v1alpha1"}
    assert not read(tmp_path, listed(other)).claims


def test_yaml_stream(tmp_path: Path) -> None:
    text = yaml.safe_dump_all([POD, None, listed(claim())])
    objects = read(tmp_path, text.encode(), "objects.yaml")
    assert (list(objects.pods), list(objects.claims)) == ([("default", "web-0")], [("", "c")])


def test_unquoted_yaml_timestamp_stays_text(tmp_path: Path) -> None:
    text = b"kind: ResourceClaim\nmetadata:\n  name: c\n  deletionTimestamp: 2026-12-01T07:34:51Z\n"
    assert read(tmp_path, text).claims["", "c"].metadata.deletion_timestamp == "2026-12-01T07:34:51Z"


def test_what_powershell_writes(tmp_path: Path) -> None:
    text = json.dumps(POD)
    assert read(tmp_path, b"\xff\xfe" + text.encode("utf-16-le")).pods
    assert read(tmp_path, b"\xef\xbb\xbf" + text.encode()).pods


def test_json_array(tmp_path: Path) -> None:
    assert len(read(tmp_path, [POD, claim()]).pods) == 1


def test_later_object_counts(tmp_path: Path) -> None:
    newer = json.loads(json.dumps(POD))
    newer["metadata"]["uid"] = "newer"
    assert read(tmp_path, listed(POD, newer)).pods["default", "web-0"].metadata.uid == "newer"


def test_directory(tmp_path: Path, fixtures: Path) -> None:
    deep = tmp_path / "namespaces" / "default"
    deep.mkdir(parents=True)
    (deep / "pods.yaml").write_text(yaml.safe_dump(POD))
    (tmp_path / "claims.json").write_text(json.dumps(listed(claim())))
    (tmp_path / "notes.json").write_text('{"no": "object"}')
    (tmp_path / "empty.yml").write_text("")
    (tmp_path / "scheduler.log").write_text("{broken")
    objects = read_objects([str(tmp_path)])
    assert (list(objects.pods), list(objects.claims)) == ([("default", "web-0")], [("", "c")])


def test_fault_in_a_directory_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "claims.json").write_text("{broken")
    with pytest.raises(ObjectsError, match=r"claims\.json: not valid JSON"):
        read_objects([str(tmp_path)])


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ObjectsError, match="No such file"):
        read_objects([str(tmp_path / "gone.json")])
    with pytest.raises(ObjectsError):
        read_objects(["a\0b"])


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"metadata": {"name": 5}}, "metadata.name"),
        ({"metadata": []}, "metadata"),
        ({"spec": {"resourceClaims": {}}}, "spec.resourceClaims"),
        ({"spec": {"resourceClaims": [{"name": "a"}, {"name": []}]}}, "spec.resourceClaims[1].name"),
        ({"spec": {"resourceClaims": [{"source": 5}]}}, "spec.resourceClaims[0].source"),
        (
            {"spec": {"resourceClaims": [{"source": {"resourceClaimName": 5}}]}},
            "spec.resourceClaims[0].source.resourceClaimName",
        ),
        ({"status": {"resourceClaimStatuses": [{"resourceClaimName": True}]}}, "status.resourceClaimStatuses[0]."),
        ({"metadata": {"ownerReferences": [{"controller": "true"}]}}, "metadata.ownerReferences[0].controller"),
    ],
)
def test_wrong_type_names_the_field(tmp_path: Path, change: dict[str, Any], path: str) -> None:
    assert refusal(tmp_path, POD | change).startswith(path)
    assert refusal(tmp_path, listed(claim(), POD | change)).startswith(f"items[1].{path}")


@pytest.mark.parametrize("items", ["x", {"a": 1}, 3])
@pytest.mark.parametrize("kind", ["List", "PodList"])
def test_items_that_are_no_list(tmp_path: Path, kind: str, items: Any) -> None:
    assert "items: should be a list" in refusal(tmp_path, {"kind": kind, "items": items})


def test_unknown_fields_are_kept_quiet(tmp_path: Path) -> None:
    assert read(tmp_path, POD | {"spec": {"tolerations": 5, "resourceClaims": [{"new": {}}]}, "extra": 1}).pods


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"\x7fELF\0\0\0", "a binary file"),
        (b"kind: \xff\xfe", "not text in UTF-8 (byte 6)"),
        (b"{", "not valid JSON: Input data was truncated"),
        (b"just a line of text", "the document is no Kubernetes object (it has no kind)"),
        (b"{}", "the document is no Kubernetes object (it has no kind)"),
        (b"[5]", "[0] is no Kubernetes object (it has no kind)"),
        (b'{"kind": "List", "items": [{}]}', "items[0] is no Kubernetes object (it has no kind)"),
        (b"a: b: c", "not valid YAML: mapping values are not allowed in this context (line 1)"),
        (b"a: !!python/object/apply:os.system [ls]", "not valid YAML: "),
        (b"? [a]\n: b", "not valid YAML: "),
        (b"a: !!int x", "not valid YAML: "),
        (b"a: &x [*x]", "not valid YAML: an alias to an unknown or unfinished anchor"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, content: bytes, told: str) -> None:
    assert refusal(tmp_path, content).startswith(told)


def bomb(levels: int) -> bytes:
    lines = ["a0: &a0 x"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, levels)]
    return "\n".join(lines).encode()


def merge_bomb(levels: int) -> bytes:
    lines = ["a0: &a0 {k: v}"]
    lines += [f"a{level}: &a{level} {{<<: [{', '.join([f'*a{level - 1}'] * 9)}]}}" for level in range(1, levels)]
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"x: " + b"[" * 5000, "not valid YAML: exceeded maximum nesting depth"),
        (b"x: " + b"[" * 500 + b"]" * 500, "nested too deeply"),
        (bomb(20), "its YAML aliases come to too much"),
        (merge_bomb(20), "its YAML aliases come to too much"),
        (b"x: " + b"1:" * 300_000 + b"1", "not valid YAML: a number too long"),
        (b"x: " + b"1" * 300_000, "not valid YAML: a number too long"),
    ],
    ids=["json", "json-object", "libyaml", "yaml", "aliases", "merge-keys", "sexagesimal", "digits"],
)
def test_bombs_are_refused_at_once(tmp_path: Path, content: bytes, told: str) -> None:
    start = time.process_time()
    assert refusal(tmp_path, content).startswith(told)
    assert time.process_time() - start < 2


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    ("metadata",),
    ("metadata", "name"),
    ("metadata", "annotations"),
    ("metadata", "ownerReferences"),
    ("spec",),
    ("spec", "resourceClaims"),
    ("spec", "allocationMode"),
    ("status",),
    ("status", "allocation"),
    ("status", "reservedFor"),
    ("status", "resourceClaimStatuses"),
    ("status", "extendedResourceClaimStatus"),
    ("items",),
    ("kind",),
    ("apiVersion",),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([POD, claim(), listed(POD)]), st.sampled_from(FIELDS), VALUES)
def test_any_value_in_any_field_is_read_or_refused(
    tmp_path: Path, document: dict[str, Any], field: tuple[str, ...], value: Any
) -> None:
    document = json.loads(json.dumps(document))
    place = document
    for step in field[:-1]:
        place = place.setdefault(step, {})
    place[field[-1]] = value
    found = read_or_refuse(tmp_path, json.dumps(document).encode())
    if isinstance(found, str):
        assert found
        assert "\n" not in found
    else:
        assert {row.owner for row in rows_of_objects(found, semantics_of(None))} <= {"ok", "foreign", "unknown"}


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_refused(tmp_path: Path, content: bytes) -> None:
    assert isinstance(read_or_refuse(tmp_path, content), (Objects, str))


def test_recorded_objects_as_yaml(tmp_path: Path, fixtures: Path) -> None:
    folder = fixtures / "claims" / "s16-1.28.3"
    for name in ("pods", "claims"):
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(json.loads((folder / f"{name}.json").read_text())))
    semantics = semantics_of("1.28.3")
    assert [row.to_json() for row in rows_of_objects(read_objects([str(tmp_path)]), semantics)] == [
        row.to_json() for row in rows_of_objects(read_objects([str(folder)]), semantics)
    ]


def test_harmless_aliases_are_read(tmp_path: Path) -> None:
    text = b"kind: Pod\nmetadata: &m {name: a, namespace: b}\nspec: {again: *m}\n"
    assert list(read(tmp_path, text).pods) == [("b", "a")]
