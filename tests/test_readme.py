"""The README tells the truth: its example is what the program prints, its commands exist, its links lead somewhere."""

from __future__ import annotations

import importlib.util
import os
import re
import stat
from pathlib import Path
from types import ModuleType

import pytest

from klogreplay.cli import main
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def gen_docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gen_docs", ROOT / "tools" / "gen_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_generated_is_up_to_date() -> None:
    stale = [path for path, text in gen_docs().generated().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run python tools/gen_docs.py"


def test_the_example_is_the_programs_own_output(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    block = re.search(r"```console\n\$ klogreplay (.+)\n((?:.*\n)*?)```\n", README)
    assert block is not None
    monkeypatch.chdir(ROOT)
    assert main(block[1].split()) == 1
    assert capfdbinary.readouterr().out.decode().startswith(block[2])
    assert "fixed in" in block[2]


def test_the_first_screen_shows_a_finding() -> None:
    assert "KR101 stale-plugins" in "\n".join(README.splitlines()[:20])


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md"])
def test_links_lead_somewhere(name: str) -> None:
    path = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (path.parent / target).exists(), target


def test_the_commands_named_exist() -> None:
    from klogreplay.cli.app import app

    names = {command.name for command in app.registered_commands}
    assert set(re.findall(r"^klogreplay (\w+)", README, re.MULTILINE)) <= names
    for name in names:
        assert f"`{name}`" in README or f"klogreplay {name}" in README, name


def commands(fence: str) -> list[str]:
    return [block.strip() for block in re.findall(rf"```{fence}\n(.*?)```", README, re.DOTALL)]


def test_two_commands_set_all_up() -> None:
    first, second, *_ = commands("sh")
    assert first.count("\n") == 0
    assert re.fullmatch(
        r"python3 -m venv \.venv && \.venv/bin/pip install -q '\.\[test\]' && "
        r"\.venv/bin/klogreplay analyze --fail-on never (\S+)",
        first,
    )
    assert (ROOT / first.split()[-1]).is_file()
    assert second == ".venv/bin/python -m pytest"


def test_ci_takes_the_readmes_commands() -> None:
    script = ROOT / ".ci" / "run"
    text = script.read_text(encoding="utf-8")
    assert os.stat(script).st_mode & stat.S_IXUSR
    assert "README.md" in text
    assert text.count("-m pytest") == text.count("readme '-m pytest'")


def test_the_license_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_contributing_names_files_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in re.findall(r"`((?:klogreplay|docs|tools|tests)/[\w/.-]+)`", text):
        assert Path(ROOT / name).exists(), name
