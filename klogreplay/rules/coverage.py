"""Which rule tells of which known upstream bug, and why there is none for the others."""

from __future__ import annotations

from klogreplay.knowledge import Bug, bugs

OLDER = "its releases are older than the oldest whose lines are known (1.18.2)"
NEWER = "its release is newer than the newest whose lines are known (1.36.2)"
NO_LINE = "no line shows it"
OUT_OF_TREE = "a bug of an out-of-tree plugin, whose release no line of the scheduler names"

TOLD_BY: dict[str, tuple[str, ...]] = {
    "KB06": ("KR116",),
    "KB07": ("KR106",),
    "KB08": ("KR104",),
    "KB09": ("KR104",),
    "KB11": ("KR105", "KR203"),
    "KB12": ("KR101", "KR306"),
    "KB13": ("KR102",),
    "KB15": ("KR103",),
    "KB16": ("KR202",),
    "KB17": ("KR201",),
    "KB18": ("KR107",),
    "KB19": ("KR107",),
    "KB20": ("KR114",),
    "KB21": ("KR305",),
    "KB22": ("KR105", "KR203"),
    "KB23": ("KR114",),
    "KB24": ("KR114", "KR113"),
    "KB26": ("KR113",),
    "KB27": ("KR112",),
    "KB28": ("KR113",),
    "KB30": ("KR113",),
    "KB32": ("KR113",),
    "KB33": ("KR113",),
    "KB34": ("KR113",),
    "KB35": ("KR113",),
    "KB36": ("KR115",),
    "KB37": ("KR109",),
    "KB38": ("KR108",),
    "KB39": ("KR109",),
    "KB40": ("KR109",),
    "KB41": ("KR109",),
    "KB42": ("KR111",),
    "KB43": ("KR111",),
    "KB45": ("KR117",),
}
"""Bug -> the rules that name it where its version range allows it."""

UNTOLD: dict[str, str] = {
    "KB01": OLDER,
    "KB02": OLDER,
    "KB03": "not a defect by itself: the older move-request rule retries too often, never too seldom",
    "KB04": OLDER,
    "KB05": OLDER,
    "KB10": "that a gate came while the pod was in backoffQ has no line",
    "KB14": "who waits in Pop has no line; a Pop that comes late has many causes",
    "KB25": "the event that a custom plugin did not get has no line; a long wait for it is KR120's",
    "KB29": "what a pod group's claims share has no line",
    "KB31": OLDER,
    "KB44": "needs a backoff of zero, which no line shows; the moves themselves look right",
    "KB46": "the status kind that a plugin returned has no line beside the error it ends in",
    "KB47": "a pod or node that the scheduler never heard of has no line; another replica's log may show it",
    "KB48": "room that a deleted pod keeps while it is being bound has no line",
    "KB49": "metrics are not in the log",
    "KB50": "the condition that stays behind is in the API, not in the log",
    "KB51": "a queue of API calls has no line",
    "KB52": NEWER,
    "KB53": OUT_OF_TREE,
    "KB54": OUT_OF_TREE,
    "KB55": OUT_OF_TREE,
    "KB56": OLDER,
    "KB57": "the wrong queue of an updated pod has no line up to 1.25; later releases do it right",
    "KB58": "a vendor's report without a cause of its own: KR104 or KR120 tells what the log shows",
}
"""Bug -> why no rule names it."""


def table() -> str:
    """All known bugs as a page: releases, fix with its certainty, and the rules."""
    rows = [_row(entry) for entry in bugs().values()]
    return (
        "# Known upstream bugs of the queue\n\n"
        "What the rules know of bugs in Kubernetes' scheduling queue, and which of them a log can show. A finding "
        "names a bug\nonly where the log's release is in its range; `klogreplay explain CODE` tells the rest.\n\n"
        "| bug | what | affected | fixed in | told by |\n| --- | --- | --- | --- | --- |\n" + "\n".join(rows) + "\n"
    )


def _row(entry: Bug) -> str:
    fixed = ", ".join(fix.release + ("" if fix.certain else " (unverified)") for fix in entry.fixed_in)
    codes = TOLD_BY.get(entry.id, ())
    told = ", ".join(f"[{code}](rules/{code}.md)" for code in codes) or f"none: {UNTOLD[entry.id]}"
    cells = (_refs(entry), entry.title, entry.affected_text, fixed or "not known", told)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("<", "&lt;") for cell in cells) + " |"


def _refs(entry: Bug) -> str:
    return ", ".join(entry.refs[:2])
