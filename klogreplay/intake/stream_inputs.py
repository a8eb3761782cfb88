"""Each of several logs in one stream as an input of its own: see `klogreplay.intake.stream_logs`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from klogreplay.intake.batch import Batch
from klogreplay.intake.input_stats import InputStats
from klogreplay.intake.stream_logs import MOST_LOGS, Named, StreamLogs


class _Stream(msgspec.Struct):
    """A file's logs, the inputs that they are, and the short name of the file."""

    logs: StreamLogs
    sources: list[int]
    label: str


class StreamInputs:
    """Adds to `inputs` what logs the files hold besides their first; `labels` get a short name for each of several.

    `chain_of` tells which log a file goes on with, as long as it has but one.
    """

    def __init__(self, inputs: list[InputStats], labels: dict[int, str], chain_of: Callable[[int], int]) -> None:
        self._inputs = inputs
        self._labels = labels
        self._chain_of = chain_of
        self._named: dict[int, Named] = {}
        self._streams: dict[int, _Stream] = {}
        self._files: dict[int, int] = {}
        self._chains: dict[int, int] = {}
        self._by_name: dict[tuple[int, str], int] = {}

    def add(self, stats: InputStats, named: Named) -> int:
        """Make an input of a file whose lines `named` tells of; gives its index."""
        self._inputs.append(stats)
        self._named[len(self._inputs) - 1] = named
        return len(self._inputs) - 1

    def file_of(self, source: int) -> int:
        """The first input of the file that an input is of."""
        return self._files.get(source, source)

    def chain_of(self, source: int) -> int:
        """Which log an input is of: the index of the first input of this log."""
        chain = self._chains.get(source)
        return self._chain_of(source) if chain is None else chain

    def apart(self, batches: Iterable[tuple[int, Batch]]) -> Iterator[tuple[int, Batch]]:
        """The batches of files, those of each log with an index of their own."""
        last = -1
        for file, batch in batches:
            if file != last:
                yield from self._rest(last)
                last = file
            if batch.raw is None and file not in self._streams:
                yield file, batch
                continue
            stream = self._streams.get(file)
            if stream is None:
                label = self._labels.get(file, "")
                stream = self._streams[file] = _Stream(StreamLogs(self._named[file]), [file], label)
            yield from self._renumbered(file, stream, stream.logs.parted(batch))
        yield from self._rest(last)
        self._complete()

    def _rest(self, file: int) -> Iterator[tuple[int, Batch]]:
        stream = self._streams.get(file)
        if stream is not None:
            yield from self._renumbered(file, stream, stream.logs.rest())

    def _renumbered(
        self, file: int, stream: _Stream, batches: Iterable[tuple[int, Batch]]
    ) -> Iterator[tuple[int, Batch]]:
        for number, batch in batches:
            self._note(file, stream)
            if number:
                lines = sum(mark.physical for mark in batch.places())
                self._inputs[stream.sources[number]].lines += lines
                self._inputs[file].lines -= lines
            yield stream.sources[number], batch

    def _note(self, file: int, stream: _Stream) -> None:
        """Make inputs of logs that are new; a name goes on with what had it in the file before."""
        names, chain = stream.logs.names, self._chain_of(file)
        if names[0] and file not in self._chains:
            taken = chain in self._by_name.values()
            self._chains[file] = self._by_name.setdefault((chain, names[0]), file if taken else chain)
        if len(names) == len(stream.sources):
            return
        whole = self._inputs[file]
        for name in names[len(stream.sources) :]:
            self._inputs.append(InputStats(whole.name, wrappers=whole.wrappers, log=name))
            source = len(self._inputs) - 1
            stream.sources.append(source)
            self._files[source] = file
            self._chains[source] = self._by_name.setdefault((chain, name), source)
        whole.log = names[0]
        for source, name in zip(stream.sources, names, strict=True):
            self._labels[source] = f"{stream.label} {name}" if stream.label else name

    def _complete(self) -> None:
        """The files were read to their ends."""
        for file, stream in self._streams.items():
            whole = self._inputs[file]
            for source in stream.sources[1:]:
                self._inputs[source].bytes, self._inputs[source].sha256 = whole.bytes, whole.sha256
            if stream.logs.too_many:
                whole.warnings.append(
                    f"{whole.name}: more than {MOST_LOGS} logs in one stream; {stream.logs.too_many} lines of further "
                    "ones are read as one, and what is said of them may be wrong"
                )
