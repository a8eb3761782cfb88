"""Wrong command lines, help, version, and the small commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from klogreplay import __version__
from klogreplay.rules.docs import as_text
from klogreplay.rules.registry import BY_CODE, RULES
from tests.cli.conftest import Run

COMMANDS = ("analyze", "claims", "identify", "parse", "events", "explain", "rules", "versions")
LOG = "fixtures/analyze/seed-120334.log"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nope"], "No such command 'nope'"),
        (["--nope"], "No such option"),
        (["analyze"], "Missing argument"),
        (["analyze", "--format", "yaml", LOG], "'yaml' is not one of"),
        (["analyze", "--fail-on", "always", LOG], "'always' is not one of"),
        (["analyze", "--year", "12", LOG], "Invalid value for '--year'"),
        (["analyze", "--year", "x", LOG], "Invalid value for '--year'"),
        (["analyze", "--pod", "a", LOG], "--pod a: want NAMESPACE/NAME"),
        (["analyze", "--pod", "a/b/c", LOG], "--pod a/b/c: want NAMESPACE/NAME"),
        (["analyze", "--pod", "/b", LOG], "--pod /b: want NAMESPACE/NAME"),
        (["analyze", "--feature-gate", "X", LOG], "--feature-gate X: want NAME=true or NAME=false"),
        (["analyze", "--feature-gate", "X=1", LOG], "--feature-gate X=1: want NAME=true or NAME=false"),
        (["analyze", "--feature-gate", "=true", LOG], "--feature-gate =true: want NAME=true or NAME=false"),
        (["analyze", "--kubernetes-version", "new", LOG], "--kubernetes-version new: not a Kubernetes release"),
        (["analyze", ""], "a LOG without a name"),
        (["analyze", LOG, ""], "a LOG without a name"),
        (["analyze", "--follow", ""], "a LOG without a name"),
        (["parse", ""], "a LOG without a name"),
        (["claims", ""], "a LOG without a name"),
        (["explain"], "Missing argument"),
        (["explain", "KR999"], "there is no rule KR999"),
        (["explain", "\x1b[31m"], "there is no rule \\x1b[31m"),
    ],
)
def test_usage_errors(run: Run, arguments: list[str], says: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("klogreplay: ")
    assert err.count("\n") == 1
    assert says in err


@pytest.mark.parametrize(
    ("target", "says"),
    [("/nowhere/at/all", "there is no directory /nowhere/at"), ("/", "it is a directory")],
)
def test_where_nothing_can_be_written(run: Run, target: str, says: str) -> None:
    assert run("analyze", "-o", target, LOG) == (74, "", f"klogreplay: cannot write to {target}: {says}\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["analyze", "--pod", "x" * 100_000, LOG], 2),
        (["analyze", "--pod", "x y " * 30_000, LOG], 2),
        (["analyze", "--format", "x" * 100_000, LOG], 2),
        (["analyze", "x" * 100_000], 3),
        (["analyze", "-o", "x" * 100_000, LOG], 74),
        (["explain", "x" * 100_000], 2),
        (["x" * 100_000], 2),
    ],
)
def test_what_is_overlong_is_not_told_in_full(run: Run, arguments: list[str], code: int) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("klogreplay: ")
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 1200


def test_an_input_is_never_overwritten(run: Run, tmp_path: Path, fixtures: Path) -> None:
    log = tmp_path / "scheduler.log"
    log.write_bytes((fixtures / "analyze" / "seed-120334.log").read_bytes())
    before = log.read_bytes()
    code, _, err = run("analyze", log, "-o", tmp_path / "." / "scheduler.log")
    assert code == 2
    assert "it is an input" in err
    assert log.read_bytes() == before


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"klogreplay {__version__}\n", "")


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_names_every_command(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    for command in COMMANDS:
        assert f"\n  {command} " in out
    assert "\x1b" not in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    code, out, err = run(command, "--help")
    assert (code, err) == (0, "")
    assert f"Usage: klogreplay {command}" in out


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_explain(run: Run, rule: type) -> None:
    expected = as_text(BY_CODE[rule.code])  # type: ignore[attr-defined]
    assert run("explain", rule.code.lower()) == (0, expected, "")  # type: ignore[attr-defined]
    assert run("explain", rule.name) == (0, expected, "")  # type: ignore[attr-defined]


def test_rules_lists_all(run: Run) -> None:
    code, out, err = run("rules")
    assert (code, err) == (0, "")
    assert [line.split()[:2] for line in out.splitlines()] == [[rule.code, rule.name] for rule in RULES]
