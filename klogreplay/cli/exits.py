"""The exit codes, and the one way for a command to end with a message."""

from __future__ import annotations

CLEAN = 0
"""Nothing found, or nothing that `--fail-on` counts."""
FINDINGS = 1
"""Something found that `--fail-on` counts."""
USAGE = 2
"""The command line is wrong."""
UNREADABLE = 3
"""An input is missing, empty, binary, or no scheduler's log."""
INTERNAL = 70
"""A defect of this program; please report it."""
CANNOT_WRITE = 74
"""The output cannot be written, or the input broke while it was read."""
INTERRUPTED = 130
"""Ctrl-C."""
BROKEN_PIPE = 141
"""The reader of the output went away (`| head`)."""


class Stop(Exception):  # noqa: N818 - not every stop is an error
    """Ends the run with one line on stderr and an exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


def unreadable(message: str) -> Stop:
    """An input cannot be used."""
    return Stop(message, UNREADABLE)


def cannot_write(message: str) -> Stop:
    """The output cannot be written; `message` says why."""
    return Stop(f"cannot write{message}", CANNOT_WRITE)


def not_read(error: Exception) -> Stop:
    """An input cannot be read, as an IntakeError or ObjectsError says. Where a limit is the reason, how to lift it."""
    lifted = "; --no-limits reads it all the same" if getattr(error, "can_be_lifted", False) else ""
    return unreadable(f"{error}{lifted}")


def usage(message: str) -> Stop:
    """The command line is wrong in a way that only the command itself can tell."""
    return Stop(message, USAGE)
