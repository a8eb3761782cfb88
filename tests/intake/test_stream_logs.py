"""The logs of several pods in one stream: each by itself, in every form that names them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from klogreplay.intake.stream_logs import MOST_LOGS
from tests.intake.test_several import Read, line, write

BLOCK = " err=<\n\tmore\n\tlines\n >"


def rows_of(pods: Sequence[str], count: int = 3000, seed: int = 1) -> list[tuple[str, str]]:
    """Lines of several pods as they came, each with its pod; a record's lines stand together for their pod only."""
    rng = random.Random(seed)
    waiting: dict[str, list[str]] = {pod: [] for pod in pods}
    rows: list[tuple[str, str]] = []
    for number in range(count):
        pod = rng.choice(pods)
        if not waiting[pod]:
            text = line(number / 9, f"{pod}{number}") + (BLOCK if rng.random() < 0.1 else "")
            waiting[pod] = text.splitlines()
        rows.append((pod, waiting[pod].pop(0)))
    return rows + [(pod, text) for pod in pods for text in waiting[pod]]


STREAMS: dict[str, Callable[[str, str], str]] = {
    "kubectl-prefix": lambda pod, text: f"[pod/{pod}/kube-scheduler] {text}",
    "kubectl-prefix-timestamps": lambda pod, text: f"[pod/{pod}/kube-scheduler] 2026-12-01T08:00:00.123456789Z {text}",
    "stern": lambda pod, text: f"{pod} kube-scheduler {text}",
    "stern-colours": lambda pod, text: f"\x1b[36m{pod}\x1b[0m \x1b[36mkube-scheduler\x1b[0m {text}",
    "stern-all-namespaces": lambda pod, text: f"kube-system {pod} kube-scheduler {text}",
    "stern-json": lambda pod, text: json.dumps({"message": text, "podName": pod, "containerName": "kube-scheduler"}),
    "kubetail": lambda pod, text: f"[{pod}] {text} ",
    "cloudwatch": lambda pod, text: json.dumps(
        {"logStreamName": pod, "timestamp": 1796112000000, "message": text, "ingestionTime": 1}
    ),
    "cloudwatch-tail": lambda pod, text: f"2026-12-01T08:00:00.000000+00:00 {pod} {text}",
    "gke": lambda pod, text: json.dumps(
        {
            "textPayload": text + "\n",
            "timestamp": "2026-12-01T08:00:00Z",
            "logName": "projects/p/logs/stderr",
            "resource": {"type": "k8s_container", "labels": {"cluster_name": "c", "pod_name": pod}},
        }
    ),
    "aks": lambda pod, text: json.dumps(
        {"category": "kube-scheduler", "properties": {"log": text + "\n", "pod": pod}, "time": "2026-12-01T08:00:00Z"}
    ),
    "logcli": lambda pod, text: f'2026-12-01T08:00:00Z {{app="s", pod="{pod}"}} {text}',
    "loki-json": lambda pod, text: json.dumps(
        {"labels": {"pod": pod, "stream": "stderr"}, "line": text, "timestamp": "2026-12-01T08:00:00Z"}
    ),
    "filebeat": lambda pod, text: json.dumps(
        {"@timestamp": "2026-12-01T08:00:00.184Z", "message": text, "kubernetes": {"pod": {"name": pod}}}
    ),
    "fluent-bit": lambda pod, text: json.dumps(
        {"date": 1796112000.1, "log": text + "\n", "stream": "stderr", "kubernetes": {"pod_name": pod}}
    ),
    "elasticsearch": lambda pod, text: json.dumps(
        {
            "_index": "l",
            "_source": {"@timestamp": "2026-12-01T08:00:00Z", "message": text, "kubernetes": {"pod_name": pod}},
        }
    ),
    "journald": lambda pod, text: f"Dec 01 08:00:00 {pod} kube-scheduler[812]: {text}",
    "journald-json": lambda pod, text: json.dumps(
        {"_HOSTNAME": pod, "__REALTIME_TIMESTAMP": "1796112000000000", "MESSAGE": text}
    ),
    "syslog-5424": lambda pod, text: f"<30>1 2026-12-01T08:00:00.1Z {pod} kube-scheduler 812 - - {text}",
    "syslog-3164": lambda pod, text: f"<30>Dec  1 08:00:00 {pod} kube-scheduler[812]: {text}",
    "grep-n": lambda pod, text: f"logs/{pod}.log:12:{text}",
}
STRIPS = ("kubetail", "logcli")


