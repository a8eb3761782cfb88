"""How the model's cost grows, and how fast it is."""

from __future__ import annotations

import importlib.util
import time
import tracemalloc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from klogreplay.queue import Pod
from tests.conftest import ROOT
from tests.queue.build import FIT, LABEL, NODE_ADD, NODE_LABEL, Bench

SCRIPT = ROOT / "benchmarks" / "queue_ops.py"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("queue_ops", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not SCRIPT.is_file(), reason="the benchmarks are not part of this distribution")
@pytest.mark.parametrize("release", ["1.22.6", "1.28.0", "1.28.3", "1.36.2"])
def test_operations_over_a_thousand_live_pods(benchmark: Any, release: str) -> None:
    mixed: Callable[[str, int], int] = script().mixed
    done = benchmark.pedantic(mixed, args=(release, 20_000), rounds=3, iterations=1)
    assert done >= 20_000


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def parked(count: int) -> Bench:
    bench = Bench("1.36.2")
    for number in range(count):
        bench.add(f"p{number}")
    for _ in range(count):
        bench.fail(bench.pop(), LABEL)
    return bench


@pytest.mark.slow
@pytest.mark.parametrize("event", [NODE_ADD, NODE_LABEL])
def test_a_move_is_linear_in_the_parked_pods(event: object) -> None:
    times = {}
    for count in (2_000, 16_000):
        bench = parked(count)
        times[count] = seconds(lambda bench=bench: bench.queue.move_all_to_active_or_backoff(event))
    assert times[16_000] < 8 * 4 * times[2_000]


@pytest.mark.slow
def test_a_long_flight_costs_each_event_once() -> None:
    """One pod stays in flight while many others come and go: their entries must not pile up nor be walked again."""

    def fly(count: int) -> float:
        bench = Bench("1.36.2")
        bench.add("long")
        bench.pop()

        def others() -> None:
            for number in range(count):
                bench.add(f"p{number}")
                bench.queue.done(bench.pop().pod.uid)

        spent = seconds(others)
        assert bench.queue.in_flight.entries_kept() == 1
        return spent

    assert fly(16_000) < 8 * 4 * fly(2_000)


def test_memory_follows_the_pods_that_are_there() -> None:
    """A hundred thousand pods through the queue leave no more behind than a thousand do."""

    def left_behind(count: int) -> int:
        bench = Bench("1.36.2")
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            for number in range(count):
                bench.queue.add(Pod(f"default/p{number}", priority=number % 5))
                queued = bench.pop()
                if number % 3 == 0:
                    bench.queue.move_all_to_active_or_backoff(NODE_ADD)
                    bench.fail(queued, FIT)
                    bench.queue.delete(queued.pod)
                else:
                    bench.queue.done(queued.pod.uid)
            return tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()

    assert left_behind(20_000) < left_behind(1_000) + 50_000
