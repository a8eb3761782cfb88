"""What log text passes before people see it: one function for each place it is shown in.

Log text is written by whoever may create a pod. In a terminal it could move the cursor or hide itself, in a ticket
mention people and close issues, in a web page run scripts. All functions here give one line of text and never raise;
lone surrogates, which stand for bytes that were not UTF-8, do not survive any of them.
"""

from __future__ import annotations

import html
import re

_SURROGATES = re.compile("[\ud800-\udfff]")

# Letters by their class, but with no glyph: str.isprintable() lets them pass.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0" + "".join(map(chr, range(0xFE00, 0xFE10))))
_INVISIBLE_RE = re.compile(f"[{''.join(sorted(_INVISIBLE))}\U000e0100-\U000e01ef]")

_MARKDOWN_SPECIAL = str.maketrans(
    {char: f"\\{char}" for char in "\\`*_[]#|~$"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
)
_MARKDOWN_START = re.compile(r"^(?:([-+=])(?=[-+=\s]|$)|(\d{1,9})([.)])(?=\s|$))")
# What GitHub turns into a link or a mention after the Markdown is rendered, where a backslash does not help.
_MARKDOWN_LIVE = re.compile(
    r"(?i)@|#(?=\d)|(?<![a-z0-9])(?:gh-(?=\d)|(?:https?|ftp|mailto|xmpp):|www(?=\.)|(?=\d*[a-f])[0-9a-f]{7,40}(?![a-z0-9]))"
)
_WORD_JOINER = "\u2060"
_BACKTICKS = re.compile("`+")


def readable(text: str) -> str:
    """Text that every encoder takes: lone surrogates become U+FFFD. For machine formats, else left as it is."""
    return _SURROGATES.sub("\ufffd", text) if not text.isascii() else text


class _Escapes(dict[int, str]):
    """What each code point is shown as, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char.isprintable() and not _INVISIBLE_RE.match(char):
            shown = char
        elif 0xDC80 <= code <= 0xDCFF:
            shown = f"\\x{code - 0xDC00:02x}"
        else:
            shown = char.encode("unicode_escape").decode("ascii")
        self[code] = shown
        return shown


_ESCAPES = _Escapes({ord("\t"): " "})


def sanitize_terminal(text: str) -> str:
    r"""Text for a terminal, on one line.

    Control characters (ESC and C1 among them), line breaks, bidi and other format characters, invisible letters,
    private-use and unassigned code points are shown as escapes such as `\x1b` or `\u202e`. A tab becomes a blank.
    """
    if text.isascii():
        if text.isprintable():
            return text
    elif text.isprintable() and not _INVISIBLE_RE.search(text):
        return text
    return text.translate(_ESCAPES)


def sanitize_html(text: str) -> str:
    """Text for an HTML element or a quoted attribute."""
    return html.escape(sanitize_terminal(text), quote=True)


def sanitize_markdown(text: str) -> str:
    """Text for a Markdown paragraph, heading, list item or table cell.

    Blanks at both ends are dropped, HTML and Markdown punctuation escaped. Mentions, issue references, bare links and
    commit hashes are broken by a word joiner (invisible, no break), since GitHub links them after Markdown is done.
    """
    safe = sanitize_terminal(text).strip()
    broken = _MARKDOWN_LIVE.sub(_break, safe)
    return _MARKDOWN_START.sub(_escape_start, broken.translate(_MARKDOWN_SPECIAL))


def _escape_start(match: re.Match[str]) -> str:
    sign, number, dot = match.groups()
    return f"\\{sign}" if sign else f"{number}\\{dot}"


def _break(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 1 or not found[0].isalnum():
        return found + _WORD_JOINER
    return found[:1] + _WORD_JOINER + found[1:]


def markdown_code(text: str) -> str:
    """Text as a Markdown code span, in which GitHub links and renders nothing."""
    safe = sanitize_terminal(text)
    longest = max((len(run) for run in _BACKTICKS.findall(safe)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest or not safe.strip() or (safe[0] == " " and safe[-1] == " ") else ""
    return f"{fence}{pad}{safe or ' '}{pad}{fence}"


def markdown_fence(lines: list[str]) -> list[str]:
    """Lines as a Markdown code block, which no line within can close."""
    safe = [sanitize_terminal(line) for line in lines]
    longest = max((len(run) for line in safe for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *safe, fence]