@pytest.mark.parametrize("form", STREAMS)
def test_each_log_of_a_stream_is_an_input_of_its_own(tmp_path: Path, form: str) -> None:
    pods = ["kube-scheduler-a", "kube-scheduler-b"]
    rows = rows_of(pods)
    text = "".join(STREAMS[form](pod, text) + "\n" for pod, text in rows)
    assert len(text) > 2 << 16
    read = Read(write(tmp_path / "x.log", text))
    assert len(read.inputs) == 2
    assert read.chains == [0, 1]
    assert sum(each.lines for each in read.inputs) == len(rows) == len(read.lines)
    physical = text.splitlines()
    for index, stats in enumerate(read.inputs):
        pod = next(pod for pod in pods if pod in stats.log)
        assert pod in read.labels[index]
        assert stats.title == f"{stats.name} [{stats.log}]"
        mine = [each for each in read.lines if each.source == index]
        own = [text for other, text in rows if other == pod]
        if form in STRIPS:
            assert [each.text.strip() for each in mine] == [text.strip() for text in own]
        else:
            assert [each.text for each in mine] == own
        assert [each.number for each in mine] == [n for n, (other, _) in enumerate(rows, 1) if other == pod]
        assert all(pod in physical[each.number - 1] for each in mine)


@pytest.mark.parametrize("form", STREAMS)
def test_a_stream_of_one_log_is_one_input(tmp_path: Path, form: str) -> None:
    rows = rows_of(["kube-scheduler-a"])
    read = Read(write(tmp_path / "x.log", "".join(STREAMS[form](pod, text) + "\n" for pod, text in rows)))
    assert (read.chains, read.labels) == ([0], [""])
    assert [each.log for each in read.inputs] == [""]


def test_rotated_files_of_one_grep_are_one_log(tmp_path: Path) -> None:
    names = ["kube-scheduler.log.2.gz", "kube-scheduler.log.1", "kube-scheduler.log"]
    text = "".join(f"{names[n // 100]}:{n}:{line(n, 'x')}\n" for n in range(300))
    assert Read(write(tmp_path / "x.log", text)).chains == [0]
    numbered = "".join(f"{n}:{line(n, 'x')}\n" for n in range(300))
    assert Read(write(tmp_path / "y.log", numbered)).chains == [0]


def test_lines_that_name_no_log_are_of_the_one_before(tmp_path: Path) -> None:
    rows: list[str] = []
    for n in range(0, 120, 3):
        rows += [line(n, "no prefix"), f"[pod/a/s] {line(n + 1, 'a')}", "\tof a"]
        rows += [f"[pod/b/s] {line(n + 2, 'b')}", "\tof b", "\tof b"]
    read = Read(write(tmp_path / "x.log", "\n".join(rows) + "\n"))
    assert [each.log for each in read.inputs] == ["a/s", "b/s"]
    of_b = [each.text for each in read.lines if each.source == 1]
    assert of_b.count("\tof b") == 80
    assert "\tof a" not in of_b


def test_rotated_streams_of_the_same_pods(tmp_path: Path) -> None:
    """Each pod's log goes on in the second file, where the other comes first."""
    pods = ["kube-scheduler-a", "kube-scheduler-b"]
    texts = []
    for part, order in enumerate((pods, pods[::-1])):
        rows = [(order[n % 2], line(part * 300 + n, f"n{n}")) for n in range(300)]
        texts.append("".join(f"[pod/{pod}/s] {text}\n" for pod, text in rows))
    paths = [write(tmp_path / name, text) for name, text in zip(("x.log.1", "x.log"), texts, strict=True)]
    read = Read(*paths)
    logs = {each.log: [] for each in read.inputs}  # type: ignore[var-annotated]
    for index, each in enumerate(read.inputs):
        logs[each.log].append(read.chains[index])
    assert len(logs) == 2
    assert all(len(set(chains)) == 1 and len(chains) == 2 for chains in logs.values())
    assert len(set(read.labels)) == 4


def test_a_stream_of_many_logs_keeps_few_apart(tmp_path: Path) -> None:
    text = "".join(f"[pod/p{n}/c] {line(n, 'x')}\n" for n in range(300))
    read = Read(write(tmp_path / "x.log", text))
    assert len(read.lines) == 300
    assert len(read.inputs) == MOST_LOGS
    assert [f"{300 - MOST_LOGS} lines of further ones are read as one" in w for w in read.inputs[0].warnings] == [True]
