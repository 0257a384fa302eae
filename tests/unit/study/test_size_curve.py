"""The size curve: the errors of pruned trees, as scikit-learn's path and fits by hand give them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from heldout.split.row_facts import RowFacts
from heldout.study.curves.size_curve import SizeCurve, size_curve, sizes_between

from .study_tables import churn_columns, price_columns

FOLDS = ho.KFold(3)
TREE = ho.Contender("tree", ho.TreeClassifier.cart(), {"prune_alpha": [0.0, 0.01]})


@pytest.fixture
def study(tmp_path: Path) -> Iterator[ho.Study]:
    table = ho.read_table(churn_columns())
    with ho.Study.create(tmp_path / "c.heldout", table, target="churned", groups="customer", seed=3) as made:
        yield made


def test_errors_are_those_of_pruned_trees(study: ho.Study) -> None:
    """At each size the errors are those of the largest tree of that size which fit gives with some alpha."""
    curve = size_curve(study, TREE, folds=FOLDS)
    task = study.task
    for row, fold in enumerate(FOLDS.folds(RowFacts.of(task), seed=study.seed)):
        X, y = task.X.take(fold.train), task.y[fold.train]
        alphas = ho.TreeClassifier.cart().cost_complexity_path(X, y).alphas
        trees = [ho.TreeClassifier.cart().set_params(prune_alpha=alpha).fit(X, y) for alpha in alphas]
        assert curve.n_leaves[row] == trees[0].n_leaves_
        for column, size in enumerate(curve.x_values):
            tree = next(each for each in trees if each.n_leaves_ <= size)
            assert curve.train[row, column] == np.mean(tree.predict(X) != y)
            assert curve.test[row, column] == np.mean(
                tree.predict(task.X.take(fold.test)) != task.y[fold.test]
            )


def test_both_errors_are_those_of_scikit_learn(tmp_path: Path) -> None:
    """For trees so small that no two splits tie, both errors are those of sklearn's CART, pruned alike."""
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 3))
    y = np.where(X[:, 0] + 0.5 * X[:, 1] + random.normal(size=300) > 0, "yes", "no")
    table = ho.read_table({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y.tolist()})
    learner = ho.TreeClassifier.cart(min_leaf=15)
    with ho.Study.create(tmp_path / "n.heldout", table, target="y", held=None, seed=0) as study:
        curve = size_curve(study, ho.Contender("tree", learner), folds=FOLDS)
        task = study.task
    X = np.column_stack([task.X[name].values for name in ("a", "b", "c")])
    for row, fold in enumerate(FOLDS.folds(RowFacts.of(task), seed=0)):
        theirs = DecisionTreeClassifier(min_samples_leaf=15, random_state=0)
        part, answers = X[fold.train], task.y[fold.train]
        for alpha in theirs.cost_complexity_pruning_path(part, answers).ccp_alphas:
            tree = theirs.set_params(ccp_alpha=alpha + 1e-9).fit(part, answers)
            column = curve.x_values.index(tree.get_n_leaves())
            assert curve.train[row, column] == pytest.approx(1 - tree.score(part, answers))
            assert curve.test[row, column] == pytest.approx(1 - tree.score(X[fold.test], task.y[fold.test]))


def test_training_errors_fall_with_the_size(study: ho.Study) -> None:
    """The root errs as guessing does, and the grown tree less than half as often on its own rows."""
    curve = size_curve(study, TREE, folds=FOLDS)
    assert curve.x_values[0] == 1
    assert curve.x_values[-1] == max(curve.n_leaves)
    guess = min(np.mean(study.task.y == label) for label in study.task.classes)
    assert curve.train_means[0] == pytest.approx(guess, abs=0.02)
    assert curve.train_means[-1] < curve.train_means[0] / 2


