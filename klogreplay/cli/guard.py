"""Nothing leaves the program but an exit code and at most one line on stderr: no traceback, whatever happens."""

from __future__ import annotations

import errno
import os
import re
import sys

import typer

from klogreplay.cli import exits
from klogreplay.cli.app import app
from klogreplay.cli.output import STDOUT_CLOSED
from klogreplay.report.sanitize import sanitize_terminal

# typer brings its own click or uses the installed one, by version; both have the same base class of usage errors.
_ClickException = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")

NAME = "klogreplay"
_NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
_LONGEST_WORD = 400
_LONGEST_MESSAGE = 1000
COMPLETION = "_KLOGREPLAY_COMPLETE"
"""Set by the shell that asks for completions."""


def guarded(arguments: list[str]) -> int:
    """Run the application and turn every way it can end into an exit code."""
    try:
        result = _invoke(arguments or ["--help"])
        _flush()
    except exits.Stop as stop:
        if stop.code == exits.CANNOT_WRITE:
            _silence_stdout()
        return _say(stop.message, stop.code)
    except typer.Exit as end:
        # Help was asked for, which typer prints to a closed output without a word.
        if sys.stdout is None:
            return _say(f"cannot write{STDOUT_CLOSED}", exits.CANNOT_WRITE)
        return int(end.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return exits.INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return exits.BROKEN_PIPE
    except OSError as error:
        _silence_stdout()
        if error.errno in _NO_ROOM:
            return not_written(error)
        return _say(f"input or output failed: {error.strerror or error}", exits.CANNOT_WRITE)
    except Exception as error:
        if isinstance(error, _ClickException):
            return _usage(error)
        if os.environ.get("KLOGREPLAY_TRACEBACK"):
            raise
        kind = type(error).__name__
        return _say(f"internal error: {kind}: {error}; please report this, with the log if you can", exits.INTERNAL)
    return result if isinstance(result, int) else exits.CLEAN


def _invoke(arguments: list[str]) -> object:
    if COMPLETION in os.environ:
        return app(args=arguments, prog_name=NAME)
    # Not through the application's own main: it prints on Ctrl-C and turns a broken pipe into a failure.
    command = typer.main.get_command(app)
    with command.make_context(NAME, list(arguments)) as context:
        return command.invoke(context)


def say(message: str) -> None:
    """One line on stderr, safe to show. A closed stderr is no reason to fail."""
    try:
        if sys.stderr is not None:
            sys.stderr.write(f"klogreplay: {sanitize_terminal(_shortened(message))}\n")
            sys.stderr.flush()
    except (OSError, ValueError):
        pass


def _shortened(message: str) -> str:
    """A message with what is overlong in it cut: it quotes what the user gave."""
    if len(message) <= _LONGEST_WORD:
        return message
    from klogreplay.report.lines import shorten

    words = re.sub(rf"\S{{{_LONGEST_WORD + 1},}}", lambda word: shorten(word[0], _LONGEST_WORD // 4), message)
    return shorten(words, _LONGEST_MESSAGE)


def not_written(error: OSError) -> int:
    """Say that standard output cannot be written; gives the exit code."""
    closed = error.errno == errno.EBADF
    return _say(f"cannot write{STDOUT_CLOSED if closed else f': {error.strerror or error}'}", exits.CANNOT_WRITE)


def _say(message: str, code: int) -> int:
    say(message)
    return code


def _usage(error: BaseException) -> int:
    code = getattr(error, "exit_code", exits.USAGE)
    format_message = getattr(error, "format_message", None)
    message = format_message() if callable(format_message) else str(error)
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "klogreplay"
    if not message:
        return _say(f"see {command} --help", code)
    return _say(f"{message.rstrip('.')} (see {command} --help)", code)


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _silence_stdout() -> None:
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.close(devnull)
