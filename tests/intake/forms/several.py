"""Logs in several files, in archives and from several schedulers: from the lines of a plain log to what is there."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import zstandard

from tests.intake.forms.base import HEADER, YEAR, text

Files = dict[str, bytes]


class SeveralForm(NamedTuple):
    """One form: the files, and how many schedulers' findings they hold."""

    name: str
    title: str
    make: Callable[[Sequence[str]], Files]
    schedulers: int = 1


def records(lines: Sequence[str]) -> list[list[str]]:
    """The lines of each record."""
    found: list[list[str]] = []
    for line in lines:
        if HEADER.match(line) or not found:
            found.append([])
        found[-1].append(line)
    return found


def pieces(lines: Sequence[str], count: int) -> list[bytes]:
    """The log cut between records."""
    found = records(lines)
    size = len(found) // count + 1
    return [text([line for record in found[n : n + size] for line in record]) for n in range(0, len(found), size)]


def moved(lines: Sequence[str], by: timedelta, pod: str, pid: int) -> list[str]:
    """The same story at another time, with another pod, told by another process."""

    def header(match: re.Match[str]) -> str:
        month, day, hours, minutes, seconds, micros = (int(part) for part in match.groups()[1:7])
        time = datetime(YEAR, month, day, hours, minutes, seconds, micros) + by
        return f"{match[1]}{time:%m%d %H:%M:%S.%f} {pid:>7} {match[9]}] "

    return [HEADER.sub(header, line, count=1).replace("worker-v2f54w6dc-5fc7c", pod) for line in lines]


def _one(lines: Sequence[str]) -> list[str]:
    return moved(lines, timedelta(0), "worker-a", 1)


def _other(lines: Sequence[str], by: timedelta = timedelta(seconds=1.3)) -> list[str]:
    return moved(lines, by, "worker-b", 1)


def _rotated(lines: Sequence[str]) -> Files:
    old, middle, new = pieces(lines, 3)
    zipped = gzip.compress(old, mtime=0)
    return {"scheduler.log": new, "scheduler.log.1": middle, "scheduler.log.2.gz": zipped}


def _kubelet(lines: Sequence[str]) -> Files:
    old, new = pieces(lines, 2)
    folder = "kube-system_kube-scheduler-node-1_82c9aa5d/kube-scheduler"
    return {f"{folder}/0.log.20231201-072600.gz": gzip.compress(old, mtime=0), f"{folder}/0.log": new}


_PREAMBLE = """Log file created at: 2023/12/01 07:25:07
Running on machine: node-1
Binary: Built with gc go1.20.7 for linux/amd64
Log line format: [IWEF]mmdd hh:mm:ss.uuuuuu threadid file:line] msg
"""


def _klog_files(lines: Sequence[str], *, one_output: bool) -> Files:
    files: Files = {}
    for severity, name in (("I", "INFO"), ("W", "WARNING"), ("E", "ERROR")):
        taken = severity if one_output else "IWEF"["IWE".index(severity) :]
        kept = [line for record in records(lines) if record[0][0] in taken for line in record]
        if kept:
            own = f"kube-scheduler.node-1.root.log.{name}.20231201-072507.8060"
            files[own] = _PREAMBLE.encode() + text(kept)
    return files


def _tar(files: Files) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def _zip(files: Files) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2023, 12, 1, 8, 0, 0)), data)
    return out.getvalue()


def _joined(lines: Sequence[str]) -> bytes:
    """Two replicas as `kubectl logs --prefix -l component=kube-scheduler` gives them, by their times."""
    rows: list[tuple[str, str]] = []
    for name, log in (("a", _one(lines)), ("b", _other(lines))):
        time = ""
        for line in log:
            header = HEADER.match(line)
            time = header[0][1:21] if header else time
            rows.append((time, f"[pod/kube-scheduler-{name}/kube-scheduler] {line}"))
    return text([line for _, line in sorted(rows, key=lambda row: row[0])])


def _with_dump(lines: Sequence[str]) -> bytes:
    """SIGUSR2 was sent while the pod was parked for the second time."""
    at = next(n for n, line in enumerate(lines) if "UnschedulableTimeout" in line)
    dump = [
        'I1201 07:25:20.000000    8060 dumper.go:62] "Dump of scheduling queue" '
        'summary="activeQ:0; backoffQ:0; unschedulablePods:1" pods=<',
        "\tname: worker-v2f54w6dc-5fc7c, namespace: default, uid: 82c9aa5d, phase: Pending, nominated node: ",
        " >",
    ]
    return text([*lines[:at], *dump, *lines[at:]])


SEVERAL: tuple[SeveralForm, ...] = (
    SeveralForm("rotated", "rotated by logrotate, the oldest compressed", _rotated),
    SeveralForm("kubelet", "rotated by kubelet, in its folders", _kubelet),
    SeveralForm(
        "klog-files", "klog's own files by severity (`-log_dir`)", lambda lines: _klog_files(lines, one_output=False)
    ),
    SeveralForm("klog-one-output", "the same with `-one_output`", lambda lines: _klog_files(lines, one_output=True)),
    SeveralForm(
        "gzip", "gzip, by a name that does not tell", lambda lines: {"log": gzip.compress(text(lines), mtime=0)}
    ),
    SeveralForm("zstd", "zstd", lambda lines: {"a.log": zstandard.ZstdCompressor().compress(text(lines))}),
    SeveralForm("xz", "xz", lambda lines: {"a.log": lzma.compress(text(lines))}),
    SeveralForm("bzip2", "bzip2", lambda lines: {"a.log": bz2.compress(text(lines))}),
    SeveralForm("zip", "zip of the rotated files", lambda lines: {"logs.zip": _zip(_rotated(lines))}),
    SeveralForm("tar", "tar of the rotated files", lambda lines: {"logs.tar": _tar(_rotated(lines))}),
    SeveralForm(
        "tar-gz",
        "tar of kubelet's folders, compressed",
        lambda lines: {"logs.tgz": gzip.compress(_tar(_kubelet(lines)), mtime=0)},
    ),
    SeveralForm(
        "replicas",
        "both replicas of a pair",
        lambda lines: {"a/0.log": text(_one(lines)), "b/0.log": text(_other(lines))},
        2,
    ),
    SeveralForm(
        "replicas-joined",
        "both replicas in one stream (`kubectl logs --prefix`)",
        lambda lines: {"a.log": _joined(lines)},
        2,
    ),
    SeveralForm(
        "restart",
        "a process and the one after it, with the same process id",
        lambda lines: {"a.log": text([*_one(lines), *_other(lines, timedelta(hours=1))])},
        2,
    ),
    SeveralForm("dump", "with a dump on SIGUSR2", lambda lines: {"a.log": _with_dump(lines)}),
)
