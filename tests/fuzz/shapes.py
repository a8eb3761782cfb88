"""Lines as the grammars have them, with hostile texts in every place."""

from __future__ import annotations

import json
from functools import cache
from random import Random

from klogreplay.events.extract import RELEVANT_MESSAGES, RELEVANT_STARTS
from tests.report.test_sanitize import ATTACKS

KEYS = (
    "pod", "pods", "node", "event", "queue", "hint", "plugin", "status", "err", "reason", "config", "value",
    "featureGates", "featureGate", "version", "summary", "numPods", "unschedulablePlugins", "unschedulable plugins",
    "pendingPlugins",
    "schedulingCycle", "inFlightEventsSize", "resourceclaims", "resourceclaim", "claim", "preemptor", "victim", "node",
    "waitingPod", "nominatedNodeName", "conditionReason", "k", "", "=", "a b", "[", "{", '"', "٣", "\x1b[31m",
)  # fmt: skip
NAMES = ("default/a", "default/b", "a", "", "/", "a/b/c", "x" * 300, *ATTACKS)
EVENTS = (
    "NodeAdd", "AssignedPodDelete", "AssignedPodAdd", "PodAdd", "PodUpdate", "BackoffComplete", "ForceActivate", "odd",
    "ScheduleAttemptFailure", "UnschedulableTimeout", "UnschedulablePodAdd", "",
)  # fmt: skip
ERRORS = (
    "0/4 nodes are available: 4 Insufficient cpu.", "0/999999999999 nodes are available: {", "0/4 nodes are available:",
    'running Reserve plugin "DynamicResources": boom', 'running Bind plugin "x": \x1b', "nodes are available", "",
    "0/3 nodes are available: 3 Insufficient cpu, 1 quota exceeded. preemption: nothing.",
    "waiting on permit for pod: ",
)  # fmt: skip
NUMBERS = ("0", "1", "-1", "7", "9" * 19, "9" * 4500, "1e9", "1e999", "1_0", "0x1", "NaN", "٣", "")
QUEUES = ("Active", "Backoff", "Unschedulable", "elsewhere", "")
MESSAGES = (*sorted(RELEVANT_MESSAGES), "m", "", *ATTACKS[:12])
FILES = ("scheduling_queue.go", "schedule_one.go", "eventhandlers.go", "a.go", "x" * 255, "a/b.go", "\x7f", "٣.go")


@cache
def _texts() -> tuple[str, ...]:
    return (
        *NAMES,
        *EVENTS,
        *ERRORS,
        *NUMBERS,
        *QUEUES,
        "map[a:{} b:{}]",
        "[a b]",
        "{}",
        '["a"]',
        '{"a":[{}]}',
        "<nil>",
    )


def _go_quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _value(rnd: Random) -> str:
    text = rnd.choice(_texts())
    how = rnd.randrange(8)
    if how < 4:
        return _go_quoted(text)
    if how == 4:
        return f'"{text}"'
    if how == 5:
        return "<\n\t" + text.replace("\n", "\n\t") + rnd.choice(("\n >", "", "\n", "\n  >"))
    if how == 6:
        return json.dumps(rnd.choice((text, [text], {text: text}, {"name": text, "namespace": text})))
    return text


def _pairs(rnd: Random) -> list[tuple[str, str]]:
    pairs = [(rnd.choice(KEYS), _value(rnd)) for _ in range(rnd.choice((0, 1, 2, 4, 6)))]
    if rnd.random() < 0.7:
        pairs.insert(0, ("pod", _go_quoted(rnd.choice(NAMES[:3]))))
    if rnd.random() < 0.5:
        pairs.append(("event", _go_quoted(rnd.choice(EVENTS))))
        pairs.append(("queue", _go_quoted(rnd.choice(QUEUES))))
    if rnd.random() < 0.3:
        pairs.append(("err", _go_quoted(rnd.choice(ERRORS))))
    return pairs


def _time(rnd: Random) -> str:
    return f"{rnd.randint(0, 24):02}:{rnd.randint(0, 60):02}:{rnd.randint(0, 60):02}.{rnd.randint(0, 999999):06}"


def _date(rnd: Random) -> str:
    return rnd.choice(("0831", "0831", "0831", "0901", "1231", "0101", "0229", "0431", "0000", "1399"))


def _place(rnd: Random) -> str:
    return f"{rnd.choice(FILES)}:{rnd.choice((1, 513, 745, 765, 948, 983, 999999999, 9999999999))}"


def _text_line(rnd: Random) -> str:
    pid = rnd.choice(("      1", "      1", "     77", "9999999", "0000001", "1", "99999999", "-1"))
    head = f"{rnd.choice('IIIEWFX')}{_date(rnd)} {_time(rnd)} {pid} {_place(rnd)}] "
    if rnd.random() < 0.2:
        return head + rnd.choice((*RELEVANT_STARTS, "")) + rnd.choice(_texts())
    return head + _go_quoted(rnd.choice(MESSAGES)) + "".join(f" {key}={value}" for key, value in _pairs(rnd))


def _ktesting_line(rnd: Random) -> str:
    pairs = "".join(f" {key}={value}" for key, value in _pairs(rnd))
    head = f"{rnd.choice(('', '    ', chr(9)))}{_place(rnd)}: {rnd.choice('IE')}{_date(rnd)} {_time(rnd)}] "
    return head + rnd.choice(MESSAGES) + pairs


def _json_line(rnd: Random) -> str:
    record: dict[str, object] = {
        "ts": rnd.choice(
            (1693512227184.243, 1693512227184, 1693512227, -1, 0, 1e13, 2e14, 1e300, "2023-08-31T20:03:47Z", None)
        ),
        "caller": rnd.choice((_place(rnd), "", 1, None)),
        "msg": rnd.choice((*MESSAGES, 1, None)),
        "v": rnd.choice((0, 4, 10, -1, 1e9, "4", None)),
    }
    for key, _ in _pairs(rnd):
        text = rnd.choice(_texts())
        record[key] = rnd.choice((text, [text], {"name": text, "namespace": text}, 1, 1e300, True, None, [[[text]]]))
    made = json.dumps(record, ensure_ascii=rnd.random() < 0.5)
    return made.replace("1e+300", "1e999") if rnd.random() < 0.3 else made


def _headerless(rnd: Random) -> str:
    return _text_line(rnd).partition("] ")[2]


_DIALECTS = (_text_line,) * 5 + (_ktesting_line, _json_line, _headerless)


def line(rnd: Random) -> bytes:
    """A line of some dialect, or several where a value is a block."""
    made = rnd.choice(_DIALECTS)(rnd)
    return made.encode("utf-8", rnd.choice(("surrogatepass", "surrogatepass", "replace", "backslashreplace")))
