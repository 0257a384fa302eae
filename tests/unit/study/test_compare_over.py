"""Two learners over many data sets: the same folds, the numbers of scikit-learn, failures said."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import wilcoxon
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from heldout.split.row_facts import RowFacts
from heldout.study.curves.compare_over import named_tasks
from heldout.study.curves.curve_work import curve_work

FOLDS = ho.KFold(3)


def noisy_task(seed: int, n_rows: int = 60) -> ho.Task:
    """Two columns, of which one tells the class most of the time."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 2))
    y = np.where(X[:, 0] + random.normal(size=n_rows) > 0, "yes", "no")
    return ho.Task(ho.read_table({"a": X[:, 0], "b": X[:, 1], "y": y.tolist()}), "y")


class Picky(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A learner that refuses every table with fewer than 40 rows."""

    def fit(self, X: object, y: np.ndarray) -> Picky:  # type: ignore[type-arg]
        if len(y) < 40:
            raise ArithmeticError("too few rows for me")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: object) -> np.ndarray:  # type: ignore[type-arg]
        return np.repeat(self.classes_[:1], len(X))  # type: ignore[arg-type]


def test_scores_are_those_of_cross_val_score() -> None:
    """On every data set each learner has the mean accuracy that scikit-learn finds on the same folds."""
    tasks = {f"noise {seed}": noisy_task(seed) for seed in range(4)}
    ours, theirs = ho.TreeClassifier(), DecisionTreeClassifier(max_depth=2, random_state=0)
    compared = ho.compare_over(tasks, ours, ho.Contender("theirs", theirs, prepare=None), folds=FOLDS, seed=5)
    for scores, task in zip(compared.data_sets, tasks.values(), strict=True):
        folds = [(fold.train, fold.test) for fold in FOLDS.folds(RowFacts.of(task), seed=5)]
        X = np.column_stack([task.X["a"].values, task.X["b"].values])
        assert list(scores.folds_a) == cross_val_score(ours, X, task.y, cv=folds).tolist()
        assert list(scores.folds_b) == cross_val_score(theirs, X, task.y, cv=folds).tolist()
        assert scores.score_a == np.mean(scores.folds_a)


def test_the_test_is_that_of_scipy() -> None:
    """The p-value over the data sets is that of SciPy's signed-rank test of the two means."""
    tasks = {f"noise {seed}": noisy_task(seed, 50) for seed in range(8)}
    compared = ho.compare_over(tasks, ho.TreeClassifier(), ho.BaselineClassifier(), folds=FOLDS)
    a, b = np.array([(scores.score_a, scores.score_b) for scores in compared.data_sets]).T
    assert (a != b).all()
    assert len(np.unique(np.round(np.abs(a - b), 12))) == len(a)
    assert compared.found.signed_rank.p_value == pytest.approx(wilcoxon(a, b).pvalue)
    assert compared.found.wins == np.count_nonzero(a > b)


def test_failures_are_said_and_left_out() -> None:
    """A data set on which one learner fails is named with the reason, and is in no test."""
    tasks = {"small": noisy_task(0, 30), "large": noisy_task(1, 90), "larger": noisy_task(2, 120)}
    compared = ho.compare_over(tasks, ho.TreeClassifier(), Picky(), folds=FOLDS)
    assert [scores.name for scores in compared.data_sets] == ["large", "larger"]
    [(name, reason)] = compared.failures
    assert name == "small"
    assert "too few rows for me" in reason
    assert "Left out of the tests: small" in str(compared)


def test_failing_everywhere_is_an_error() -> None:
    """Where no data set is left, the first failure is raised."""
    with pytest.raises(ho.HeldoutError, match="too few rows for me"):
        ho.compare_over({"small": noisy_task(0, 30)}, ho.TreeClassifier(), Picky(), folds=FOLDS)


def test_it_is_deterministic_and_plain() -> None:
    """The same call gives the same numbers, as JSON can hold them; another seed gives other folds."""
    tasks = {f"noise {seed}": noisy_task(seed) for seed in range(3)}

    def record(seed: int) -> str:
        found = ho.compare_over(
            tasks, ho.ForestClassifier(n_trees=5), ho.TreeClassifier(), folds=FOLDS, seed=seed
        )
        return json.dumps(found.to_dict())

    assert record(1) == record(1)
    assert record(1) != record(2)


def test_tuning_happens_inside_the_folds() -> None:
    """A contender with a space scores as GridSearchCV does inside the same outer and inner folds."""
    near = ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 5, 11]}, prepare=None)
    task, inner = noisy_task(3), ho.KFold(3)
    compared = ho.compare_over({"noise": task}, near, ho.BaselineClassifier(), FOLDS, inner)
    X = np.column_stack([task.X["a"].values, task.X["b"].values])
    work = curve_work(task, near, FOLDS, "accuracy", 0, inner)
    theirs = []
    for fold in work.folds:
        places = [
            (np.searchsorted(fold.train, each.train), np.searchsorted(fold.train, each.judged))
            for each in work.inner_folds(fold.train)
        ]
        search = GridSearchCV(ho.NeighborsClassifier(), {"k": [1, 5, 11]}, cv=places)
        theirs.append(search.fit(X[fold.train], task.y[fold.train]).score(X[fold.test], task.y[fold.test]))
    assert list(compared.data_sets[0].folds_a) == theirs