def test_noise_is_learned_and_does_not_come_again(tmp_path: Path) -> None:
    """Of labels that are noise the grown tree learns most, and on kept rows it is no better than its root."""
    table = ho.read_table(churn_columns(900, is_noise=True))
    learner = ho.TreeClassifier.cart()
    with ho.Study.create(tmp_path / "n.heldout", table, target="churned", groups="customer", seed=3) as study:
        curve = size_curve(study, ho.Contender("tree", learner), folds=ho.KFold(10))
    assert curve.train_means[-1] < 0.1
    assert curve.test_means[-1] > curve.test_means[0]
    assert "learns what does not come again" in str(curve)
    assert "too good to be reported" in str(curve)


def test_regression_trees_err_in_the_unit_of_the_target(tmp_path: Path) -> None:
    """The root of a regression tree errs as the mean does."""
    with ho.Study.create(tmp_path / "p.heldout", ho.read_table(price_columns()), target="price") as study:
        curve = size_curve(study, ho.Contender("tree", ho.TreeRegressor()), folds=FOLDS)
        task = study.task
    [first, *_] = FOLDS.folds(RowFacts.of(task), seed=study.seed)
    assert curve.metric == "rmse"
    mean = task.y[first.train].mean()
    assert curve.test[0, 0] == pytest.approx(np.sqrt(np.mean((task.y[first.test] - mean) ** 2)))


def test_asked_again_it_is_read_from_the_file(study: ho.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same request grows nothing, and gives the same numbers and words."""
    first = size_curve(study, TREE, folds=FOLDS)
    monkeypatch.setattr("heldout.study.curves.size_curve.GrownFold", None)
    again = size_curve(study, TREE, folds=FOLDS)
    assert again.to_dict() == first.to_dict()
    assert str(again) == str(first)
    assert again.to_svg() == first.to_svg()


def test_only_trees_have_sizes(study: ho.Study) -> None:
    """Another learner is refused, with what to ask for instead."""
    with pytest.raises(ho.RequestError, match="only a tree has a size curve") as refused:
        size_curve(study, ho.Contender("near", ho.NeighborsClassifier()))
    assert "validation_curve" in refused.value.fix


def test_preparation_and_resampling_are_part_of_it(study: ho.Study) -> None:
    """A tree behind a preparation, on resampled rows, has a curve over the rows of the fold."""
    tree = ho.Contender("tree", ho.TreeClassifier(), prepare=ho.FillMissing(), resample="down")
    curve = size_curve(study, tree, folds=FOLDS)
    assert not np.isnan(curve.test).any()
    assert ((curve.test >= 0) & (curve.test <= 1)).all()


@pytest.mark.parametrize("highest", [1, 2, 59, 60, 61, 5000])
def test_sizes_reach_from_end_to_end(highest: int) -> None:
    """The sizes ascend from 1 to the largest, and are never more than a line can show."""
    sizes = sizes_between(1, highest)
    assert (sizes[0], sizes[-1]) == (1, highest)
    assert sizes == sorted(set(sizes))
    assert len(sizes) <= 60


def test_words_follow_the_folds() -> None:
    """Where the whole tree errs least, where the root does, and where folds do not tell, it is said."""
    falling = np.array([[0.4, 0.2, 0.1]] * 4)

    def words(kept: np.ndarray) -> str:  # type: ignore[type-arg]
        return SizeCurve(
            "t", "error", False, (0.0, 1.0), (1, 2, 3), falling, kept, 50, n_leaves=(3,) * 4
        ).takeaway

    assert "nothing is gained by pruning" in words(falling)
    # A tree between the two errs more, so it must not be said that none does.
    level = np.array([[0.1, 0.3, 0.1]] * 4)
    assert words(level).endswith("Grown to 3 it errs no more, so pruning saves leaves, not errors.")
    rising = np.array([[0.3, 0.4, 0.5], [0.3, 0.4, 0.52], [0.3, 0.4, 0.49], [0.3, 0.4, 0.5]])
    assert "about 1 leaf" in words(rising)
    assert "past its root it learns what does not come again" in words(rising)
    torn = np.array([[0.3, 0.4, 0.1], [0.3, 0.4, 0.9], [0.3, 0.4, 0.2], [0.3, 0.4, 0.1]])
    assert "these folds do not tell" in words(torn)
