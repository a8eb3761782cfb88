from __future__ import annotations

import pytest

from klogreplay.claims.goquote import go_quote


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", '""'),
        ('g"pu', r'"g\"pu"'),
        ("a\\b", r'"a\\b"'),
        ("\a\b\f\n\r\t\v", r'"\a\b\f\n\r\t\v"'),
        ("\x00\x1b\x7f", r'"\x00\x1b\x7f"'),
        ("é世", '"é世"'),
        ("\x80\xad\u202e\u00a0", r'"\u0080\u00ad\u202e\u00a0"'),
        ("\U000e0001", r'"\U000e0001"'),
        ("\ud800", '"\ufffd"'),
    ],
)
def test_as_strconv_quote(text: str, quoted: str) -> None:
    assert go_quote(text) == quoted
