"""The formats of a report: one file each, listed here.

A format is a module with a function `render(analysis, options)` that gives the report piece by piece: a whole one may
be larger than memory. It is imported when it is asked for, since only one of them is needed in a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

import msgspec

from klogreplay.report.model import Analysis


class Options(msgspec.Struct, frozen=True):
    """How to render. Formats take what concerns them.

    `colour` allows ANSI colours, `width` is the number of columns that prose is wrapped at (log lines never are),
    `details` asks for every parking to be listed.
    """

    colour: bool = False
    width: int = 100
    details: bool = False


Render = Callable[[Analysis, Options], Iterator[str]]

FORMATS: dict[str, str] = {
    "text": "klogreplay.report.formats.text",
    "markdown": "klogreplay.report.formats.markdown",
    "json": "klogreplay.report.formats.json",
}
"""The formats by name, with the module of each."""


def render(name: str, analysis: Analysis, options: Options | None = None) -> str:
    """Render a report in the format `name`, ending in a line break. KeyError for a name not in `FORMATS`."""
    return "".join(pieces(name, analysis, options or Options()))


def pieces(name: str, analysis: Analysis, options: Options) -> Iterator[str]:
    """The same, piece by piece."""
    module = import_module(FORMATS[name])
    return cast(Render, module.render)(analysis, options)
