"""Metrics by name, users' own metrics, and metrics as scikit-learn's scorers."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Iterator

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from heldout.errors import InputTypeError, RequestError
from heldout.learners.tree_classifier import TreeClassifier
from heldout.metrics import metric_registry
from heldout.metrics.metric import NEEDS, Metric
from heldout.metrics.metric_registry import METRICS, metric, metric_named

X, TWO = make_classification(120, 6, random_state=0)
WORDS = np.array(["no", "yes"])[TWO]
X3, THREE = make_classification(150, 6, n_informative=4, n_classes=3, random_state=0)
R, TARGET = make_regression(80, 4, noise=5.0, random_state=0)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


@pytest.fixture(autouse=True)
def _forget_metrics(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test registers is gone after it."""
    known = metric_registry._known
    before = dict(known)
    yield
    known.clear()
    known.update(before)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("accuracy", "accuracy"),
        ("balanced_accuracy", "balanced_accuracy"),
        ("precision", "precision"),
        ("recall", "recall"),
        ("sensitivity", "recall"),
        ("f1", "f1"),
        ("auc", "roc_auc"),
        ("log_loss", "neg_log_loss"),
        ("brier", "neg_brier_score"),
    ],
)
def test_scorers_of_two_classes(name, theirs):
    """In cross_val_score the scorer gives what scikit-learn's own gives, fold by fold."""
    model = LogisticRegression()
    ours = cross_val_score(model, X, TWO, scoring=METRICS[name].scorer, cv=4)
    np.testing.assert_allclose(ours, cross_val_score(model, X, TWO, scoring=theirs, cv=4), rtol=1e-10)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_scorers_of_three_classes(name, average):
    """An average is an option of the metric."""
    ours = cross_val_score(TREE, X3, THREE, scoring=METRICS[name].using(average=average).scorer, cv=3)
    theirs = cross_val_score(TREE, X3, THREE, scoring=f"{name}_{average}", cv=3)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_scorers_of_probabilities_of_three_classes():
    """Log loss of a table of probabilities is scikit-learn's, negated."""
    model = LogisticRegression()
    ours = cross_val_score(model, X3, THREE, scoring=METRICS["log_loss"].scorer, cv=3)
    np.testing.assert_allclose(ours, cross_val_score(model, X3, THREE, scoring="neg_log_loss", cv=3))


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("mse", "neg_mean_squared_error"),
        ("rmse", "neg_root_mean_squared_error"),
        ("mae", "neg_mean_absolute_error"),
        ("r2", "r2"),
    ],
)
def test_scorers_of_numbers(name, theirs):
    """Errors are negated, so that larger is better, as scikit-learn wants it."""
    ours = cross_val_score(LinearRegression(), R, TARGET, scoring=METRICS[name].scorer, cv=4)
    np.testing.assert_allclose(ours, cross_val_score(LinearRegression(), R, TARGET, scoring=theirs, cv=4))


def test_scores_follow_the_class_to_spot():
    """AUC is the same for either class, from probabilities and from decision functions."""
    for model in (TREE.fit(X, WORDS), RidgeClassifier().fit(X, WORDS)):
        plain = METRICS["auc"].scorer(model, X, WORDS)
        turned = METRICS["auc"].using(positive="no").scorer(model, X, WORDS)
        assert plain == pytest.approx(turned, rel=1e-12)
        assert plain > 0.9


def test_auc_of_three_classes():
    """Several classes are averaged over pairs, as scikit-learn's one-vs-one does."""
    model = LogisticRegression().fit(X3, THREE)
    from sklearn.metrics import roc_auc_score

    wanted = roc_auc_score(THREE, model.predict_proba(X3), multi_class="ovo")
    assert METRICS["auc"].scorer(model, X3, THREE) == pytest.approx(wanted, rel=1e-12)


def test_folds_with_one_class():
    """Where a fold lacks a class, rates are counted, and the AUC is NaN without a warning."""
    model = LogisticRegression().fit(X, WORDS)
    rows = WORDS == "no"
    assert METRICS["recall"].scorer(model, X[rows], WORDS[rows]) == 0.0
    assert math.isnan(METRICS["auc"].scorer(model, X[rows], WORDS[rows]))
    assert METRICS["log_loss"].scorer(model, X[rows], WORDS[rows]) < 0


