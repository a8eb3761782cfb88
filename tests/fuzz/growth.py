"""Logs that repeat one thing many times: a message, a shape, a key, with other names each time or the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from tests.fuzz import seeds

HEAD = (
    b'I0831 08:00:00.100000       1 server.go:154] "Starting Kubernetes Scheduler" version="v1.28.0"\n'
    b"I0831 08:00:00.200000       1 feature_gate.go:249] feature gates: &{map[SchedulerQueueingHints:true]}\n"
)
_MESSAGE = re.compile(rb'[IWEF][0-9]{4} [0-9:.]{15} +[0-9]+ ([^ \]]+)\] ("(?:[^"\\]|\\.)*"|[^ ]+ [^ ]+)')
_NAME = re.compile(rb'((?:od|im|laim|im)=")([^"/]*/)([^"]*)"|(ode=")()([^"]*)"')
Log = Callable[[int], bytes]


@cache
def messages() -> dict[str, bytes]:
    """One line of each message that the fixtures' logs have, by its call site and message."""
    found: dict[str, bytes] = {}
    for log in seeds.logs():
        for line in log.split(b"\n"):
            match = _MESSAGE.match(line)
            if match is not None and match.end() < len(line) < 1500:
                found.setdefault(match[2].decode("ascii", "replace")[:60], line)
    return dict(sorted(found.items()))


