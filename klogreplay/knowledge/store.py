"""Reading the data files of this package.

They are gzipped JSON under `data/`, made by `tools/build_knowledge.py`. Each is read once, at its first use, through
importlib.resources, so that it is found in a wheel and in a zip file as well.
"""

from __future__ import annotations

import gzip
from importlib import resources
from typing import TypeVar

import msgspec

T = TypeVar("T")

PACKAGE = "klogreplay.knowledge"


def load(name: str, type_: type[T]) -> T:
    """Decode `data/<name>.json.gz` into `type_`; the caller keeps the result."""
    data = resources.files(PACKAGE).joinpath("data", f"{name}.json.gz").read_bytes()
    return msgspec.json.decode(gzip.decompress(data), type=type_)
