"""Tuning: what it fits, how often, and what it says when a learner cannot."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from heldout.errors import DataError, RequestError
from heldout.plan.random_states import with_random_states
from heldout.study.cells.cell import run_cell
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.cells.guarded_fit import Notes, record_warnings
from heldout.study.cells.recipe import copy_of_seeded, does_nothing, group_alike, recipe_for, seeded_setting
from heldout.study.cells.tune import tune
from heldout.table.column import category_column

from .made_work import cells_of, key_of, made_work

PENGUINS = ho.Task(ho.datasets.load("penguins").take(np.arange(0, 344, 3)), target="species")
VOTES = ho.Task(ho.datasets.load("house_votes").take(np.arange(0, 435, 4)), target="party")


class Grudging(ClassifierMixin, BaseEstimator):
    """Always answers the first class, unless it is asked to fail."""

    def __init__(self, fails: str = "never") -> None:
        self.fails = fails

    def fit(self, X: Any, y: Any) -> Grudging:
        if self.fails == "ours":
            raise DataError("the rows are wrong", where="row 3", fix="mend them")
        if self.fails == "fit":
            raise ZeroDivisionError("nothing to divide by")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        if self.fails == "predict":
            raise KeyError("age")
        return np.full(X.n_rows, self.classes_[0])


class Counting(TransformerMixin, BaseEstimator):
    """Hands rows through and counts how often it was fitted."""

    fits: ClassVar[list[int]] = []

    def __init__(self, twist: int = 0) -> None:
        self.twist = twist

    def fit(self, X: Any, y: Any = None) -> Counting:
        self.fits.append(X.n_rows)
        self.n_features_in_ = X.n_columns
        return self

    def transform(self, X: Any) -> Any:
        return X


@pytest.mark.parametrize(
    ("fails", "error", "words"),
    [
        ("fit", RequestError, "ZeroDivisionError: nothing"),
        ("predict", RequestError, "KeyError"),
        ("ours", DataError, "row 3; "),
    ],
)
def test_an_error_says_which_setting_in_which_fold(fails: str, error: Any, words: str) -> None:
    """What a learner raises while tuned carries contender, setting and inner fold, and keeps its kind."""
    contender = ho.Contender("grudging", Grudging(), {"fails": ["never", fails]}, prepare=None)
    work = made_work(PENGUINS, contender)
    with pytest.raises(error) as caught:
        run_cell(work, key_of(work, "grudging", work.folds[1]))
    assert words in str(caught.value)
    assert f"contender 'grudging', setting fails='{fails}', inner fold 1 of 3" in caught.value.where
    assert caught.value.fix
    assert caught.value.__cause__ is not None


def test_an_error_of_the_last_fit_says_so() -> None:
    """Without tuning there is no inner fold to name."""
    work = made_work(PENGUINS, ho.Contender("grudging", Grudging("fit"), prepare=None))
    with pytest.raises(RequestError, match="contender 'grudging', the fit on the whole training part"):
        run_cell(work, key_of(work, "grudging", work.folds[0]))


def test_memory_that_ran_out_is_not_dressed_up() -> None:
    """Out of memory is a matter of the machine, and reaches the runner as it is."""

    class Greedy(Grudging):
        def fit(self, X: Any, y: Any) -> Any:
            raise MemoryError

    contender = ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 2]})
    work = made_work(PENGUINS, contender)
    recipe = work.recipe_of(work.resolved.contender("tree"))
    object.__setattr__(recipe, "learner", Greedy())
    object.__setattr__(recipe, "learning", ({}, {}))
    with pytest.raises(MemoryError):
        run_cell(work, key_of(work, "tree", work.folds[0]))


def test_a_sweep_that_is_pickier_than_its_fits_gives_way() -> None:
    """Settings that a sweep refuses and fits do not are fitted one by one, and it is noted."""
    space = {"prune": [None], "prune_alpha": [0.1, 0.2], "min_leaf": [1, 9]}
    contender = ho.Contender("tree", ho.TreeClassifier(), space)
    work = made_work(PENGUINS, contender)
    with pytest.raises(RequestError, match="no setting prunes by it"):
        ho.TreeClassifier().sweep(PENGUINS.X, PENGUINS.y, space)
    cell = run_cell(work, key_of(work, "tree", work.folds[0]))
    assert sum("every setting was fitted by itself" in note for note in cell.notes) == 1
    with record_warnings(Notes()):
        by_fits = tune(work, contender, work.tuning_folds(work.folds[0]), uses_sweeps=False)
    assert by_fits.scores.tobytes() == cell.choice_scores.tobytes()


@pytest.mark.slow
def test_a_preparation_is_fitted_once_for_all_settings() -> None:
    """Once for each inner fold and once for the last fit, and again only for settings of its own."""
    near = {"k": [1, 3, 5]}
    prepare = ho.Contender("near", ho.NeighborsClassifier(metric="gower"), near, prepare=Counting())
    work = made_work(PENGUINS, prepare)
    Counting.fits.clear()
    run_cell(work, key_of(work, "near", work.folds[0]))
    assert len(Counting.fits) == 3 + 1
    both = ho.Contender(
        "near", ho.NeighborsClassifier(metric="gower"), near | {"prepare__twist": [0, 1]}, prepare=Counting()
    )
    work = made_work(PENGUINS, both)
    Counting.fits.clear()
    run_cell(work, key_of(work, "near", work.folds[0]))
    assert len(Counting.fits) == 3 * 2 + 1


def test_one_setting_is_not_tuned() -> None:
    """A contender with nothing to choose makes no inner folds: the only fit is the last one."""
    work = made_work(
        PENGUINS, ho.Contender("near", ho.NeighborsClassifier(metric="gower"), prepare=Counting())
    )
    Counting.fits.clear()
    cell = run_cell(work, key_of(work, "near", work.folds[0]))
    assert Counting.fits == [len(work.folds[0].train)]
    assert cell.chosen == {}
    assert np.isnan(cell.choice_scores).all()
    assert work._kept.count("folds") == 0
    assert [look.what for look in cell.looks] == ["fit", "score"]


def test_inner_folds_are_made_once_and_belong_to_their_rows() -> None:
    """All contenders share them; other rows, another seed, other folds."""
    work = made_work(PENGUINS, ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 2]}))
    first, second = work.folds[:2]
    assert work.tuning_folds(first) is work.tuning_folds(first)
    for fold in (first, second):
        for inner in work.tuning_folds(fold):
            assert np.isin(inner.train, fold.train).all()
            assert np.isin(inner.judged, fold.train).all()
            assert not np.isin(inner.train, inner.judged).any()
        judged = np.sort(np.concatenate([inner.judged for inner in work.tuning_folds(fold)]))
        assert judged.tolist() == fold.train.tolist()
    other = made_work(PENGUINS, ho.Contender("tree", ho.TreeClassifier()), seed=4, folds=list(work.folds))
    assert [inner.judged.tolist() for inner in other.tuning_folds(first)] != [
        inner.judged.tolist() for inner in work.tuning_folds(first)
    ]


def test_groups_stay_together_inside_too() -> None:
    """Inner folds obey the groups of the task without being asked."""
    table = ho.datasets.load("penguins").take(np.arange(0, 344, 3))
    groups = ho.Column("nest", "number", np.repeat(np.arange(58.0), 2)[:115])
    task = ho.Task(ho.Table([*table.columns, groups]), target="species", groups="nest")
    work = made_work(task, ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 2]}))
    for fold in work.folds:
        for inner in work.tuning_folds(fold):
            assert not set(task.groups[inner.train]) & set(task.groups[inner.judged])


def test_learners_without_a_seed_get_the_contenders() -> None:
    """A forest without random_state is the same in every cell, also where a setting takes the seed away."""
    work = made_work(PENGUINS, ho.Contender("forest", ho.ForestClassifier(), {"n_trees": [2, 3]}))
    forest = work.resolved.contender("forest")
    seed = work.recipe_of(forest).learner.random_state
    assert isinstance(seed, int)
    models = [chosen_on(work, forest, fold.train).model for fold in work.folds]
    assert {model.random_state for model in models} == {seed}
    unset = seeded_setting(ho.ForestClassifier(random_state=1), {"random_state": None}, 7)
    assert isinstance(unset["random_state"], int)


def test_seeds_that_a_setting_opens_are_set() -> None:
    """An estimator among the values, or random_state=None, in learner or preparation, gets its seed."""
    bagged = ho.Contender(
        "bagged",
        BaggingClassifier(random_state=1),
        {"estimator": [DecisionTreeClassifier()], "random_state": [None, 5], "n_estimators": [2]},
        prepare=Pipeline([("cut", KBinsDiscretizer(random_state=2))]),
    )
    recipe = recipe_for(bagged, PENGUINS.X, seed=7)
    for setting, seed in zip(recipe.learning, (None, 5), strict=True):
        made = recipe.unfitted(setting)
        assert (
            made.estimator.random_state
            == with_random_states(bagged.learner.set_params(**setting), 7).get_params()[
                "estimator__random_state"
            ]
        )
        assert isinstance(made.random_state, int)
        assert seed is None or made.random_state == seed
    for opened in ({"cut__random_state": None}, {"cut": KBinsDiscretizer()}):
        made = copy_of_seeded(recipe.preparation, opened, 7)
        assert made.get_params()["cut__random_state"] is not None
    assert copy_of_seeded(recipe.preparation, {"cut__n_bins": 3}, 7).get_params()["cut__random_state"] == 2


def test_a_forest_without_a_seed_is_tuned_alike_by_sweep_and_by_fits() -> None:
    """random_state=None inside the space is a number before anything is fitted, in both ways of tuning."""
    space = {"n_trees": [2, 4], "random_state": [None, 5]}
    contender = ho.Contender("forest", ho.ForestClassifier(), space)
    work = made_work(PENGUINS, contender)
    folds = work.inner_folds(np.arange(work.n_rows))
    by_sweep, by_fits = (tune(work, contender, folds, uses_sweeps=uses) for uses in (True, False))
    assert by_sweep.scores.tobytes() == by_fits.scores.tobytes()


def test_weights_of_classes_are_known_by_their_names() -> None:
    """A class_weight with names is understood by the sweep as by the fits."""
    space = {"class_weight": [{"democrat": 9.0, "republican": 1.0}, None], "max_depth": [1, 2]}
    contender = ho.Contender("tree", ho.TreeClassifier(), space)
    work = made_work(VOTES, contender)
    folds = work.inner_folds(np.arange(work.n_rows))
    notes = Notes()
    by_sweep = tune(work, contender, folds, notes)
    assert by_sweep.scores.tobytes() == tune(work, contender, folds, uses_sweeps=False).scores.tobytes()
    assert notes.sentences == ()


def test_weights_that_a_learner_cannot_hear_are_noted() -> None:
    """Neighbors take no weights; the cell says so, and weighs the rows of the score all the same."""
    table = ho.datasets.load("penguins").take(np.arange(0, 344, 3))
    weights = ho.Column("times", "number", np.arange(115) % 3 + 1.0)
    task = ho.Task(ho.Table([*table.columns, weights]), target="species", weights="times")
    work = made_work(task, ho.Contender("near", ho.NeighborsClassifier()))
    cell = cells_of(work, "near")[0]
    assert "NeighborsClassifier takes no weights" in cell.notes[0]
    right = cell.predictions["labels"] == work.codes_of(task.y[cell.rows], "y")
    wanted = np.average(right, weights=task.weights[cell.rows])
    assert cell.scores["accuracy"] == pytest.approx(wanted, abs=1e-12)


def test_preparations_that_do_nothing_are_seen_through() -> None:
    """A passthrough, a pipeline of such, and None are nothing; settings with one object are alike."""
    assert does_nothing(None)
    assert does_nothing("passthrough")
    assert not does_nothing(ho.Scale())
    one = ho.Scale()
    assert group_alike([{"scale": one}, {"scale": ho.Scale()}, {"scale": one}, {}]) == [[0, 2], [1], [3]]


@pytest.mark.slow
@settings(max_examples=12)
@given(
    st.integers(0, 10**6), st.integers(12, 40), st.sampled_from(["accuracy", "balanced_accuracy", "log_loss"])
)
def test_sweeps_and_fits_agree_on_tables_full_of_ties(seed: int, n_rows: int, choose_by: str) -> None:
    """On few distinct values, gaps and repeated settings the sweep scores and chooses as fits one by one."""
    draws = np.random.default_rng(seed)
    numbers = draws.integers(0, 3, (n_rows, 2)).astype(np.float64)
    numbers[draws.random((n_rows, 2)) < 0.1] = np.nan
    levels = [["x", "y", None][place] for place in draws.integers(0, 3, n_rows)]
    labels = ["no", "yes", *(["no", "so so", "yes"][place] for place in draws.integers(0, 3, n_rows - 2))]
    columns = [ho.Column(f"n{place}", "number", numbers[:, place]) for place in range(2)]
    table = ho.Table([*columns, category_column("level", levels), category_column("answer", labels)])
    contenders = [
        ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [2, 0, 2, None], "min_leaf": [1, 3]}),
        ho.Contender("near", ho.NeighborsClassifier(), {"k": [3, 1, 3, 2]}),
        ho.Contender("forest", ho.ForestClassifier(), {"n_trees": [3, 1, 3]}),
    ]
    work = made_work(ho.Task(table, "answer"), *contenders, choose_by=choose_by, folds=ho.KFold(2))
    folds = work.inner_folds(np.arange(n_rows))
    for contender in contenders:
        with record_warnings(Notes()):
            by_sweep, by_fits = (tune(work, contender, folds, uses_sweeps=uses) for uses in (True, False))
        assert by_sweep.scores.tobytes() == by_fits.scores.tobytes()
        assert by_sweep.index == by_fits.index
