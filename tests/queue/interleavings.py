"""Every interleaving of pods being popped, an event arriving, and attempts ending, up to a length."""

from __future__ import annotations

from collections.abc import Iterator

from klogreplay.queue import Move, Profile, QueuedPod, Strategy
from tests.queue.build import FIT, NODE_ADD, Bench

Step = tuple[str, int]
"""("pop", pod), ("event", 0), ("fail", pod) with the plugin that registered for the event, or ("done", pod)."""


def interleavings(length: int, pods: int) -> Iterator[tuple[Step, ...]]:
    """All that make sense, shortest first, and of one length in a fixed order; pods are popped in order."""
    frontier: list[tuple[tuple[Step, ...], int, frozenset[int]]] = [((), 0, frozenset())]
    for _ in range(length):
        longer = []
        for steps, popped, in_flight in frontier:
            choices: list[tuple[Step, int, frozenset[int]]] = []
            if popped < pods:
                choices.append((("pop", popped), popped + 1, in_flight | {popped}))
            if in_flight:
                choices.append((("event", 0), popped, in_flight))
            for pod in sorted(in_flight):
                choices += [((what, pod), popped, in_flight - {pod}) for what in ("fail", "done")]
            longer += [((*steps, step), count, left) for step, count, left in choices]
        frontier = longer
        yield from (steps for steps, _, _ in frontier)


def lost_events(profile: Profile, steps: tuple[Step, ...]) -> list[int]:
    """The pods that were parked by their failure although an event came that would have freed them."""
    bench = Bench(profile)
    for pod in range(1 + max(number for _, number in steps)):
        bench.add(f"p{pod}")
    in_flight: dict[int, QueuedPod] = {}
    cycles: dict[int, int] = {}
    told: set[int] = set()
    lost = []
    for what, pod in steps:
        if what == "pop":
            in_flight[pod] = bench.pop()
            cycles[pod] = bench.queue.scheduling_cycle
        elif what == "event":
            bench.queue.move_all_to_active_or_backoff(NODE_ADD)
            told |= in_flight.keys()
        elif what == "done":
            bench.queue.done(in_flight.pop(pod).pod.uid)
        else:
            move = bench.fail(in_flight.pop(pod), FIT, cycle=cycles[pod])
            assert isinstance(move, Move)
            if pod in told and move.strategy is Strategy.SKIP:
                lost.append(pod)
            assert pod in told or move.strategy is Strategy.SKIP
    return lost
