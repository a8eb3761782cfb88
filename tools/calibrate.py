"""Measure how often verdicts and findings are right, by grade, and write docs/calibration.md.

python tools/calibrate.py RECORDED

RECORDED is the folder of the recorded data (the tests' KLOGREPLAY_RECORDED). Takes a few minutes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.rules.calibration.measure import measure, rendered  # noqa: E402 - the tests are no installed package

PAGE = """# How often it is right

Every verdict and every finding bears a grade. Here is how often it was right, by what the recording of each log noted
of the queue's real state: logs of real schedulers of 1.22 to 1.36 as they stand, and those of -v=5 (all of 1.28.0,
1.28.3 and 1.29.1, every fourth of the others) cut down to what the scheduler prints at a lower level, or without some
lines. The verdicts on one log are left out: 1.34.1/S21 retries so fast that its lines and what was noted of them cannot
be matched one to one.

What is proven has to be right always, what is likely 98 times of 100, what is suspected 60 times of 100. An undecided
verdict asserts nothing. The rules and this table grew with these logs: on others it may be less.

A known limit: where a second or so of lines is cut out without any sign ("four holes of a second"), what a pod did
meanwhile cannot be told from silence, and a verdict that is called proven can be wrong.

Written by `tools/calibrate.py`; `tests/rules/calibration` holds the bars.

"""


def main(arguments: list[str]) -> int:
    """Measure and write."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        table = measure(Path(arguments[0]), Path(scratch))
    (ROOT / "docs" / "calibration.md").write_text(PAGE + rendered(table), encoding="utf-8")
    for name, row in table.items():
        for example in row.examples:
            print(f"{name}: {example}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
