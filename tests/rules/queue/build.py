"""A case from a log: the whole way from bytes to the evidence that rules look at."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from klogreplay.cli.reading import Reading
from klogreplay.events.types import SchedulerEvent
from klogreplay.replay.analyze import Options, Replay
from klogreplay.rules.base import Case
from klogreplay.rules.registry import RULES, run_rules
from klogreplay.rules.sensors.bank import SensorBank
from klogreplay.rules.types import Finding

QUEUE_RULES = tuple(rule for rule in RULES if rule.__module__.startswith("klogreplay.rules.queue."))


def case_of(
    path: Path, version: str | None = None, keep: Callable[[SchedulerEvent], bool] = lambda event: True
) -> Case:
    """`keep` tells which events to let pass, as if the lines of the others had been lost."""
    with Reading([str(path)]) as reading:
        replay, bank = Replay(Options(kubernetes_version=version, identified=reading)), SensorBank()
        for event in reading.events():
            if keep(event):
                replay.feed(event)
                bank.feed(event)
    result = replay.finish()
    return Case(
        parkings=result.parkings,
        attempts=result.attempts,
        failures=result.failures,
        verbosity=result.verbosity,
        release=result.release,
        candidates=result.candidates,
        gates={name: gate.value for name, gate in result.gates.items()},
        sensed=bank.finish(),
    )


@cache
def findings_of(path: Path) -> tuple[Finding, ...]:
    return tuple(run_rules(case_of(path), QUEUE_RULES))


def findings(
    tmp_path: Path, path: Path, change: Callable[[list[str]], list[str]], version: str | None = None
) -> list[Finding]:
    """The findings on a log after a change of its lines."""
    changed = tmp_path / path.name
    changed.write_text("\n".join(change(path.read_text(encoding="utf-8").splitlines())) + "\n", encoding="utf-8")
    return run_rules(case_of(changed, version), QUEUE_RULES)


def sensed(kind: type, *events: SchedulerEvent) -> list:  # type: ignore[type-arg]
    """What one kind of sensor makes of these events."""
    bank = SensorBank([kind])
    for event in events:
        bank.feed(event)
    return list(bank.finish().of(kind))
