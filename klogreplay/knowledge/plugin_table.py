"""Out-of-tree plugins: a table that a user gives (`--plugins`), in TOML or YAML.

    [[plugin]]
    name = "Coscheduling"
    reasons = ["podGroup * failed recently"]     # * stands for anything, \\* for itself
    [[plugin.events]]                            # none at all: registered for every event
    resource = "Pod"
    actions = ["Add"]
    hint = false                                 # true: a QueueingHint function decides

Bundled tables (`bundled_tables`) hold what was read in the source of public projects. They are never used unasked,
since a plugin of the same name may be another one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from klogreplay.knowledge.event import action_mask, action_names, cluster_event, event_table, known_actions
from klogreplay.knowledge.gate import HINTS, gate_value
from klogreplay.knowledge.pieces import Pieces, fits
from klogreplay.knowledge.plugin import automatic_registrations, effect_of, everything
from klogreplay.knowledge.release import catalogue_of, minor_of
from klogreplay.knowledge.types import EventEffect, Registration

LONGEST = 1 << 20
"""A table longer than this (characters) is refused."""
DEEPEST = 20
"""YAML nested deeper than this is refused."""
LITERAL = 3
"""A reason needs at least so many characters beside its holes."""

SPELLINGS = {"UpdatePodToleration": "UpdatePodTolerations", "UpdatePodTolerations": "UpdatePodToleration"}
"""1.32 has the plural, later releases the singular."""

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_./-]*$", max_length=200)]


class PluginTableError(ValueError):
    """A plugin table cannot be used; the text says where and why, in one line."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PluginEvent(_Model):
    """An event that a plugin registers for. `resource` may be given without its API group ("StorageClass")."""

    resource: Annotated[str, Field(pattern=r"^[A-Za-z0-9*][A-Za-z0-9./-]*$|^\*$", max_length=300)]
    actions: Annotated[tuple[str, ...], Field(min_length=1)]
    hint: bool = False

    @field_validator("actions")
    @classmethod
    def _known(cls, actions: tuple[str, ...]) -> tuple[str, ...]:
        for action in actions:
            if action not in known_actions():
                raise ValueError(f"no release has an action {action!r}; there are {', '.join(sorted(known_actions()))}")
        return actions


class PluginSpec(_Model):
    """A plugin: the reasons it rejects with and the events it registers for (`events` None: for everything)."""

    name: Name
    source: str | None = None
    reasons: tuple[Annotated[str, Field(min_length=1, max_length=4000)], ...] = ()
    events: tuple[PluginEvent, ...] | None = None

    @field_validator("reasons")
    @classmethod
    def _not_everything(cls, reasons: tuple[str, ...]) -> tuple[str, ...]:
        for reason in reasons:
            if sum(map(len, pieces_of(reason))) < LITERAL:
                raise ValueError(
                    f"the reason {reason!r} has fewer than {LITERAL} characters of its own, so fits too much"
                )
        return reasons


class _File(_Model):
    plugin: Annotated[tuple[PluginSpec, ...], Field(min_length=1)]


class PluginTable:
    """Plugins by name, and by the reasons they give. Of two plugins of one name the later one counts."""

    def __init__(self, plugins: Iterable[PluginSpec]) -> None:
        self.plugins: dict[str, PluginSpec] = {plugin.name: plugin for plugin in plugins}
        self._patterns = [
            (pieces_of(reason), plugin.name) for plugin in self.plugins.values() for reason in plugin.reasons
        ]
        self._registrations = lru_cache(maxsize=1024)(self._register)

    def joined(self, other: PluginTable) -> PluginTable:
        """Both tables; where both name a plugin, that of `other`."""
        return PluginTable([*self.plugins.values(), *other.plugins.values()])

    def plugins_of_reason(self, reason: str) -> tuple[str, ...]:
        """The plugins of this table that reject with this reason, in the table's order; () where none does."""
        text = reason.strip()
        return tuple(dict.fromkeys(name for pieces, name in self._patterns if fits(pieces, text)))

    def registrations(
        self, release: str, plugin: str, gates: Mapping[str, bool] | None = None
    ) -> tuple[Registration, ...] | None:
        """What a plugin of this table registers for in `release`; None for a plugin that is not in it.

        Actions that the release does not have yet are left out.
        """
        if plugin not in self.plugins:
            return None
        return self._registrations(release, plugin, gate_value(release, gates or {}, HINTS))

    def event_effect(
        self, release: str, gates: Mapping[str, bool] | None, plugin: str, label: str
    ) -> EventEffect | None:
        """What the event means to a pod that the plugin rejected; None for a plugin that is not in this table."""
        registered = self.registrations(release, plugin, gates)
        return None if registered is None else effect_of(release, registered, cluster_event(release, label))

    def _register(self, release: str, plugin: str, hints: bool) -> tuple[Registration, ...]:
        events = self.plugins[plugin].events
        if events is None:
            return everything(release)
        found: list[Registration] = []
        has = event_table(release).actions
        for event in events:
            spelt = (action if action in has else SPELLINGS.get(action, action) for action in event.actions)
            actions = tuple(action for action in spelt if action in has)
            if not actions:
                continue
            mask = action_mask(release, actions)
            found.append(
                Registration(
                    full_resource(release, event.resource), mask, action_names(release, mask), event.hint and hints
                )
            )
        # The scheduler completes Node registrations from 1.31 on, whoever made them.
        if minor_of(catalogue_of(release)[0]) >= 31:
            found += automatic_registrations(release, found)
        return tuple(found)


