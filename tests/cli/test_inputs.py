"""What cannot be read ends with exit code 3 and one line, in every format and every command."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from klogreplay.claims.reading import read_objects
from klogreplay.cli.claims import look_at
from klogreplay.intake import Limits
from tests.cli.conftest import Run, program
from tests.conftest import FIXTURES

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


def test_a_limit_can_be_lifted(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.log.gz"
    path.write_bytes(gzip.compress((FIXTURES / "analyze" / "healthy-1.28.3-v5.log").read_bytes()))
    monkeypatch.setattr("klogreplay.cli.reading.Limits", lambda: Limits(bytes=1000))
    told = f"klogreplay: {path}: gzip data grows to more than 1000 bytes; --no-limits reads it all the same\n"
    for command in ("analyze", "parse", "events", "identify", "claims"):
        code, _, err = run(command, path)
        assert (code, err) == (3, told), command
        assert run(command, "--no-limits", path).code in (0, 1), command


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/urandom"])
@pytest.mark.parametrize("arguments", [("analyze",), ("parse",), ("analyze", "--follow")], ids=" ".join)
def test_a_device_is_no_log(run: Run, device: str, arguments: tuple[str, ...]) -> None:
    if not Path(device).is_char_device():
        pytest.skip(f"there is no {device} here")
    assert run(*arguments, device) == (3, "", f"klogreplay: {device}: a device, not a log\n")


def test_a_device_as_standard_input() -> None:
    if not Path("/dev/zero").is_char_device():
        pytest.skip("there is no /dev/zero here")
    with open("/dev/zero", "rb") as zeros:
        done = program("analyze", "-", stdin=zeros)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"klogreplay: -: a device, not a log\n")


def test_the_null_device_is_an_empty_input(run: Run) -> None:
    assert run("analyze", "/dev/null") == (3, "", "klogreplay: /dev/null: the input is empty\n")


def test_claims_keeps_two_schedulers_apart(tmp_path: Path) -> None:
    """Both print the process id 1, as in containers: as one queue they would be judged otherwise."""
    found, logs = [], []
    for name in ("stale-plugins-dra-1.28.0-v5.log", "missed-events-1.28.0-v5.log"):
        log = tmp_path / name
        text = (FIXTURES / "analyze" / name).read_text()
        log.write_text(re.sub(r"(?m)^([IWEF]\d{4} \S+) +\d+ ", r"\1       1 ", text))
        logs.append(str(log))
        found += look_at([str(log)], read_objects(()), None, None, no_limits=False)[0].parkings
    both = look_at(logs, read_objects(()), None, None, no_limits=False)[0]
    assert len({parking.process for parking in both.parkings}) == 2
    assert sorted((p.pod, p.line, p.verdict) for p in both.parkings) == sorted(
        (p.pod, p.line, p.verdict) for p in found
    )
