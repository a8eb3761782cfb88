"""What once accused the innocent, or cleared the guilty: near misses of a missed event, each told as a log.

The stories are of 1.28.0, whose queue loses concurrent events when the marker of a pod leaves the list: when all pods
that were in flight at its Pop, and at the last event before it, are done before it is.
"""

from __future__ import annotations

from tests.replay.build import only, replay

SPREAD = "4 node(s) didn't match pod topology spread constraints"

OTHER_IN_FLIGHT = """
0.100000 added      other
0.100020 new        other
0.101000 popped     other
0.101010 attempting other
0.105000 binding    other
0.110000 assigned-updated old
0.150000 added      web
0.150020 new        web
"""
"""Another pod is being bound, an event came, and our pod gets into activeQ."""


class TestDeletedNode:
    """ "Delete event for node" raises no event before 1.32."""

    STORY = (
        OTHER_IN_FLIGHT
        + f"""
    0.200000 popped       web
    0.200010 attempting   web
    0.205000 bound        other
    0.210000 {{event}}
    0.220000 unfit        web   "{SPREAD}"
    0.220100 handed-back  web   queue=Unschedulable schedulingCycle=2
    0.220200 condition    web
    9.000000 moved        web   event=NodeAdd queue=Active
    """
    )

    def test_an_added_node_was_missed(self) -> None:
        parking = only(replay(self.STORY.format(event="node-added n-1")))
        assert parking.rejector_plugins == ("PodTopologySpread",)
        assert (parking.verdict, parking.grade) == ("wrong", "proven")
        assert [cause.code for cause in parking.causes] == ["missed-events"]

    def test_a_deleted_node_was_not(self) -> None:
        parking = only(replay(self.STORY.format(event="node-deleted n-1")))
        assert parking.verdict == "undecided"
        assert parking.concurrent_events == []
