"""`python benchmarks/with_lark.py LOG`: the same analysis with the grammar on every line, for the comparison."""

from __future__ import annotations

import sys
from functools import partial

from klogreplay.cli import run
from klogreplay.cli.reading import Reading
from klogreplay.report.formats import render


def main(path: str) -> None:
    run.Reading = partial(Reading, engine="lark")  # type: ignore[misc,assignment]
    print(render("json", run.analyse(run.Request(paths=[path]))))


if __name__ == "__main__":
    main(sys.argv[1])
