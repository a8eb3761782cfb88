"""Load the Lark grammars that are shipped with the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from lark import Lark

_SOURCE_TREE = Path(__file__).resolve().parents[2] / "grammars"


def grammar_text(name: str) -> str:
    """The text of grammars/`name`: from the installed package, else from the source tree around it.

    Raises FileNotFoundError where neither has it.
    """
    packaged = files("klogreplay").joinpath("grammars", name)
    if packaged.is_file():
        return packaged.read_text("utf-8")
    return (_SOURCE_TREE / name).read_text("utf-8")


def _import(_base_path: object, path: str) -> tuple[str, str]:
    return path, grammar_text(path)


@cache
def load_grammar(name: str, *starts: str) -> Lark:
    """A LALR parser of grammars/`name` for the start symbols; built once per process.

    Start symbols that share rules but accept other tokens behind them belong into separate parsers: LALR merges their
    look-ahead, and with it what the contextual lexer expects.
    """
    return Lark(
        grammar_text(name),
        parser="lalr",
        lexer="contextual",
        start=list(starts),
        maybe_placeholders=False,
        import_paths=[_import],
    )
