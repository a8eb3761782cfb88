"""Container runtimes."""

from __future__ import annotations

from collections.abc import Sequence

from tests.intake.forms.base import At, Form, each, parts_of, text, timed, to_json


def _cri_split(lines: Sequence[str]) -> bytes:
    out = []
    for at in timed(lines):
        *first, last = parts_of(at.line)
        out += [f"{at.nano()} stderr P {part}" for part in first] + [f"{at.nano()} stderr F {last}"]
    return text(out)


def docker_entry(at: At, part: str, end: str = "\n") -> str:
    return to_json({"log": part + end, "stream": "stderr", "time": at.iso()})


def _docker_split(lines: Sequence[str]) -> bytes:
    out = []
    for at in timed(lines):
        *first, last = parts_of(at.line)
        out += [docker_entry(at, part, "") for part in first] + [docker_entry(at, last)]
    return text(out)


cri = each(lambda at: f"{at.nano()} stderr F {at.line}")
docker = each(lambda at: docker_entry(at, at.line))

FORMS: tuple[Form, ...] = (
    Form("cri", "container runtime (CRI)", cri, ("cri",)),
    Form("cri-partial", "CRI with P and F parts", _cri_split, ("cri",)),
    Form("docker-json", "Docker json-file", docker, ("docker-json",)),
    Form("docker-json-partial", "Docker json-file with split lines", _docker_split, ("docker-json",)),
)
