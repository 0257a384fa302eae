"""The validation curve: what scikit-learn's own function says, kept in the study file, and no result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import KFold
from sklearn.model_selection import validation_curve as their_validation_curve
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import heldout as ho
from heldout.split.row_facts import RowFacts
from heldout.stats.metric_families import OTHER
from heldout.study.curves.validation_curve import validation_curve

from .study_tables import churn_columns, price_columns

FOLDS = ho.KFold(3)
NEAR = ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 5, 25], "weights": ["uniform"]})


@pytest.fixture
def study(tmp_path: Path) -> Iterator[ho.Study]:
    columns = churn_columns()
    columns["calls"] = [0.0 if value is None else value for value in columns["calls"]]
    del columns["city"], columns["customer"]
    with ho.Study.create(tmp_path / "c.heldout", ho.read_table(columns), target="churned", seed=3) as made:
        yield made


@pytest.mark.parametrize(
    ("learner", "parameter", "values"),
    [
        (ho.NeighborsClassifier(), "k", [1, 3, 9, 27]),
        (ho.TreeClassifier(prune=None), "max_depth", [0, 1, 3, 9]),
        (make_pipeline(StandardScaler(), SVC()), "svc__C", [0.01, 1.0, 100.0]),
    ],
    ids=["sweep of neighbors", "sweep of trees", "a foreign pipeline"],
)
def test_scores_are_those_of_scikit_learn(
    study: ho.Study, learner: object, parameter: str, values: list[float]
) -> None:
    """With the same folds both scores of every value are those of sklearn's validation_curve, bit for bit."""
    contender = ho.Contender("mine", learner, prepare=None)
    curve = validation_curve(study, contender, parameter, values, folds=FOLDS)
    task = study.task
    X = np.column_stack([task.X["calls"].values, task.X["months"].values])
    folds = [(fold.train, fold.test) for fold in FOLDS.folds(RowFacts.of(task), seed=study.seed)]
    train, test = their_validation_curve(
        learner, X, task.y, param_name=parameter, param_range=values, cv=folds, scoring="accuracy"
    )
    assert curve.test.tolist() == test.T.tolist()
    assert curve.train.tolist() == train.T.tolist()


def test_values_come_from_the_space(study: ho.Study) -> None:
    """Without values those of the contender's space are tried, of a list of settings the distinct ones."""
    assert validation_curve(study, NEAR, "k", folds=FOLDS).x_values == (1, 5, 25)
    listed = ho.Contender(
        "near", ho.NeighborsClassifier(), [{"k": 3}, {"k": 9, "weights": "uniform"}, {"k": 3}]
    )
    assert validation_curve(study, listed, "k", folds=FOLDS).x_values == (3, 9)


def test_parameters_of_the_preparation(study: ho.Study) -> None:
    """A name with prepare__ varies the preparation, which is fitted inside the folds."""
    near = ho.Contender("near", ho.NeighborsClassifier(), prepare=ho.Scale())
    curve = validation_curve(study, near, "prepare__by", ["variance", "max"], folds=FOLDS)
    assert curve.x_values == ("variance", "max")
    assert not np.isnan(curve.test).any()


def test_it_says_that_it_is_no_result(study: ho.Study) -> None:
    """The text names the best value and says that choosing by it is no result to report."""
    curve = validation_curve(study, NEAR, "k", folds=FOLDS)
    assert f"k = {curve.best_value} has the best accuracy" in str(curve)
    assert "no result to report" in str(curve)
    assert "validation rows" in curve.to_svg()


