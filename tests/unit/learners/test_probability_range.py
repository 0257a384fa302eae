"""No rounding carries a probability above 1 or below 0: scorers of others refuse such rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import log_loss

import heldout as ho

from .random_tables import other_rows, random_classes, random_rows

WEIGHTS = st.sampled_from([None, "balanced", {"red": 0.3, "green": 7.0}])
SMOOTHING = st.sampled_from([0.0, 1e-9, 0.1, 1.0, 3.7])
WEIGHED = (ho.ForestClassifier, ho.TreeClassifier, ho.RuleClassifier)
SEEDS = st.integers(0, 200)
FORESTS = st.builds(
    ho.ForestClassifier,
    n_trees=st.sampled_from([1, 3, 10, 49]),
    smoothing=SMOOTHING,
    class_weight=WEIGHTS,
    combine=st.sampled_from(["average", "vote"]),
    min_leaf=st.sampled_from([1, 3, 10]),
    bootstrap=st.booleans(),
)
RULES = st.builds(
    ho.RuleClassifier, smoothing=SMOOTHING, class_weight=WEIGHTS, min_leaf=st.sampled_from([1, 2, 10])
)
NEIGHBORS = st.builds(
    ho.NeighborsClassifier,
    k=st.sampled_from([1, 3, 10, "all"]),
    metric=st.just("gower"),
    weights=st.sampled_from(["uniform", "inverse", "gaussian"]),
    smoothing=SMOOTHING,
    calibrate=st.booleans(),
)
TREES = st.builds(
    ho.TreeClassifier,
    smoothing=SMOOTHING,
    class_weight=WEIGHTS,
    min_leaf=st.sampled_from([1, 3, 10]),
    missing=st.sampled_from(["node_mode", "column_mode"]),
)
BASELINES = st.builds(ho.BaselineClassifier, strategy=st.sampled_from(["prior", "majority"]))


@pytest.mark.slow
@given(
    learner=st.one_of(FORESTS, TREES, RULES, NEIGHBORS, BASELINES),
    seed=SEEDS,
    n_classes=st.sampled_from([2, 3, 4]),
)
@settings(max_examples=150)
def test_probabilities_lie_between_0_and_1(learner: Any, seed: int, n_classes: int) -> None:
    """In the training rows, in rows with gaps and new levels, in sweeps, and behind a threshold."""
    rows, y = random_rows(seed, 70), random_classes(seed, 70, n_classes)
    weights = np.random.default_rng(seed).choice([0.1, 0.7, 1.0, 3.3], 70)
    is_weighted = seed % 2 == 0 and isinstance(learner, WEIGHED)
    given_weights = {"sample_weight": weights} if is_weighted else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = learner.fit(rows, y, **given_weights)
        found = [fitted.predict_proba(each) for each in (rows, other_rows(seed))]
        if isinstance(learner, ho.ForestClassifier):
            again = clone(learner)._fit_calibrated(rows, y, **given_weights)
            found.append(again.predict_proba(rows))
        if hasattr(learner, "smoothing") and hasattr(learner, "sweep"):
            space = [{"smoothing": 0.0}, {"smoothing": 0.3}]
            found += list(learner.sweep(rows, y, space, **given_weights).predict_proba(rows))
        if n_classes == 2:
            decided = ho.ThresholdClassifier.around(fitted, 0.3, "red")
            found.append(decided.predict_proba(other_rows(seed)))
    for probabilities in found:
        assert probabilities.min() >= 0
        assert probabilities.max() <= 1
        assert probabilities.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert np.isfinite(log_loss(y, found[0], labels=fitted.classes_))
