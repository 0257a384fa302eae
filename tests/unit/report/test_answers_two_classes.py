"""Curves, confusion and reliability of two classes: the numbers are scikit-learn's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.calibration import calibration_curve
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix,
    precision_recall_curve,
    precision_score,
    recall_score,
    roc_auc_score,
    roc_curve,
)

import heldout as ho
from heldout.metrics.roc import Roc, roc
from heldout.report.predictions.predictions_summary import reliability_numbers, rows_behind
from heldout.report.predictions.ranked_numbers import (
    GRID,
    RankedPredictions,
    precisions_at,
    ranked_numbers,
    rates_at,
)
from heldout.report.predictions.requested_rows import RequestedRows, requested_rows
from heldout.report.predictions.short_numbers import numbers_of
from heldout.report.summarize import summarize
from heldout.stats.rate_interval import wilson_ends
from heldout.verdict.judged_rows import JudgedRows

from .answer_studies import recorded, summary_of, two_classes


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """The summary of a study of two classes that a forest wins."""
    return summary_of("two classes")


@pytest.fixture(scope="module")
def asked() -> RequestedRows:
    """The questions of that study."""
    return requested_rows(recorded("two classes")[0].rows)


@pytest.fixture(scope="module")
def said(asked: RequestedRows) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Whether each row is ripe, and the probability that it was given."""
    plan, answers = recorded("two classes")
    assert plan.rows.classes == ("no", "yes")
    assert answers.probabilities is not None
    table = answers.probabilities[asked.repeats, asked.rows]
    return plan.rows.y[asked.rows] == "yes", table[:, 1]


def test_the_study_is_the_one_that_was_meant(found: dict[str, Any]) -> None:
    """The forest wins, and the stump stands beside it because it can be read."""
    assert (found["contender"], found["beside"]["contender"]) == ("forest", "stump")
    assert (found["kind"], found["positive"], found["n_folds"]) == ("two classes", "yes", 10)


def test_the_areas_are_those_of_sklearn(found: dict[str, Any], asked: RequestedRows, said: Any) -> None:
    """The AUC is the mean of roc_auc_score over repeats, and over folds where folds are meant."""
    y, scores = said
    by_repeat = [roc_auc_score(y[asked.repeats == r], scores[asked.repeats == r]) for r in (0, 1)]
    by_fold = [roc_auc_score(y[part], scores[part]) for part in asked.parts()]
    numbers = found["roc"]
    assert numbers["area"] == pytest.approx(np.mean(by_repeat), abs=1e-6)
    assert numbers["ranked_together"] == pytest.approx(roc_auc_score(y, scores), abs=1e-6)
    assert numbers["mean_of_folds"] == pytest.approx(np.mean(by_fold), abs=1e-6)
    assert numbers["areas"]["low"] == pytest.approx(np.quantile(by_fold, 0.1), abs=1e-6)
    assert numbers["areas"]["high"] == pytest.approx(np.quantile(by_fold, 0.9), abs=1e-6)


def test_the_area_is_the_one_of_the_comparison(tmp_path: Path) -> None:
    """A study that is judged by AUC shows the same number in its figure as in its standings."""
    contenders = (ho.Contender("forest", ho.ForestClassifier(n_trees=20)),)
    plan = ho.Plan(contenders, ho.KFold(4, repeats=2), ho.KFold(2), choose_by="auc")
    with ho.Study.create(tmp_path / "c.heldout", ho.read_table(two_classes()), target="ripe") as study:
        result = study.run(plan, n_jobs=1, progress=False)
        summary = summarize(study.ledger)
    shown = {each.name: each.estimate.estimate for each in result.standings}
    assert summary["answers"]["contender"] == result.verdict.winner == "forest"
    assert summary["answers"]["roc"]["area"] == pytest.approx(shown["forest"], abs=1e-6)


def test_the_line_is_the_curve_of_sklearn(found: dict[str, Any], said: Any) -> None:
    """Every point of the thinned line is a point of roc_curve, and no point of that lies apart from it."""
    across, upwards, _ = roc_curve(*said, drop_intermediate=False)
    line = numbers_of(found["roc"]["across"]), numbers_of(found["roc"]["upwards"])
    distances = np.hypot(line[0][:, None] - across, line[1][:, None] - upwards)
    assert distances.min(axis=1).max() < 1e-4
    assert max(_apart(x, y, *line) for x, y in zip(across, upwards, strict=True)) < 1e-3


