"""Which files of a directory or an archive are logs, by their names."""

from __future__ import annotations

import re
from pathlib import PurePath

_COMPRESSED = re.compile(r"\.(?:gz|zst|zstd|xz|bz2|zip)\Z", re.IGNORECASE)
_LOG = re.compile(
    r"(?:\A|[._-])(?:logs?|txt|out|stdout|stderr|journal|INFO|WARNING|ERROR|FATAL)(?:[._-]|\Z)", re.IGNORECASE
)
_OTHER = re.compile(r"\.(?:json|ya?ml|md|py|go|html?|csv|toml|ini|conf|sh|sum|sha256|tar|tgz)\Z", re.IGNORECASE)


def is_log_name(path: str) -> bool:
    """Whether a file of that name is taken for a log.

    "scheduler.log", "0.log.20230831-2003.gz" and "kube-scheduler.INFO" are, "pods.json" is not.
    """
    name = PurePath(path).name
    if name.startswith("."):
        return False
    name = _COMPRESSED.sub("", name)
    return _LOG.search(name) is not None and _OTHER.search(name) is None
