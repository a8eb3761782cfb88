"""What cannot be read ends with exit code 3 and one line, in every format and every command."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.cli.conftest import Run

KUBELET = (
    'I0831 20:03:47.184243    1200 kubelet.go:2457] "SyncLoop ADD" source="api" pods=["default/a"]\n'
    "I0831 20:03:48.184243    1200 reflector.go:255] Listing and watching *v1.Node from informers/factory.go:134\n"
    'E0831 20:03:49.184243    1200 pod_workers.go:1294] "Error syncing pod, skipping" err="context deadline"\n'
)
UNREADABLE: dict[str, bytes] = {
    "empty.log": b"",
    "blank.log": b"\n\n\n",
    "zeros.log": bytes(4096),
    "binary.log": bytes(range(256)) * 20,
    "kubelet.log": KUBELET.encode(),
    "prose.log": b"this is no log\nat all\n",
    "cut.log.gz": gzip.compress(b"x" * 10_000)[:20],
}
COMMANDS = [
    ("analyze", "--format", "text"),
    ("analyze", "--format", "markdown"),
    ("analyze", "--format", "json"),
    ("analyze", "--fail-on", "never"),
    ("events",),
]


def one_line(text: str) -> bool:
    return text.count("\n") == 1 and text.startswith("klogreplay: ") and "Traceback" not in text


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable(run: Run, tmp_path: Path, name: str, command: tuple[str, ...]) -> None:
    path = tmp_path / name
    path.write_bytes(UNREADABLE[name])
    code, out, err = run(*command, path)
    assert (code, out) == (3, "")
    assert one_line(err)
    assert name in err


@pytest.mark.parametrize("name", ["empty.log", "blank.log", "zeros.log", "binary.log", "prose.log", "cut.log.gz"])
def test_parse_needs_a_record(run: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(UNREADABLE[name])
    code, out, err = run("parse", path)
    assert (code, out) == (3, "")
    assert one_line(err)


def test_parse_takes_any_klog(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "kubelet.log"
    path.write_text(KUBELET)
    code, out, err = run("parse", path)
    assert (code, err) == (0, "")
    assert out.count("\n") == 3


@pytest.mark.parametrize("command", [*COMMANDS, ("parse",)], ids=" ".join)
def test_missing_and_empty_directories(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "pods.json").write_text("{}")
    for path in (tmp_path / "nothing.log", tmp_path):
        code, out, err = run(*command, path)
        assert (code, out) == (3, "")
        assert one_line(err)


def test_a_hostile_name_is_shown_escaped(run: Run) -> None:
    code, out, err = run("analyze", "no\x1b[31m\u202e\nsuch")
    assert (code, out) == (3, "")
    assert err == "klogreplay: no\\x1b[31m\\u202e\\nsuch: no such file\n"


def test_a_cut_scheduler_log_gives_a_report(run: Run, tmp_path: Path, fixtures: Path) -> None:
    whole = (fixtures / "analyze" / "missed-events-1.28.0-v5.log").read_bytes()
    for size in (1000, len(whole) // 2, len(whole) - 7):
        path = tmp_path / "cut.log"
        path.write_bytes(whole[-size:])
        code, out, err = run("analyze", path)
        assert code in (0, 1)
        assert out.endswith("\n")
        assert err == ""
