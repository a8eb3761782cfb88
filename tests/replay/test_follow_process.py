"""What the follower notes of the process itself: its lease, its end, its configuration."""

from __future__ import annotations

from klogreplay.events import types as ev
from tests.replay.build import (
    at,
    events,
    follower,
    lines,
    only,
    replay,
)
from tests.replay.test_follow import NOT_SHOWN


class TestProcess:
    def test_nothing_is_concluded_from_silence_after_its_end(self) -> None:
        silent = NOT_SHOWN + "\n0.2102 condition web\n{}\n1.0 renewed\n9.0 renewed"
        assert only(replay(silent.format(""), v=5)).destination == "Unschedulable"
        for end in ("0.3 closed", "0.3 terminating", "0.3 lost"):
            assert only(replay(silent.format(end), v=5)).destination == "unknown"

    def test_its_own_backoff_counts(self) -> None:
        config = (
            '| I1201 07:00:00.050000    8833 configfile.go:101] "Using component config" config=<\n'
            "| \\tpodInitialBackoffSeconds: 5\n| \\tpodMaxBackoffSeconds: 20\n|  >\n"
        )
        silent = config + NOT_SHOWN + "\n0.2102 condition web\n1.0 renewed\n{}.0 renewed"
        assert only(replay(silent.format(6), v=5)).destination == "unknown"
        told = only(replay(silent.format(7), v=5))
        assert (told.destination, told.destination_evidence) == ("Unschedulable", "derived")

    def test_what_a_standby_hears_is_no_event_of_its_queue(self) -> None:
        told = follower()
        (acquired,) = lines("0.01 acquired", head=False)
        waits = acquired.replace("successfully acquired lease", "attempting to acquire leader lease") + "..."
        for event in events([waits, *lines("0.1 node-added n-1\n0.2 popped web\n0.3 node-added n-2", head=False)]):
            told.feed(event)
        assert [e.lo for e in told.timeline.around(0, at("9"))[0]] == [at("0.3")]

    def test_a_renewal_that_failed_is_no_end(self) -> None:
        told = follower()
        for event in events(lines("0.1 acquired", head=False)):
            told.feed(event)
        told.feed(ev.LeaderElection(line=2, t=at("0.2"), pid=8833, site="", text="", what="failed"))
        assert (told.started, told.standby, told.ended) == (True, False, False)

    def test_while_nobody_is_in_flight_nothing_is_forgotten(self) -> None:
        told = follower()
        for event in events(lines("0.1 node-added n-1", head=False)):
            told.feed(event)
        told._forget()
        assert [e.label for e in told.timeline.around(0, at("9"))[0]] == ["NodeAdd"]

    def test_busy_once_it_has_done_anything(self) -> None:
        told = follower()
        assert not told.busy
        for event in events(lines("0.1 added web", head=False)):
            told.feed(event)
        assert told.busy
