"""Logs that grow in one respect only, as a scheduler of 1.29.1 at -v=5 writes them; and logs made to be costly."""

from __future__ import annotations

from collections.abc import Callable, Iterator

Lines = Iterator[str]

_REJECTED = "0/300 nodes are available: 300 Insufficient cpu. preemption: 0/300 nodes are available: 300 No victims."


class _Log:
    """Puts headers in front; each line is 100 microseconds behind the last."""

    def __init__(self) -> None:
        self._micros = 7 * 3_600_000_000

    def __call__(self, site: str, text: str) -> str:
        self._micros += 100
        seconds, micros = divmod(self._micros, 1_000_000)
        day, seconds = divmod(seconds, 86_400)
        time = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{micros:06}"
        return f"I12{day + 1:02} {time}   10741 {site}] {text}"

    def started(self) -> str:
        return self("server.go:154", '"Starting Kubernetes Scheduler" version="v1.29.1"')

    def popped(self, pod: str) -> Lines:
        yield self("eventhandlers.go:126", f'"Add event for unscheduled pod" pod="{pod}"')
        moved = '"Pod moved to an internal scheduling queue"'
        yield self("scheduling_queue.go:575", f'{moved} pod="{pod}" event="PodAdd" queue="Active"')
        yield self("schedule_one.go:85", f'"About to try and schedule pod" pod="{pod}"')
        yield self("schedule_one.go:98", f'"Attempting to schedule pod" pod="{pod}"')

    def rejected(self, pod: str, cycle: int) -> Lines:
        yield self("schedule_one.go:987", f'"Unable to schedule pod; no fit; waiting" pod="{pod}" err="{_REJECTED}"')
        plugins = '"Pod moved to an internal scheduling queue" pod="{}" event="ScheduleAttemptFailure" '
        plugins += 'queue="Unschedulable" schedulingCycle={} hint=0 unschedulable plugins={{"NodeResourcesFit":{{}}}}'
        yield self("scheduling_queue.go:797", plugins.format(pod, cycle))

    def bound(self, pod: str) -> Lines:
        yield self(
            "schedule_one.go:302",
            f'"Successfully bound pod to node" pod="{pod}" node="node-1" evaluatedNodes=300 feasibleNodes=3',
        )
        yield self("eventhandlers.go:186", f'"Delete event for unscheduled pod" pod="{pod}"')
        yield self("eventhandlers.go:197", f'"Add event for scheduled pod" pod="{pod}"')

    def event(self, number: int) -> Lines:
        yield self("eventhandlers.go:76", f'"Add event for node" node="node-{number:05}"')
        received = '"Event received while pods are in flight" event="NodeAdd" numPods=1'
        yield self("scheduling_queue.go:1164", received)


def of_lines(count: int) -> Lines:
    """`count` pods that come, are bound and are gone, one by one."""
    log = _Log()
    yield log.started()
    for number in range(count):
        yield from log.popped(f"ns/pod-{number}")
        yield from log.bound(f"ns/pod-{number}")


def of_live_pods(count: int) -> Lines:
    """`count` pods, all of which stay parked."""
    log = _Log()
    yield log.started()
    for number in range(count):
        yield from log.popped(f"ns/pod-{number}")
        yield from log.rejected(f"ns/pod-{number}", number + 1)


def of_events_in_flight(count: int) -> Lines:
    """`count` events while one pod is in flight, which then is rejected; and again, ten times in all."""
    log = _Log()
    yield log.started()
    for cycle in range(10):
        yield from log.popped(f"ns/pod-{cycle}")
        for number in range(count // 10):
            yield from log.event(cycle * count + number)
        yield from log.rejected(f"ns/pod-{cycle}", cycle + 1)


def of_pods_in_flight(count: int) -> Lines:
    """`count` pods whose attempts all begin before one ends, with an event after each."""
    log = _Log()
    yield log.started()
    for number in range(count):
        yield from log.popped(f"ns/pod-{number}")
        yield from log.event(number)
    for number in range(count):
        yield from log.bound(f"ns/pod-{number}")


def of_variants(count: int) -> Lines:
    """`count` call sites, messages and keys, each in a line of its own."""
    log = _Log()
    yield log.started()
    yield from log.popped("ns/pod")
    for number in range(count):
        yield log(f"file{number % 977}.go:{number}", f'"Message {number} of none" key{number}="x" n={number}')


def of_variants_of_one_message(count: int) -> Lines:
    """`count` lines of a message that counts, each with a key that no other has."""
    log = _Log()
    yield log.started()
    yield from log.popped("ns/pod")
    for number in range(count):
        message = f'"Pod moved to an internal scheduling queue" pod="ns/pod" key{number}="x" event="PodAdd"'
        yield log("scheduling_queue.go:575", f'{message} queue="Active"')


def of_parked_pods_and_events(parked: int, events: int) -> Lines:
    """`parked` pods stay parked while `events` arrive, between which pods are tried and bound."""
    log = _Log()
    yield from of_live_pods(parked)
    log._micros += parked * 1000
    for number in range(events):
        if number % 10 == 0:
            yield from log.popped(f"ns/late-{number}")
        yield from log.event(number)
        if number % 10 == 9:
            yield from log.bound(f"ns/late-{number - 9}")


GROWING: dict[str, Callable[[int], Lines]] = {
    "lines (pods that come and go)": of_lines,
    "live pods (all parked)": of_live_pods,
    "events in flight": of_events_in_flight,
    "pods in flight": of_pods_in_flight,
    "variants (call sites)": of_variants,
    "variants of one message": of_variants_of_one_message,
}
"""What grows, and a log in which it is `count`."""
