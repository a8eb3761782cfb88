"""The report's head as short labelled lines, the same in every format for people."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.report.model import Analysis, Gap, ParkingOut, Process
from klogreplay.rules.phrases import counted, seconds

_NOT_UNDERSTOOD = "KR902"
STEADY_LEVEL = 5
"""From here on the renewals of the lease are printed (client-go's leaderelection), every two seconds by default."""
TABLE_TITLE = "A plugin table to fill in, for --plugins"


def shorten(text: str, limit: int) -> str:
    """Text cut to `limit` characters, with a word on how much was left out."""
    return text if len(text) <= limit else f"{text[:limit]} … ({len(text) - limit} more characters)"


def place(analysis: Analysis, line: int, source: int) -> str:
    """Where a line is: "line 12", and with several inputs also in which of them."""
    if len(analysis.inputs) > 1 and source < len(analysis.inputs):
        return f"{analysis.inputs[source].name} line {line}"
    return f"line {line}"


def head(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """What was read and what it is, as (label, text) pairs."""
    for each in analysis.inputs:
        form = "" if each.form == "plain" else f" in {each.form}"
        yield "input", f"{each.name}: {counted(each.lines, 'line')}{form}, {each.bytes} bytes, sha256 {each.sha256}"
    lines = analysis.log.lines
    yield (
        "lines",
        f"{lines.total} read: {lines.understood} understood, {lines.irrelevant} irrelevant, {lines.unknown} unknown",
    )
    for finding in analysis.findings:
        if finding.code == _NOT_UNDERSTOOD:
            for shape in finding.proof:
                yield "unknown", f"{place(analysis, shape.line, shape.input)}: {shorten(shape.text, 80)} ({shape.says})"
    yield "format", analysis.log.format
    for gap in analysis.log.gaps:
        yield "gap", _gap(analysis, gap)
    for process in analysis.log.processes:
        yield "process", _process(analysis, process)
    evidence = analysis.kubernetes.evidence
    yield "release", _release(analysis) + (f" ({evidence})" if evidence else "")
    for name, gate in analysis.kubernetes.gates.items():
        value = "unknown" if gate.value is None else str(gate.value).lower()
        yield "gate", f"{name}={value} ({gate.evidence})"
    yield "verbosity", "unknown" if analysis.log.verbosity is None else f"-v={analysis.log.verbosity} proven"


def _gap(analysis: Analysis, gap: Gap) -> str:
    first, last = place(analysis, gap.line, gap.input), f"line {gap.next_line}"
    if gap.next_input != gap.input:
        last = place(analysis, gap.next_line, gap.next_input)
    steady = (analysis.log.verbosity or 0) >= STEADY_LEVEL
    means = "lines are missing, or the process stood still" if steady else "nothing to say, or lines are missing"
    return f"{gap.seconds:.1f} s between {first} and {last}: {means}"


def _process(analysis: Analysis, process: Process) -> str:
    first, last = process.first_line, process.last_line
    span = f"lines {first} to {last}"
    if len(analysis.inputs) > 1:
        end = f"line {last}"
        if process.last_input != process.first_input:
            end = place(analysis, last, process.last_input)
        span = f"{place(analysis, first, process.first_input)} to {end}"
    waits = f", waited for the lease{f' that {process.lease_holder} held' if process.lease_holder else ''}"
    version = f", {process.version}" if process.version else ""
    return f"{process.id}, {span}{version}{waits if process.standby else ''}"


def _release(analysis: Analysis) -> str:
    kubernetes = analysis.kubernetes
    if kubernetes.version is not None:
        return kubernetes.version
    if kubernetes.named is not None:
        return f"{kubernetes.named}, not a known one: judged as {' or '.join(kubernetes.candidates)}"
    if not kubernetes.candidates:
        return "unknown"
    if len(kubernetes.candidates) <= 3:
        return "one of " + ", ".join(kubernetes.candidates)
    return f"one of {len(kubernetes.candidates)}, from {kubernetes.candidates[0]} to {kubernetes.candidates[-1]}"


def cost(parking: ParkingOut) -> str | None:
    """The time a parking took, and how much of it was lost; None where the log does not tell."""
    if parking.parked_seconds is None:
        return None
    text = f"parked {_told(parking.parked_seconds)}"
    if parking.lost_seconds:
        text += f", {_told(parking.lost_seconds)} of it lost"
    if parking.wake_up is not None:
        text += f", left by {parking.wake_up.event}"
    return text


def _told(duration: float) -> str:
    return seconds(duration * 1_000_000)


def story(parking: ParkingOut) -> str:
    """One parking in one line."""
    parts = [f"attempt {parking.attempt}"]
    rejectors = parking.rejector_plugins.value
    if rejectors:
        parts.append(f"rejected by {', '.join(rejectors)}")
    elif rejectors is not None:
        parts.append("failed with an error")
    parts.append("parked" if parking.destination.value == "Unschedulable" else "went to an unknown queue")
    told = parking.verdict if parking.verdict == "undecided" else f"{parking.verdict} ({parking.grade})"
    spent = cost(parking)
    return f"{', '.join(parts)}: {told}" + (f"; {spent}" if spent else "")
