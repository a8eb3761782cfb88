"""From paths and standard input to lines: compression, encoding, wrappers and limits are dealt with here."""

from __future__ import annotations

from klogreplay.intake.errors import IntakeError
from klogreplay.intake.input_stats import InputStats
from klogreplay.intake.limits import Limits
from klogreplay.intake.line import LogLine
from klogreplay.intake.source import Source, follow_source, open_source
from klogreplay.intake.tail import Tail

__all__ = ["InputStats", "IntakeError", "Limits", "LogLine", "Source", "Tail", "follow_source", "open_source"]