def test_asked_again_it_is_read_from_the_file(study: ho.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same request fits nothing; other values are another request."""
    first = validation_curve(study, NEAR, "k", folds=FOLDS)
    n_facts = study.ledger.n_facts
    monkeypatch.setattr("heldout.study.curves.validation_curve.tune", None)
    assert validation_curve(study, NEAR, "k", [1, 5, 25], folds=FOLDS).to_dict() == first.to_dict()
    monkeypatch.undo()
    validation_curve(study, NEAR, "k", [1, 5], folds=FOLDS)
    assert study.ledger.n_facts == n_facts + 2


def test_regressions_choose_the_smallest_error(tmp_path: Path) -> None:
    """By RMSE the best value is the one with the smallest mean."""
    with ho.Study.create(tmp_path / "p.heldout", ho.read_table(price_columns()), target="price") as study:
        ridge = ho.Contender("ridge", ho.RidgeRegressor())
        curve = validation_curve(study, ridge, "alpha", [1e-3, 1.0, 1e6], folds=FOLDS)
    assert curve.metric == "rmse"
    assert curve.best_value == curve.x_values[int(curve.test_means.argmin())]
    assert curve.best_value != 1e6


def test_what_cannot_be_drawn_is_refused(study: ho.Study) -> None:
    """An unknown parameter, one without values and a single value are refused with advice."""
    with pytest.raises(ho.RequestError, match="has no values of 'kk'") as unknown:
        validation_curve(study, NEAR, "kk")
    assert unknown.value.fix == "did you mean 'k'?"
    with pytest.raises(ho.RequestError, match="two different values at least"):
        validation_curve(study, NEAR, "k", [3])
    with pytest.raises(ho.HeldoutError, match="no parameter"):
        validation_curve(study, NEAR, "kay", [3, 4])


def test_values_that_are_no_numbers_stand_side_by_side(study: ho.Study) -> None:
    """Words and None are places of the curve, and are read back as they were shown."""
    tree = ho.Contender("tree", ho.TreeClassifier(prune=None))
    curve = validation_curve(study, tree, "max_depth", [1, None], folds=FOLDS)
    assert curve.x_values == (1, "None")
    assert validation_curve(study, tree, "max_depth", [1, None], folds=FOLDS).x_values == curve.x_values
    assert "None" in curve.to_svg()


def test_an_infinite_score_is_never_the_best(study: ho.Study) -> None:
    """One neighbor that errs has an infinite log_loss; it stays infinite when the curve is read back."""
    sure = ho.Contender("near", ho.NeighborsClassifier(smoothing=0))
    for _ in range(2):
        curve = validation_curve(study, sure, "k", [1, 25], folds=FOLDS, metric="log_loss")
        assert curve.test_means[0] == np.inf
        assert curve.best_value == 25
        assert "k = 1, it is infinity" in str(curve)
        assert "infinity" not in curve.to_svg().split("</desc>")[1]


def test_each_value_counts_once(study: ho.Study) -> None:
    """Values given twice are tried once, anything that can be listed is listed, and True is not 1."""
    assert validation_curve(study, NEAR, "k", iter([5, 1, 5]), folds=FOLDS).x_values == (5, 1)
    assert validation_curve(study, NEAR, "k", np.array([5, 1]), folds=FOLDS).x_values == (5, 1)
    for values in ([3, 3], {3, 4}, "ab", np.array(3)):
        with pytest.raises(ho.RequestError, match="two different values at least"):
            validation_curve(study, NEAR, "k", values)
    tree = ho.Contender("tree", ho.TreeClassifier())
    same = validation_curve(study, tree, "average_gain", [True, False], folds=FOLDS)
    assert same.takeaway.startswith("All 2 values of average_gain have the accuracy 0.")


@pytest.mark.parametrize("name", ["learning_curve", "validation_curve", "size_curve"])
@pytest.mark.parametrize("folds", [5, KFold(3)], ids=["a number", "scikit-learn's"])
def test_folds_are_splits_of_ours(study: ho.Study, name: str, folds: object) -> None:
    """Folds that are a number, or another library's, are refused with what to write instead."""
    tree = ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 2]})
    parameter = {"parameter": "max_depth"} if name == "validation_curve" else {}
    with pytest.raises(ho.HeldoutError, match="folds is a split") as refused:
        getattr(study, name)(tree, folds=folds, **parameter)
    assert "ho.KFold(" in refused.value.fix


def test_a_parameter_has_a_name(study: ho.Study) -> None:
    """A list or nothing in place of the name of a parameter is refused."""
    for parameter in (["k"], None, 3):
        with pytest.raises(ho.HeldoutError, match="by its name"):
            validation_curve(study, NEAR, parameter)


def one_half(true: object, said: object) -> float:
    """The same for all."""
    return 0.5


def one_third(true: object, said: object) -> float:
    """The same for all, and less."""
    return 1 / 3


@pytest.mark.slow
def test_a_metric_of_ones_own_is_known_by_its_code(study: ho.Study) -> None:
    """Two metrics of one name are two requests; a name and the metric of that name are one."""
    accuracy = ho.metrics.metric_named("accuracy")
    own = [
        replace(accuracy, name="mine", function=each, plain_family=OTHER) for each in (one_half, one_third)
    ]
    curves = [validation_curve(study, NEAR, "k", folds=FOLDS, metric=each) for each in own]
    assert [curve.test_means[0] for curve in curves] == [0.5, pytest.approx(1 / 3)]
    for each in ("accuracy", accuracy):
        validation_curve(study, NEAR, "k", folds=FOLDS, metric=each)
    assert len(study.ledger.facts("curve")) == 3
