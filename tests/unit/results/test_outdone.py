"""A winner by one metric that loses by AUC, log loss and F1 at once: the verdict says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import heldout as ho


def rare_table() -> ho.Table:
    """A tenth of 1,500 rows is positive, and depends on the sum of two columns."""
    generator = np.random.default_rng(4)
    X = generator.normal(size=(1500, 2))
    is_rare = X.sum(axis=1) + 0.5 * generator.normal(size=1500) > 1.9
    return ho.read_table({"a": X[:, 0], "b": X[:, 1], "y": np.where(is_rare, "yes", "no")})


def verdict_of(path: Path, metric: str) -> ho.Verdict:
    """What is said of a logistic regression and of a small tree that hardly ever says yes."""
    shy = ho.ThresholdClassifier(ho.TreeClassifier(prune=None, max_depth=3), threshold=0.75, positive="yes")
    bold = ho.ThresholdClassifier(LogisticRegression(), threshold=0.15, positive="yes")
    study = ho.Study.create(path, rare_table(), target="y", positive="yes")
    contenders = [ho.Contender("shy", shy), ho.Contender("bold", bold)]
    plan = ho.Plan(
        contenders, folds=ho.KFold(10), metrics=["auc", "log_loss", "f1", "precision"], choose_by=metric
    )
    return study.run(plan.with_changes(rule=ho.BestMean(), seed=1)).verdict


@pytest.mark.slow
def test_a_winner_that_loses_by_all_other_metrics_is_named(tmp_path: Path) -> None:
    """By precision the shy tree wins, and the verdict says that the other is better by the other three."""
    verdict = verdict_of(tmp_path / "a.heldout", "precision")
    assert verdict.winner == "shy"
    assert [each for each in verdict.details if each.startswith("Mind that bold is significantly better")]


@pytest.mark.slow
def test_a_winner_by_these_metrics_needs_no_word(tmp_path: Path) -> None:
    """By F1 the logistic regression wins, and there is nothing to mind."""
    verdict = verdict_of(tmp_path / "a.heldout", "f1")
    assert verdict.winner == "bold"
    assert not [each for each in verdict.details if "Mind that" in each]
