"""Whether a log is kube-scheduler's at all.

Other components share libraries with it (reflector.go, feature_gate.go, leaderelection.go …), so their lines prove
nothing. What only pkg/scheduler or kube-scheduler's own start prints does, if its text is telling enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from klogreplay.events.extract import RELEVANT_MESSAGES
from klogreplay.events.known import known
from klogreplay.klog.logger_names import split_logger
from klogreplay.klog.record import KlogRecord

_FEWEST_WORDS = 5
_FEWEST_WORDS_OF_EVENTS = 4
"""Shorter messages ("Error occurred", "Node not found") may be anybody's."""
_START_MESSAGE = "Starting Kubernetes Scheduler"
_START = re.compile(
    r"FLAG: --(?:leader-elect-resource-name=\"kube-scheduler\"|lock-object-name=\"kube-scheduler\"|pod-max-in-)"
    r"|(?:attempting to acquire leader|successfully acquired) lease +kube-system/kube-scheduler\b"
)


def is_scheduler_line(record: KlogRecord) -> bool:
    """Whether only kube-scheduler prints the record's message."""
    message = split_logger(record.msg)[1]
    if message.startswith(_START_MESSAGE) or _START.match(record.msg):
        return True
    own = known().structured(message)
    if own is None:
        return not record.structured and _words(message) >= _FEWEST_WORDS and known().printf(message) is True
    return own and _words(message) >= (_FEWEST_WORDS_OF_EVENTS if message in RELEVANT_MESSAGES else _FEWEST_WORDS)


def _words(message: str) -> int:
    return message.count(" ", 0, 256) + 1


def looks_like_scheduler(records: Iterable[KlogRecord]) -> bool:
    """Whether one of the records is kube-scheduler's own. Reads no further than to the first of these."""
    return any(is_scheduler_line(record) for record in records)
