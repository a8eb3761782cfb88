"""What the DynamicResources plugin says of a pod, taken apart.

The texts stand in `reason=` of the plugin's lines, in statuses and in errors. They are those of the releases 1.26 to
1.36; a text is one row of the table here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import msgspec

from klogreplay.claims.waits import WaitCode

ReasonCode = Literal[
    "not-created",
    "no-supported-field",
    "not-owner",
    "not-found",
    "being-deleted",
    "in-use",
    "unallocated",
    "reallocation",
    "in-allocation",
    "driver",
    "cannot-allocate",
    "conflict",
]

WAIT_OF: dict[ReasonCode, WaitCode] = {
    "not-created": "creation",
    "no-supported-field": "spec",
    "not-owner": "foreign",
    "not-found": "missing",
    "being-deleted": "deletion",
    "in-use": "in-use",
    "unallocated": "allocation",
    "reallocation": "deallocation",
    "in-allocation": "allocation",
    "driver": "driver",
    "cannot-allocate": "allocation",
    "conflict": "retry",
}


class Reason(msgspec.Struct, frozen=True):
    """One text read: `pod` and `claim` ("namespace/name", or a bare name) and `entry` where the text names them.

    `kind` is the resource that an update of collided on ("resourceclaims" or "podschedulingcontexts"), for conflicts.
    """

    code: ReasonCode
    text: str
    pod: str | None = None
    claim: str | None = None
    entry: str | None = None
    kind: str | None = None


_QUOTED = r'"(?P<{}>(?:[^"\\]|\\.)*)"'
_TEXTS: tuple[tuple[ReasonCode, str], ...] = (
    ("not-created", r'pod "(?P<pod>[^"]+)": ResourceClaim not created yet'),
    (
        "no-supported-field",
        r'pod "(?P<pod>[^"]+)", spec\.resourceClaim '
        + _QUOTED.format("entry")
        + r": none of the supported fields are set",
    ),
    (
        "not-owner",
        r"ResourceClaim (?P<claim>\S+) was not created for pod (?P<pod>\S+) \(pod is not owner\)",
    ),
    (
        "not-created",
        r"waiting for dynamic resource controller to create the resourceclaim " + _QUOTED.format("claim"),
    ),
    ("not-found", r"could not find ResourceClaim " + _QUOTED.format("claim")),
    ("not-found", r"resourceclaims?\.resource\.k8s\.io " + _QUOTED.format("claim") + r" not found"),
    ("being-deleted", r"resourceclaim " + _QUOTED.format("claim") + r" is being deleted"),
    (
        "conflict",
        r"Operation cannot be fulfilled on (?P<kind>resourceclaims|podschedulingcontexts|podschedulings)"
        r"\.resource\.k8s\.io " + _QUOTED.format("claim"),
    ),
    ("conflict", r"claim (?P<claim>\S+) got (?:allocated|deallocated|deleted) (?:elsewhere )?in the meantime"),
    ("in-allocation", r"resource claim (?P<claim>\S+) is in the process of being allocated"),
    ("in-use", r"resourceclaim in use"),
    ("unallocated", r"unallocated immediate resourceclaim"),
    ("reallocation", r"resourceclaim must be reallocated"),
    ("driver", r"waiting for resource driver to (?:allocate resource|provide information)"),
    ("cannot-allocate", r"cannot allocate all claims"),
    ("cannot-allocate", r"resourceclaim cannot be allocated for the node \(unsuitable\)"),
    ("cannot-allocate", r"resourceclaim not available on the node"),
)
_PATTERNS = tuple((code, re.compile(pattern)) for code, pattern in _TEXTS)

_LONGEST = 4096


def read_reason(text: str) -> Reason | None:
    """Read a text of the plugin wherever it stands in `text`; None where there is none.

    Of a text that says several things, the row that comes first in the table counts.
    """
    return _read(text[:_LONGEST])


@lru_cache(maxsize=1024)
def _read(text: str) -> Reason | None:
    for code, pattern in _PATTERNS:
        match = pattern.search(text)
        if match is not None:
            groups = match.groupdict()
            return Reason(
                code,
                match[0],
                pod=groups.get("pod"),
                claim=_unquoted(groups.get("claim")),
                entry=_unquoted(groups.get("entry")),
                kind=groups.get("kind"),
            )
    return None


_ESCAPE = re.compile(r'\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([abfnrtv"\\]))')
_SHORT = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", '"': '"', "\\": "\\"}


def _unquoted(text: str | None) -> str | None:
    if text is None or "\\" not in text:
        return text
    return _ESCAPE.sub(_char, text)


def _char(match: re.Match[str]) -> str:
    if match[4] is not None:
        return _SHORT[match[4]]
    code = int(match[1] or match[2] or match[3], 16)
    return chr(code) if code < 0x110000 else match[0]
