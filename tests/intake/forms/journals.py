"""The systemd journal, and syslog."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tests.intake.forms.base import CONTAINER, HOST, At, Form, each, json_lines, text, timed


def journal(at: At) -> dict[str, str]:
    return {
        "__CURSOR": f"s=0f1e;i={at.nanos()}",
        "__REALTIME_TIMESTAMP": at.micros(),
        "_TRANSPORT": "stdout",
        "_PID": "812",
        "SYSLOG_IDENTIFIER": CONTAINER,
        "MESSAGE": at.line,
        "_HOSTNAME": HOST,
    }


def _journal_export(lines: Sequence[str]) -> bytes:
    out = b""
    for at in timed(lines):
        for name, value in journal(at).items():
            data = value.encode()
            if "\t" in value:
                out += name.encode() + b"\n" + len(data).to_bytes(8, "little") + data + b"\n"
            else:
                out += name.encode() + b"=" + data + b"\n"
        out += b"\n"
    return out


def _journal_verbose(lines: Sequence[str]) -> bytes:
    out = ["-- Logs begin at Sun 2023-01-01 00:00:00 UTC, end at Sun 2023-12-31 00:00:00 UTC. --"]
    for at in timed(lines):
        out.append(f"{at.time.strftime('%a %Y-%m-%d %H:%M:%S')}{at.fraction(6)} UTC [s=0f1e;i=1;b=2d;m=3c;t=4b;x=5a]")
        out += [f"    {name}={value}" for name, value in journal(at).items() if not name.startswith("__")]
    return text(out)


def _syslog_nested(at: At) -> str:
    return f"<30>1 {at.iso(6)} relay {CONTAINER} - - - {at.short()} {HOST} {CONTAINER}[812]: {at.line}"


FORMS: tuple[Form, ...] = (
    Form(
        "journald-short",
        "journalctl -o short, syslog file",
        each(lambda at: f"{at.short()} {HOST} {CONTAINER}[812]: {at.line}"),
        ("journald",),
    ),
    Form(
        "journald-short-precise",
        "journalctl -o short-precise",
        each(lambda at: f"{at.short(6)} {HOST} k3s[812]: {at.line}"),
        ("journald",),
    ),
    Form(
        "journald-short-iso",
        "journalctl -o short-iso",
        each(lambda at: f"{at.time.strftime('%Y-%m-%dT%H:%M:%S+0000')} {HOST} {CONTAINER}[812]: {at.line}"),
        ("journald",),
    ),
    Form(
        "journald-short-full",
        "journalctl -o short-full",
        each(lambda at: f"{at.time.strftime('%a %Y-%m-%d %H:%M:%S UTC')} {HOST} {CONTAINER}[812]: {at.line}"),
        ("journald",),
    ),
    Form("journald-verbose", "journalctl -o verbose", _journal_verbose, ("journald-verbose",)),
    Form("journald-export", "journalctl -o export", _journal_export, ("journald-export",)),
    Form("journald-json", "journalctl -o json", json_lines(journal), ("journald-json",)),
    Form(
        "journald-json-pretty",
        "journalctl -o json-pretty",
        lambda lines: text([json.dumps(journal(at), indent="\t") for at in timed(lines)]),
        ("journald-json",),
    ),
    Form(
        "syslog-3164",
        "syslog, RFC 3164",
        each(lambda at: f"<30>{at.short()} {HOST} {CONTAINER}[812]: {at.line}"),
        ("syslog",),
    ),
    Form(
        "syslog-5424",
        "syslog, RFC 5424",
        each(lambda at: f'<30>1 {at.iso(6)} {HOST} {CONTAINER} 812 - [meta seq="1"] {at.line}'),
        ("syslog",),
    ),
    Form("syslog-nested", "syslog inside syslog", each(_syslog_nested), ("syslog", "journald")),
)
