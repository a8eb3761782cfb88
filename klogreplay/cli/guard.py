"""Nothing leaves the program but an exit code and at most one line on stderr: no traceback, whatever happens."""

from __future__ import annotations

import os
import sys

import typer

from klogreplay.cli import exits
from klogreplay.cli.app import app
from klogreplay.report.sanitize import sanitize_terminal

# typer brings its own click or uses the installed one, by version; both have the same base class of usage errors.
_ClickException = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")

NAME = "klogreplay"
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
        return int(end.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return exits.INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return exits.BROKEN_PIPE
    except OSError as error:
        _silence_stdout()
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
            sys.stderr.write(f"klogreplay: {sanitize_terminal(message)}\n")
            sys.stderr.flush()
    except (OSError, ValueError):
        pass


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
