"""All rules, in the order of their codes. A new rule is one file and one row here."""

from __future__ import annotations

from collections.abc import Iterable

from klogreplay.rules.base import Case, Rule
from klogreplay.rules.claims.kr301_claim_never_created import ClaimNeverCreated
from klogreplay.rules.claims.kr302_status_update_missing import StatusUpdateMissing
from klogreplay.rules.claims.kr303_claim_of_another_pod import ClaimOfAnotherPod
from klogreplay.rules.claims.kr304_legacy_name_taken import LegacyNameTaken
from klogreplay.rules.claims.kr305_claim_event_ignored_while_gated import ClaimEventIgnoredWhileGated
from klogreplay.rules.claims.kr306_reservation_conflict_parked import ReservationConflictParked
from klogreplay.rules.claims.kr307_no_claim_needed import NoClaimNeeded
from klogreplay.rules.log.kr901_undecided_parkings import UndecidedParkings
from klogreplay.rules.log.kr902_lines_not_understood import LinesNotUnderstood
from klogreplay.rules.log.kr903_no_attempts import NoAttempts
from klogreplay.rules.parkings.kr101_stale_plugins import StalePlugins
from klogreplay.rules.parkings.kr102_missed_events import MissedEvents
from klogreplay.rules.parkings.kr103_error_without_plugins import ErrorWithoutPlugins
from klogreplay.rules.parkings.kr110_unexplained_parking import UnexplainedParking
from klogreplay.rules.parkings.kr190_rescued_by_flush import RescuedByFlush
from klogreplay.rules.queue.kr104_node_add_swallowed import NodeAddSwallowed
from klogreplay.rules.queue.kr105_update_in_flight import UpdateInFlight
from klogreplay.rules.queue.kr106_dropped_by_lagging_informer import DroppedByLaggingInformer
from klogreplay.rules.queue.kr107_rejection_without_rejector import RejectionWithoutRejector
from klogreplay.rules.queue.kr108_preemption_loop import PreemptionLoop
from klogreplay.rules.queue.kr109_held_preemptor import HeldPreemptor
from klogreplay.rules.queue.kr111_late_rejection_parked import LateRejectionParked
from klogreplay.rules.queue.kr112_allocation_timeout_parked import AllocationTimeoutParked
from klogreplay.rules.queue.kr113_skip_disproved import SkipDisproved
from klogreplay.rules.queue.kr114_event_not_offered import EventNotOffered
from klogreplay.rules.queue.kr115_nomination_over import NominationOverTold
from klogreplay.rules.queue.kr116_phantom_nomination import PhantomNomination
from klogreplay.rules.queue.kr117_victim_never_deleted import VictimNeverDeleted
from klogreplay.rules.queue.kr120_waited_for_the_flush import WaitedForTheFlush
from klogreplay.rules.queue.kr201_recreated_pod_leaks import RecreatedPodLeaks
from klogreplay.rules.queue.kr202_in_flight_leak import InFlightLeak
from klogreplay.rules.queue.kr203_pod_tracked_twice import PodTrackedTwice
from klogreplay.rules.types import Finding

RULES: tuple[type[Rule], ...] = (
    StalePlugins,
    MissedEvents,
    ErrorWithoutPlugins,
    NodeAddSwallowed,
    UpdateInFlight,
    DroppedByLaggingInformer,
    RejectionWithoutRejector,
    PreemptionLoop,
    HeldPreemptor,
    UnexplainedParking,
    LateRejectionParked,
    AllocationTimeoutParked,
    SkipDisproved,
    EventNotOffered,
    NominationOverTold,
    PhantomNomination,
    VictimNeverDeleted,
    WaitedForTheFlush,
    RescuedByFlush,
    RecreatedPodLeaks,
    InFlightLeak,
    PodTrackedTwice,
    ClaimNeverCreated,
    StatusUpdateMissing,
    ClaimOfAnotherPod,
    LegacyNameTaken,
    ClaimEventIgnoredWhileGated,
    ReservationConflictParked,
    NoClaimNeeded,
    UndecidedParkings,
    LinesNotUnderstood,
    NoAttempts,
)

BY_CODE: dict[str, type[Rule]] = {rule.code: rule for rule in RULES}


def find_rule(code_or_name: str) -> type[Rule] | None:
    """The rule of a code ("KR101", any case) or of a name ("stale-plugins"); None for neither."""
    wanted = code_or_name.strip()
    found = BY_CODE.get(wanted.upper())
    if found is not None:
        return found
    return next((rule for rule in RULES if rule.name == wanted.lower()), None)


def run_rules(case: Case, rules: Iterable[type[Rule]] = RULES) -> list[Finding]:
    """Put a case to the rules. Findings come by rule, in the order given; within a rule in log order."""
    return [finding for rule in rules for finding in rule().check(case)]


def counts_as_defect(finding: Finding) -> bool:
    """Whether a finding makes the exit code 1: proven or likely, and no observation."""
    return not finding.observation and finding.grade in ("proven", "likely")
