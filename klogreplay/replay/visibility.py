"""What a log can show: the verbosity that its lines prove, and which lines that verbosity would print."""

from __future__ import annotations

from collections.abc import Iterable

from klogreplay import knowledge


class Visibility:
    """Follows the verbosity that the lines of one process prove and answers what would have been printed.

    `proven` is the highest -v that a line seen needs, None before any. A claim that a line of level n would have been
    printed rests on a line of level n or above having been seen, or on the process' own -v flag.
    """

    def __init__(self, releases: Iterable[str] = ()) -> None:
        self.proven: int | None = None
        self.releases: tuple[str, ...] = tuple(releases)
        self._levels: dict[str, int | None] = {}
        self._least: dict[str, int | None] = {}

    def set_releases(self, releases: Iterable[str]) -> None:
        """The releases that the log may be of; a level holds only where all of them print the line at it or below."""
        self.releases = tuple(releases)
        self._levels.clear()
        self._least.clear()

    def saw_level(self, level: int) -> None:
        """A line was seen that needs -v=`level`, or a flag that sets it."""
        if self.proven is None or level > self.proven:
            self.proven = level

    def saw_line(self, line_name: str) -> None:
        """A line of the level table was seen: it proves the least level at which a possible release prints it."""
        if line_name not in self._least:
            levels = [knowledge.line_level(release, line_name) for release in self.releases]
            numbers = [0 if level == "E" else int(level) for level in levels if level is not None]
            self._least[line_name] = min(numbers, default=None)
        level = self._least[line_name]
        if level is not None:
            self.saw_level(level)

    def level_of(self, line_name: str) -> int | None:
        """The level that prints the line in every release the log may be of; None where one has no such line."""
        if line_name not in self._levels:
            levels: list[int] = []
            found = True
            for release in self.releases:
                level = knowledge.line_level(release, line_name)
                if level is None:
                    found = False
                    break
                levels.append(0 if level == "E" else int(level))
            self._levels[line_name] = max(levels) if found and levels else None
        return self._levels[line_name]

    def prints(self, line_name: str) -> bool:
        """Whether the line would surely have been printed."""
        level = self.level_of(line_name)
        return level is not None and self.proven is not None and self.proven >= level
