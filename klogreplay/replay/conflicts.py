"""What is to be said of the release and the gates that a log was judged by: unknown ones, and those it contradicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from klogreplay import knowledge
from klogreplay.knowledge.named_version import named_version, unknown_as

SWITCHES = frozenset({"AllAlpha", "AllBeta"})
"""Names that Kubernetes takes for gates and that stand for all gates of a stage."""


def of_release(
    given: str | None,
    logged: str | None,
    by_sites: Sequence[str],
    judged_by: Sequence[str],
    *,
    unfitting: bool = False,
) -> list[str]:
    """Warnings on the release: `given` by the user, `logged` by the scheduler, left by the call sites (`by_sites`).

    `by_sites` is () where nothing is known of them; `judged_by` are the catalogued releases that spoke for the log's.
    `unfitting`: some lines are not those of the release that the log names, or of none at all.
    """
    found = []
    named = knowledge.normalise_release(given) if given else None
    version = named_version(logged) if logged else None
    printed = None if version is None else version.release
    release = named or printed
    if release is not None and (unknown := unknown_as(release)):
        found.append(f"Kubernetes {release} is {unknown}: judged as {' or '.join(judged_by)}")
    if version is not None and version.suffix:
        found.append(f"the log names {version.name}, {version.build}: judged as upstream's")
    if printed is not None and unfitting:
        found.append(f"the log names {printed}, but some of its lines are not printed like that in {printed}")
    if named is not None and printed is not None and named != printed:
        found.append(f"--kubernetes-version {named} contradicts the log: the scheduler says that it is {printed}")
    elif named is not None and printed is None and by_sites and not set(judged_by) & set(by_sites):
        found.append(f"--kubernetes-version {named} contradicts the log: its lines are those of {_span(by_sites)}")
    return found


def of_gates(
    given: Mapping[str, bool], logged: Mapping[str, bool], seen: Mapping[str, bool], releases: Sequence[str]
) -> list[str]:
    """Warnings on the gates: `given` by the user, `logged` at the start, `seen` in the scheduler's behaviour."""
    return [text for name, value in given.items() for text in _of_gate(name, value, logged, seen, releases)]


def _of_gate(
    name: str, value: bool, logged: Mapping[str, bool], seen: Mapping[str, bool], releases: Sequence[str]
) -> Iterator[str]:
    told = f"--feature-gate {name}={str(value).lower()}"
    if name not in SWITCHES and not any(knowledge.gate_info(release, name) for release in releases):
        yield f"{told}: {_span(releases)} has no feature gate of this name"
    if name in logged and logged[name] != value:
        yield f"{told} contradicts the log: the scheduler started with {str(logged[name]).lower()}"
    elif name in seen and seen[name] != value:
        yield f"{told} contradicts the log: its hand-back lines are those of {str(seen[name]).lower()}"


def _span(releases: Sequence[str]) -> str:
    return releases[0] if len(releases) == 1 else f"{releases[0]} to {releases[-1]}"
