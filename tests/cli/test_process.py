"""How the program behaves as a process: pipes, closed streams, signals, colours, start-up time."""

from __future__ import annotations

import os
import pty
import resource
import select
import signal
import subprocess
import sys

import pytest

from klogreplay import __version__
from tests.cli.conftest import program
from tests.conftest import ROOT

LOG = "fixtures/analyze/missed-events-1.28.0-v5.log"
DEV_FULL = "/dev/full"


def start(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "klogreplay", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        **options,  # type: ignore[call-overload]
    )


@pytest.mark.parametrize("command", ["parse", "events"])
def test_a_reader_that_goes_away_is_no_error(command: str) -> None:
    with start(command, LOG, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@pytest.mark.parametrize("arguments", [("rules",), ("--version",), ("--help",), ("analyze", "--help")], ids=" ".join)
def test_a_full_device_is_told_in_one_line(arguments: tuple[str, ...]) -> None:
    if not os.path.exists(DEV_FULL):
        pytest.skip("there is no /dev/full here")
    with open(DEV_FULL, "wb") as full, start(*arguments, stdout=full, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.read() == b"klogreplay: cannot write: No space left on device\n"
        assert process.wait(60) == 74


@pytest.mark.parametrize("arguments", ["rules", "--version", "--help", "analyze --help", "parse " + LOG])
def test_a_closed_output_is_told_in_one_line(arguments: str) -> None:
    shell = f'"{sys.executable}" -m klogreplay {arguments} >&-'
    done = subprocess.run(
        ["sh", "-c", shell], cwd=ROOT, capture_output=True, timeout=120, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert (done.returncode, done.stderr) == (74, b"klogreplay: cannot write: standard output is closed\n")


@pytest.mark.parametrize("closed", ["<&-", "2>&-", ">&-"])
def test_closed_streams_give_no_traceback(closed: str) -> None:
    shell = f'"{sys.executable}" -m klogreplay analyze {"-" if closed == "<&-" else LOG} {closed}'
    done = subprocess.run(
        ["sh", "-c", shell], cwd=ROOT, capture_output=True, timeout=120, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert b"Traceback" not in done.stderr + done.stdout
    assert done.returncode == {"<&-": 3, "2>&-": 1, ">&-": 74}[closed]


def test_interrupt_is_quiet() -> None:
    with start("parse", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"I0831 20:03:47.184243       1 reflector.go:255] Listing\n" * 400)
        process.stdin.flush()
        assert process.stdout is not None
        assert process.stdout.read(1) == b"{"
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 130


def test_an_unexpected_exception_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys, klogreplay.cli.run as run\n"
        "def broken(*_): raise RuntimeError('odd\\x1b[31m\\nthing')\n"
        "run.analyse = broken\n"
        "from klogreplay.cli import main\n"
        f"sys.exit(main(['analyze', '{LOG}']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60)
    assert done.returncode == 70
    assert done.stdout == b""
    assert done.stderr == (
        b"klogreplay: internal error: RuntimeError: odd\\x1b[31m\\nthing; please report this, with the log if you can\n"
    )


def test_standard_input_is_an_input() -> None:
    text = (ROOT / LOG).read_bytes()
    done = program("analyze", "-", "--format", "json", input=text)
    assert done.returncode == 1
    assert b'"name": "-"' in done.stdout


def test_same_input_same_bytes_and_no_ansi_in_a_pipe() -> None:
    each = f"main(['analyze', '{LOG}', '-f', name])"
    code = f"from klogreplay.cli import main\nfor name in 'text', 'markdown', 'json': {each}"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in "12"
    }
    assert len(outputs) == 1
    out = outputs.pop()
    assert out.count(b"KR102") == 3
    assert b"\x1b" not in out
    assert str(ROOT).encode() not in out


def on_a_terminal(environment: dict[str, str]) -> bytes:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "klogreplay", "analyze", LOG],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment},
    )
    os.close(follower)
    out = b""
    while select.select([leader], [], [], 60)[0]:
        try:
            part = os.read(leader, 1 << 16)
        except OSError:
            break
        if not part:
            break
        out += part
    os.close(leader)
    assert process.wait(60) == 1
    return out


def test_colours_on_a_terminal_unless_no_color() -> None:
    assert b"\x1b[" in on_a_terminal({"NO_COLOR": ""})
    assert b"\x1b" not in on_a_terminal({"NO_COLOR": "1"})
    assert b"\x1b" not in on_a_terminal({"NO_COLOR": "", "TERM": "dumb"})


def test_progress_only_on_a_terminal() -> None:
    assert program("analyze", LOG).stderr == b""


@pytest.mark.parametrize(("after_s", "shows"), [(3600, False), (0, True)])
def test_progress_only_of_what_takes_long(after_s: float, shows: bool) -> None:
    code = (
        "import sys, time, klogreplay.cli.progress as progress\n"
        f"progress.AFTER_S = {after_s}\n"
        "from klogreplay.intake import open_source\n"
        f"with open_source({LOG!r}) as source, progress.shown(source):\n"
        f"    time.sleep({0.7 if shows else 0})\n"
    )
    leader, follower = pty.openpty()
    os.set_blocking(leader, False)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stderr=follower, timeout=60, env={**os.environ, "TERM": "xterm"}
    )
    told = os.read(leader, 1 << 16) if select.select([leader], [], [], 0.2)[0] else b""
    os.close(follower)
    os.close(leader)
    assert done.returncode == 0
    assert (b" lines read, " in told) is shows
    assert shows or told == b""


def cpu_seconds(*arguments: str, runs: int = 5) -> float:
    """User and system seconds of the quickest of some runs: what else runs on the machine hardly counts."""

    def timed() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "klogreplay", *arguments], cwd=ROOT, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(timed() for _ in range(runs))


@pytest.mark.slow
@pytest.mark.parametrize(("argument", "limit"), [("--version", 0.08), ("--help", 0.2)])
def test_start_up_is_quick(argument: str, limit: float) -> None:
    assert cpu_seconds(argument) < 2 * limit


def test_version_imports_next_to_nothing() -> None:
    code = (
        "import sys; from klogreplay.cli import main; main(['--version']);"
        "print(sorted({'typer', 'rich', 'pydantic', 'lark', 'msgspec'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60)
    assert done.stdout.decode().splitlines() == [f"klogreplay {__version__}", "[]"]


def test_help_imports_no_heavy_library() -> None:
    code = (
        "import sys; from klogreplay.cli import main; main(['--help']);"
        "print(sorted({'rich', 'pydantic', 'lark'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60)
    assert done.stdout.decode().splitlines()[-1] == "[]"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    words = {"_TYPER_COMPLETE_ARGS": "klogreplay ", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    if shell == "bash":
        words = {"COMP_WORDS": "klogreplay ", "COMP_CWORD": "1"}
    done = program(env={"_KLOGREPLAY_COMPLETE": f"complete_{shell}", **words})
    assert b"analyze" in done.stdout
    assert b"explain" in done.stdout
    assert done.stderr == b""
