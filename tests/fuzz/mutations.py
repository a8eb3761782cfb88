"""What happens to logs, and what somebody may do to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from tests.fuzz import seeds
from tests.intake.wrappers.test_doubling import UNITS
from tests.report.test_sanitize import ATTACKS

Mutation = Callable[[Random, bytes], bytes]

TOKENS = (
    *(unit for unit in UNITS.values()),
    *(attack.encode("utf-8", "surrogatepass") for attack in ATTACKS),
    b"\n", b"\r\n", b"\r", b"\t", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x1b[31m", b"\\", b'"', b"'",
    b"=", b" =", b"=<\n\t", b"\n >", b"[", b"]", b"{", b"}", b"map[", b'{"a":', b"...", b"\xe2\x80\xa8", b" F ", b" P ",
    b"-1", b"1_0", b"1e999", b"NaN", b"9" * 30, b"9" * 5000, b"18446744073709551616", b"0x", "٣".encode(), b"\\ud800",
    b'\\"', b"\\x1b", b"\\xff", b"\\U0010ffff", b"%!v(PANIC=", b"<nil>", b'pod=""', b'pod="/"', b'pod="a/b/c"',
    b'hint=9999999999999999999', b"schedulingCycle=1e9", b"schedulingCycle=-1", b"unschedulable plugins={", b" k=v",
    b"I1301 25:61:61.999999       1 x.go:1] ", b"E0229 23:59:59.000000       1 ", b'{"ts":-1,"msg":null}',
    b"W0101 00:00:00.000000 9999999 a:0] ", b'{"ts":1e308,"caller":"a.go:1","msg":"m"}',
    b'{"ts":253402300800000,"msg":"x"}',
)  # fmt: skip
"""Short texts that mean something to some reader."""

WRAPPERS = (
    b"2023-08-31T20:03:47.184Z stderr F ", b"2023-08-31T20:03:47.184Z stdout P ", b"[pod/a/b] ", b"> ", b"    ", b"\t",
    b"scheduler.log:12:", b"Aug 31 20:03:47 host kube-scheduler[1]: ", b"<30>1 2023-08-31T20:03:47Z h k 1 - - ",
    b"\x1b[36m",
    "│ ".encode(), b"12 ", b"kube-system kube-scheduler-a \xe2\x80\xba ", b"    scheduler.go:1: ", b"```", b"==> a <==",
)  # fmt: skip
"""Starts of lines that look like a wrapper's."""


def flip(rnd: Random, data: bytes) -> bytes:
    """Some bytes are others."""
    out = bytearray(data)
    for _ in range(rnd.randint(1, 4)):
        at = rnd.randrange(len(out))
        out[at] = rnd.randrange(256) if rnd.random() < 0.5 else out[at] ^ (1 << rnd.randrange(8))
    return bytes(out)


def cut(rnd: Random, data: bytes) -> bytes:
    """A stretch is missing."""
    at = rnd.randrange(len(data))
    return data[:at] + data[at + rnd.randint(1, 200) :]


def end(rnd: Random, data: bytes) -> bytes:
    """The beginning or the end is missing."""
    at = rnd.randrange(len(data))
    return data[at:] if rnd.random() < 0.5 else data[:at]


def insert(rnd: Random, data: bytes) -> bytes:
    """A text stands somewhere in it."""
    at = rnd.randrange(len(data) + 1)
    return data[:at] + rnd.choice(TOKENS) + data[at:]


def repeat(rnd: Random, data: bytes) -> bytes:
    """A stretch stands there several times."""
    at = rnd.randrange(len(data))
    stretch = data[at : at + rnd.choice((1, 2, 8, 60, 300))]
    return data[:at] + stretch * rnd.choice((1, 2, 3, 40)) + data[at:]


def replace(rnd: Random, data: bytes) -> bytes:
    """What stands between two quotes, or behind a key, is another text."""
    mark = rnd.choice((b'"', b"=", b" ", b":", b"/"))
    at = data.find(mark, rnd.randrange(len(data)))
    to = data.find(mark, at + 1)
    if at < 0 or to < 0:
        return insert(rnd, data)
    return data[: at + 1] + rnd.choice(TOKENS) + data[to:]


