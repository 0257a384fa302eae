"""The peers run only when they are asked for by name, `make peers`: they need Weka, Java and R."""

from __future__ import annotations

from pathlib import Path

import pytest

from .comparison import Comparison, compared
from .forest_comparison import ForestComparison, compared_forests
from .forest_results import write_forests
from .results_page import write_page

HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave this folder out unless an argument names it or a file in it."""
    asked = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    return None if any(path.is_relative_to(HERE) for path in asked) else True


@pytest.fixture(scope="session")
def comparison() -> Comparison:
    """Every program on every data set; what was found is written to results.md."""
    found = compared()
    write_page(found)
    return found


@pytest.fixture(scope="session")
def forest_comparison() -> ForestComparison:
    """Every forest on every data set; what was found is written to results.md."""
    found = compared_forests()
    write_forests(found)
    return found
