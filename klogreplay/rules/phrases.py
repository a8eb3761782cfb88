"""Small phrases that several rules share, so that findings read alike."""

from __future__ import annotations

from collections.abc import Iterable

from klogreplay.replay.types import Parking

_US = 1_000_000


def quoted(names: Iterable[str]) -> str:
    """Names in quotes, joined: `"A"`, `"A" and "B"`, `"A", "B" and "C"`."""
    items = [f'"{name}"' for name in names]
    if len(items) <= 1:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: "1 pod", "3 pods"."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def seconds(microseconds: float) -> str:
    """A duration in seconds with one decimal, in milliseconds below one second."""
    if microseconds < _US:
        return f"{microseconds / 1000:.0f} ms"
    return f"{microseconds / _US:.1f} s"


def stay(parking: Parking) -> str:
    """How the parking went on: what woke the pod, after how long, and how much of that was lost."""
    if parking.wake_up is None:
        return "The log does not show what took it out again."
    woken = f'It left by "{parking.wake_up.event}"'
    if parking.parked_us is not None:
        woken += f" after {seconds(parking.parked_us)}"
    if parking.lost_us is not None and parking.lost_us > 0:
        woken += f", {seconds(parking.lost_us)} later than a fixed queue would have retried it"
    return woken + "."


def attempt(parking: Parking) -> str:
    """Which attempt it was, for the start of a sentence."""
    return f"Attempt {parking.attempt} of {parking.pod}"
