"""Random operations in the recordings' format: the runner plays whatever the format allows, and agrees with itself.

What the model did is written down as a recording, with the model's own states and results, and the runner is asked.
Nothing of the model's is known to be right by that; that it holds together, and can be read, is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from klogreplay.queue.conformance import __main__ as runner
from klogreplay.queue.conformance.compare import snapshot
from klogreplay.queue.conformance.player import Player
from klogreplay.queue.conformance.recording import (
    Header,
    Operation,
    RecordedEvent,
    RecordedPod,
    Result,
    Row,
    State,
    read,
)
from tests.conftest import FIXTURES

RECORDINGS = sorted((FIXTURES / "queue-vectors").glob("*.jsonl.gz"))
SECOND = 1_000_000_000
NAMES = [f"p{number}" for number in range(5)]
HINTS = ("Queue", "Skip", "Error", "Immediately")
SEEDS, ROWS = 5, 90


class Script:
    """Draws one operation after the other, knowing what was popped and never more than a recording would."""

    def __init__(self, header: Header, events: list[RecordedEvent], like: State, seed: int) -> None:
        self.rng = random.Random(seed)
        self.like = like
        self.player = Player(header, runner.profile_of(header, None))
        self.plugins = [*(plugin.name for plugin in header.config.plugins), "NobodyKnows"]
        self.events = [*events, RecordedEvent(label="Odd", resource="", action=-1)]
        self.popped: list[tuple[int, str, str]] = []
        self.number = 0

    def rows(self, count: int) -> Iterator[Row]:
        for i in range(1, count + 1):
            self.number = i
            op, given = self.rng.choice(self.KINDS)(self)
            op.tick_ns = self.rng.choice((1, 1_000_000, SECOND))
            result = self.player.play(Row(i=i, op=op, result=given, clock=0, state=self.like))
            if op.handle == i and result.pod is not None:
                self.popped.append((i, result.pod, result.uid))
            yield Row(i=i, op=op, result=result, clock=self.player.now, state=snapshot(self.player, self.like))

    def pod(self, name: str = "", uid: str = "", **more: str) -> RecordedPod:
        rng = self.rng
        name = name or rng.choice(NAMES)
        labels = rng.sample(
            (*(("grp", "a"), ("grp", "b"), ("app", "x"), ("app", "y")), ("gate", "GateX")), rng.randrange(3)
        )
        return RecordedPod(
            name=name,
            uid=uid or f"{name}-{rng.randrange(3)}",
            priority=rng.choice((0, 0, 5, -3, 2**31)),
            labels=dict(labels),
            annotation=rng.choice(("", "x")),
            cpu_milli=rng.choice((0, 100, 200)),
            affinity_app=rng.choice(("", "", "x")),
            scheduling_gates=rng.choice((0, 0, 0, 0, 0, 2)),
            tolerations=rng.randrange(3),
            rv=self.number,
            status_rev=rng.randrange(2),
            claim_status=rng.choice((0, 0, 1)),
            **more,
        )

    def hints(self) -> dict[str, dict[str, str]]:
        rng = self.rng
        return {plugin: {"a": rng.choice(HINTS), "b": rng.choice(HINTS)} for plugin in rng.sample(self.plugins, 2)}

    def some(self, of: list[str]) -> list[str]:
        return self.rng.sample(of, self.rng.randrange(min(4, len(of))))

    def about_a_pod(self) -> tuple[Operation, Result]:
        return Operation(op=self.rng.choice(("add", "add", "add", "add", "delete")), pod=self.pod()), Result()

    def update(self) -> tuple[Operation, Result]:
        new = self.pod()
        old = self.rng.choice((None, self.pod(new.name, new.uid), self.pod(new.name)))
        return Operation(op="update", old=old, pod=new), Result(pod_events=self.rng.choice((None, [])))

    def pop(self) -> tuple[Operation, Result]:
        handle = self.rng.choice((None, self.number, self.number, self.number))
        if self.rng.randrange(5):
            return Operation(op="pop", handle=handle), Result()
        return Operation(op="popSpecific", handle=handle, pod=self.pod()), Result()

    def hand_back(self) -> tuple[Operation, Result]:
        handle, name, uid = self.rng.choice(self.popped or [(None, "", "")])
        cycle = self.rng.choice((self.player.queue.scheduling_cycle, 0, 7))
        op = Operation(
            op="addUnschedulable",
            handle=handle,
            mode=self.rng.choice(("unschedulable", "unschedulable", "error", "keep")),
            unschedulable_plugins=self.some(self.plugins),
            pending_plugins=self.some(self.plugins),
            cycle=cycle,
            pod=self.rng.choice((None, self.pod(name, uid), self.pod(name, uid), self.pod(name))),
        )
        return op, Result()

    def done(self) -> tuple[Operation, Result]:
        handle, _, uid = self.rng.choice(self.popped or [(None, "", "p0-0")])
        return Operation(op="done", handle=handle, uid=uid), Result()

    def move_all(self) -> tuple[Operation, Result]:
        rng = self.rng
        objects = [None, f"obj{self.number}", f"obj{rng.randrange(self.number)}"]
        op = Operation(
            op="moveAll",
            event="named by the result",
            old_obj=rng.choice(objects),
            new_obj=rng.choice(objects),
            hints=self.hints(),
            pre_check=rng.choice((None, None, {"grp": "a"}, {})),
        )
        return op, Result(event=rng.choice(self.events))

    def assigned(self) -> tuple[Operation, Result]:
        pod = self.pod(node="n")
        if self.rng.randrange(2):
            return Operation(op="assignedPodAdded", pod=pod, hints=self.hints()), Result()
        old = self.rng.choice((None, self.pod(pod.name, pod.uid, node="n")))
        return Operation(op="assignedPodUpdated", old=old, pod=pod, hints=self.hints()), Result(events=[])

    def activate(self) -> tuple[Operation, Result]:
        return Operation(op="activate", pods=self.some([*NAMES, "never-seen"])), Result()

    def time(self) -> tuple[Operation, Result]:
        seconds = self.rng.choice((0, 1, 10, 61, 301))
        op = self.rng.choice(("advance", "flushBackoffQCompleted", "flushUnschedulablePodsLeftover"))
        return Operation(op=op, advance_ns=seconds * SECOND), Result()

    def gate(self) -> tuple[Operation, Result]:
        gate = self.rng.choice(("GateX", "SchedulingGates", "NobodyKnows"))
        return Operation(op="setGate", gate=gate, open=self.rng.random() < 0.5), Result()

    def skipped(self) -> tuple[Operation, Result]:
        return Operation(op="pop"), Result(skipped="nothing to pop; Pop was not called")

    KINDS: tuple[Callable[[Script], tuple[Operation, Result]], ...] = (
        *(about_a_pod, about_a_pod, update, update, pop, pop, pop, hand_back, hand_back, hand_back, done),
        *(move_all, move_all, assigned, activate, time, time, gate, skipped),
    )


def recorded(path: Path) -> tuple[dict[str, Header], list[RecordedEvent], State]:
    """A header for each combination of gates; the events that the release delivered; a state as it shows them."""
    headers: dict[str, Header] = {}
    events: dict[str, RecordedEvent] = {}
    like = State()
    for item in read(path):
        if isinstance(item, Header):
            headers.setdefault(item.combo, item)
            continue
        if item.result.event is not None:
            events[item.op.event] = item.result.event
        if item.state.podInfo:
            like = item.state
    return headers, list(events.values()), like


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_the_runner_reproduces_whatever_the_model_recorded_of_itself(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    headers, events, like = recorded(path)
    popped = 0
    for combo, header in headers.items():
        for seed in range(SEEDS):
            script = Script(header, events, like, seed)
            encoded = [msgspec.json.encode(item) for item in (header, *script.rows(ROWS))]
            (tmp_path / f"{combo}.{seed}.jsonl").write_bytes(b"\n".join(encoded))
            popped += len(script.popped)
    files = len(headers) * SEEDS
    assert popped > files * ROWS // 20
    assert runner.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"total files={files} ops={files * ROWS} mismatches=0"


def test_a_pod_that_changes_its_name_while_it_is_parked_stays_under_the_old_one_too() -> None:
    """No recording does that; the queue goes by the pod's name of the moment, as upstream's map does."""
    headers, events, like = recorded(FIXTURES / "queue-vectors" / "1.30.1.jsonl.gz")
    player = Player(headers["hints"], runner.profile_of(headers["hints"], None))
    back: dict[str, Any] = {
        "op": "addUnschedulable",
        "handle": 2,
        "mode": "unschedulable",
        "unschedulable_plugins": ["NodeFit"],
    }
    steps = [
        (Operation(op="add", pod=RecordedPod(name="a", uid="1")), Result()),
        (Operation(op="pop", handle=2), Result()),
        (Operation(**back), Result()),
        (Operation(**back, pod=RecordedPod(name="b", uid="2")), Result()),
        (Operation(op="moveAll"), Result(event=next(event for event in events if event.label == "NodeAdd"))),
    ]
    for i, (op, given) in enumerate(steps, 1):
        assert not player.play(Row(i=i, op=op, result=given, clock=0, state=like)).error
    assert player.queue.places("default/a") == ("unschedulable",)
    assert player.queue.places("default/b") == ("backoff",)
