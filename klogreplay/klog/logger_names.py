"""Logger names that klogr printed in front of the message: up to Kubernetes 1.28, and in ktesting output.

"Reserve/DynamicResources: start allocation": the parts of a name are joined by "/". Later releases print the name as
an ordinary pair `logger="Reserve.DynamicResources"`.
"""

from __future__ import annotations

import re
from functools import cache

from klogreplay.klog.known import known_keys
from klogreplay.klog.record import KlogRecord

_LONGEST_NAME = 200

# A name is one or more capitalised words ("PV Cache"); prose before a colon has words that are not.
_NAME = re.compile(r"(?:[A-Z][\w.-]*(?: [A-Z][\w.-]*)*)(?:/[A-Z][\w.-]*(?: [A-Z][\w.-]*)*)*", re.ASCII)


@cache
def _prose_prefixes() -> frozenset[str]:
    """What known messages themselves have before a colon ("Warning", "AssumePodVolumes"): no logger names."""
    return frozenset(message.partition(": ")[0] for message in known_keys() if ": " in message)


def split_logger(message: str) -> tuple[str | None, str]:
    """The logger name in front of a message, and the message without it; (None, message) where there is none."""
    end = message.find(": ", 0, _LONGEST_NAME)
    if end < 1:
        return None, message
    known = known_keys()
    if message in known:
        return None, message
    name, rest = message[:end], message[end + 2 :]
    if rest in known or (name not in _prose_prefixes() and _NAME.fullmatch(name)):
        return name, rest
    return None, message


def bare_message(record: KlogRecord) -> str:
    """The record's message without a logger name in front: the text that the call site passed."""
    prefix = f"{record.logger}: "
    if record.logger is not None and record.msg.startswith(prefix):
        return record.msg[len(prefix) :]
    return record.msg
