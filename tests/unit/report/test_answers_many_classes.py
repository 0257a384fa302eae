"""Many classes: confusion, one against the rest, reliability of the class that was held likeliest."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import confusion_matrix, roc_auc_score

from heldout.report.predictions.confusion_numbers import MOST_CLASSES, OTHERS, confusion_numbers
from heldout.report.predictions.prediction_figures import areas_figure
from heldout.report.predictions.predictions_summary import class_areas, reliability_numbers
from heldout.report.predictions.requested_rows import requested_rows
from heldout.verdict.judged_rows import JudgedRows

from .answer_studies import recorded, summary_of


def test_the_areas_are_those_of_sklearn() -> None:
    """Each class against the rest has the AUC of roc_auc_score, a mean over the repeats."""
    plan, answers = recorded("many classes")
    asked = requested_rows(plan.rows)
    assert answers.probabilities is not None
    found = summary_of("many classes")["class_areas"]
    assert [each["label"] for each in found] == list(plan.rows.classes)
    for place, each in enumerate(found):
        is_of_class = plan.rows.y == plan.rows.classes[place]
        by_repeat = []
        for repeat in range(2):
            rows = asked.rows[asked.repeats == repeat]
            by_repeat.append(roc_auc_score(is_of_class[rows], answers.probabilities[repeat, rows, place]))
        assert each["area"] == pytest.approx(np.mean(by_repeat), abs=1e-6)


def test_the_confusion_is_that_of_sklearn() -> None:
    """Counts are the mean of confusion_matrix over the repeats."""
    plan, answers = recorded("many classes")
    asked = requested_rows(plan.rows)
    assert answers.labels is not None
    said = np.array(plan.rows.classes)[answers.labels[asked.repeats, asked.rows]]
    expected = confusion_matrix(plan.rows.y[asked.rows], said, labels=list(plan.rows.classes)) / 2
    np.testing.assert_allclose(summary_of("many classes")["confusion"]["counts"], expected)


def test_reliability_is_of_the_likeliest_class() -> None:
    """What was said is the largest probability, and it happened where that class was the true one."""
    plan, answers = recorded("many classes")
    asked = requested_rows(plan.rows)
    assert answers.probabilities is not None
    table = answers.probabilities[asked.repeats, asked.rows]
    is_right = np.array(plan.rows.classes)[table.argmax(axis=1)] == plan.rows.y[asked.rows]
    shares, means = calibration_curve(is_right, table.max(axis=1) - 1e-9, n_bins=10, strategy="uniform")
    bins = reliability_numbers(asked, table.max(axis=1) - 1e-9, is_right, by="width")["bins"]
    np.testing.assert_allclose([each["share"] for each in bins], shares, atol=1e-6)
    np.testing.assert_allclose([each["said"] for each in bins], means, atol=1e-6)
    total = sum(each["n_rows"] * each["share"] for each in summary_of("many classes")["reliability"]["bins"])
    assert total / len(is_right) * 2 == pytest.approx(is_right.mean(), abs=1e-4)


def test_very_many_classes_are_joined() -> None:
    """The rarest of 200 classes are one in the matrix, and accuracy still knows them apart."""
    random = np.random.default_rng(7)
    true = random.integers(0, 200, 4000)
    said = np.where(random.random(4000) < 0.6, true, random.integers(0, 200, 4000))
    asked = requested_rows(JudgedRows(true.astype(float), (np.arange(4000) % 5)[np.newaxis]))
    labels = [f"class {n}" for n in range(200)]
    found = confusion_numbers(asked, true, said, labels)
    assert (len(found["labels"]), found["labels"][-1]) == (MOST_CLASSES, OTHERS)
    assert found["accuracy"] == pytest.approx((true == said).mean(), abs=1e-6)
    assert np.sum(found["counts"]) == pytest.approx(4000)
    mistakes = Counter((t, s) for t, s in zip(true.tolist(), said.tolist(), strict=True) if t != s)
    worst = found["worst"]
    assert mistakes[labels.index(worst["true"]), labels.index(worst["said"])] == max(mistakes.values())
    assert worst["share"] == pytest.approx(max(mistakes.values()) / 4000, abs=1e-6)
    assert len(class_areas(asked, true, random.random((4000, 200)), labels)) == MOST_CLASSES - 1


def test_areas_say_of_how_many_classes_they_are() -> None:
    """Where only the most frequent classes are drawn, the figure says so."""
    area = {"label": "a", "n_rows": 9.0, "area": 0.75, "areas": {"low": None, "high": None, "n_folds": 1}}
    answers = {"class_areas": [area, area | {"label": "b", "area": 0.5}], "n_classes": 60}
    assert areas_figure(answers).notes == ("The 2 most frequent of 60 classes.",)
    assert areas_figure(answers | {"n_classes": 2}).notes == ()
