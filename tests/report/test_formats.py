"""What each format says, and that hostile text reaches none of them raw."""

from __future__ import annotations

import json

import jsonschema
import pytest
from markdown_it import MarkdownIt

from klogreplay.replay.types import Cause, Cited, ConcurrentEvent, WakeUp
from klogreplay.report.formats import FORMATS, Options, render
from klogreplay.report.formats.markdown import LIMIT
from klogreplay.report.model import Analysis
from klogreplay.report.sanitize import readable
from klogreplay.report.schema import SCHEMA_FILE, analysis_schema, schema_text
from tests.report.test_sanitize import ATTACKS, visible
from tests.samples import S, analysis, missed, parking, right, undecided

PARKING_KEYS = [
    "pod",
    "process",
    "destination",
    "time",
    "line",
    "attempt",
    "cycle",
    "error",
    "rejector_plugins",
    "stale_plugins",
    "concurrent_events",
    "verdict",
    "grade",
    "causes",
    "expected_queue",
    "wake_up",
    "parked_seconds",
    "lost_seconds",
    "needs",
]
BOTH = parking(pod="x/both", causes=[Cause("stale-plugins", "proven"), Cause("error-without-plugins", "likely")])


def hostile(attack: str) -> Analysis:
    """A report with an attack in every place that log text can reach."""
    event = ConcurrentEvent(attack, attack, 5, 101 * S, "observed", "queue", attack)
    parkings = [
        parking(
            pod=attack,
            process=attack,
            error=attack,
            stale_plugins=(attack,),
            rejector_plugins=(attack,),
            concurrent_events=[event],
            wake_up=WakeUp(attack, 9, 430 * S, attack),
            needs=[attack],
            proof=[Cited(1, attack, attack), Cited(2, f"x {attack}", f"y {attack}")],
        ),
        missed(pod=attack, rejector_plugins=(attack,), concurrent_events=[event]),
        right(pod=attack, wake_up=WakeUp("UnschedulableTimeout", 9, 430 * S, attack)),
        undecided(pod=attack, needs=[attack]),
    ]
    out = analysis(*parkings)
    return out.model_copy(
        update={
            "log": out.log.model_copy(update={"warnings": [readable(f"warning {attack}")]}),
        }
    )


@pytest.mark.parametrize("details", [False, True])
@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_text_is_visible_and_keeps_its_lines(attack: str, details: bool) -> None:
    out = render("text", hostile(attack), Options(details=details))
    assert visible(out.replace("\n", ""))
    plain = render("text", hostile("plain"), Options(details=details, width=100_000))
    wide = render("text", hostile(attack), Options(details=details, width=100_000))
    assert wide.count("\n") == plain.count("\n")
    out.encode("utf-8")


@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_colour_codes_are_only_our_own(attack: str) -> None:
    coloured = render("text", hostile(attack), Options(colour=True))
    plain = render("text", hostile(attack), Options(colour=False))
    stripped = "".join(
        part.partition("m")[2] if number else part for number, part in enumerate(coloured.split("\x1b["))
    )
    assert stripped == plain


@pytest.mark.parametrize("attack", [each for each in ATTACKS if each], ids=ascii)
def test_markdown_has_no_live_part_but_ours(attack: str) -> None:
    out = render("markdown", hostile(attack), Options(details=True))
    assert visible(out.replace("\n", "").replace("\u2060", ""))
    parsed = MarkdownIt("commonmark", {"html": True}).parse(out)
    plain = MarkdownIt("commonmark", {"html": True}).parse(render("markdown", hostile("plain"), Options(details=True)))
    assert [token.type for token in parsed] == [token.type for token in plain]
    links = [child.attrs["href"] for token in parsed for child in token.children or [] if child.type == "link_open"]
    assert all(str(link).startswith("https://github.com/kubernetes/kubernetes/pull/") for link in links)
    inline = {child.type for token in parsed for child in token.children or []}
    assert inline <= {
        "text",
        "text_special",
        "code_inline",
        "link_open",
        "link_close",
        "strong_open",
        "strong_close",
        "softbreak",
    }
    html = [token.content.strip() for token in parsed if token.type == "html_block"]
    assert all(part.startswith(("<details><summary>", "</details>")) for part in html)