def test_labels_that_training_never_saw():
    """They count as wrong; their probability is 0, so the log loss is infinite and the Brier score is not."""
    model = LogisticRegression().fit(X, WORDS)
    y = np.where(np.arange(len(WORDS)) == 0, "perhaps", WORDS)
    assert METRICS["accuracy"].scorer(model, X[:1], y[:1]) == 0.0
    assert METRICS["precision"].scorer(model, X, y) > 0.5
    assert METRICS["log_loss"].scorer(model, X, y) == -math.inf
    assert -2 < METRICS["brier"].scorer(model, X, y) < 0


def test_grid_search_and_weights():
    """A scorer can choose settings, and takes weights of rows."""
    search = GridSearchCV(TREE, {"max_depth": [1, 3]}, scoring=METRICS["error"].scorer, cv=3).fit(X, TWO)
    assert search.best_score_ <= 0
    model = TREE.fit(X, TWO)
    weights = np.where(model.predict(X) == TWO, 1.0, 0.0)
    assert METRICS["accuracy"].scorer(model, X, TWO, sample_weight=weights) == 1.0


def test_costs_as_scorers():
    """Costs are negated, seconds of predicting are measured on the rows, those of fitting are not known."""
    model = TreeClassifier().fit(X, WORDS)
    assert METRICS["n_leaves"].scorer(model, X, WORDS) == -model.n_leaves_
    assert METRICS["description_bits"].scorer(model, X, WORDS) == -model.description_bits()
    assert METRICS["predict_seconds"].scorer(model, X, WORDS) < 0
    with pytest.raises(RequestError, match="not measured"):
        METRICS["fit_seconds"].scorer(model, X, WORDS)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_knows_itself(name):
    """Each metric is found by its name, describes itself and can be copied and pickled."""
    found = metric_named(name)
    assert found.needs in NEEDS
    assert found.lowest < found.highest
    assert found.description
    assert found.best == (found.highest if found.is_larger_better else found.lowest)
    assert str(found).startswith(f"{name}: ")
    assert pickle.loads(pickle.dumps(found)) == found == copy.deepcopy(found)
    assert pickle.loads(pickle.dumps(found.scorer)).__self__ == found


@pytest.mark.parametrize("name", [each.name for each in METRICS.values() if each.needs == "labels"])
def test_perfect_labels_get_the_best(name):
    """Right answers for every row give the end of the range."""
    assert METRICS[name](WORDS, WORDS) == METRICS[name].best


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("accuracyy", "accuracy"),
        ("F1", "f1"),
        ("roc_auc", "auc"),
        ("tnr", "specificity"),
        ("R-squared", "r2"),
    ],
)
def test_misspelled_names(typed, hint):
    """The nearest name is suggested, and the names of others are known."""
    with pytest.raises(RequestError) as caught:
        metric_named(typed)
    assert caught.value.fix == f"did you mean {hint!r}?"


def test_what_is_no_name():
    """A function is no metric before it is made one."""
    with pytest.raises(InputTypeError, match="name"):
        metric_named(max)
    assert metric_named(METRICS["f1"]) is METRICS["f1"]


def test_the_registry_is_read_only():
    """Metrics are added by the decorator alone."""
    with pytest.raises(TypeError):
        METRICS["mine"] = METRICS["f1"]


def test_a_metric_of_ones_own():
    """A decorated function is a metric: called, named, scored, with its docstring as description."""

    @metric(name="share of first rows", needs="labels", is_larger_better=False, range=(0, 1))
    def first_rows(y, predicted):
        """How many of the first ten are wrong."""
        return float(np.mean(np.asarray(y)[:10] != np.asarray(predicted)[:10]))

    assert first_rows([1, 0], [1, 1]) == 0.5
    assert metric_named("share of first rows") is first_rows
    assert first_rows.description == "How many of the first ten are wrong"
    model = DummyClassifier().fit(X, TWO)
    assert first_rows.scorer(model, X, TWO) <= 0
    with pytest.raises(RequestError, match="takes no weights"):
        first_rows([1, 0], [1, 1], weights=[1, 1])


def test_defined_again():
    """In a notebook a cell is run twice: the later one counts."""
    for value in (1.0, 2.0):

        @metric()
        def mine(y, predicted, value=value):
            return value

    assert metric_named("mine")([0], [0]) == 2.0


