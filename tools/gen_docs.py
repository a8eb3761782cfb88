"""Write what is generated from the code: docs/rules/, docs/upstream-bugs.md, the JSON Schema, the README's example.

python tools/gen_docs.py          writes
python tools/gen_docs.py --check  writes nothing, exits 1 and names the files that differ
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from klogreplay.cli.run import Request, analyse  # noqa: E402 - of this tree, not of what is installed
from klogreplay.report.formats import render  # noqa: E402
from klogreplay.report.schema import schema_text  # noqa: E402
from klogreplay.rules.coverage import table  # noqa: E402
from klogreplay.rules.docs import as_markdown, index  # noqa: E402
from klogreplay.rules.registry import RULES  # noqa: E402

EXAMPLE = "fixtures/analyze/stale-plugins-dra-1.28.0-v5.log"
_BEGIN = "<!-- example: written by tools/gen_docs.py -->\n"
_END = "<!-- end of example -->\n"
_REST = "\nWhat was read\n"


def example() -> str:
    """The README's example: a command and what it really prints, but for the section on what was read."""
    request = Request(paths=[str(ROOT / EXAMPLE)])
    told = render("text", analyse(request)).partition(_REST)[0]
    return f"```console\n$ klogreplay analyze {EXAMPLE}\n{told}```\n"


def readme() -> str:
    """The README with its example as it should be."""
    before, _, rest = (ROOT / "README.md").read_text(encoding="utf-8").partition(_BEGIN)
    return before + _BEGIN + example() + _END + rest.partition(_END)[2]


def generated() -> dict[Path, str]:
    """The generated files, by path, with what they should hold."""
    pages = {ROOT / "docs" / "rules" / f"{rule.code}.md": as_markdown(rule) for rule in RULES}
    pages[ROOT / "docs" / "rules" / "README.md"] = index(RULES)
    pages[ROOT / "docs" / "upstream-bugs.md"] = table()
    pages[ROOT / "klogreplay" / "report" / "analysis.schema.json"] = schema_text()
    pages[ROOT / "README.md"] = readme()
    return pages


def main(arguments: list[str]) -> int:
    """Write or check; 0 when all is as it should be."""
    stale = [
        (path, text)
        for path, text in generated().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    if "--check" in arguments:
        for path, _ in stale:
            print(f"differs: {path.relative_to(ROOT)}")
        return 1 if stale else 0
    for path, text in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
