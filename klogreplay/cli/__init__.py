"""The command line. Thin: arguments in, bytes and an exit code out; everything else is in the other packages."""

from __future__ import annotations

import os
import sys

from klogreplay import __version__


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code (see `klogreplay.cli.exits`).

    Nothing is imported before it is known to be needed: `--version` answers in a few milliseconds.
    """
    given = sys.argv[1:] if arguments is None else arguments
    try:
        if given == ["--version"]:
            return _print_version()
        from klogreplay.cli.guard import guarded

        return guarded(given)
    except KeyboardInterrupt:
        return 130
    except OSError:
        return 74


def _print_version() -> int:
    try:
        os.write(1, f"klogreplay {__version__}\n".encode())
    except OSError as error:
        from klogreplay.cli.guard import not_written

        return not_written(error)
    return 0
