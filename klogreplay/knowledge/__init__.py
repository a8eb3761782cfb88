"""Facts per Kubernetes release, as data: what its scheduler prints, registers, defaults to, and gets wrong.

The names below are imported at their first use, and each data file is read at its first look-up.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # Type checkers take the name for true; importing typing would cost most of this import.
if TYPE_CHECKING:
    from typing import Any

    from klogreplay.knowledge.behaviour import (
        behaviours,
        leftover_every_seconds,
        leftover_limit_seconds,
        line_level,
    )
    from klogreplay.knowledge.event import cluster_event, queue_moves
    from klogreplay.knowledge.gate import gate_by_stage, gate_default, gate_info, gate_value
    from klogreplay.knowledge.gate_seen import GateFinding
    from klogreplay.knowledge.hint import hint_lines, hint_messages
    from klogreplay.knowledge.identify import EvidenceLine, Identification, Identifier, SeenBehaviour
    from klogreplay.knowledge.matching import matches
    from klogreplay.knowledge.moves import site_function
    from klogreplay.knowledge.plugin import default_plugins, event_effect, registrations
    from klogreplay.knowledge.plugin_table import (
        PluginTable,
        PluginTableError,
        bundled_table,
        bundled_tables,
        parse_plugin_table,
        skeleton,
    )
    from klogreplay.knowledge.reason import plugins_of_reason
    from klogreplay.knowledge.release import (
        catalogue_of,
        main_releases,
        nearest_release,
        normalise_release,
        release_key,
        releases,
    )
    from klogreplay.knowledge.scheduling_gates import gate_owner, gates_in
    from klogreplay.knowledge.types import Behaviours, EventFact, GateInfo, HintMessage, Registration
    from klogreplay.knowledge.upstream import AffectingBug, Bug, FixedIn, bug, bugs, bugs_affecting, fixed_in

_HOMES = {
    "behaviour": ("behaviours", "leftover_every_seconds", "leftover_limit_seconds", "line_level"),
    "event": ("cluster_event", "queue_moves"),
    "gate": ("gate_by_stage", "gate_default", "gate_info", "gate_value"),
    "gate_seen": ("GateFinding",),
    "hint": ("hint_lines", "hint_messages"),
    "identify": ("EvidenceLine", "Identification", "Identifier", "SeenBehaviour"),
    "matching": ("matches",),
    "plugin": ("default_plugins", "event_effect", "registrations"),
    "plugin_table": (
        "PluginTable",
        "PluginTableError",
        "bundled_table",
        "bundled_tables",
        "parse_plugin_table",
        "skeleton",
    ),
    "reason": ("plugins_of_reason",),
    "release": (
        "catalogue_of",
        "main_releases",
        "nearest_release",
        "normalise_release",
        "release_key",
        "releases",
    ),
    "moves": ("site_function",),
    "scheduling_gates": ("gate_owner", "gates_in"),
    "upstream": ("AffectingBug", "Bug", "FixedIn", "bug", "bugs", "bugs_affecting", "fixed_in"),
    "types": ("Behaviours", "EventFact", "GateInfo", "HintMessage", "Registration"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AffectingBug",
    "Behaviours",
    "Bug",
    "EventFact",
    "EvidenceLine",
    "FixedIn",
    "GateFinding",
    "GateInfo",
    "HintMessage",
    "Identification",
    "Identifier",
    "PluginTable",
    "PluginTableError",
    "Registration",
    "SeenBehaviour",
    "behaviours",
    "bug",
    "bugs",
    "bugs_affecting",
    "bundled_table",
    "bundled_tables",
    "catalogue_of",
    "cluster_event",
    "default_plugins",
    "event_effect",
    "fixed_in",
    "gate_by_stage",
    "gate_default",
    "gate_info",
    "gate_owner",
    "gate_value",
    "gates_in",
    "hint_lines",
    "hint_messages",
    "leftover_every_seconds",
    "leftover_limit_seconds",
    "line_level",
    "main_releases",
    "matches",
    "nearest_release",
    "normalise_release",
    "parse_plugin_table",
    "plugins_of_reason",
    "queue_moves",
    "registrations",
    "release_key",
    "releases",
    "site_function",
    "skeleton",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its module at its first use."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
