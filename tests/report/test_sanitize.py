"""An attack corpus against each place that log text is shown in."""

from __future__ import annotations

import html.parser
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from klogreplay.report.sanitize import (
    markdown_code,
    markdown_fence,
    readable,
    sanitize_html,
    sanitize_markdown,
    sanitize_terminal,
)

ATTACKS = [
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "\x9b2J",
    "\x00\x01\x08\x7f",
    "a\rOK: nothing found",
    "a\nb",
    "a\u2028b\u2029c\x85d\x0bd\x0ce",
    "\u202egpj.exe",
    "\u2066\u2067\u2068\u2069\u061c\u200e\u200f",
    "zero\u200bwidth\u200d\ufeff\u2060",
    "\U000e0041\U000e0042 tags",
    "\u3164\u115f\uffa0 fillers",
    "\ufe0f\U000e0100 selectors",
    "\udcff\udc80\ud800 surrogates",
    "\ue000 \U000f0000 private \uffff",
    "[/x]",
    "[red]text[/red] [link=https://evil.example]x[/link]",
    ":smile: :skull:",
    "@kubernetes/sig-scheduling-bugs @someone",
    "fixes #1, closes kubernetes/kubernetes#120334, GH-12",
    "[click](https://evil.example) ![img](https://evil.example/x.png)",
    "<https://evil.example> https://evil.example www.evil.example mailto:a@b.example",
    "[ref]: https://evil.example",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</details></summary><h1>hi",
    "<!-- comment -->",
    "&lt;b&gt; &amp; &#64;someone",
    "`code` ``` ```` fence",
    "```\nout of the fence",
    "# heading",
    "> quote",
    "- item",
    "1. item",
    "---",
    "===",
    "| a | b |",
    "**bold** _em_ ~~gone~~ $math$",
    "\\*not escaped\\*",
    "    indented code",
    "c0ffee1234567890c0ffee1234567890c0ffee12",
    " leading and trailing ",
    "",
    "`",
    "\\",
]

FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# The word joiner is ours: it stands in Markdown where GitHub would make a link.
JOINER = "\u2060"


def visible(text: str) -> bool:
    return not any(unicodedata.category(char) in FORBIDDEN for char in text)


@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_a_terminal_gets_one_line_of_visible_text(attack: str) -> None:
    safe = sanitize_terminal(attack)
    assert visible(safe)
    assert "\n" not in safe
    safe.encode("utf-8")


def test_what_was_there_can_still_be_told() -> None:
    assert sanitize_terminal("\x1b[31m\u202e\udcff\n\x9b") == "\\x1b[31m\\u202e\\xff\\n\\x9b"
    assert sanitize_terminal("a\tb") == "a b"
    assert sanitize_terminal("default/Grüße-日本") == "default/Grüße-日本"


@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_html_stays_text(attack: str) -> None:
    class Reader(html.parser.HTMLParser):
        def __init__(self) -> None:
            super().__init__(convert_charrefs=True)
            self.data = ""
            self.tags: list[tuple[str, object]] = []

        def handle_starttag(self, tag: str, attrs: object) -> None:
            self.tags.append((tag, attrs))

        def handle_data(self, data: str) -> None:
            self.data += data

    reader = Reader()
    reader.feed(f"<p>{sanitize_html(attack)}</p>")
    assert reader.tags == [("p", [])]
    assert reader.data == sanitize_terminal(attack)
    attribute = Reader()
    attribute.feed(f'<p title="{sanitize_html(attack)}"></p>')
    assert attribute.tags == [("p", [("title", sanitize_terminal(attack))])]


def tokens(markdown: str) -> list[str]:
    """The kinds of tokens a Markdown text makes, inline ones included; with GitHub's tables, strike-through, links."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    out: list[str] = []
    for token in parser.parse(markdown):
        out.append(token.type)
        out.extend(child.type for child in token.children or [])
    return out


def shown(markdown: str) -> str:
    """The text a reader of a Markdown paragraph sees."""
    return "".join(
        child.content for token in MarkdownIt("commonmark").parse(markdown) for child in token.children or []
    )


MENTION = re.compile(r"(?<![\w`])@[A-Za-z0-9]")
REFERENCE = re.compile(r"#\d|\bGH-\d", re.IGNORECASE)
BARE_LINK = re.compile(r"(?:https?|ftp|mailto):|www\.", re.IGNORECASE)
COMMIT = re.compile(r"\b[0-9a-f]{40}\b")


@pytest.mark.parametrize("attack", [each for each in ATTACKS if each.strip()], ids=ascii)
def test_markdown_stays_plain_text(attack: str) -> None:
    safe = sanitize_markdown(attack)
    assert set(tokens(f"before {safe} after")) <= {
        "paragraph_open",
        "inline",
        "text",
        "text_special",
        "paragraph_close",
    }
    assert set(tokens(safe)) <= {"paragraph_open", "inline", "text", "text_special", "paragraph_close"}
    rendered = shown(f"before {safe} after")
    assert rendered.replace(JOINER, "") == f"before {sanitize_terminal(attack).strip()} after".replace(JOINER, "")
    for live in (MENTION, REFERENCE, BARE_LINK, COMMIT):
        assert not live.search(rendered)


@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_a_code_span_holds_what_it_is_given(attack: str) -> None:
    (token,) = [token for token in MarkdownIt("commonmark").parse(f"x {markdown_code(attack)} y") if token.children]
    assert [child.type for child in token.children or []] == ["text", "code_inline", "text"]
    code = (token.children or [])[1].content
    assert code.strip() == sanitize_terminal(attack).strip()


@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_no_line_closes_a_code_block(attack: str) -> None:
    parsed = MarkdownIt("commonmark").parse("\n".join([*markdown_fence([attack, "second"]), "", "after"]))
    assert [token.type for token in parsed] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert parsed[0].content == f"{sanitize_terminal(attack)}\nsecond\n"


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_nothing_raises_and_everything_can_be_encoded(text: str) -> None:
    for function in (sanitize_terminal, sanitize_markdown, sanitize_html, readable, markdown_code):
        function(text).encode("utf-8")
    assert visible(sanitize_terminal(text))
    assert visible(sanitize_markdown(text).replace(JOINER, ""))
    assert "<" not in sanitize_html(text)
    assert "<" not in sanitize_markdown(text)


def test_readable_only_replaces_what_cannot_be_encoded() -> None:
    assert readable("a\udcffb\ud800") == "a\ufffdb\ufffd"
    assert readable("a\x1b\u202e\n") == "a\x1b\u202e\n"


def test_long_text_is_linear() -> None:
    for piece in ("`", "@", "#1", "\x1b", "a", "0a", "[", "- "):
        sanitize_markdown(piece * 200_000)
        markdown_code(piece * 200_000)
