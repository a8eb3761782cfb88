"""Each wrapper's samples through every reader: the right one takes them, the others leave them alone."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Sequence

import pytest

import klogreplay.intake.wrappers as package
from klogreplay.intake import InputStats, Limits
from klogreplay.intake.batch import Batch
from klogreplay.intake.lines import LogLines
from klogreplay.intake.wrappers import WRAPPERS, PrefixWrapper, Wrapper
from klogreplay.intake.wrappers.base import Sample
from klogreplay.intake.wrappers.exports import EXPORTS, Export, recognise_export
from klogreplay.intake.wrappers.json_lines import JsonWrapper
from klogreplay.intake.wrappers.recognise import recognise
from klogreplay.intake.wrappers.stream import Unwrapper

SAMPLES = [
    pytest.param(wrapper, sample, id=f"{wrapper.name}-{index}")
    for index, (wrapper, sample) in enumerate((w, s) for w in WRAPPERS for s in w.samples)
]
EXPORT_SAMPLES = [
    pytest.param(export, sample, id=f"{export.title}-{index}")
    for export in EXPORTS
    for index, sample in enumerate(export.samples)
]
NO_WRAPPERS = {"base", "chain", "exports", "header", "json_lines", "recognise", "stream"}


def read(chunks: Sequence[bytes]) -> tuple[list[bytes], list[Batch], InputStats]:
    stats = InputStats("x")
    batches = list(LogLines(Limits(), stats).batches(chunks))
    return [line for batch in batches for line in batch.lines], batches, stats


def cut(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def test_every_module_of_a_wrapper_is_in_the_registry() -> None:
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)} - NO_WRAPPERS
    registered = []
    for name in modules:
        module = importlib.import_module(f"{package.__name__}.{name}")
        registered += [module.WRAPPER] if hasattr(module, "WRAPPER") else list(module.WRAPPERS)
    assert {id(wrapper) for wrapper in registered} == {id(wrapper) for wrapper in WRAPPERS}
    assert len({wrapper.title for wrapper in WRAPPERS}) == len(WRAPPERS)
    assert all(wrapper.samples for wrapper in WRAPPERS)


@pytest.mark.parametrize(("wrapper", "sample"), SAMPLES)
def test_a_sample_is_taken_by_its_wrapper(wrapper: Wrapper, sample: Sample) -> None:
    assert [found.title for found in recognise(sample.text)] == [wrapper.title]
    unwrapper = Unwrapper(1 << 20)
    batches = list(unwrapper.batches([Batch(list(sample.text), 1, 0)]))
    assert [line for batch in batches for line in batch.lines] == list(sample.lines)
    physical = sum(mark.physical for batch in batches for mark in batch.places())
    assert physical + unwrapper.framing == len(sample.text)


@pytest.mark.parametrize(("wrapper", "sample"), SAMPLES)
def test_a_sample_is_left_alone_by_the_others(wrapper: Wrapper, sample: Sample) -> None:
    others = [other for other in WRAPPERS if other.title != wrapper.title]
    assert [other.name for other in others if recognise(sample.text, [other])] == []


@pytest.mark.parametrize(("wrapper", "sample"), SAMPLES)
def test_lines_are_taken_together_as_they_are_one_by_one(wrapper: Wrapper, sample: Sample) -> None:
    whole = [
        (line, unwrapped.payload)
        for line in sample.text
        if (unwrapped := wrapper.unwrap(line)) is not None and not unwrapped.own and not unwrapped.partial
    ]
    taken = wrapper.take([line for line, _ in whole])
    assert taken is None or taken == [payload for _, payload in whole]
    single = not any(b"\n" in payload for _, payload in whole)
    if isinstance(wrapper, PrefixWrapper | JsonWrapper) and single and wrapper.unwrap(b"something else") is None:
        assert taken is not None
        assert wrapper.take([*(line for line, _ in whole), b"something else", b"\x00"]) is None


@pytest.mark.parametrize(("export", "sample"), EXPORT_SAMPLES)
@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_an_export_is_taken_by_its_reader(export: Export, sample: Sample, size: int) -> None:
    text = b"\n".join(sample.text) + b"\n"
    found = recognise_export(text)
    assert found is not None
    assert found[0] is export
    lines, batches, stats = read(list(cut(text, size)))
    assert lines == list(sample.lines)
    assert sum(mark.physical for batch in batches for mark in batch.places()) + stats.framing == stats.lines
    numbers = [mark.number for batch in batches for mark in batch.places()]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(("export", "sample"), EXPORT_SAMPLES)
def test_an_export_is_left_alone_by_the_other_readers(export: Export, sample: Sample) -> None:
    text = b"\n".join(sample.text) + b"\n"
    assert [other.title for other in EXPORTS if other is not export and other.open(text) is not None] == []


@pytest.mark.parametrize(("wrapper", "sample"), SAMPLES)
def test_lines_of_a_wrapper_are_no_export(wrapper: Wrapper, sample: Sample) -> None:
    assert recognise_export(b"\n".join(sample.text) + b"\n") is None
