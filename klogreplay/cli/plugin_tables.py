"""`--plugins`: tables of plugins that are not Kubernetes' own, from files or from those that come with the package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from klogreplay.cli.exits import unreadable

if TYPE_CHECKING:
    from klogreplay.knowledge import PluginTable

YAML_SUFFIXES = (".yaml", ".yml", ".json")


def read(names: Sequence[str]) -> PluginTable | None:
    """All tables joined (of a plugin named twice the later one counts); None where none is asked for.

    A name is a file (YAML by its suffix, else TOML), or, where there is no such file, a table of the package. Raises
    Stop (unreadable).
    """
    table = None
    for name in names:
        one = _read(name)
        table = one if table is None else table.joined(one)
    return table


def _read(name: str) -> PluginTable:
    from klogreplay.knowledge import PluginTableError, bundled_table, bundled_tables, parse_plugin_table
    from klogreplay.knowledge.plugin_table import LONGEST

    path = Path(name)
    try:
        if not path.exists() and name in bundled_tables():
            return bundled_table(name)
        with path.open("rb") as file:
            data = file.read(4 * LONGEST + 1)
        text = data.decode("utf-8-sig")
        return parse_plugin_table(text, "yaml" if path.suffix.lower() in YAML_SUFFIXES else "toml", name)
    except UnicodeDecodeError:
        raise unreadable(f"{name}: not text in UTF-8") from None
    except PluginTableError as error:
        raise unreadable(str(error)) from None
    except (OSError, ValueError) as error:
        # A path with a null byte is a ValueError.
        reason = getattr(error, "strerror", None) or "not a file name"
        known = ", ".join(bundled_tables())
        raise unreadable(f"{name}: {reason} (tables that come with klogreplay: {known})") from None
