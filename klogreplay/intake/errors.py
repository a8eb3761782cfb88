"""Why an input cannot be read. Each message is one line and names the input as the user gave it."""

from __future__ import annotations


class IntakeError(Exception):
    """An input that cannot be read; the program ends with exit code 3.

    `can_be_lifted`: only a limit keeps it from being read, which the user can lift.
    """

    can_be_lifted = False


class MissingInputError(IntakeError):
    """There is no such file, or it may not be read."""


class NoLogsError(IntakeError):
    """A directory or an archive without a log file."""


class EmptyInputError(IntakeError):
    """An input without a byte, or without anything but line breaks and NUL bytes."""


class BinaryInputError(IntakeError):
    """An input that is no text."""


class DamagedInputError(IntakeError):
    """Compressed data of which nothing can be read."""


class InputTooLargeError(IntakeError):
    """Compressed data that grows beyond the limits: most likely a decompression bomb."""

    can_be_lifted = True


class DeviceInputError(IntakeError):
    """A device that holds no log and may have no end, such as /dev/zero."""