def _apart(x: float, y: float, across: NDArray[np.float64], upwards: NDArray[np.float64]) -> float:
    """How far a point lies from a line of straight pieces."""
    starts, ends = np.column_stack([across[:-1], upwards[:-1]]), np.column_stack([across[1:], upwards[1:]])
    along = ends - starts
    length = np.maximum((along**2).sum(axis=1), 1e-30)
    share = np.clip((([x, y] - starts) * along).sum(axis=1) / length, 0, 1)
    return float(np.hypot(*(starts + share[:, None] * along - [x, y]).T).min())


def test_the_band_is_the_middle_of_the_folds(found: dict[str, Any], asked: RequestedRows, said: Any) -> None:
    """At each false positive rate the band has the quantiles of sklearn's curves of the folds."""
    y, scores = said
    lines = []
    for part in asked.parts():
        across, upwards, _ = roc_curve(y[part], scores[part], drop_intermediate=False)
        lines.append([_highest(across, upwards, x) for x in GRID])
    band = found["roc"]["band"]
    assert band["n_folds"] == 10
    np.testing.assert_allclose(band["low"], np.quantile(lines, 0.1, axis=0), atol=1e-5)
    np.testing.assert_allclose(band["high"], np.quantile(lines, 0.9, axis=0), atol=1e-5)


def _highest(across: NDArray[np.float64], upwards: NDArray[np.float64], x: float) -> float:
    """The height of a curve, where it rises straight the upper end."""
    at = upwards[np.abs(across - x) < 1e-12]
    return float(at.max()) if len(at) else float(np.interp(x, across, upwards))


def test_precision_is_that_of_sklearn(found: dict[str, Any], said: Any) -> None:
    """At every recall of precision_recall_curve the interpolation has its highest precision there."""
    precision, recall, _ = precision_recall_curve(*said)
    curve = RankedPredictions(requested_rows(recorded("two classes")[0].rows), *said).curve()
    inner = np.unique(recall)[1:]
    best = np.array([precision[recall == each].max() for each in inner])
    np.testing.assert_allclose(precisions_at(curve, inner), best, atol=1e-12)
    numbers = found["precision_recall"]
    assert numbers["average_precision"] == pytest.approx(average_precision_score(*said), abs=1e-6)
    assert numbers["base_rate"] == pytest.approx(said[0].mean(), abs=1e-6)
    assert numbers["area"] <= numbers["achievable"]["area"]


def test_between_two_recalls_counts_are_interpolated() -> None:
    """The example of Davis and Goadrich: 5 of 10 and 10 of 40 with 20 positive rows."""
    curve = Roc.of_counts([5, 10], [5, 30], n_positives=20, n_negatives=2000)
    found = precisions_at(curve, np.array([0.25, 0.3, 0.35, 0.4, 0.45, 0.5]))
    assert found.round(3).tolist() == [0.5, 0.375, 0.318, 0.286, 0.265, 0.25]


