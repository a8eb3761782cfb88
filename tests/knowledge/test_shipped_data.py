"""The shipped data files: same as a rebuild, small, found in a zip, and not read before they are needed."""

from __future__ import annotations

import gzip
import importlib
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from klogreplay import knowledge

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "klogreplay" / "knowledge" / "data"


@pytest.fixture(scope="module")
def builder() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        yield importlib.import_module("build_knowledge")


@pytest.mark.recorded
def test_shipped_data_equals_a_rebuild(builder: ModuleType, recorded: Path) -> None:
    assert {path.name for path in DATA.glob("*.json.gz")} == {f"{name}.json.gz" for name in builder.BUILDERS}
    for name, build in builder.BUILDERS.items():
        shipped = json.loads(gzip.decompress((DATA / f"{name}.json.gz").read_bytes()))
        rebuilt = json.loads(gzip.decompress(builder.encode(build(recorded / "catalog"))))
        assert shipped == rebuilt, name


def test_the_data_is_small() -> None:
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 1_500_000


def test_importing_reads_nothing() -> None:
    code = "import sys, klogreplay.knowledge; print('msgspec' in sys.modules, 'gzip' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False False\n"


def test_every_public_name_can_be_had() -> None:
    assert len(set(knowledge.__all__)) == len(knowledge.__all__)
    for name in knowledge.__all__:
        assert getattr(knowledge, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        knowledge.nothing  # noqa: B018


def test_the_data_is_found_in_a_zip(tmp_path: Path) -> None:
    archive = tmp_path / "klogreplay.zip"
    with zipfile.ZipFile(archive, "w") as target:
        for path in sorted((ROOT / "klogreplay").rglob("*")):
            if path.suffix in {".py", ".gz", ".toml"}:
                target.write(path, path.relative_to(ROOT))
    code = (
        f"import sys; sys.path.insert(0, {str(archive)!r})\n"
        "import klogreplay.knowledge as k\n"
        "print(k.__file__.startswith(sys.path[0]), len(k.releases()), k.plugins_of_reason('1.28.0', 'Too many pods'))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert run.stdout == "True 117 ('NodeResourcesFit',)\n"
