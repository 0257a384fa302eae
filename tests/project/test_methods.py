"""The pages of methods have a formula, a reference and a result for every statistic and pruning."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import heldout.stats
from heldout import TreeClassifier
from heldout.learners.trees.pruned_trees import PRUNING_WITH

METHODS = Path(__file__).parents[2] / "docs" / "methods"
# These pages are tables of large simulations; the formulas of what they measure stand in the others.
MEASURED = {"intervals.md", "comparisons.md", "verdicts.md", "studies.md", "index.md"}
FORMULAS = sorted(page for page in METHODS.glob("*.md") if page.name not in MEASURED)


def sections_of(page: Path) -> dict[str, str]:
    """The text below each heading of the second level."""
    parts = re.split(r"^## (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("page", FORMULAS, ids=lambda page: page.name)
def test_a_section_has_a_formula_a_reference_and_a_result(page: Path) -> None:
    """Each section has all three, but for those that hold the tables of the others."""
    bold = ("**Reference.**", "**What our simulations showed.**")
    lacking = [
        heading
        for heading, text in sections_of(page).items()
        if not ("```text" in text and all(word in text for word in bold))
        if not ("<!-- measured:" in text and not any(word in text for word in bold))
    ]
    assert sections_of(page)
    assert lacking == []


def test_every_statistic_stands_in_a_formula_page() -> None:
    """Each public function of heldout.stats is named in a page that has its formula."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in FORMULAS)
    functions = [name for name in heldout.stats.__all__ if inspect.isfunction(getattr(heldout.stats, name))]
    assert len(functions) > 30
    assert [
        name for name in functions if not re.search(rf"`(?:[\w.]+\.)?{name}\b|^{name}\b", text, re.MULTILINE)
    ] == []


def test_every_pruning_stands_in_the_page_of_prunings() -> None:
    """Each value of `prune`, and each parameter that a pruning asks for, is named there."""
    text = (METHODS / "prunings.md").read_text(encoding="utf-8")
    prunings = set(PRUNING_WITH.values())
    assert TreeClassifier().prune in prunings
    assert [name for name in sorted(prunings) if f'`prune="{name}"`' not in text] == []
    assert [name for name in PRUNING_WITH if name not in text] == []


def test_every_table_of_a_simulation_is_filled() -> None:
    """Between the marks that a program writes to stands a table, and each mark stands once in its page."""
    for page in METHODS.glob("*.md"):
        found = re.findall(
            r"<!-- measured: (.*?) -->\n(.*?)<!-- end -->", page.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        assert [mark for mark, table in found if not table.startswith("|")] == [], page.name
        assert len({mark for mark, _ in found}) == len(found), page.name
