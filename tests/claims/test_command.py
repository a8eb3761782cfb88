"""`klogreplay claims` as its users run it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from klogreplay.cli import main

FIELDS = ["pod", "entry", "state", "name", "must_check_owner", "error", "owner", "resolved_by", "waits_for"]


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        rows = json.loads(self.out)
        assert all(list(row) == FIELDS for row in rows)
        assert self.out.isascii()
        return list(rows)


Run = Callable[..., Ran]


@pytest.fixture
def claims(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def call(*arguments: object) -> Ran:
        capfdbinary.readouterr()
        code = main(["claims", *map(str, arguments)])
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode(), err.decode())

    return call


@pytest.fixture
def s16(fixtures: Path) -> Path:
    return fixtures / "claims" / "s16-1.28.3"


def test_objects_alone(claims: Run, s16: Path) -> None:
    ran = claims("--objects", s16, "--format", "json")
    assert (ran.code, ran.err) == (1, "")
    assert {row["pod"] for row in ran.rows} == set(json.loads((s16 / "kinds.json").read_text()))
    files = [
        part for name in ("pods", "claims", "podschedulingcontexts") for part in ("--objects", s16 / f"{name}.json")
    ]
    assert claims(*files, "-f", "json").rows == ran.rows


def test_log_alone(claims: Run, s16: Path) -> None:
    ran = claims(s16 / "scheduler.log", "--format", "json")
    assert (ran.code, ran.err) == (1, "")
    assert {row["resolved_by"] for row in ran.rows} == {"log"}
    assert {row["pod"] for row in ran.rows} == set(json.loads((s16 / "kinds.json").read_text()))


def test_log_and_objects(claims: Run, s16: Path) -> None:
    ran = claims(s16 / "scheduler.log", "--objects", s16, "--format", "json")
    assert ran.code == 1
    assert ran.rows == claims("--objects", s16, "--format", "json", "--kubernetes-version", "1.28.3").rows


def test_version_decides(claims: Run, s16: Path) -> None:
    def pending(*version: str) -> dict[str, Any]:
        rows = claims("--objects", s16 / "pods.json", "--format", "json", *version).rows
        return next(row for row in rows if "pending" in row["pod"])

    old = pending("--kubernetes-version", "v1.27.1")
    assert (old["state"], old["name"]) == ("named", "pending-k8zprqf8d-rxr7t-gpu")
    new = pending("--kubernetes-version", "1.28")
    assert (new["state"], new["name"]) == ("not-created", None)
    assert new["error"] == 'pod "team-a/pending-k8zprqf8d-rxr7t": ResourceClaim not created yet'
    assert pending() == new


def test_table(claims: Run, s16: Path) -> None:
    ran = claims("--objects", s16, "--kubernetes-version", "1.28.3")
    lines = ran.out.splitlines()
    assert lines[0].split() == ["POD", "ENTRY", "CLAIM", "RESOLVED", "BY", "OWNER", "WAITS", "FOR"]
    assert len([line for line in lines if line.startswith("team-a/")]) == 11
    stolen = next(line for line in lines if line.startswith("team-a/stolen"))
    assert "foreign" in stolen
    assert stolen.endswith("belongs to pod legacy-pxjj9g8ws-pdwd5")
    assert any(line.startswith("KR303 claim-of-another-pod (proven): team-a/stolen-") for line in lines)
    assert lines[-1] == "Names as in Kubernetes 1.28.3."
    assert not any(line != line.rstrip() for line in lines)


def test_nothing_to_say(claims: Run, fixtures: Path, tmp_path: Path) -> None:
    assert claims("--objects", fixtures / "claims" / "rules" / "kr301-near-miss.yaml").code == 0
    empty = tmp_path / "empty.json"
    empty.write_text('{"kind": "List", "apiVersion": "v1", "items": []}')
    ran = claims("--objects", empty)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "No pod here has resource claims.")
    assert claims("--objects", empty, "--format", "json").rows == []


def test_suspicion_alone_does_not_fail(claims: Run, tmp_path: Path) -> None:
    pods = tmp_path / "pods.yaml"
    pods.write_text(
        "kind: Pod\nmetadata: {name: a}\nspec: {resourceClaims: [{name: b, resourceClaimTemplateName: t}]}\n"
    )
    ran = claims("--objects", pods)
    assert (ran.code, "KR301 claim-never-created (suspected)" in ran.out) == (0, True)


def test_extended_resource_claim(claims: Run, tmp_path: Path) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "a", "namespace": "ns", "uid": "u"},
        "status": {"extendedResourceClaimStatus": {"resourceClaimName": "a-extended-resources-abc"}},
    }
    path = tmp_path / "pod.json"
    path.write_text(json.dumps(pod))
    (row,) = claims("--objects", path, "--format", "json", "--kubernetes-version", "1.34").rows
    assert (row["entry"], row["name"]) == (None, "a-extended-resources-abc")
    assert row["resolved_by"] == "status.extendedResourceClaimStatus"


# --- what goes wrong --------------------------------------------------------------------------------------------------


def one_line(ran: Ran, code: int) -> str:
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("klogreplay: ")
    assert ran.err.count("\n") == 1
    return ran.err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "No such file"),
        (b"", "empty"),
        (b"\x7fELF\0", "a binary file"),
        (b"{", "not valid JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"kind": "Pod", "metadata": {"name": 5}}', "metadata.name: Input should be a valid string"),
        (b'{"kind": "Pod", "metadata": {"annotations": {"\\u001b[31m": 5}}}', "metadata.annotations.\\x1b[31m: "),
    ],
)
def test_unreadable_objects(claims: Run, tmp_path: Path, content: bytes | None, told: str) -> None:
    path = tmp_path / "objects.json"
    if content is not None:
        path.write_bytes(content)
    assert told in one_line(claims("--objects", path), 3)


def test_unreadable_log(claims: Run, tmp_path: Path, s16: Path) -> None:
    one_line(claims(tmp_path / "gone.log"), 3)
    one_line(claims(s16 / "pods.json"), 3)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_objects_without_permission(claims: Run, tmp_path: Path) -> None:
    path = tmp_path / "objects.json"
    path.write_text("{}")
    path.chmod(0)
    assert "Permission denied" in one_line(claims("--objects", path), 3)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--objects",),
        ("--objects", "-", "-"),
        ("--objects", "x", "--format", "xml"),
        ("--objects", "x", "--kubernetes-version", "latest"),
        ("--objects", "x", "--nonsense"),
    ],
)
def test_usage(claims: Run, arguments: tuple[str, ...]) -> None:
    one_line(claims(*arguments), 2)


HOSTILE = "[red]\x1b[31m[/x]\u202e\n\x07web"


def test_hostile_names_are_shown_escaped(claims: Run, tmp_path: Path) -> None:
    pod = {
        "kind": "Pod",
        "metadata": {"name": HOSTILE, "namespace": HOSTILE},
        "spec": {"resourceClaims": [{"name": HOSTILE, "resourceClaimName": HOSTILE}, {"name": HOSTILE}]},
    }
    path = tmp_path / "pod.json"
    path.write_text(json.dumps(pod))
    ran = claims("--objects", path)
    assert ran.code == 0
    assert "[red]\\x1b[31m[/x]\\u202e\\n\\x07web" in ran.out
    assert not set("\x1b\x07\u202e") & set(ran.out)
    rows = claims("--objects", path, "--format", "json").rows
    assert [row["name"] for row in rows] == [HOSTILE, None]
    assert rows[0]["pod"] == f"{HOSTILE}/{HOSTILE}"


def test_lone_surrogates(claims: Run, tmp_path: Path) -> None:
    path = tmp_path / "pod.json"
    path.write_text('{"kind": "Pod", "metadata": {"name": "\\ud800"}, "spec": {"resourceClaims": [{"name": "x"}]}}')
    ran = claims("--objects", path, "--format", "json")
    assert ran.code in (0, 3)
    assert "Traceback" not in ran.err


def test_same_input_same_bytes(claims: Run, s16: Path) -> None:
    assert claims("--objects", s16) == claims("--objects", s16)


@pytest.mark.recorded
def test_kinds_with_and_without_objects(claims: Run, recorded: Path) -> None:
    for log in sorted(recorded.glob("sched-logs/*/S16*/*/scheduler.log")):
        kinds = json.loads((log.parent / "truth.json").read_text())["notes"]["kinds"]
        for arguments in ((log,), ("--objects", log.parent), (log, "--objects", log.parent)):
            ran = claims(*arguments, "--format", "json")
            assert (ran.code, ran.err) == (1, "")
            assert [row["pod"] for row in ran.rows] == sorted(kinds)
            for row in ran.rows:
                kind = kinds[row["pod"]]
                assert (row["state"] == "not-needed") == kind.startswith("status entry with nil name")
                assert (row["state"] == "not-created") == (
                    kind.startswith(("claim has the deterministic name", "claim not generated yet"))
                )
                assert (row["owner"] == "foreign" and row["must_check_owner"]) == (kind == "claim owned by another pod")
