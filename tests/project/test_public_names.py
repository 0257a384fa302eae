"""What a user can type is what the guide lists."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import heldout

ROOT = Path(__file__).parents[2]


def documented_names() -> set[str]:
    """The names in the first column of the guide's table of names."""
    page = (ROOT / "docs" / "guide" / "names.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| `ho\.(\w+)` ", page, flags=re.MULTILINE))


def test_public_names_are_the_documented_ones() -> None:
    """The guide's table and `__all__` hold the same names."""
    assert documented_names() == set(heldout.__all__)


def test_documented_names_of_rooms_are_public_there() -> None:
    """Each name that the guide imports from a package is in the package's `__all__`."""
    page = (ROOT / "docs" / "guide" / "names.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(heldout\.\w+)\.(\w+)`([^|]*) \|", page, flags=re.MULTILINE)
    named = [
        (package, name)
        for package, first, others in rows
        for name in (first, *re.findall(r"`(\w+)`", others))
    ]
    assert len(named) == 7
    for package, name in named:
        assert name in import_module(package).__all__


def test_public_names_resolve() -> None:
    """Every public name can be loaded, and is listed by `dir`."""
    for name in heldout.__all__:
        assert getattr(heldout, name) is not None
    assert set(dir(heldout)) >= set(heldout.__all__)


def test_public_classes_have_an_example() -> None:
    """Each public class or function explains itself, and each learner shows an example."""
    for name in heldout.__all__:
        thing = getattr(heldout, name)
        if callable(thing):
            assert thing.__doc__, name
            if hasattr(thing, "fit"):
                assert ">>>" in thing.__doc__, name


def test_importing_loads_nothing_heavy() -> None:
    """`import heldout` leaves scikit-learn, pyarrow, SciPy and the frames alone."""
    code = (
        "import sys, numpy; before = set(sys.modules); import heldout; "
        "print(*sorted(name for name in set(sys.modules) - before if '.' not in name))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"sklearn", "pyarrow", "scipy", "pandas", "polars", "narwhals", "python_calamine"}
    assert not heavy & set(done.stdout.split())


def test_importing_is_quick() -> None:
    """`import heldout` takes less than 0.2 s beyond NumPy, in the best of three tries."""
    code = (
        "import time, numpy; start = time.perf_counter(); import heldout; print(time.perf_counter() - start)"
    )
    tries = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    ]
    assert min(tries) < 0.2