def test_built_in_names_are_kept():
    """Nobody can make accuracy mean something else."""
    with pytest.raises(RequestError, match="built in"):

        @metric(name="accuracy")
        def mine(y, predicted):
            return 1.0


def test_the_decorator_is_called():
    """`@metric` without brackets is refused with the right spelling."""
    with pytest.raises(InputTypeError, match="called"):

        @metric
        def mine(y, predicted):
            return 1.0


@pytest.mark.parametrize(
    ("made", "error"),
    [
        ({"name": "x", "function": max, "needs": "label"}, RequestError),
        ({"name": "", "function": max}, InputTypeError),
        ({"name": "x", "function": 3}, InputTypeError),
        ({"name": "x", "function": max, "lowest": 1.0, "highest": 0.0}, RequestError),
    ],
)
def test_metrics_that_cannot_be(made, error):
    """What it needs is known, a name and a function are there, the range is one."""
    with pytest.raises(error):
        Metric(**made)


@pytest.mark.parametrize("answer", ["high", None, [1.0, 2.0]])
def test_answers_that_are_no_number(answer):
    """A metric gives one number."""
    with pytest.raises(InputTypeError, match="did not give a number"):
        Metric("mine", lambda y, predicted: answer)([0], [0])


def test_what_is_better():
    """Larger or smaller by its direction, and NaN never."""
    accuracy, error = METRICS["accuracy"], METRICS["error"]
    assert accuracy.is_better(0.9, 0.8)
    assert not accuracy.is_better(0.8, 0.8)
    assert error.is_better(0.1, 0.2)
    assert not error.is_better(math.nan, math.nan)
    assert (accuracy.direction, error.direction) == ("larger is better", "smaller is better")


def test_options():
    """Options are kept, written into the name, and can be overruled by a further one."""
    f2 = METRICS["f1"].using("f2", beta=2.0)
    y, predicted = [1, 1, 1, 0, 0], [1, 0, 0, 1, 0]
    assert f2(y, predicted) == pytest.approx(5 * 1 / (5 * 1 + 4 * 2 + 1))
    assert METRICS["f1"].using(average="macro").name == "f1 (average=macro)"
    assert f2(y, predicted, beta=0) == METRICS["precision"](y, predicted) == 0.5
    with pytest.raises(RequestError, match="takes no beta"):
        METRICS["recall"](y, predicted, beta=2)


def test_no_probabilities():
    """A learner without probabilities is refused by name."""
    with pytest.raises(RequestError, match="RidgeClassifier gives no probabilities"):
        METRICS["log_loss"].scorer(RidgeClassifier().fit(X, TWO), X, TWO)


def test_areas_by_name():
    """The named areas are those of the curves, for one column and for two."""
    from heldout.metrics.precision_recall import precision_recall
    from heldout.metrics.roc import roc

    table = LogisticRegression().fit(X, WORDS).predict_proba(X)
    weights = np.arange(len(WORDS)) % 3
    for name, curve in (("auc", roc), ("pr_area", precision_recall)):
        wanted = curve(WORDS, table[:, 1], weights=weights).area
        assert METRICS[name](WORDS, table[:, 1], weights=weights) == pytest.approx(wanted, rel=1e-14)
        assert METRICS[name](WORDS, table, weights=weights) == pytest.approx(wanted, rel=1e-14)
        turned = METRICS[name](WORDS, table[:, ::-1], labels=["yes", "no"], weights=weights)
        assert turned == pytest.approx(wanted, rel=1e-14)
    with pytest.raises(RequestError, match="one class"):
        METRICS["pr_area"](THREE, np.full((150, 3), 1 / 3))
    with pytest.raises(RequestError, match="no weights"):
        METRICS["auc"](THREE, np.full((150, 3), 1 / 3), weights=np.ones(150))


def test_scorer_of_a_class_that_is_not_there():
    """A class that the estimator does not know is named in words, for scores as for labels."""
    model = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    for name in ("auc", "f1", "brier"):
        with pytest.raises(RequestError, match="there is no label 7"):
            metric_named(name).using(positive=7).scorer(model, [[0.0], [1.0]], [0, 1])


def test_rss_is_known_by_its_name():
    """All five errors of numbers are metrics."""
    assert {"mse", "rmse", "mae", "rss", "r2"} <= set(METRICS)
    assert metric_named("rss")([0.0, 2.0], [1.0, 0.0]) == 5.0
