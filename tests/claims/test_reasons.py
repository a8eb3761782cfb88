from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from klogreplay.claims.reasons import Reason, read_reason


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ('pod "a/b": ResourceClaim not created yet', "not-created", {"pod": "a/b"}),
        (
            'pod "a/b", spec.resourceClaim "g\\"p\\u00a0u": none of the supported fields are set',
            "no-supported-field",
            {"pod": "a/b", "entry": 'g"p\u00a0u'},
        ),
        (
            "ResourceClaim a/c was not created for pod a/b (pod is not owner)",
            "not-owner",
            {"pod": "a/b", "claim": "a/c"},
        ),
        (
            'waiting for dynamic resource controller to create the resourceclaim "b-gpu"',
            "not-created",
            {"claim": "b-gpu"},
        ),
        ('could not find ResourceClaim "a/c"', "not-found", {"claim": "a/c"}),
        ('resourceclaim.resource.k8s.io "c" not found', "not-found", {"claim": "c"}),
        ('resourceclaims.resource.k8s.io "c" not found', "not-found", {"claim": "c"}),
        ('resourceclaim "c" is being deleted', "being-deleted", {"claim": "c"}),
        ("0/4 nodes are available: resourceclaim in use. no new claims to deallocate", "in-use", {}),
        ("0/1 nodes are available: 1 waiting for resource driver to allocate resource.", "driver", {}),
        ("waiting for resource driver to provide information", "driver", {}),
        ("0/3 nodes are available: 3 cannot allocate all claims. still not schedulable", "cannot-allocate", {}),
        ("resource claim a/c is in the process of being allocated", "in-allocation", {"claim": "a/c"}),
        (
            'running Reserve plugin "DynamicResources": Operation cannot be fulfilled on '
            'podschedulingcontexts.resource.k8s.io "b": the object has been modified; please apply your changes to '
            "the latest version and try again",
            "conflict",
            {"claim": "b", "kind": "podschedulingcontexts"},
        ),
        ("claim a/c got allocated elsewhere in the meantime", "conflict", {"claim": "a/c"}),
    ],
)
def test_texts(text: str, code: str, named: dict[str, str]) -> None:
    found = read_reason(text)
    assert found is not None
    assert found == Reason(found.code, found.text, **named)
    assert found.code == code
    assert found.text in text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0/4 nodes are available: 4 Insufficient cpu.",
        "no new claims to deallocate",
        'Operation cannot be fulfilled on pods "b": the object has been modified',
        'pod "a/b": ResourceClaim was created',
    ],
)
def test_other_texts(text: str) -> None:
    assert read_reason(text) is None


def test_endless_text_takes_no_time() -> None:
    start = time.process_time()
    for text in ('"' * 500_000, "\\" * 500_000, "ResourceClaim " * 50_000, 'spec.resourceClaim "' + "a" * 500_000):
        assert read_reason(text) is None
    assert time.process_time() - start < 1


@pytest.mark.recorded
def test_every_reason_that_keeps_a_pod_waiting_is_read(recorded: Path) -> None:
    """The texts of PreFilter and PreEnqueue, over all releases of the catalogue; the rest is about nodes or classes."""
    plugins = json.loads((recorded / "catalog" / "plugins.json").read_text())
    texts = {
        row["text"].replace("%s", "a/c").replace("%q", '"c"')
        for release in plugins.values()
        for row in release["reasonIndex"]
        if row["plugins"] == ["DynamicResources"] and row["from"].endswith((".PreFilter", ".Reserve"))
    }
    unread = {text for text in texts if read_reason(text) is None}
    about_other_things = (
        "internal error",
        "look up resource class",
        "resource class",
        "request",
        "claim allocation",
        "resource claim a/c, request",
        "nil allocated state",
        "gather allocation state",
        "resourceclaim depends on disabled",
    )
    assert {text for text in unread if not text.startswith(about_other_things)} == set()
    assert len(texts) - len(unread) >= 6
