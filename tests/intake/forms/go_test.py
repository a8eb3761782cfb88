"""Tests: go test, and the jobs that run it."""

from __future__ import annotations

from collections.abc import Sequence

from tests.intake.forms.base import HEADER, Form, each, parts_of, text, timed, to_json


def _go_test(lines: Sequence[str]) -> bytes:
    out = [f"    logger.go:85: {line}" if HEADER.match(line) else f"        {line}" for line in lines]
    return text(
        [
            "=== RUN   TestScheduler",
            *out,
            "--- PASS: TestScheduler (30.02s)",
            "PASS",
            "ok  \tk8s.io/kubernetes/test\t30.5s",
        ]
    )


def _each_line(lines: Sequence[str]) -> bytes:
    out = [f"    logger.go:85: {line}" for line in lines]
    return text(["=== RUN   TestScheduler", *out, "--- PASS: TestScheduler (30.02s)", "PASS"])


def _indented(lines: Sequence[str]) -> bytes:
    return text(["=== RUN   TestScheduler", *(f"    {line}" for line in lines), "--- FAIL: TestScheduler (1.20s)"])


def _go_test_json(lines: Sequence[str]) -> bytes:
    common = {"Package": "k8s.io/kubernetes/test", "Test": "TestScheduler"}
    out: list[dict[str, object]] = [{"Time": "2023-12-01T00:00:00Z", "Action": "run", **common}]
    for at in timed(lines):
        for index, part in enumerate(parts := parts_of(at.line)):
            end = "\n" if index == len(parts) - 1 else ""
            out.append({"Time": at.iso(6), "Action": "output", **common, "Output": part + end})
    out.append({"Time": "2023-12-01T23:00:00Z", "Action": "pass", **common, "Elapsed": 30.02})
    return text([to_json(event) for event in out])


FORMS: tuple[Form, ...] = (
    Form("go-test", "go test -v, t.Log around klog", _go_test, ("go-test",)),
    Form("go-test-lines", "go test -v, t.Log around each line", _each_line, ("go-test",)),
    Form("go-test-indented", "go test -v, four blanks in front", _indented, ("indent",)),
    Form("go-test-json", "go test -json", _go_test_json, ("go-test-json",)),
    Form("prow", "Prow build log", each(lambda at: f"I1201 {at.time:%H:%M:%S}{at.fraction(3)}] {at.line}"), ("prow",)),
)
