"""Grades mean what they say: of what is proven everything is right, of what is suspected most."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.calibration.measure import BARS, GRADES, Row, Table, measure, rendered, shares, together
from tests.rules.calibration.variants import (
    AS_RECORDED,
    CUTS,
    HOLED,
    at_level,
    thinned,
    with_gap,
    with_holes,
    without_head,
)

PROVEN_BESIDE_HOLES = 0.98
"""The one kind of damage that may leave no sign at all (see `HOLED`)."""


@pytest.fixture(scope="module")
def table(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Table:
    return measure(recorded, tmp_path_factory.mktemp("calibration"))


def wrong(row: Row, grade: str) -> list[str]:
    """What is not right though it bears this grade, as far as examples tell."""
    return [line for line in row.examples if f" {grade} " in line or " KR" not in line]


@pytest.mark.recorded
@pytest.mark.slow
class TestCalibration:
    def test_prints_the_table(self, table: Table, capsys: pytest.CaptureFixture[str]) -> None:
        with capsys.disabled():
            print(f"\n{rendered(table)}")
        assert table[AS_RECORDED].logs > 400

    def test_what_is_proven_is_right_whatever_is_left_of_the_log(self, table: Table) -> None:
        for name, row in table.items():
            for counts in (row.verdicts, row.findings):
                right, of = shares(counts, "proven")
                assert right >= (PROVEN_BESIDE_HOLES if name == HOLED else 1) * of, (name, wrong(row, "proven"))

    def test_what_is_likely_is_right_but_for_two_in_a_hundred(self, table: Table) -> None:
        whole = together(table)
        for counts in (whole.verdicts, whole.findings):
            right, of = shares(counts, "likely")
            assert right >= BARS["likely"] * of > 0, wrong(whole, "likely")

    def test_what_is_suspected_is_right_more_often_than_not(self, table: Table) -> None:
        """Measured on what the log alone cannot decide: lower levels by themselves, and all logs together."""
        cuts = together({name: table[name] for name in CUTS})
        for row in (table[AS_RECORDED], cuts, together(table)):
            right, of = shares(row.findings, "suspected")
            assert right >= BARS["suspected"] * of > 0, wrong(row, "suspected")

    def test_no_verdict_is_only_suspected(self, table: Table) -> None:
        assert shares(together(table).verdicts, "suspected") == (0, 0)
        assert set(BARS) == set(GRADES)


class TestVariants:
    LOG = "\n".join(f'I1201 07:00:0{n}.000000       1 a.go:{n}] "m{n}"' for n in range(1, 10))

    def test_a_hole_is_a_little_longer_than_a_backoff(self) -> None:
        times = [int(line[12:14]) for line in with_holes(self.LOG).split("\n")]
        assert times == sorted(times)
        assert len(times) < 6

    def test_a_lower_level_leaves_errors_and_what_it_prints(self) -> None:
        log = 'FLAG: --v="5"\n' + self.LOG.replace("I1201 07:00:03", "E1201 07:00:03") + "\ncontinued"
        left = at_level(log, 3, {("a.go", n): n for n in range(1, 10)}).split("\n")
        assert left[0] == 'FLAG: --v="3"'
        assert [line[-3:-1] for line in left[1:]] == ["m1", "m2", "m3"]
        assert at_level(log, 2, {("a.go", n): n for n in range(1, 10)}).count('"m3"') == 1

    def test_lost_lines(self) -> None:
        assert thinned(self.LOG, 0.0) == self.LOG
        assert thinned(self.LOG, 1.0) == ""
        assert len(with_gap(self.LOG).split("\n")) == 8
        assert without_head(self.LOG).split("\n")[0] == self.LOG.split("\n")[3]