def test_a_curve_may_rise_straight() -> None:
    """At the place of a straight rise the upper end counts, between two places the line."""
    curve = roc([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    found = rates_at(curve, np.array([0.0, 1 / 6, 1 / 3, 0.5, 1.0]))
    np.testing.assert_allclose(found, [1 / 3, 1 / 3, 1.0, 1.0, 1.0])


def test_the_confusion_is_that_of_sklearn(found: dict[str, Any], asked: RequestedRows) -> None:
    """Counts are the mean of confusion_matrix over repeats; recalls and precisions are pooled."""
    plan, answers = recorded("two classes")
    assert answers.labels is not None
    y = (plan.rows.y[asked.rows] == "yes").astype(int)
    labels = answers.labels[asked.repeats, asked.rows]
    confusion = found["confusion"]
    np.testing.assert_allclose(confusion["counts"], confusion_matrix(y, labels) / 2)
    recalls = [each["recall"] for each in confusion["classes"]]
    np.testing.assert_allclose(recalls, recall_score(y, labels, average=None), atol=1e-6)
    precisions = [each["precision"] for each in confusion["classes"]]
    np.testing.assert_allclose(precisions, precision_score(y, labels, average=None), atol=1e-6)
    by_fold = [float((y[part] == labels[part]).mean()) for part in asked.parts()]
    assert confusion["accuracies"]["low"] == pytest.approx(np.quantile(by_fold, 0.1), abs=1e-6)


def test_the_bins_are_those_of_sklearn(asked: RequestedRows, said: Any) -> None:
    """Bins of equal width hold what calibration_curve finds."""
    y, scores = said
    # An edge belongs to the bin above it here, and to the one below it there.
    nudged = np.where(np.isclose(scores * 10 % 1, 0), scores + 1e-9, scores).clip(0, 1)
    shares, means = calibration_curve(y, nudged, n_bins=10, strategy="uniform")
    bins = reliability_numbers(asked, nudged, y, by="width")["bins"]
    np.testing.assert_allclose([each["share"] for each in bins], shares, atol=1e-6)
    np.testing.assert_allclose([each["said"] for each in bins], means, atol=1e-6)


def test_a_row_that_is_asked_twice_counts_once(found: dict[str, Any]) -> None:
    """The bins hold as many rows as there are, and the intervals rest on no more than these."""
    bins = found["reliability"]["bins"]
    assert sum(each["n_rows"] for each in bins) == pytest.approx(found["n_rows"], abs=1e-3)
    happened = np.array([True, False, False, True, False])
    once, twice = np.arange(5), np.tile(np.arange(5), 2)
    assert rows_behind(happened, np.ones(5), once, once) == pytest.approx(5)
    assert rows_behind(np.tile(happened, 2), np.full(10, 0.5), twice, twice) == pytest.approx(5)


def test_groups_make_intervals_wider() -> None:
    """The number of rows behind a share is that by which resampled groups vary."""
    random = np.random.default_rng(5)
    units = np.repeat(np.arange(120), 6)
    pull = np.repeat(random.normal(size=120), 6)
    happened = random.random(720) < 1 / (1 + np.exp(-2 * pull))
    found = rows_behind(happened, np.ones(720), np.arange(720), units)
    sums, size = np.bincount(units, happened), 6.0
    draws = random.integers(0, 120, size=(4000, 120))
    spread = float((sums[draws].sum(axis=1) / (120 * size)).std())
    share = float(happened.mean())
    assert found < 360
    assert (share * (1 - share) / found) ** 0.5 == pytest.approx(spread, rel=0.06)


def test_an_interval_of_plain_rows_is_wilsons() -> None:
    """Rows that are asked once have the interval of their share alone."""
    asked = requested_rows(JudgedRows(np.zeros(40), np.arange(40)[np.newaxis] % 4))
    happened = np.arange(40) % 4 == 0
    (only,) = reliability_numbers(asked, np.full(40, 0.3), happened)["bins"]
    assert (only["low"], only["high"]) == pytest.approx(wilson_ends(0.25, 40), abs=1e-6)


def test_many_rows_stay_few_numbers() -> None:
    """A hundred thousand rows become a few kilobytes, and the corners of the curve stay."""
    random = np.random.default_rng(6)
    rows = JudgedRows(np.zeros(100_000), (np.arange(100_000) % 10)[np.newaxis])
    is_positive = random.random(100_000) < 0.2
    scores = random.normal(size=100_000) + 1.5 * is_positive
    found = ranked_numbers(RankedPredictions(requested_rows(rows), is_positive, scores))
    assert len(json.dumps(found)) < 25_000
    across, upwards, _ = roc_curve(is_positive, scores)
    line = numbers_of(found["roc"]["across"]), numbers_of(found["roc"]["upwards"])
    assert max(_apart(x, y, *line) for x, y in zip(across[::200], upwards[::200], strict=True)) < 1e-3


def test_a_guess_has_no_curve() -> None:
    """One score for all rows of a fold is told as such, and no diagonal is drawn."""
    found = summary_of("guess")
    assert found["is_constant"]
    assert "roc" not in found
    assert found["confusion"]["accuracy"] == pytest.approx(found["confusion"]["baseline"])


def test_folds_without_a_class_are_told() -> None:
    """A fold that has no positive row has no curve; where few are left there is no band."""
    rows = JudgedRows(np.zeros(40), (np.arange(40) % 8)[np.newaxis])
    is_positive = np.arange(40) < 4
    found = ranked_numbers(RankedPredictions(requested_rows(rows), is_positive, -np.arange(40.0)))
    assert found["roc"]["band"] == {
        "across": found["roc"]["band"]["across"],
        "low": [],
        "high": [],
        "n_folds": 4,
    }
