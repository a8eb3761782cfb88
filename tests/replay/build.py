"""Stories of a scheduler, told in the recorded lines of a release, and what the replay makes of them.

A story has one line per log line: the time in seconds, the name of a line form (fixtures/replay/lines), its subject
(the pod, or the node where the form has no pod) and what else differs, as `key=value`:

    0.200  popped       web
    0.210  unfit        web  "3 Insufficient cpu"
    0.211  handed-back  web  queue=Unschedulable

Lines that the story's verbosity does not print are left out. A line that begins with "|" is taken as it stands.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from klogreplay.events.extract import extract
from klogreplay.events.types import SchedulerEvent
from klogreplay.intake.line import LogLine
from klogreplay.klog.clock import Clock
from klogreplay.klog.reader import read_records
from klogreplay.knowledge import Identifier, plugins_of_reason
from klogreplay.replay.analyze import Options, analyze_events
from klogreplay.replay.attempts import Attempt
from klogreplay.replay.follow import Follower
from klogreplay.replay.levels import line_name
from klogreplay.replay.rejectors import Rejectors
from klogreplay.replay.result import ReplayResult
from klogreplay.replay.types import Parking
from klogreplay.replay.visibility import Visibility

LINES = Path(__file__).resolve().parents[2] / "fixtures" / "replay" / "lines"

HEAD = """
0.000 gates
0.000 flag
0.001 started
0.002 acquired
"""
"""How a scheduler's log begins."""

CPU = "4 Insufficient cpu"
TAINT = "4 node(s) had untolerated taint {node.example.com/draining: }"
AFFINITY = "4 node(s) didn't match Pod's node affinity/selector"
"""Reasons of the default plugins NodeResourcesFit, TaintToleration and NodeAffinity."""

RESERVE = 'running Reserve plugin "Coscheduling": rpc error: code = Unavailable desc = transport is closing'
BIND = 'running Bind plugin "DefaultBinder": etcdserver: request timed out'
PREBIND = 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded'
"""Errors, named after their extension points."""

_FORM = re.compile(r"# (?P<name>\S+) -v=(?P<level>\d+)\n(?P<line>.+)")
_HEADER = re.compile(r"(?P<severity>[IWEF])\d{4} \S+ +\d+ (?P<rest>.*)")
_REASONS = re.compile(r"(nodes are available: ).*?(?=\. (?:preemption|no new claims))")


@cache
def forms(release: str) -> dict[str, tuple[int, str]]:
    """The release's line forms: name -> least verbosity and line."""
    text = (LINES / f"{release}.txt").read_text()
    return {m["name"]: (int(m["level"]), m["line"]) for m in _FORM.finditer(text)}


def clock(seconds: str) -> str:
    """The klog header's date and time of a moment of a story."""
    us = micros(seconds)
    s = us // 1_000_000
    return f"1201 {7 + s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}.{us % 1_000_000:06}"


def micros(seconds: str) -> int:
    """The seconds of a story in microseconds."""
    whole, _, part = seconds.partition(".")
    return int(whole) * 1_000_000 + int(part.ljust(6, "0"))


def at(seconds: str) -> int:
    """What a story's moment is on the log's own clock."""
    return _start() + micros(seconds)


@cache
def _start() -> int:
    return Clock().micros_text(clock("0"))


def lines(story: str, release: str = "1.28.0", v: int = 6, *, head: bool = True) -> list[str]:
    """The log that tells the story, as the release prints it at -v=`v`."""
    out: list[str] = []
    begin = [row for row in HEAD.splitlines() if row and row.split()[1] in forms(release)] if head else []
    for told in [*begin, *story.splitlines()]:
        row = told.strip()
        if row.startswith("|"):
            out.append(row[1:].removeprefix(" ").replace("\\t", "\t"))
        elif row and not row.startswith("#"):
            seconds, name, *rest = shlex.split(row)
            level, line = _form(release, name)
            if level <= v:
                out.append(_written(line, seconds, _values(name, line, rest, v)))
    return out


def _form(release: str, name: str) -> tuple[int, str]:
    known = forms(release)
    if name not in known:
        raise KeyError(f"no line {name!r} was recorded of {release}")
    return known[name]


def _values(name: str, line: str, rest: list[str], v: int) -> dict[str, str]:
    values: dict[str, str] = {"v": str(v)} if name == "flag" else {}
    subject = "pod" if re.search(r"\bpod=|Pod \S+ is already", line) else "node"
    plain = [word for word in rest if not re.match(r"[A-Za-z]+=", word)]
    if plain:
        named = plain[0] if subject == "node" or "/" in plain[0] else f"default/{plain[0]}"
        values[subject] = named
    if len(plain) > 1:
        values["err"] = plain[1]
    for word in rest:
        if word not in plain:
            key, _, value = word.partition("=")
            values[key] = value
    return values