def test_embedded_names_tables_and_pairs() -> None:
    """Names, Tasks, tables with a target and named pairs become tasks; embedded groups are kept."""
    task = noisy_task(0)
    named = named_tasks(["travel_mode", task, (task.table, "y"), ("mine", task), ("tennis", "play_tennis")])
    assert [each.name for each in named] == ["travel_mode", "data set 2", "data set 3", "mine", "tennis"]
    assert named[0].task.groups is not None
    assert named[4].task.n_rows == 14


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "no data set to compare on"),
        ("penguins", "a data set is the name"),
        ([5], "a data set is the name"),
        (["penguin"], "no embedded table"),
        (["penguins", "penguins"], "counts once"),
        (["penguins", "prostate"], "cannot be compared by one measure"),
    ],
)
def test_what_is_no_data_set_is_refused(given: object, words: str) -> None:
    """Wrong data sets, unknown names, doubles and mixed kinds are refused with advice."""
    with pytest.raises(ho.HeldoutError, match=words) as refused:
        ho.compare_over(given, ho.TreeClassifier(), ho.BaselineClassifier())
    assert refused.value.fix


def test_learners_of_one_class_get_two_names() -> None:
    """Two settings of one learner are told apart; equal names that were given are refused."""
    tasks = {"a": noisy_task(0), "b": noisy_task(1)}
    deep, shallow = ho.TreeClassifier(prune=None), ho.TreeClassifier(max_depth=1)
    found = ho.compare_over(tasks, deep, shallow, folds=FOLDS).found
    assert found.names == ("TreeClassifier (first)", "TreeClassifier (second)")
    assert ho.compare_over(tasks, deep, shallow, FOLDS, names=("deep", "shallow")).found.names[0] == "deep"
    with pytest.raises(ho.RequestError, match="different names"):
        ho.compare_over(tasks, deep, shallow, names=("x", "x"))


def test_regressions_are_compared_by_r2() -> None:
    """Without a metric regressions are compared by a measure that has no unit."""
    task = ho.Task(ho.datasets.load("prostate"), "lpsa")
    found = ho.compare_over([("prostate", task)], ho.RidgeRegressor(), ho.BaselineRegressor(), FOLDS)
    assert found.metric == "r2"
    assert found.data_sets[0].score_a > found.data_sets[0].score_b
    assert "r2 of RidgeRegressor" in found.to_svg()


def test_only_folds_that_both_have_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fold in which one of the two has no score counts for neither, so that the pair stays a pair."""
    from types import SimpleNamespace

    from heldout.study.curves import compare_over as room

    scores = {"tree": iter([0.9, np.nan, 0.7]), "guess": iter([0.5, 0.1, np.nan])}

    def answered(work: object, key: str) -> SimpleNamespace:
        return SimpleNamespace(scores={"accuracy": next(scores[key])}, notes=())

    names = {"cell_key": lambda work, digest, fold: work.contender(digest).name, "run_cell": answered}
    for name, replacement in names.items():
        monkeypatch.setattr(room, name, replacement)
    pair = ho.Contender("tree", ho.TreeClassifier()), ho.Contender("guess", ho.BaselineClassifier())
    [found] = ho.compare_over(["penguins"], *pair, folds=ho.KFold(3)).data_sets
    assert (found.score_a, found.score_b) == (0.9, 0.5)


def test_an_infinite_score_leaves_the_data_set_out() -> None:
    """Where one of the two has an infinite log_loss there is no difference; the others are still compared."""
    near = ho.Contender("near", ho.NeighborsClassifier(k=1, smoothing=0))
    both = {"easy": easy_task(), "hard": "play_tennis"}
    compared = ho.compare_over(both, near, ho.BaselineClassifier(), folds=ho.KFold(2), metric="log_loss")
    assert [scores.name for scores in compared.data_sets] == ["easy"]
    assert compared.failures == (("hard", "near has an infinite log_loss"),)


def easy_task() -> ho.Task:
    table = ho.read_table({"x": [0.0, 0.1, 0.2, 0.3, 9.0, 9.1, 9.2, 9.3], "y": ["a"] * 4 + ["b"] * 4})
    return ho.Task(table, "y")
