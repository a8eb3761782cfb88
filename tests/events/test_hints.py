"""The lines of hint functions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from klogreplay.events import hints
from klogreplay.events import types as ev
from tests.events.reading import event_of, made

NOT_HELPED = "node was created or updated, but it doesn't make this pod schedulable"
PVC_CREATED = "PVC that is referred from the pod was created, which might make this pod schedulable"
POD_DELETED = "another scheduled pod was deleted, and it may make the unscheduled pod schedulable"
CLASS_UPDATED = "StorageClass was updated, but it doesn't make this pod schedulable"
SAME_NAME = "device class has identical extended resource name"
LABEL_UPDATED = (
    "a scheduled pod's label was updated and it makes the updated pod match or unmatch the pod's topology spread"
    " constraints"
)


@pytest.mark.parametrize(
    ("message", "file", "key", "plugin", "worth"),
    [
        (NOT_HELPED, "node_affinity.go", "pod", "NodeAffinity", False),
        (NOT_HELPED, "node_unschedulable.go", "pod", "NodeUnschedulable", False),
        (PVC_CREATED, "csi.go", "pod", "NodeVolumeLimits", True),
        (PVC_CREATED, "volume_restrictions.go", "pod", "VolumeRestrictions", True),
        (POD_DELETED, "renamed.go", "pod", "NodeResourcesFit", True),
        (CLASS_UPDATED, "volume_binding.go", "Pod", "VolumeBinding", False),
        (SAME_NAME, "fit.go", "pod", "NodeResourcesFit", False),
        (LABEL_UPDATED, "plugin.go", "pod", "PodTopologySpread", True),
        ("status of claim for pod got updated", "dynamicresources.go", "pod", "DynamicResources", True),
    ],
)
def test_whose_line_it_is_and_what_it_says(message: str, file: str, key: str, plugin: str, worth: bool) -> None:
    event = event_of(made(message, file=file, values={key: "a/b", "claim": "a/c", "reason": "r"}))
    assert isinstance(event, ev.HintLine)
    assert (event.pod, event.plugin, event.worth, event.message) == ("a/b", plugin, worth, message)
    assert (event.claims, event.reason) == (("a/c",), "r")


def test_a_shared_text_from_an_unknown_file_is_nobodys() -> None:
    assert event_of(made(NOT_HELPED, file="other.go", values={"pod": "a/b"})) is None


def test_a_line_without_a_pod_tells_nothing() -> None:
    assert event_of(made("PodSchedulingContext got deleted", file="dynamicresources.go")) is None


@pytest.mark.recorded
def test_every_catalogued_hint_line_has_its_plugin(recorded: Path) -> None:
    """Of all call sites in hint functions that print a pod, over 117 releases: the event names the right plugin."""
    catalog = recorded / "catalog"
    types: dict[tuple[str, str], set[str]] = {}
    for release in json.loads((catalog / "plugins.json").read_text()).values():
        for name, facts in release["plugins"].items():
            for kind in re.split(r"[,\s]+", facts["types"]):
                types.setdefault((facts["package"].rpartition("/")[2], kind.lower()), set()).add(name)
    sites = json.loads((catalog / "callsites_more.json").read_text())["records"]
    for release_sites in json.loads((catalog / "callsites.json").read_text())["versions"].values():
        sites.extend(release_sites)
    checked = set()
    for site in sites:
        found = re.match(r"\(\*(\w+)\)\.isSchedulableAfter", site["func"])
        keys = {*site["keys"], *site.get("withValuesKeys", ())} & {"pod", "Pod"}
        if found is None or site["severity"] != "I" or not keys:
            continue
        event = event_of(made(site["message"], file=site["file"], values={keys.pop(): "a/b"}))
        assert isinstance(event, ev.HintLine), site["message"]
        assert types[site["package"].rpartition("/")[2], found[1].lower()] == {event.plugin}
        assert event.worth is not None, site["message"]
        checked.add(site["message"])
    assert len(checked) >= 142
    assert checked <= hints.STRUCTURED.keys()