@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_json_is_ascii_and_holds_to_the_schema(attack: str) -> None:
    out = render("json", hostile(attack))
    assert out.isascii()
    assert visible(out.replace("\n", ""))
    loaded = json.loads(out)
    jsonschema.validate(loaded, analysis_schema(), cls=jsonschema.Draft202012Validator)
    json.dumps(loaded, ensure_ascii=False).encode("utf-8")
    assert loaded["findings"][0]["proof"][0]["text"] == "".join(
        "\ufffd" if 0xD800 <= ord(char) < 0xE000 else char for char in attack
    )


def test_the_shipped_schema_is_the_models() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text()
    jsonschema.Draft202012Validator.check_schema(analysis_schema())


def test_the_schema_refuses_what_the_model_does_not_have() -> None:
    loaded = json.loads(render("json", analysis(parking())))
    loaded["parkings"][0]["verdict"] = "guilty"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(loaded, analysis_schema())


def test_json_keys_are_the_contract() -> None:
    loaded = json.loads(render("json", analysis(missed())))
    assert list(loaded) == ["schema", "tool", "inputs", "log", "kubernetes", "parkings", "findings"]
    assert loaded["schema"] == "klogreplay.analysis/v1"
    assert list(loaded["inputs"][0]) == ["name", "bytes", "lines", "sha256", "form"]
    assert list(loaded["parkings"][0]) == PARKING_KEYS
    assert loaded["parkings"][0]["destination"] == {"value": "Unschedulable", "evidence": "observed"}
    assert loaded["parkings"][0]["rejector_plugins"] == {"value": ["NodeResourcesFit"], "evidence": "derived"}
    assert loaded["parkings"][0]["causes"] == ["missed-events"]
    assert (loaded["parkings"][0]["parked_seconds"], loaded["parkings"][0]["lost_seconds"]) == (330.0, 329.0)
    assert loaded["parkings"][0]["concurrent_events"][1] == {
        "event": "NodeAdd",
        "object": "late",
        "line": 6,
        "time": "08-31T00:01:42.000000",
        "evidence": "observed",
        "effect": "queue",
    }
    assert loaded["parkings"][0]["wake_up"] == {
        "event": "UnschedulableTimeout",
        "line": 9,
        "time": "08-31T00:07:10.000000",
    }
    finding = loaded["findings"][0]
    assert list(finding) == ["code", "name", "pod", "parking", "grade", "summary", "proof", "upstream"]
    assert (finding["code"], finding["parking"], finding["grade"]) == ("KR102", 0, "likely")
    assert list(finding["proof"][0]) == ["line", "text", "says"]
    assert finding["upstream"] == [
        {
            "ref": "kubernetes#120413",
            "title": "scheduler: fix tracking of concurrent events",
            "fixed_in": ["1.28.2", "1.29.0"],
        }
    ]


def test_an_undecided_verdict_is_a_suspicion_at_most() -> None:
    loaded = json.loads(render("json", analysis(undecided())))
    assert (loaded["parkings"][0]["verdict"], loaded["parkings"][0]["grade"]) == ("undecided", "suspected")


def test_with_several_inputs_lines_say_which() -> None:
    out = analysis(parking(source=1, proof=[Cited(3, "text", "says", source=1)]), inputs=2)
    loaded = json.loads(render("json", out))
    assert loaded["parkings"][0]["input"] == 1
    assert loaded["findings"][0]["proof"][0]["input"] == 1
    assert "scheduler-1.log line 3: says" in render("text", out)
    assert "scheduler-1.log line 3: says" in render("markdown", out)


def test_text_tells_verdict_then_proof_then_the_rest() -> None:
    out = render("text", analysis(parking(), right(), undecided(), verbosity=4, unknown_lines=3))
    first = "1 pod was wrongly parked in unschedulablePods (1 proven); 329.0 s were lost.\n"
    assert out.startswith(first)
    order = [
        "KR101 stale-plugins  proven  test/test-dragxd5c  line 4",
        "  line 3: attempt 2 failed with an error\n    | Error scheduling pod; retrying\n",
        "  cost      parked 330.0 s, 329.0 s of it lost, left by UnschedulableTimeout\n",
        "  expected  Backoff\n",
        '  upstream  kubernetes#120334 scheduler: avoid false "unschedulable" pod state\n',
        "  fixed in  1.25.15, 1.26.10, 1.27.7, 1.28.3, 1.29.0\n",
        "What cannot be concluded\n",
        "1 failed attempt cannot be judged from this log; most often missing:",
        "3 lines not understood.",
        "What to collect next\n  - -v=6 (where the pod went) (1 failed attempt)\n",
        "What was read\n",
        "  lines     23 read: 15 understood, 5 irrelevant, 3 unknown\n",
        "  release   1.28.0 (line 2: the scheduler names its version)\n",
        "  gate      SchedulerQueueingHints=true (default of the release)\n",
        "  verbosity -v=4 proven\n",
        "  verdicts  1 wrong, 1 right, 1 undecided\n",
    ]
    places = [out.find(part) for part in order]
    assert -1 not in places
    assert places == sorted(places)


