"""A binary that was built from other sources is noticed."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from heldout import _native

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def guard() -> ModuleType:
    """tests/conftest.py, which holds the check."""
    spec = importlib.util.spec_from_file_location("guard", ROOT / "tests" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_binary_carries_the_digest_of_its_sources(guard: ModuleType) -> None:
    """The digest inside the module equals the one made from the files here."""
    assert _native.source_digest == guard.source_digest(ROOT)
    assert guard.stale_binary() is None


def test_cmake_and_python_make_the_same_digest(guard: ModuleType, tmp_path: Path) -> None:
    """native/source_digest.cmake and the check agree on a folder with nested and oddly sorted names."""
    cmake = shutil.which(Path(sys.executable).with_name("cmake")) or shutil.which("cmake")
    assert cmake is not None, "cmake comes with the build tools: run make test"
    nested = ("native/a/B.cpp", "native/a/b.hpp", "native/a_b.cpp", "native/a-b.hpp")
    for name in (*nested, "native/source_digest.cmake", "CMakeLists.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    header = tmp_path / "digest.hpp"
    script = ROOT / "native" / "source_digest.cmake"
    subprocess.run([cmake, f"-DROOT={tmp_path}", f"-DOUTPUT={header}", "-P", str(script)], check=True)
    assert f'"{guard.source_digest(tmp_path)}"' in header.read_text()


def test_a_changed_source_makes_the_binary_stale(guard: ModuleType, tmp_path: Path) -> None:
    """A tree of sources with one more file refuses this binary, and says what to do."""
    shutil.copytree(ROOT / "native", tmp_path / "native")
    shutil.copy(ROOT / "CMakeLists.txt", tmp_path)
    assert guard.stale_binary(tmp_path) is None
    (tmp_path / "native" / "core" / "new.cpp").write_text("// new\n")
    assert "run make test" in guard.stale_binary(tmp_path)
