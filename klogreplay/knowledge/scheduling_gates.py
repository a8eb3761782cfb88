"""Well-known scheduling gates of pods, and who puts them there: a pod that has one waits on purpose.

Sources: kubernetes-sigs/kueue (pkg/controller/jobs/pod/constants, apis/kueue: TopologySchedulingGate);
volcano-sh/volcano (docs/design/scheduling-gates-queue-admission.md).
"""

from __future__ import annotations

import re

OWNERS: dict[str, str] = {
    "kueue.x-k8s.io/admission": "Kueue, until it admits the pod's workload",
    "kueue.x-k8s.io/topology": "Kueue, until it has assigned the pod's topology domain",
    "scheduling.volcano.sh/queue-allocation-gate": "Volcano, until the pod's queue has room",
}
"""Gate -> who holds the pod, and until when."""

MOST = 10
"""No more gates than this are taken from one line."""

_LISTED = re.compile(r"waiting for scheduling gates: \[([^\[\]]*)\]")


def gates_in(status: str) -> tuple[str, ...]:
    """The gates that a status of the plugin SchedulingGates names; () where it names none (1.28 prints "{}")."""
    listed = _LISTED.search(status)
    return tuple(listed[1].split()[:MOST]) if listed is not None else ()


def gate_owner(gate: str) -> str | None:
    """Who puts this scheduling gate on pods, and until when; None for one that is not known."""
    return OWNERS.get(gate)
