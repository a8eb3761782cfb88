"""What the name of a file tells: whether it is a log, of which container, and which other files it was rotated from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

_COMPRESSED = re.compile(r"\.(?:gz|zst|zstd|xz|bz2|zip)\Z", re.IGNORECASE)
_LOG = re.compile(
    r"(?:\A|[._-])(?:logs?|txt|out|stdout|stderr|journal|INFO|WARNING|ERROR|FATAL)(?:[._-]|\Z)", re.IGNORECASE
)
_OTHER = re.compile(r"\.(?:json|ya?ml|md|py|go|html?|csv|toml|ini|conf|sh|sum|sha256|tar|tgz)\Z", re.IGNORECASE)

_ROTATED = re.compile(
    r"(?:(?<![0-9])\.[0-9]{1,4}|[._-][0-9]{8}(?:[._T-]?[0-9]{4,6})?"
    r"|[._-][0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T_-][0-9]{2}[:.-]?[0-9]{2}(?:[:.-]?[0-9]{2}(?:\.[0-9]{1,9})?)?)?)"
    r"(?=\.(?:log|txt|out)\Z|\Z)"
)
"""What logrotate, kubelet and lumberjack put into the name of a file they moved away, before or after its ending."""

_KLOG = re.compile(
    r"(?P<of>[^/]+)\.log\.(?P<severity>INFO|WARNING|ERROR|FATAL)\.(?P<time>[0-9]{8}-[0-9]{6})\.(?P<pid>[0-9]{1,10})\Z"
)
"""klog's own names (klog_file.go, all releases): program.host.user.log.SEVERITY.date-time.pid."""

_CONTAINER = re.compile(
    r"(?:\A|/)(?:"
    r"[^/_]+_(?P<pod1>[^/_]+)_[^/_]+/(?P<container1>[^/]+)/[^/]+"
    r"|(?P<pod2>[^/_]+)_[^/_]+_(?P<container2>[^/]+)-[0-9a-f]{64}\.log[^/]*"
    r"|pods/(?P<pod3>[^/]+)/(?P<container3>[^/]+)/(?:[^/]+/)?logs/[^/]+"
    r")\Z"
)
"""kubelet's /var/log/pods and /var/log/containers, and the folders of `oc adm must-gather` and `inspect`."""


def is_log_name(path: str) -> bool:
    """Whether a file of that name is taken for a log.

    "scheduler.log", "0.log.20230831-2003.gz" and "kube-scheduler.INFO" are, "pods.json" is not.
    """
    name = PurePath(path).name
    if name.startswith("."):
        return False
    name = _COMPRESSED.sub("", name)
    return _LOG.search(name) is not None and _OTHER.search(name) is None


def family(path: str) -> str:
    """What all files of one rotation have in common: the path without compression and rotation marks.

    "scheduler.log", "scheduler.log.1" and "scheduler.log.2.gz" are of one family, "0.log" and "1.log" are not: the
    number there counts the container's restarts.
    """
    path = _COMPRESSED.sub("", path)
    own = klog_name(path)
    if own is not None:
        return f"{own.of}.log.{own.severity} of {own.pid}"
    folder, slash, name = path.rpartition("/")
    return folder + slash + _ROTATED.sub("", name)


class KlogName(NamedTuple):
    """The parts of a file name that klog chose: `of` is folder, program, host and user."""

    of: str
    severity: str
    pid: int


def klog_name(path: str) -> KlogName | None:
    """The parts of a file name that klog chose (`-log_dir`); None of any other."""
    folder, slash, name = _COMPRESSED.sub("", path).rpartition("/")
    match = _KLOG.match(name)
    return None if match is None else KlogName(folder + slash + match["of"], match["severity"], int(match["pid"]))


class Container(NamedTuple):
    """Whose log a file is, by its folders."""

    pod: str
    name: str

    @property
    def likeness(self) -> int:
        """How much it looks like a scheduler: 2 by its own name, 1 by that of a neighbour in its pod, 0 not at all."""
        if self.name.endswith("scheduler"):
            return 2
        return int("scheduler" in self.pod or "scheduler" in self.name)


def container_of(path: str) -> Container | None:
    """The container by the folders of kubelet, `oc adm must-gather` or `oc adm inspect`; None outside of these."""
    match = _CONTAINER.search(path)
    if match is None:
        return None
    number = next(n for n in (1, 2, 3) if match[f"container{n}"] is not None)
    return Container(match[f"pod{number}"], match[f"container{number}"])


def labels(paths: Sequence[str]) -> list[str]:
    """The paths without the folders that all of them share."""
    parts = [path.split("/") for path in paths]
    shared = 0
    while all(len(each) > shared + 1 and each[shared] == parts[0][shared] for each in parts):
        shared += 1
    return ["/".join(each[shared:]) for each in parts]