def _written(line: str, seconds: str, values: dict[str, str]) -> str:
    header = _HEADER.match(line)
    assert header is not None, line
    rest = header["rest"]
    for key, value in values.items():
        rest = _with(rest, key, value)
    return f"{header['severity']}{clock(seconds)}    {values.get('pid', '8833')} {rest}"


def _with(line: str, key: str, value: str) -> str:
    if key == "pid":
        return line
    if key == "v":
        return line.replace('FLAG: --v="', f'FLAG: --v="{value}"#', 1).partition("#")[0] if "--v=" in line else line
    if key == "gates":
        return re.sub(r"map\[[^]]*\]|(?<=feature-gates=)\"[^\"]*\"", lambda m: _gates(m[0], value), line)
    if key == "plugins":
        listed = ",".join(f'"{name}":{{}}' for name in value.split(",") if name)
        return re.sub(r"(nschedulable ?[pP]lugins=)\{.*?\}(?= |$)", lambda m: f"{m[1]}{{{listed}}}", line)
    if key == "err":
        return _with_err(line, value)
    if key == "pod" and "is already present" in line:
        line = re.sub(r"Pod \S+ is", f"Pod {value} is", line)
    if key == "event" and "event={Resource" in line:
        return re.sub(r"Label:\w+", f"Label:{value}", line)
    found = re.search(rf"(?<= {key}=)(\"[^\"]*\"|\S+)", line)
    if found is None:
        assert key == "pod", f"{key}= is not in {line!r}"
        return line
    quoted = found[0].startswith('"')
    return line[: found.start()] + (f'"{value}"' if quoted else value) + line[found.end() :]


def _gates(text: str, value: str) -> str:
    if text.startswith("map"):
        return f"map[{value.replace('=', ':').replace(',', ' ')}]"
    return f'"{value}"'


def _with_err(line: str, err: str) -> str:
    if _REASONS.search(line) and err[:1].isdigit() and not err.startswith("0/"):
        return _REASONS.sub(lambda m: m[1] + err, line)
    quoted = '"' + err.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return re.sub(r'(?<= err=)"(?:[^"\\]|\\.)*"', lambda _m: quoted, line)


def events(log: Iterable[str], source: int = 0) -> list[SchedulerEvent]:
    """The events that the lines of a log tell."""
    micros_of = Clock().micros
    records = read_records(LogLine(text=text, number=n, source=source) for n, text in enumerate(log, 1))
    return [event for record in records if (event := extract(record, micros_of)) is not None]


def replay(story: str, release: str = "1.28.0", v: int = 6, *, head: bool = True, **options: object) -> ReplayResult:
    """What the replay says of a story."""
    return analyze_events(events(lines(story, release, v, head=head)), Options(**options))  # type: ignore[arg-type]


def only(result: ReplayResult, pod: str = "web") -> Parking:
    """The one parking of a pod."""
    found = [p for p in result.parkings if p.pod == f"default/{pod}"]
    assert len(found) == 1, found
    return found[0]


def follower(release: str = "1.28.0", *releases: str) -> Follower:
    """A follower of a scheduler of this release (or of one of several)."""
    named = (release, *releases)
    return Follower("1", Rejectors(lambda reason: plugins_of_reason(release, reason) or ()), Visibility(named))


def follow(one: Follower, told: Iterable[SchedulerEvent]) -> list[Attempt]:
    """Feed all events and give all failed attempts."""
    out: list[Attempt] = []
    for event in told:
        one.feed(event)
        out.extend(one.take())
    out.extend(one.finish())
    return out


def followed(story: str, release: str = "1.28.0", v: int = 6, *, head: bool = True) -> list[Attempt]:
    """The failed attempts of a story, in the order in which nothing more can be said of them."""
    one = follower(release)
    told = events(lines(story, release, v, head=head))
    for event in told:
        name = line_name(event)
        if name is not None:
            one.visibility.saw_line(name)
    return follow(one, told)


def identified(log: Iterable[str]) -> Identifier:
    """What the log's lines, by their call sites, leave of the releases."""
    identifier = Identifier()
    for record in read_records(LogLine(text=text, number=n) for n, text in enumerate(log, 1)):
        header = record.header
        site = f"{header.file}:{header.line}" if header else ""
        identifier.observe(site, record.msg, list(record.values), record.structured, line=record.line, text=record.text)
    return identifier
