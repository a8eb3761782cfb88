"""The error texts of failed attempts: the FitError's reasons, and where a plain error comes from.

The FitError has its own grammar, grammars/fiterror.lark. Which plugin gives which reason is `klogreplay.knowledge`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lark import Token, Tree
from lark.exceptions import LarkError

from klogreplay.klog.grammar import load_grammar

_MEMO = 4096


class FitError(NamedTuple):
    """Why no node fits.

    `total` is the number of nodes. `reasons` are (count, text) in printed order; the count is None for the text of a
    PreFilter plugin that turned the pod away as a whole (then `prefilter` is True and that text is the first).
    `postfilter` is what PostFilter said, None where it said nothing; it holds no reasons for the failure. The final
    "." that 1.26-1.28 add to a text that has one already is taken off.
    """

    total: int
    reasons: tuple[tuple[int | None, str], ...]
    prefilter: bool
    postfilter: str | None


class ErrorSource(NamedTuple):
    """Where an error came from. `plugin` is None where the text names none (a wait at Permit, scores)."""

    extension_point: str
    plugin: str | None


@lru_cache(maxsize=_MEMO)
def parse_fit_error(err: str) -> FitError | None:
    """The FitError that prints like this; None where the text is no FitError. Linear in the text, raises nothing."""
    if not err.startswith("0/"):
        return None
    try:
        tree = load_grammar("fiterror.lark", "start").parse(err)
    except LarkError:
        return None
    head = ""
    reasons: list[tuple[int | None, str]] = []
    postfilter = None
    prefilter = False
    for part in tree.children:
        if isinstance(part, Tree):
            if part.data == "prefilter":
                text = _text(part.children[0])
                if text:
                    prefilter = True
                    reasons.append((None, text))
            else:
                reasons.extend(map(_reason, part.children))
        elif part.type == "HEAD":
            head = str(part)
        else:
            postfilter = _without_doubled_dot(str(part).strip()) or None
    return FitError(int(head[2 : head.index(" ")]), tuple(reasons), prefilter, postfilter)


def _text(token: Token | Tree[Token]) -> str:
    return str(token).strip()


def _reason(token: Token | Tree[Token]) -> tuple[int | None, str]:
    count, _, text = _text(token).partition(" ")
    return int(count), text


def _without_doubled_dot(text: str) -> str:
    return text[:-1] if text.endswith("..") else text


_NAME = r"\"(?P<plugin>[^\"]+)\""
_POINTS = {
    point.lower(): point for point in ("PreFilter", "Filter", "PreScore", "Reserve", "Permit", "PreBind", "Bind")
}
_SOURCES: tuple[tuple[re.Pattern[str], str | None], ...] = tuple(
    (re.compile(pattern), point)
    for point, pattern in (
        # 1.20 and later; a binding failure up to 1.25 has "binding rejected: " before.
        (None, rf"(?:binding rejected: )?running (?P<point>{'|'.join(_POINTS.values())}) plugin {_NAME}: "),
        (None, rf"running {_NAME} (?P<point>filter) plugin\b"),
        ("PreFilter", rf"running (?:AddPod|RemovePod) on PreFilter plugin {_NAME}: "),
        ("Score", rf"running (?:Normalize on )?Score plugins: (?:plugin {_NAME} failed with)?"),
        ("Permit", r"waiting on permit for pod: "),
        # 1.36: the binding of a pod in PreBind was cancelled by its preemptor.
        ("PreBind", r"preempted by (?P<plugin>[A-Za-z0-9_.-]+)\Z"),
        # 1.18 and 1.19.
        (
            None,
            rf"error while running (?:Reserve in )?{_NAME} (?P<point>pre(?:filter|score|bind)|reserve|permit) plugin\b",
        ),
        ("PreFilter", rf"error while running (?:AddPod|RemovePod) for plugin {_NAME}"),
        ("Score", r"error while running (?:normalize )?score plugin\b"),
        ("Bind", rf"(?:Binding rejected: )?plugin {_NAME} failed to bind pod "),
        ("Permit", r"error received while waiting on permit for pod "),
    )
)
# Longer texts are looked at no further: the words stand in front, the plugin's own error behind them.
_LONGEST_HEAD = 512


def error_source(err: str) -> ErrorSource | None:
    """Which extension point, and which plugin at it, an error attempt's text names; None where it names none."""
    head = err[:_LONGEST_HEAD]
    for pattern, point in _SOURCES:
        found = pattern.match(head)
        if found:
            groups = found.groupdict()
            return ErrorSource(point or _POINTS[groups["point"].lower()], groups.get("plugin"))
    return None
