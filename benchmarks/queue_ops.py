"""How many queue operations a second the model does: Add, Pop, hand-back and Done over 1,000 live pods.

`python benchmarks/queue_ops.py [RELEASE ...]` prints operations a second for each release (default: four that differ
much), the time of a move over N parked pods for growing N, and what building a queue costs.
"""

from __future__ import annotations

import sys
import time

from klogreplay.queue import (
    ClusterEvent,
    Hint,
    Pod,
    QueueConfig,
    QueuedPod,
    Registration,
    SchedulingQueue,
    profile_for,
)
from klogreplay.queue.actions import ADD, UPDATE_NODE_LABEL

LIVE_PODS = 1_000
RELEASES = ("1.22.6", "1.28.0", "1.28.3", "1.36.2")
NODE_ADD = ClusterEvent("Node", ADD, "NodeAdd")
CONFIG = QueueConfig(
    registrations={
        "NodeResourcesFit": (Registration("Node", ADD),),
        "NodeAffinity": (Registration("Node", ADD | UPDATE_NODE_LABEL, lambda plugin, pod, occurrence: Hint.QUEUE),),
    }
)
REJECTORS = frozenset({"NodeResourcesFit"})


class Clock:
    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


def mixed(release: str, operations: int) -> int:
    """Run at least this many operations in rounds over LIVE_PODS pods; gives how many it were.

    A round pops every pod; of each sixteen in flight, half are handed back as rejected, half end with Done and a new
    pod is added. An event at the end of a round moves the parked pods back; it is not counted.
    """
    clock = Clock()
    queue = SchedulingQueue(profile_for(release), CONFIG, clock)
    pods = [Pod(f"default/p{number}", f"u{number}", number % 7) for number in range(LIVE_PODS)]
    for pod in pods:
        queue.add(pod)
    done = LIVE_PODS
    fresh = LIVE_PODS
    while done < operations:
        in_flight = []
        while (queued := queue.pop()) is not None:
            in_flight.append(queued)
            clock.now += 1_000
            done += 1
            if len(in_flight) == 16:
                done += settle(queue, in_flight, fresh)
                fresh += len(in_flight)
                in_flight.clear()
        done += settle(queue, in_flight, fresh)
        fresh += len(in_flight)
        clock.now += 20_000_000_000
        queue.move_all_to_active_or_backoff(NODE_ADD)
    return done


def settle(queue: SchedulingQueue, in_flight: list[QueuedPod], fresh: int) -> int:
    done = 0
    for number, queued in enumerate(in_flight):
        if number % 2:
            queue.record_rejectors(queued, REJECTORS)
            queue.add_unschedulable_if_not_present(queued, queue.scheduling_cycle)
            done += 1
        else:
            queue.done(queued.pod.uid)
            key = fresh + number
            queue.add(Pod(f"default/p{key}", f"u{key}", key % 7))
            done += 2
    return done


def move(parked: int) -> float:
    """Seconds of one move over this many parked pods, none of which moves."""
    queue = SchedulingQueue(profile_for("1.36.2"), CONFIG, Clock())
    for number in range(parked):
        queue.add(Pod(f"default/p{number}", f"u{number}"))
    while (queued := queue.pop()) is not None:
        queue.record_rejectors(queued, {"Other"})
        queue.add_unschedulable_if_not_present(queued, queue.scheduling_cycle)
    started = time.perf_counter()
    queue.move_all_to_active_or_backoff(NODE_ADD)
    return time.perf_counter() - started


def build(times: int) -> float:
    """Seconds to build one queue."""
    profile = profile_for("1.36.2")
    clock = Clock()
    started = time.perf_counter()
    for _ in range(times):
        SchedulingQueue(profile, CONFIG, clock)
    return (time.perf_counter() - started) / times


def main(releases: list[str]) -> None:
    for release in releases or RELEASES:
        best = 0.0
        for _ in range(3):
            started = time.process_time()
            done = mixed(release, 200_000)
            best = max(best, done / (time.process_time() - started))
        print(f"{release}: {best:,.0f} operations/s")
    for parked in (1_000, 10_000, 100_000):
        print(f"move over {parked:,} parked pods: {move(parked) * 1e9 / parked:,.0f} ns a pod")
    print(f"one queue: {build(20_000) * 1e6:.1f} µs")


if __name__ == "__main__":
    main(sys.argv[1:])