def full_resource(release: str, resource: str) -> str:
    """The resource as `release` names it: "StorageClass" is "storage.k8s.io/StorageClass" in all, others differ."""
    known = event_table(release).resources
    if resource in known:
        return resource
    short = resource.rpartition("/")[2]
    return next((name for name in known if name.rpartition("/")[2] == short), resource)


def pieces_of(reason: str) -> Pieces:
    r"""The literal pieces of a reason pattern: `*` is a hole, `\*` a star, `\\` a backslash."""
    pieces = [""]
    escaped = False
    for char in reason:
        if escaped or char not in "*\\":
            pieces[-1] += char if not escaped or char in "*\\" else "\\" + char
            escaped = False
        elif char == "\\":
            escaped = True
        elif pieces[-1] or len(pieces) == 1:
            pieces.append("")
    if escaped:
        pieces[-1] += "\\"
    return tuple(pieces)


def parse_plugin_table(text: str, kind: Literal["toml", "yaml"], name: str = "plugin table") -> PluginTable:
    """Read a table from its text. PluginTableError where it is no such table; `name` stands in the message."""
    if len(text) > LONGEST:
        raise PluginTableError(f"{name}: longer than {LONGEST} characters")
    try:
        data = tomllib.loads(text) if kind == "toml" else _yaml(text)
        return PluginTable(_File.model_validate(data).plugin)
    except tomllib.TOMLDecodeError as error:
        raise PluginTableError(f"{name}: not TOML: {error}") from None
    except yaml.YAMLError as error:
        raise PluginTableError(f"{name}: not YAML: {_one_line(error)}") from None
    except RecursionError:
        raise PluginTableError(f"{name}: nested too deeply") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise PluginTableError(f"{name}: {place or 'table'}: {_one_line(first['msg'])}") from None


def _yaml(text: str) -> Any:
    # Aliases unfold without bound and deep nesting costs its square; a plugin table needs neither.
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not allowed")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise yaml.YAMLError("nested too deeply")
    return yaml.safe_load(text)


def _one_line(error: object) -> str:
    return " ".join(str(error).split())


@cache
def bundled_tables() -> tuple[str, ...]:
    """The names of the tables that come with this package."""
    folder = resources.files("klogreplay.knowledge").joinpath("plugins")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


@cache
def bundled_table(name: str) -> PluginTable:
    """One of the tables that come with this package. PluginTableError where there is none of this name."""
    if name not in bundled_tables():
        raise PluginTableError(f"no bundled plugin table {name!r}; there are {', '.join(bundled_tables())}")
    file = resources.files("klogreplay.knowledge").joinpath("plugins", f"{name}.toml")
    return parse_plugin_table(file.read_text(encoding="utf-8"), "toml", name)


def skeleton(plugin: str, reasons: Iterable[str]) -> str:
    """A table for a plugin to fill in, as TOML: its name and the reasons seen of it."""
    lines = [
        "# In reasons, * stands for anything: put it where the text differs from pod to pod.",
        "[[plugin]]",
        f"name = {_toml_string(plugin)}",
        "reasons = [",
        *(f"  {_toml_string(reason.replace(chr(92), chr(92) * 2).replace('*', chr(92) + '*'))}," for reason in reasons),
        "]",
        "",
        "# One block per event of the plugin's EventsToRegister; without any block it counts as registered for all.",
        "# hint = true: a QueueingHint function decides, so the event alone does not tell.",
        "#[[plugin.events]]",
        '#resource = "Node"',
        '#actions = ["Add", "UpdateNodeLabel"]',
        "#hint = false",
        "",
    ]
    return "\n".join(lines)


def _toml_string(text: str) -> str:
    escaped = []
    for char in text:
        if char in '"\\':
            escaped.append("\\" + char)
        elif char < " " or "\x7f" <= char < "\xa0":
            escaped.append(f"\\u{ord(char):04x}")
        elif "\ud800" <= char <= "\udfff":
            escaped.append("\ufffd")
        else:
            escaped.append(char)
    return '"' + "".join(escaped) + '"'
