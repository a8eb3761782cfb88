"""Events as JSON lines."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from klogreplay.events import types as ev
from klogreplay.events.jsonlines import json_line, kind_of, own_fields

BASE: dict[str, Any] = {"line": 12, "t": 3, "pid": 77, "site": "a.go:5", "text": "I1201 raw", "source": 2}


def test_the_order_of_a_line() -> None:
    event = ev.Moved(
        **BASE, pod="a/b", event="NodeAdd", queue="Backoff", hint="skip", cycle=4, plugins=frozenset("CAB")
    )
    assert json_line(event, "07:00:00.000001") == (
        '{"kind":"moved","line":12,"time":"07:00:00.000001","pid":77,"site":"a.go:5","pod":"a/b","event":"NodeAdd",'
        '"queue":"Backoff","hint":"skip","cycle":4,"plugins":["A","B","C"],"variant":"plain"}'
    )


def test_mappings_are_sorted_and_tuples_are_lists() -> None:
    gates = ev.FeatureGatesLogged(**BASE, gates={"B": True, "A": False})
    assert json_line(gates, "").endswith('"gates":{"A":false,"B":true}}')
    claim = ev.ClaimLine(**BASE, pod=None, claims=("b", "a"), what="x", message="y")
    assert '"pod":null,"claims":["b","a"],' in json_line(claim, "")


def test_hostile_text_stays_one_ascii_line_and_comes_back() -> None:
    name = "a/\x1b[31m\u2028\n\u202eé\udcff"
    line = json_line(ev.PodAdded(**BASE, pod=name), "")
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["pod"] == name


@pytest.mark.parametrize("event", get_args(ev.AnyEvent), ids=lambda event: event.__name__)
def test_every_kind_has_a_name_of_its_own(event: type[ev.SchedulerEvent]) -> None:
    kinds = [kind_of(other) for other in get_args(ev.AnyEvent)]
    assert kinds.count(kind_of(event)) == 1
    assert not {"line", "t", "pid", "site", "text", "source"} & set(own_fields(event))
