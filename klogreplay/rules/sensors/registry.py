"""All sensors. A new one is one file and one row here."""

from __future__ import annotations

from typing import Any

from klogreplay.rules.sensors.base import Sensor
from klogreplay.rules.sensors.dropped_pods import DroppedPods
from klogreplay.rules.sensors.flush_rescues import FlushRescues
from klogreplay.rules.sensors.in_flight_ghosts import InFlightGhosts
from klogreplay.rules.sensors.kept_victims import KeptVictims
from klogreplay.rules.sensors.late_rejections import LateRejections
from klogreplay.rules.sensors.nominations import Nominations
from klogreplay.rules.sensors.phantoms import Phantoms
from klogreplay.rules.sensors.preemptions import Preemptions
from klogreplay.rules.sensors.recreated_pods import RecreatedPods
from klogreplay.rules.sensors.tracked_twice import TrackedTwice
from klogreplay.rules.sensors.updates_in_flight import UpdatesInFlight

SENSORS: tuple[type[Sensor[Any]], ...] = (
    RecreatedPods,
    InFlightGhosts,
    UpdatesInFlight,
    TrackedTwice,
    Preemptions,
    LateRejections,
    DroppedPods,
    Nominations,
    Phantoms,
    KeptVictims,
    FlushRescues,
)
