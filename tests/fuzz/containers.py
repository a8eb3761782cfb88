"""Compressed logs and archives, and how they are damaged."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from random import Random

import zstandard

Pack = Callable[[Random, list[bytes]], bytes]

_MEMBERS = (
    "scheduler.log", "scheduler.log.1", "a/kube-scheduler.log", "kube-scheduler.h.root.log.INFO.20230831-200347.1",
    "log", "../up.log", "/etc/x.log", "notes.md", "\x1b[31m.log", "a\nb.log", "x" * 200 + ".log", "٣.log",
)  # fmt: skip


def _joined(logs: list[bytes]) -> bytes:
    return b"\n".join(logs)


def _zstd(rnd: Random, logs: list[bytes]) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=rnd.random() < 0.5).compress(_joined(logs))


def _members_zstd(rnd: Random, logs: list[bytes]) -> bytes:
    return b"".join(zstandard.compress(log) for log in logs)


def _zip(rnd: Random, logs: list[bytes]) -> bytes:
    out = io.BytesIO()
    how = rnd.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, log in zip(rnd.sample(_MEMBERS, len(logs)), logs, strict=True):
            archive.writestr(zipfile.ZipInfo(name, (2023, 8, 31, 20, 3, 46)), log, how)
    return out.getvalue()


def _tar(rnd: Random, logs: list[bytes]) -> bytes:
    out = io.BytesIO()
    form = rnd.choice((tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT))
    with tarfile.open(fileobj=out, mode="w", format=form, bufsize=tarfile.BLOCKSIZE) as archive:
        for log in logs:
            name = rnd.choice(_MEMBERS)
            info = tarfile.TarInfo(name[-90:] if form == tarfile.USTAR_FORMAT else name)
            info.size, info.mtime = len(log), 1693512226
            info.type = rnd.choice((tarfile.REGTYPE,) * 6 + (tarfile.SYMTYPE, tarfile.GNUTYPE_SPARSE))
            if info.type != tarfile.REGTYPE:
                info.size = 0
            archive.addfile(info, io.BytesIO(log))
    return out.getvalue().rstrip(b"\0") + b"\0" * rnd.choice((0, 300, 1024, 2048))


PACKS: tuple[Pack, ...] = (
    lambda rnd, logs: gzip.compress(_joined(logs), 1, mtime=0),
    lambda rnd, logs: b"".join(gzip.compress(log, 1, mtime=0) for log in logs),
    lambda rnd, logs: bz2.compress(_joined(logs), 1),
    lambda rnd, logs: lzma.compress(_joined(logs), preset=0),
    _zstd, _members_zstd, _zip, _zip, _tar, _tar,
    lambda rnd, logs: gzip.compress(_tar(rnd, logs), 1, mtime=0),
    lambda rnd, logs: zstandard.compress(_tar(rnd, logs)),
    lambda rnd, logs: lzma.compress(_tar(rnd, logs), preset=0),
    lambda rnd, logs: bz2.compress(_tar(rnd, logs), 1),
    lambda rnd, logs: gzip.compress(gzip.compress(_joined(logs), 1, mtime=0), 1, mtime=0),
    lambda rnd, logs: _zip(rnd, [gzip.compress(log, 1, mtime=0) for log in logs]),
)  # fmt: skip


def _flip(rnd: Random, data: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(rnd.randint(1, 3)):
        at = rnd.randrange(min(len(out), 700) if rnd.random() < 0.7 else len(out))
        out[at] = rnd.randrange(256)
    return bytes(out)


def _cut(rnd: Random, data: bytes) -> bytes:
    at = rnd.randrange(len(data))
    return data[:at] if rnd.random() < 0.7 else data[:at] + data[at + rnd.randint(1, 600) :]


def _trail(rnd: Random, data: bytes) -> bytes:
    return data + rnd.choice((b"\0" * 700, b"trailing", data[: rnd.randint(1, 40)], data))


def _fill(rnd: Random, data: bytes) -> bytes:
    at = rnd.randrange(len(data))
    size = rnd.choice((4, 12, 100))
    return data[:at] + rnd.choice((b"\xff", b"\0", b"9")) * size + data[at + size :]


_DAMAGE = (_flip, _flip, _cut, _cut, _trail, _fill)


def damaged(rnd: Random, logs: list[bytes]) -> bytes:
    """These logs in a container that is, mostly, not whole any more."""
    data = rnd.choice(PACKS)(rnd, logs)
    for _ in range(rnd.randint(0, 3)):
        data = rnd.choice(_DAMAGE)(rnd, data)
    return data
