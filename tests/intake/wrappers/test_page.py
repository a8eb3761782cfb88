"""docs/inputs.md and the fixtures of every form are what the generator writes, and every form gives the same."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from klogreplay.cli.run import Request, analyse
from tests.conftest import ROOT
from tests.intake.forms import FORMS, Form
from tests.intake.forms.several import SEVERAL, SeveralForm


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gen_inputs", ROOT / "tools" / "gen_inputs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_page_and_fixtures_are_up_to_date(generator: ModuleType) -> None:
    files = generator.generated()
    stale = [path for path, data in files.items() if not generator.is_current(path, data)]
    assert stale == [], "run python tools/gen_inputs.py"
    kept = {path.name for path in generator.INPUTS.iterdir() if not path.name.startswith(".")}
    assert kept == {path.name for path in files if path.parent == generator.INPUTS}
    page = files[generator.PAGE].decode()
    assert "differs" not in page
    assert all(f"| `{form.name}.log` |" in page for form in FORMS)
    assert all(f"| `{form.name}/` |" in page for form in SEVERAL)
    there = {path for path in generator.SEVERAL_INPUTS.rglob("*") if path.is_file()}
    assert there == {path for path in files if generator.SEVERAL_INPUTS in path.parents}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_the_fixture_gives_what_the_plain_log_gives(form: Form, generator: ModuleType, fixtures: Path) -> None:
    plain = analyse(Request(paths=[str(fixtures / "inputs" / "plain.log")]))
    wrapped = analyse(Request(paths=[str(fixtures / "inputs" / f"{form.name}.log")]))
    assert generator.told(wrapped) == generator.told(plain)
    assert wrapped.log.lines.unknown == plain.log.lines.unknown == 0
    assert [(parking.pod, parking.verdict) for parking in plain.parkings] == [
        ("default/worker-v2f54w6dc-5fc7c", "right"),
        ("default/worker-v2f54w6dc-5fc7c", "wrong"),
    ]


@pytest.mark.parametrize("form", SEVERAL, ids=lambda form: form.name)
def test_the_files_give_what_the_plain_log_gives(form: SeveralForm, generator: ModuleType, fixtures: Path) -> None:
    plain = analyse(Request(paths=[str(fixtures / "inputs" / "plain.log")]))
    place = fixtures / "several" / form.name
    content = {str(path.relative_to(place)): b"" for path in place.rglob("*") if path.is_file()}
    several = analyse(Request(paths=generator.paths_of(place, content)))
    expected = generator.told_shortly(plain)
    assert [row[0] for row in expected] == ["right", "wrong"]
    assert generator.told_shortly(several) == sorted(expected * form.schedulers)
    assert len(several.log.processes) == form.schedulers
    assert len({parking.pod for parking in several.parkings}) == form.schedulers
    assert several.log.lines.unknown == 0
    # Where the log says itself where the pod is, its dump agrees.
    assert not [warning for warning in several.log.warnings if "dump" in warning]
