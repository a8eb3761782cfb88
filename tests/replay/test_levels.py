"""Which line proves which level, told from the recorded lines themselves."""

from __future__ import annotations

import pytest

from klogreplay import knowledge
from klogreplay.replay.levels import line_name
from tests.replay.build import events, forms

# At -v=5 or more only by the harness that wrote the logs, or printed by another component of the process.
NO_LINE_OF_THE_TABLE = {
    "acquired", "renewed", "lost", "gates", "flag", "flag-gates", "started", "terminating", "closed", "refused", "gone",
    "aborted", "recreated", "skipped", "plugin-failed", "rejected", "lost-node", "failed", "condition", "nominated",
    "binding", "bind-failed",
}  # fmt: skip


@pytest.mark.parametrize("release", ["1.26.1", "1.28.0", "1.28.3", "1.29.1", "1.32.2", "1.34.1", "1.36.2"])
def test_each_line_is_of_the_level_at_which_it_was_recorded(release: str) -> None:
    told = 0
    for form, (level, line) in forms(release).items():
        (event, *_) = [*events([line]), None]
        name = None if event is None else line_name(event)
        if form in NO_LINE_OF_THE_TABLE:
            assert name is None, form
        elif name is not None:
            known = knowledge.line_level(release, name)
            assert known is not None, (form, name)
            assert (0 if known == "E" else int(known)) <= level, (form, name)
            told += 1
    assert told >= 14


@pytest.mark.parametrize(
    ("release", "form", "name"),
    [
        ("1.28.0", "new", "moved: new pod, update, backoff done"),
        ("1.28.0", "backoff-complete", "moved: new pod, update, backoff done"),
        ("1.28.0", "moved", "moved: cluster event, line with hint or struct"),
        ("1.34.1", "moved-again", None),
        ("1.28.0", "handed-back", "moved: failed attempt, hints on"),
        ("1.26.1", "handed-back-plain", None),
        ("1.34.1", "gated-variant", "moved, because the pod is gated"),
        ("1.32.2", "updated-variant", "moved, because the Pod is updated"),
        ("1.28.0", "worth", "Worth requeuing, wildcard"),
        ("1.28.0", "unfit", "no fit"),
    ],
)
def test_moves_differ_by_what_they_tell(release: str, form: str, name: str | None) -> None:
    (event,) = events([forms(release)[form][1]])
    assert line_name(event) == name
