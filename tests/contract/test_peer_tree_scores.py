"""Tuned inside folds, our trees score as scikit-learn's own trees do under its own grid search."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from heldout.plan.resolved_plan import resolve_plan
from heldout.stats import corrected_resampled_t
from heldout.study.cells.cell import cell_keys, run_cell
from heldout.study.cells.work import work_of

DEPTHS, LEAVES = [2, 4, None], [1, 5, 20]


def test_scores_lie_within_noise_of_the_peers_own_tree() -> None:
    """On the same folds with the same grid the mean accuracies differ by no more than the folds explain."""
    X, y = load_breast_cancer(return_X_y=True)
    columns = {f"x{place}": X[:, place] for place in range(X.shape[1])}
    task = ho.Task(ho.read_table(columns | {"y": y.astype(str)}), target="y")
    space = {"max_depth": DEPTHS, "min_leaf": LEAVES}
    contender = ho.Contender("tree", ho.TreeClassifier.cart(prune=None), space)
    plan = ho.Plan([contender], folds=ho.KFold(10), tuning=ho.KFold(3), choose_by="accuracy")
    work = work_of(task, resolve_plan(plan, task, seed=3))
    keys = [key for key in cell_keys(work) if key.contender == contender.digest]
    ours = np.array([run_cell(work, key).scores["accuracy"] for key in keys])

    grid = {"max_depth": DEPTHS, "min_samples_leaf": LEAVES}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=ho.KFold(3))
    folds = [(fold.train, fold.test) for fold in work.folds]
    theirs = cross_val_score(search, X, y, cv=folds)

    found = corrected_resampled_t((ours - theirs)[np.newaxis], names=("ours", "theirs"))
    assert found.p_value > 0.01
    assert abs(ours.mean() - theirs.mean()) < 0.03
    assert min(ours.mean(), theirs.mean()) > 0.88
