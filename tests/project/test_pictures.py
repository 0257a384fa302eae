"""The pictures in the documents are what the package draws."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_picture_is_that_of_the_demo() -> None:
    """docs/pictures/penguins.svg is the demo's tree as to_svg() draws it."""
    tree = runpy.run_path(str(ROOT / "examples" / "penguins_tree.py"))["tree"]
    picture = (ROOT / "docs" / "pictures" / "penguins.svg").read_text(encoding="utf-8")
    assert picture == tree.to_svg()
