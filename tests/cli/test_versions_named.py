"""A log that names another version than its lines are of, by identify and by analyze: both tell the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from klogreplay.cli import main
from klogreplay.knowledge import normalise_release, releases

VERSION = 'version="v1.28.0"'


@pytest.fixture
def log(fixtures: Path) -> str:
    text = (fixtures / "analyze" / "missed-events-1.28.0-v5.log").read_text()
    assert text.count(VERSION) == 1
    return text


class Told:
    """What the commands say of the log where it names `version`."""

    def __init__(self, capfd: pytest.CaptureFixture[str], folder: Path, log: str, version: str) -> None:
        path = folder / "scheduler.log"
        path.write_text(log.replace(VERSION, f'version="{version}"'))
        answers = []
        for command in ("identify", "analyze"):
            for form in ("json", "text"):
                assert main([command, "--format", form, str(path)]) in (0, 1)
                answers.append(capfd.readouterr().out)
        self.identified: dict[str, Any] = json.loads(answers[0])
        self.report: dict[str, Any] = json.loads(answers[2])
        self.texts = (answers[1], answers[3])


UNKNOWN = ["v1.28.1", "v1.28.2", "v1.28.5", "v1.28.99", "v1.37.0", "v1.17.0", "v2.0.0", "v1.28.5-eks-1", "v1.28.2+k3s1"]


@pytest.mark.parametrize("version", UNKNOWN)
def test_one_that_the_catalogue_does_not_have(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, log: str, version: str
) -> None:
    told = Told(capfd, tmp_path, log, version)
    found, kubernetes = told.identified, told.report["kubernetes"]
    assert (found["version"], kubernetes["version"]) == (None, None)
    assert kubernetes["named"] == normalise_release(version)
    assert found["candidates"] == kubernetes["candidates"]
    assert set(found["candidates"]) <= set(releases())
    assert found["nearest"] in found["candidates"]
    assert found["vendor"] is ("1.28.0" not in found["candidates"])
    assert any(line["line"] and version.lstrip("v") in line["says"] for line in found["evidence"])
    judged = " or ".join(found["candidates"])
    assert any(text.endswith(f"judged as {judged}") for text in told.report["log"]["warnings"])
    for text in told.texts:
        assert version.lstrip("v") in text
        assert all(release in text for release in found["candidates"])
        assert "could have printed these lines" not in text


@pytest.mark.parametrize("version", ["v1.29.1", "v1.22.6", "v1.28.5", "v1.28.99", "v1.37.0", "v1.29.5-rke2"])
def test_one_that_the_lines_contradict(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, log: str, version: str
) -> None:
    told = Told(capfd, tmp_path, log, version)
    release = normalise_release(version)
    assert told.identified["vendor"] is True
    assert f"Its lines are not those of {release}" in told.texts[0]
    assert f"the log names {release}, but some of its lines are not printed like that" in told.texts[1]


@pytest.mark.parametrize("version", ["v1.28.0-eks-abcdef", "v1.28.0+k3s1", "v1.28.0-gke.1217000"])
def test_a_vendors_build_of_a_known_one(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, log: str, version: str
) -> None:
    told = Told(capfd, tmp_path, log, version)
    assert (told.identified["version"], told.identified["vendor"]) == ("1.28.0", False)
    assert (told.report["kubernetes"]["version"], told.report["kubernetes"]["named"]) == ("1.28.0", None)
    assert all(f"{version}, a vendor's build of 1.28.0" in text for text in told.texts)
    assert any(version in line["says"] for line in told.identified["evidence"])


def test_the_release_itself(capfd: pytest.CaptureFixture[str], tmp_path: Path, log: str) -> None:
    told = Told(capfd, tmp_path, log, "v1.28.0")
    assert (told.identified["version"], told.identified["vendor"]) == ("1.28.0", False)
    assert told.report["log"]["warnings"] == []
    assert not any("log names" in text for text in told.texts)
