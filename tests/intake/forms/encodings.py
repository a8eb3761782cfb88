"""Encodings and line ends."""

from __future__ import annotations

import codecs

from tests.intake.forms.base import Form, text

FORMS: tuple[Form, ...] = (
    Form("plain", "klog text", text),
    Form("crlf", "CRLF line ends", lambda lines: text(lines, "\r\n")),
    Form("bom", "UTF-8 with byte order mark", lambda lines: codecs.BOM_UTF8 + text(lines)),
    Form(
        "utf-16",
        "UTF-16 with byte order mark, CRLF (PowerShell's >)",
        lambda lines: codecs.BOM_UTF16_LE + text(lines, "\r\n").decode().encode("utf-16-le"),
    ),
    Form("utf-16-bare", "UTF-16 without a mark", lambda lines: text(lines).decode().encode("utf-16-le")),
    Form("nul", "a hole of NUL bytes in front", lambda lines: b"\0" * 5000 + text(lines)),
)
