"""The scheduler process: its start with version, flags, feature gates and configuration, its leases, its end."""

from __future__ import annotations

import re

from klogreplay.events import types as ev
from klogreplay.events.reading import Line, PrintfForm, Reader, printf
from klogreplay.events.values import boolean, gates, optional_text, text
from klogreplay.klog.values import unquote

_GIT_VERSION = re.compile(r"GitVersion:\"?([^\s\",}]+)")
_CONFIG_END = "Configuration File Contents End Here"


def _flag(line: Line) -> ev.SchedulerEvent:
    return ev.Flag(**line.base, name=line.group("name"), value=unquote(line.group("value")))


def _version(printed: str) -> str | None:
    """ "v1.28.0"; 1.21 and before may print the whole version.Info."""
    found = _GIT_VERSION.search(printed)
    return found[1] if found else printed or None


def _started(line: Line) -> ev.SchedulerEvent:
    printed = line.group("version") if line.match else optional_text(line.values.get("version")) or ""
    return ev.SchedulerStarted(**line.base, version=_version(printed))


def _gates_updated(line: Line) -> ev.SchedulerEvent | None:
    """1.36's structured line; the message "Updated" alone says too little to be one."""
    values = line.values
    if "featureGates" not in values:
        return None
    return ev.FeatureGatesLogged(**line.base, gates=gates(values["featureGates"]))


def _gates_printed(line: Line) -> ev.SchedulerEvent:
    return ev.FeatureGatesLogged(**line.base, gates=gates(line.group("gates")))


def _gate_warning(line: Line) -> ev.SchedulerEvent:
    values = line.values
    return ev.FeatureGatesLogged(**line.base, gates={text(values.get("featureGate")): boolean(values.get("value"))})


def _gate_warning_printed(line: Line) -> ev.SchedulerEvent:
    return ev.FeatureGatesLogged(**line.base, gates={line.group("gate"): line.group("value") == "true"})


def _config(line: Line) -> ev.SchedulerEvent | None:
    config = line.values.get("config")
    return None if config is None else ev.ComponentConfig(**line.base, config=text(config))


def _config_printed(line: Line) -> ev.SchedulerEvent:
    config = line.group("config")
    ending = config.rfind(_CONFIG_END)
    if ending >= 0:
        config = config[:ending].rstrip("-").rstrip("\n")
    return ev.ComponentConfig(**line.base, config=config)


def _lease(what: str) -> Reader:
    return lambda line: ev.LeaderElection(**line.base, what=what)


def _terminating(reason: str) -> Reader:
    return lambda line: ev.Terminating(**line.base, reason=reason)


_GATE_KINDS = ("setting GA", "setting deprecated", "overriding default of GA", "overriding default of deprecated")

STRUCTURED: dict[str, Reader] = {
    "Starting Kubernetes Scheduler": _started,
    "Starting Kubernetes Scheduler version": _started,
    "Using component config": _config,
    "Updated": _gates_updated,
    **{f"Warning: {kind} feature gate. It will be removed in a future release.": _gate_warning for kind in _GATE_KINDS},
    "Attempting to acquire leader lease...": _lease("attempting"),
    "Successfully acquired lease": _lease("acquired"),
    "Successfully renewed lease": _lease("renewed"),
    "Lease is held by and has not yet expired": _lease("held-by-other"),
    "Lease is held and has not yet expired": _lease("held-by-other"),
    "Failed to acquire lease": _lease("failed"),
    "Failed to renew lease": _lease("lost"),
    "Requested to terminate, exiting": _terminating("requested"),
    "Requested to terminate. Exiting.": _terminating("requested"),
    "Leaderelection lost": _terminating("leader election lost"),
    "leaderelection lost": _terminating("leader election lost"),
}

PRINTF: tuple[PrintfForm, ...] = (
    printf("FLAG: --", r"(?P<name>[^=\s]+)=(?P<value>\".*\")", _flag),
    printf("Starting Kubernetes Scheduler version ", r"(?P<version>.+)", _started),
    printf("feature gates: ", r"(?P<gates>.+)", _gates_printed),
    *(
        printf(
            f"{kind[0].upper()}{kind[1:]} feature gate ",
            r"(?P<gate>[^=\s]+)=(?P<value>true|false)\..*",
            _gate_warning_printed,
        )
        for kind in _GATE_KINDS
    ),
    printf(
        "Using component config\n",
        r"-+Configuration File Contents Start Here-+ *\n(?P<config>.*)",
        _config_printed,
    ),
    printf("Using component config:\n", r"(?P<config>.*)", _config_printed),
    printf("attempting to acquire leader lease", r" +.*", _lease("attempting")),
    printf("successfully acquired lease ", r".*", _lease("acquired")),
    printf("successfully renewed lease ", r".*", _lease("renewed")),
    printf("lock is held by ", r".* and has not yet expired.*", _lease("held-by-other")),
    printf("failed to acquire lease ", r".*", _lease("failed")),
    printf("failed to renew lease ", r".*", _lease("lost")),
)
