"""What a notebook shows of a study: how it stands, its verdict, its looks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import heldout as ho
from heldout.results.study_result import StudyResult

from ..read_html import read


@pytest.fixture(scope="module")
def study_and_result(tmp_path_factory: pytest.TempPathFactory) -> tuple[ho.Study, StudyResult]:
    path = tmp_path_factory.mktemp("notebook") / "penguins.heldout"
    table = ho.datasets.load("penguins").take(np.arange(0, 344, 4))
    study = ho.Study.create(path, table, target="species")
    tree = ho.Contender("tree", ho.TreeClassifier(min_leaf=5))
    return study, study.run(ho.Plan.quick([tree]), n_jobs=1, progress=False)


def test_a_study_says_how_it_stands(study_and_result: tuple[ho.Study, StudyResult]) -> None:
    """A study shows rows, plans and seal, and after a run its verdict with the picture."""
    study, result = study_and_result
    html = study._repr_html_()
    texts = " ".join(read(html).texts)
    assert "never opened" in texts
    assert result.verdict.sentence in texts
    assert "<svg" in html


def test_a_closed_study_still_shows_itself(tmp_path: Path) -> None:
    """A study that was closed says so instead of failing."""
    with ho.Study.create(
        tmp_path / "a.heldout", ho.datasets.load("play_tennis"), target="PlayTennis"
    ) as study:
        pass
    assert "closed" in " ".join(read(study._repr_html_()).texts)


def test_a_result_of_a_study_shows_verdict_and_contenders(
    study_and_result: tuple[ho.Study, StudyResult],
) -> None:
    """The result of a plan shows the verdict in words, its picture and a row for each contender."""
    _, result = study_and_result
    html = result._repr_html_()
    texts = read(html).texts
    assert result.verdict.sentence in texts
    assert result.verdict.to_svg() in html
    assert {"tree", "baseline", "to the best"} <= set(texts)


def test_the_looks_show_their_rows(study_and_result: tuple[ho.Study, StudyResult]) -> None:
    """The table of looks shows the looks themselves, as it prints them."""
    study, _ = study_and_result
    found = read(study.looks()._repr_html_())
    n_rows = sum(tag == "tr" for tag, _ in found.elements)
    assert n_rows == min(study.looks().n_rows, 60) + 1