def stamped(line: bytes, us: int) -> bytes:
    """The line so many microseconds after eight o'clock."""
    second = 28_800 + us // 1_000_000
    time = b"%02d:%02d:%02d.%06d" % (second // 3600 % 24, second // 60 % 60, second % 60, us % 1_000_000)
    return line[:1] + b"0831 " + time + b"       1 " + line.split(maxsplit=3)[3]


def repeated(line: bytes, *, distinct: bool, step_us: int) -> Log:
    """The line again and again, `step_us` after each other, of other objects each time or of the same."""

    def log(times: int) -> bytes:
        out = [HEAD]
        for n in range(times):
            number = b"-%d" % n

            def named(match: re.Match[bytes], number: bytes = number) -> bytes:
                start, space, name = match[1] or match[4], match[2] or b"", match[3] or match[6] or b""
                return start + space + name + number + b'"'

            text = _NAME.sub(named, line) if distinct else line
            out.append(stamped(text, 1_000_000 + n * step_us) + b"\n")
        return b"".join(out)

    return log


_LINES = {
    "added": 'eventhandlers.go:126] "Add event for unscheduled pod" pod="ns/p{n}"',
    "new": 'scheduling_queue.go:537] "Pod moved to an internal scheduling queue" pod="ns/p{n}" '
    'event="PodAdd" queue="Active"',
    "popped": 'schedule_one.go:80] "About to try and schedule pod" pod="ns/p{n}"',
    "leaked": 'schedule_one.go:80] "About to try and schedule pod" pod="ns/leaked-{n}"',
    "unfit": 'schedule_one.go:973] "Unable to schedule pod; no fit; waiting" pod="ns/p{n}" '
    'err="0/3 nodes are available: 3 Insufficient cpu."',
    "failed": 'schedule_one.go:983] "Error scheduling pod; retrying" pod="ns/p{n}" '
    'err="running Reserve plugin \\"DynamicResources\\": boom"',
    "back": 'scheduling_queue.go:745] "Pod moved to an internal scheduling queue" pod="ns/p{n}" '
    'event="ScheduleAttemptFailure" queue="Unschedulable" schedulingCycle={n} hint="QueueSkip" '
    'unschedulable plugins={{"NodeResourcesFit":{{}}}}',
    "node": 'eventhandlers.go:69] "Add event for node" node="n{n}"',
    "flushed": 'scheduling_queue.go:1110] "Pod moved to an internal scheduling queue" pod="ns/p{n}" '
    'event="UnschedulableTimeout" queue="Active" hint="QueueAfterBackoff"',
    "bound": 'schedule_one.go:286] "Successfully bound pod to node" pod="ns/p{n}" node="n"',
    "updated": 'eventhandlers.go:145] "Update event for unscheduled pod" pod="ns/p{n}"',
    "deleted": 'eventhandlers.go:171] "Delete event for unscheduled pod" pod="ns/p{n}"',
    "preempted": 'preemption.go:364] "Preemptor Pod preempted victim Pod" preemptor="ns/p{n}" victim="ns/v{n}"',
    "shape": 'a{n}.go:{n}] "message {n}" k{n}="v"',
    "keys": 'a.go:1] "message" k{n}="v" l{n}=1',
    "printf": "a.go:1] text {n} of {n}",
    "block": 'a.go:1] "Using component config" config=<\n\ta{n}: 1\n >',
    "gate": "feature_gate.go:249] feature gates: &{{map[Gate{n}:true]}}",
    "version": 'server.go:154] "Starting Kubernetes Scheduler" version="v1.28.{n}"',
    "flag": 'flags.go:64] FLAG: --flag{n}="{n}"',
    "plugins": 'schedule_one.go:973] "Unable to schedule pod; no fit; waiting" pod="ns/p{n}" '
    'err="0/3 nodes are available: 3 reason {n}."',
}


def story(keys: str, step_us: int, *, once: str = "") -> Log:
    """These lines again and again, each time of another pod; a key with "=" is of the same. `once` stands in front."""

    def log(times: int) -> bytes:
        out = [HEAD, *(_line(key, 0, 900_000) for key in once.split())]
        us = 1_000_000
        for n in range(1, times):
            for key in keys.split():
                out.append(_line(key.lstrip("="), 0 if key[0] == "=" else n, us))
                us += step_us
        return b"".join(out)

    return log


def _line(key: str, n: int, us: int) -> bytes:
    return stamped(f"I0831 x x {_LINES[key].format(n=n)}".encode(), us) + b"\n"


def _processes(times: int) -> bytes:
    lines = [_line("popped", n, 1_000_000 + n).replace(b"       1 ", b"%8d " % (n % 9_999_999)) for n in range(times)]
    return HEAD + b"".join(lines)


def one_line(begin: str, unit: str) -> Log:
    """A log with one long line."""

    def log(times: int) -> bytes:
        return (
            HEAD
            + stamped(f"I0831 x x {begin}".encode(), 1_000_000)
            + unit.encode() * (times * 100 // len(unit))
            + b"\n"
        )

    return log


_STORIES = {
    "fail": "added new popped unfit back",
    "error": "added new popped failed back",
    "bind": "added new popped bound",
    "flush": "added new popped unfit back flushed",
    "nodes": "node",
    "events in flight": "popped node node unfit back",
    "update": "added popped updated unfit back",
    "add": "added new",
    "same pod": "=popped =unfit =back",
    "same pod flushed": "=popped =unfit =back =flushed",
    "preempt": "popped preempted",
    "recreated": "=added =new =popped =unfit =back =deleted",
    "shapes": "shape",
    "keys": "keys",
    "printf": "printf",
    "blocks": "block",
    "gates": "gate",
    "versions": "version",
    "flags": "flag",
    "reasons": "popped plugins back",
}

STORIES: dict[str, Log] = {
    **{name: story(keys, 1_000) for name, keys in _STORIES.items()},
    **{f"{name}, backwards": story(_STORIES[name], -1_000) for name in ("fail", "bind")},
    **{f"{name}, at one instant": story(_STORIES[name], 0) for name in ("bind", "nodes", "add", "shapes")},
    "one leaked at first": story("node added new popped unfit back", 20_000, once="leaked"),
    "processes": _processes,
    **{
        f"one line of {unit!r} behind {begin!r}": one_line(begin, unit)
        for begin in (
            'a.go:1] "m" k=',
            'a.go:1] "m" k="',
            "a.go:1] ",
            'schedule_one.go:983] "Error scheduling pod; retrying" err="',
        )
        for unit in (" k=", ' k="v"', "[", '"', '\\"', " ", "=", "{a ", "0/3 nodes are available: 1 a, ", "1, ", ". ")
    },
}
"""What a log may hold many of."""

SIZES = {name: 2_000 for name in STORIES if name.startswith("one line")}
"""How many times where it is not 300."""
