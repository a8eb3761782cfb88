"""The lines that plugins print from their hint functions (isSchedulableAfter..., 1.28 and later, V4 to V7).

The messages and what they say are `klogreplay.knowledge`'s. Where two plugins share a text, the file of the call site
tells them apart.
"""

from __future__ import annotations

from klogreplay.events import types as ev
from klogreplay.events.claim_lines import claims_of
from klogreplay.events.reading import Line, Reader
from klogreplay.events.values import optional_text, ref
from klogreplay.knowledge.hint import hint_messages

# Texts that tell neither way by themselves; the function behind them does (read in the source of 1.30 and 1.35).
_ANSWERS = {
    "a scheduled pod's label was updated and it makes the updated pod match or unmatch the pod's topology spread"
    " constraints": True,
    "device class has identical extended resource name": False,
}


def _hint_line(message: str, worth: bool | None, plugins: dict[str, str]) -> Reader:
    names = set(plugins.values())
    only = names.pop() if len(names) == 1 else None

    def read(line: Line) -> ev.SchedulerEvent | None:
        values = line.values
        pod = values.get("pod", values.get("Pod"))  # VolumeBinding's loggers carry "Pod"
        plugin = only or plugins.get(line.base["site"].partition(":")[0])
        if pod is None or plugin is None:
            return None
        return ev.HintLine(
            **line.base,
            pod=ref(pod),
            plugin=plugin,
            worth=worth,
            message=message,
            claims=claims_of(line),
            reason=optional_text(values.get("reason")),
        )

    return read


def _readers() -> dict[str, Reader]:
    readers = {}
    for message, places in hint_messages().items():
        plugins = {file: hint.plugin for file, hint in places.items()}
        worth = _ANSWERS.get(message, next(iter(places.values())).worth)
        readers[message] = _hint_line(message, worth, plugins)
    return readers


STRUCTURED: dict[str, Reader] = _readers()
