"""The keyed heap against the plainest thing that does the same, and its promise on memory."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from klogreplay.queue import Pod, QueuedPod
from klogreplay.queue.pod_heap import PodHeap

OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["add", "remove", "pop", "peek", "get"]), st.integers(0, 7), st.integers(0, 5)),
    max_size=120,
)


def by_timestamp(queued: QueuedPod, sequence: int) -> tuple[int, int, QueuedPod]:
    return (queued.timestamp, sequence, queued)


@given(OPERATIONS)
def test_it_does_what_a_sorted_list_does(operations: list[tuple[str, int, int]]) -> None:
    heap = PodHeap(by_timestamp)
    plain: dict[str, tuple[int, int, QueuedPod]] = {}
    for number, (what, name, timestamp) in enumerate(operations):
        key = f"default/p{name}"
        first = min(plain.values(), default=None, key=lambda entry: entry[:2])
        if what == "add":
            queued = QueuedPod(Pod(key), timestamp)
            heap.add(queued)
            plain[key] = (timestamp, number, queued)
        elif what == "remove":
            removed = plain.pop(key, None)
            assert heap.remove(key) is (removed and removed[2])
        elif what == "pop":
            assert heap.pop() is (first and first[2])
            if first is not None:
                del plain[first[2].pod.key]
        elif what == "peek":
            assert heap.peek() is (first and first[2])
        else:
            assert heap.get(key) is (plain[key][2] if key in plain else None)
        assert len(heap) == len(plain)
        assert (key in heap) == (key in plain)
        assert list(heap) == [entry[2] for entry in sorted(plain.values(), key=lambda entry: entry[:2])]


def test_pods_of_equal_order_leave_in_the_order_they_came() -> None:
    heap = PodHeap(by_timestamp)
    pods = [QueuedPod(Pod(f"default/p{number}"), 1) for number in (3, 1, 2)]
    for queued in pods:
        heap.add(queued)
    assert [heap.pop() for _ in pods] == pods


def test_memory_stays_proportional_to_the_live_pods() -> None:
    heap = PodHeap(by_timestamp)
    for number in range(10_000):
        heap.add(QueuedPod(Pod(f"default/p{number % 10}"), 10_000 - number))
        assert len(heap._heap) <= 2 * 10 + 17
    for number in range(10_000):
        key = f"default/q{number}"
        heap.add(QueuedPod(Pod(key), number))
        heap.remove(key)
        assert len(heap._heap) <= 2 * 11 + 17
    assert len(heap) == 10
