"""The layers hold, and the picture of them names every package."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "heldout"


def test_rooms_import_only_what_stands_lower() -> None:
    """import-linter finds no package that imports a higher one."""
    command = [sys.executable, "-c", "import sys, importlinter.cli as c; sys.exit(c.lint_imports())"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_native_imports_the_compiled_module() -> None:
    """The compiled module has one door."""
    importer = re.compile(
        r"^\s*(from heldout import .*\b_native\b|import heldout\._native|from heldout\._native)"
    )
    doors = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if importer.match(line)
    }
    assert {door.split("/")[0] for door in doors} == {"native"}


def test_the_architecture_page_names_every_room() -> None:
    """Each folder and module of the package stands in docs/architecture.md."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    packages = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    modules = {path.name for path in PACKAGE.glob("*.py")}
    native = {path.name for path in (ROOT / "native" / "core").iterdir() if path.is_dir()}
    unnamed = [name for name in sorted(packages | modules | native) if name not in page]
    assert unnamed == []
