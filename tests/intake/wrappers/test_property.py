"""Nothing is lost on the way: the lines of the log and what was around them are the lines of the input."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from klogreplay.intake import InputStats, Limits
from klogreplay.intake.lines import LogLines
from klogreplay.intake.wrappers import WRAPPERS, PrefixWrapper
from klogreplay.intake.wrappers.chain import Chain
from tests.intake.forms import FORMS

HEADER = b'I0831 20:03:47.184243       1 a.go:1] "m" k="v"'
PREFIXES = [
    (wrapper, sample.text[index])
    for wrapper in WRAPPERS
    if isinstance(wrapper, PrefixWrapper) and type(wrapper).unwrap is PrefixWrapper.unwrap
    for sample in wrapper.samples
    for index in range(len(sample.text))
    if (unwrapped := wrapper.unwrap(sample.text[index])) is not None and not unwrapped.own
]
payloads = st.binary(max_size=60).filter(lambda data: b"\n" not in data)
chunk_sizes = st.lists(st.integers(1, 200), min_size=1, max_size=8)


def chunked(data: bytes, sizes: list[int]) -> list[bytes]:
    chunks = []
    at = 0
    while at < len(data):
        size = sizes[len(chunks) % len(sizes)]
        chunks.append(data[at : at + size])
        at += size
    return chunks


def read(
    data: bytes, sizes: list[int], limits: Limits | None = None
) -> tuple[list[tuple[bytes, int, int]], InputStats]:
    """Each line with the number and the offset of its first physical line, and the statistics; checks the count."""
    stats = InputStats("x")
    lines: list[tuple[bytes, int, int]] = []
    physical = 0
    for batch in LogLines(limits or Limits(), stats).batches(chunked(data, sizes)):
        places = batch.places()
        assert len(places) == len(batch.lines)
        lines += [(line, mark.number, mark.offset) for line, mark in zip(batch.lines, places, strict=True)]
        physical += sum(mark.physical for mark in places)
    assert physical + stats.framing == stats.lines
    return lines, stats


@given(payloads, st.sampled_from(PREFIXES))
def test_prefix_and_payload_joined_are_the_line(payload: bytes, known: tuple[PrefixWrapper, bytes]) -> None:
    wrapper, sample = known
    first = wrapper.unwrap(sample)
    assert first is not None
    prefix = sample[: sample.rindex(first.payload)] if first.payload else sample
    line = prefix + payload
    unwrapped = wrapper.unwrap(line)
    assert unwrapped is None or line.removesuffix(wrapper.end).endswith(unwrapped.payload)
    assert unwrapped is None or wrapper.take([line]) in (None, [unwrapped.payload])


@given(st.lists(payloads, max_size=12), chunk_sizes)
def test_lines_without_a_wrapper_are_as_they_are(lines: list[bytes], sizes: list[int]) -> None:
    data = b"".join(line + b"\n" for line in [HEADER] * 20 + lines)
    got, stats = read(data, sizes)
    assert b"".join(line + b"\n" for line, _, _ in got) == data or stats.wrappers or stats.warnings
    assert [number for _, number, _ in got] == list(range(1, len(got) + 1)) or stats.framing or stats.warnings
    for line, _, offset in got:
        assert data[offset:].startswith(line) or stats.wrappers or stats.warnings


@given(st.lists(payloads, max_size=12), chunk_sizes, st.sampled_from(PREFIXES))
def test_wrapped_lines_are_what_is_behind_the_prefix(
    lines: list[bytes], sizes: list[int], known: tuple[PrefixWrapper, bytes]
) -> None:
    wrapper, sample = known
    chain = Chain([wrapper])
    data = b"".join(line + b"\n" for line in [sample] * 20 + lines)
    got, stats = read(data, sizes)
    physical = data.split(b"\n")
    for line, number, offset in got:
        assert data[offset:].startswith(physical[number - 1] + b"\n")
        unwrapped = chain.unwrap(physical[number - 1])
        if stats.wrappers == (wrapper.name,) and unwrapped is not None and not stats.also and not stats.warnings:
            assert line == unwrapped.payload
    assert len(got) + stats.framing == len(physical) - 1 or stats.warnings


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_input_is_counted_to_its_last_line(data: st.DataObject) -> None:
    """Forms with bytes changed, cut out and put in: what is read may be little, but every line is accounted for."""
    form = data.draw(st.sampled_from(FORMS))
    text = bytearray(form.convert(LOG))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(0, len(text) - 1)))
        match data.draw(st.sampled_from(["cut", "put", "change", "repeat"])):
            case "cut":
                del text[at : at + data.draw(st.integers(1, 400))]
            case "put":
                text[at:at] = data.draw(
                    st.sampled_from([b"\n", b'"', b"{", b"]", b"\\", b"\0", b"\xff", b"> ", b",", b"\r"])
                )
            case "change":
                text[at : at + 1] = bytes([data.draw(st.integers(0, 255))])
            case "repeat":
                text[at:at] = text[at : at + data.draw(st.integers(1, 400))]
    read(bytes(text), data.draw(chunk_sizes))
    read(bytes(text), [1 << 16], Limits(line_bytes=300, reorder_bytes=2000))


@given(st.binary(max_size=400), chunk_sizes)
def test_any_bytes_are_counted(data: bytes, sizes: list[int]) -> None:
    read(data, sizes)


LOG = [
    'I0831 20:03:46.100000       1 server.go:154] "Starting Kubernetes Scheduler" version="v1.28.0"',
    'I0831 20:03:46.200000       1 server.go:160] "Using component config" config=<',
    "\tapiVersion: kubescheduler.config.k8s.io/v1",
    "\tkind: KubeSchedulerConfiguration",
    " >",
    *(
        f'I0831 20:03:47.{index:06}       1 schedule_one.go:80] "About to try and schedule pod" pod="default/p-{index}"'
        for index in range(10)
    ),
    'E0831 20:03:48.000000       1 schedule_one.go:983] "Error scheduling pod; retrying" err="a \\"b\\" c" pod="x/y"',
]