def test_two_findings_on_one_parking_share_one_proof() -> None:
    out = render("text", analysis(BOTH))
    assert out.count("Error scheduling pod; retrying") == 1
    assert "KR101 stale-plugins  proven" in out
    assert "KR103 error-without-plugins  likely" in out
    assert out.count("  upstream  ") == 2


def test_a_rescue_is_not_told_twice() -> None:
    assert "KR190" not in render("text", analysis(parking()))
    rescued = right(wake_up=parking().wake_up)
    assert "KR190 rescued-by-flush: default/c left" in render("text", analysis(rescued))


@pytest.mark.parametrize("name", ["text", "markdown"])
@pytest.mark.parametrize(
    ("parkings", "verdict"),
    [
        ([], "Nothing wrong in the queue: no pod was parked."),
        ([right()], "Nothing wrong in the queue: 1 failed attempt was parked, rightly."),
        ([right(), undecided()], "Nothing proven wrong in the queue; 1 failed attempt cannot be judged from this log."),
        (
            [parking(), missed(), missed(pod="test/test-dragxd5c", lost_us=None)],
            "2 pods were wrongly parked in unschedulablePods, 3 times (1 proven, 2 likely); 658.0 s were lost.",
        ),
    ],
)
def test_the_verdict_comes_first(name: str, parkings: list, verdict: str) -> None:  # type: ignore[type-arg]
    assert render(name, analysis(*parkings)).splitlines()[0].strip("*") == verdict


def test_no_attempt_no_verdict() -> None:
    out = render("text", analysis(attempts=0, verbosity=1))
    assert out.startswith("Nothing can be said: the log shows no scheduling attempt.\n")


def test_many_findings_are_told_shorter_and_shorter() -> None:
    out = render("text", analysis(*[parking(pod=f"p/{n}", line=n) for n in range(300)]))
    assert out.count("| Error scheduling pod; retrying") == 20
    assert out.count("KR101 stale-plugins") == 220
    assert "and 80 more; --format json has all of them." in out


def test_details_list_every_parking() -> None:
    out = render("text", analysis(right(), undecided()), Options(details=True))
    assert (
        "  line 4, 08-31T00:01:40.000000, default/c, attempt 2, rejected by NodeAffinity, parked: right\n"
        "  (proven); parked 10.0 s, left by NodeAdd\n"
    ) in out
    assert "default/d, attempt 2, went to an unknown queue: undecided\n" in out


@pytest.mark.parametrize("piece", ["x", "`", "\x1b", "\U0010fffe", "\u202e", "<", "@"])
def test_markdown_stays_within_a_comment(piece: str) -> None:
    long = piece * 5000
    cited = [Cited(n, long, long) for n in range(100)]
    many = [parking(pod=long, line=n, needs=[f"{n}{long}"], proof=cited, error=long) for n in range(60)]
    out = render("markdown", analysis(*many), Options(details=True))
    assert len(out.encode("utf-8")) <= LIMIT + 500 < 65_536
    assert out.count("<details>") == out.count("</details>")
    assert "### KR101 stale-plugins" in out
    assert "more findings are left out here" in out


def test_long_proofs_are_folded() -> None:
    out = render("markdown", analysis(parking(proof=[Cited(n, "text", "says") for n in range(7)])))
    assert "<details><summary>Proof, 7 lines</summary>" in out
    assert "<summary>Proof" not in render("markdown", analysis(parking()))


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_same_input_same_bytes(name: str) -> None:
    def once() -> str:
        return render(name, analysis(parking(), missed(), right(), undecided(), BOTH, unknown_lines=2))

    assert once() == once()
    assert once().endswith("\n")


def test_an_unknown_format_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        render("yaml", analysis())
