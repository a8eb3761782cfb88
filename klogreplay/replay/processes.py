"""Which scheduler process a record is of. Each has a queue of its own, empty at its start.

A process is told by the log it is in and the process id it prints; in a container that id is always 1, so a start or an
end tells a new one as well. A record without a process id is of the process of the records around it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import msgspec

from klogreplay.events import types as ev
from klogreplay.replay.facts import Facts
from klogreplay.replay.follow import Follower
from klogreplay.replay.result import ProcessInfo
from klogreplay.replay.sources import Origins

STARTS = frozenset({ev.Flag, ev.SchedulerStarted, ev.FeatureGatesLogged})
"""What a scheduler prints at its start only."""

AFTER_END_US = 2_000_000
"""What comes later than this after the end of a process is of the next one: it exits at once."""


class Live(msgspec.Struct):
    """A process that is being followed.

    `source` is the input of its last record. `told`: of which kinds of events all that they say of release and
    verbosity is known; `quick` has the handlers of those kinds. `releases`: those that it may be of; None where
    that has to be asked anew.
    """

    follower: Follower
    info: ProcessInfo
    facts: Facts
    source: int
    told: set[Hashable] = msgspec.field(default_factory=set)
    quick: dict[type, Callable[[Any], None]] = msgspec.field(default_factory=dict)
    releases: tuple[str, ...] | None = None


MOST_LIVE = 256
"""So many processes are followed at once; a log with more is damaged, or made to exhaust memory."""

_Key = tuple[int, int | None]


class Processes:
    """All processes of a run, the one heard of last at the end.

    `facts` makes what is known of one, from its log and what was known of the one before it if that holds on; `begin`
    makes its follower, `end` closes it.
    """

    def __init__(
        self,
        origins: Origins,
        facts: Callable[[int, Facts | None], Facts],
        begin: Callable[[str, Facts], Follower],
        end: Callable[[Live], None],
    ) -> None:
        self._origins = origins
        self._facts = facts
        self._begin = begin
        self._end = end
        self._live: dict[_Key, Live] = {}
        self._last: dict[int, Live] = {}
        self._begun: dict[_Key, int] = {}
        self.infos: list[ProcessInfo] = []

    @property
    def live(self) -> list[Live]:
        """The processes that are still followed."""
        return list(self._live.values())

    def of(self, event: ev.SchedulerEvent) -> Live:
        """The process of an event. An event without a time gets that of the record before it."""
        chain = self._origins.chain_of(event.source)
        last = self._last.get(chain)
        pid = event.pid
        if pid is None and last is not None:
            pid = last.info.pid
            if not event.site and not event.t:
                event.t = max(last.follower.last_t, 0)
        elif last is not None and last.info.pid is None and pid is not None:
            self._adopt(chain, last, pid)
        key = (chain, pid)
        live = self._live.pop(key, None)
        if live is not None and _is_over(live, event):
            self._end(live)
            live = None
        if live is None:
            live = self._new(key, event, last)
            if len(self._live) >= MOST_LIVE:
                self._end(self._live.pop(next(iter(self._live))))
        self._live[key] = live
        live.source = event.source
        self._last[chain] = live
        return live

    def _adopt(self, chain: int, live: Live, pid: int) -> None:
        """The records so far had no process id; here is theirs."""
        del self._live[chain, None]
        live.info.pid = pid
        live.info.id = live.follower.process = self._name((chain, pid))
        self._live[chain, pid] = live

    def _new(self, key: _Key, event: ev.SchedulerEvent, before: Live | None) -> Live:
        name = self._name(key)
        # Where no start is seen, what the log said of the process before holds on.
        inherited = before.facts if before is not None and event.__class__ not in STARTS else None
        facts = self._facts(key[0], inherited)
        info = ProcessInfo(name, key[1], None, event.line, event.line, source=event.source, last_source=event.source)
        self.infos.append(info)
        return Live(self._begin(name, facts), info, facts, event.source)

    def _name(self, key: _Key) -> str:
        chain, pid = key
        number = self._begun[key] = self._begun.get(key, 0) + 1
        label = self._origins.label_of(chain)
        name = "-" if pid is None else str(pid)
        return name + (f"/{number}" if number > 1 else "") + (f"@{label}" if label else "")


def _is_over(live: Live, event: ev.SchedulerEvent) -> bool:
    """Whether the process had ended, or another has started, when the event was printed."""
    follower = live.follower
    if event.__class__ in STARTS and follower.busy:
        return True
    return follower.ended_t is not None and event.t - follower.ended_t > AFTER_END_US