def number(rnd: Random, data: bytes) -> bytes:
    """A digit is many."""
    at = rnd.randrange(len(data))
    digit = next((place for place in range(at, len(data)) if data[place : place + 1].isdigit()), None)
    if digit is None:
        return insert(rnd, data)
    return data[:digit] + rnd.choice((b"9" * 20, b"9" * 5000, b"-1", b"0" * 40, b"1e400", b"")) + data[digit + 1 :]


def deepen(rnd: Random, data: bytes) -> bytes:
    """Brackets or quotes, many levels deep."""
    at = rnd.randrange(len(data) + 1)
    opening = rnd.choice((b"[", b"{", b'{"a":', b'"', b'\\"', b"map[", b"&{", b"(", b"<"))
    return data[:at] + opening * rnd.choice((3, 60, 1500)) + data[at:]


def _in_lines(change: Callable[[Random, list[bytes]], list[bytes]]) -> Mutation:
    def changed(rnd: Random, data: bytes) -> bytes:
        return b"\n".join(change(rnd, data.split(b"\n")))

    return changed


def _lose(rnd: Random, lines: list[bytes]) -> list[bytes]:
    return [line for line in lines if rnd.random() > 0.3]


def _double(rnd: Random, lines: list[bytes]) -> list[bytes]:
    at = rnd.randrange(len(lines))
    return lines[:at] + lines[at : at + rnd.randint(1, 5)] * rnd.randint(2, 4) + lines[at + 1 :]


def _swap(rnd: Random, lines: list[bytes]) -> list[bytes]:
    at, to = rnd.randrange(len(lines)), rnd.randrange(len(lines))
    lines[at], lines[to] = lines[to], lines[at]
    return lines


def _turn(rnd: Random, lines: list[bytes]) -> list[bytes]:
    return lines[::-1]


def _wrap(rnd: Random, lines: list[bytes]) -> list[bytes]:
    prefix = rnd.choice(WRAPPERS)
    often = rnd.choice((1.0, 1.0, 0.5))
    return [prefix + line if rnd.random() < often else line for line in lines]


def _tear(rnd: Random, lines: list[bytes]) -> list[bytes]:
    at = rnd.randrange(len(lines))
    width = rnd.choice((10, 40, 80, 120))
    return lines[:at] + [lines[at][n : n + width] for n in range(0, len(lines[at]), width)] + lines[at + 1 :]


def _interleave(rnd: Random, lines: list[bytes]) -> list[bytes]:
    at = rnd.randrange(len(lines))
    inner, where = rnd.choice(lines), rnd.randrange(len(lines[at]) + 1)
    return [*lines[:at], lines[at][:where] + inner, lines[at][where:], *lines[at + 1 :]]


def splice(rnd: Random, data: bytes) -> bytes:
    """Lines of another log, maybe of another dialect and wrapper, stand between."""
    lines, others = data.split(b"\n"), seeds.piece(rnd).split(b"\n")
    at = rnd.randrange(len(lines) + 1)
    return b"\n".join(lines[:at] + others + lines[at:])


def crlf(rnd: Random, data: bytes) -> bytes:
    """Other line breaks."""
    return data.replace(b"\n", rnd.choice((b"\r\n", b"\r", b"\r\r\n", b"\n\n", b"\n\0")))


def encoded(rnd: Random, data: bytes) -> bytes:
    """In another encoding."""
    text = data.decode("utf-8", "replace")
    return text.encode(rnd.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32", "utf-7")), "replace")


def quoted(rnd: Random, data: bytes) -> bytes:
    """Inside a string of something else."""
    body = data.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return (
        rnd.choice((b'{"log":"%s"}', b'{"textPayload":"%s"}', b'"%s"', b'[{"message":"%s"}]', b'{"MESSAGE":"%s"}'))
        % body
    )


MUTATIONS: tuple[Mutation, ...] = (
    flip, flip, cut, end, insert, insert, insert, repeat, replace, replace, number, deepen, splice, splice, crlf,
    encoded, quoted, *map(_in_lines, (_lose, _double, _swap, _turn, _wrap, _wrap, _tear, _interleave)),
)  # fmt: skip
"""All of them; what stands here twice is likelier."""


def applied(changes: Iterable[tuple[int, Random]], data: bytes) -> bytes:
    """The log after these changes, each told by its index."""
    for index, rnd in changes:
        if data:
            data = MUTATIONS[index](rnd, data)
    return data
