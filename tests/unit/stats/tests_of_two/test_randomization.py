"""The randomization test: by counts, by swapping, by all swaps, and with scikit-learn's metrics."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    f1_score,
    precision_score,
    recall_score,
    roc_auc_score,
)

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.auc_interval import compare_auc
from heldout.stats.mcnemar import mcnemar
from heldout.stats.randomization_test import randomization_test

from .brute_force import (
    mean_f1,
    mean_recall,
    plain_accuracy,
    plain_auc,
    plain_f1,
    plain_precision,
    plain_recall,
    swap_p,
)

METRICS = {"accuracy": plain_accuracy, "f1": plain_f1, "precision": plain_precision, "recall": plain_recall}
OF_SCIKIT_LEARN = {
    "accuracy": accuracy_score,
    "f1": f1_score,
    "precision": precision_score,
    "recall": recall_score,
    "macro_f1": lambda y, answer: f1_score(y, answer, average="macro"),
    "balanced_accuracy": balanced_accuracy_score,
}
ROWS = st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=1, max_size=7)
MORE_CLASSES = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=7)


@settings(max_examples=40)
@given(ROWS, st.sampled_from(["accuracy", "f1", "precision", "recall"]))
def test_by_counts_it_is_the_share_of_all_swaps(rows: list[tuple[int, int, int]], name: str) -> None:
    """With few rows the fast way gives exactly what swapping every row in every way gives."""
    y, a, b = ([*column, 1] for column in zip(*rows, strict=True))
    found = randomization_test(y, a, b, name)
    assert found.p_value == pytest.approx(swap_p(y, a, b, METRICS[name]), rel=1e-9)
    assert found.details["value_a"] == pytest.approx(METRICS[name](y, a))
    assert found.details["value_b"] == pytest.approx(METRICS[name](y, b))


@settings(max_examples=30)
@given(MORE_CLASSES)
def test_many_classes(rows: list[tuple[int, int, int]]) -> None:
    """Macro F1 and balanced accuracy of three classes are those of all swaps of rows."""
    y, a, b = (list(column) for column in zip(*rows, strict=True))
    balanced = randomization_test(y, a, b, "balanced_accuracy")
    assert balanced.p_value == pytest.approx(swap_p(y, a, b, mean_recall), rel=1e-9)
    macro = randomization_test(y, a, b, "macro_f1")
    assert macro.p_value == pytest.approx(swap_p(y, a, b, mean_f1), rel=1e-9)


@pytest.mark.parametrize("name", OF_SCIKIT_LEARN)
def test_metrics_by_name_are_scikit_learns(name: str) -> None:
    """Each metric that is known by name has scikit-learn's value."""
    generator = np.random.default_rng(3)
    n_classes = 4 if name in ("macro_f1", "balanced_accuracy", "accuracy") else 2
    y, a, b = generator.integers(0, n_classes, (3, 200))
    found = randomization_test(y, a, b, name, n_swaps=10)
    assert found.details["value_a"] == pytest.approx(OF_SCIKIT_LEARN[name](y, a))
    assert found.details["value_b"] == pytest.approx(OF_SCIKIT_LEARN[name](y, b))


@settings(max_examples=25)
@given(ROWS.filter(lambda rows: len(rows) > 2), st.data())
def test_groups_are_swapped_together(rows: list[tuple[int, int, int]], data: st.DataObject) -> None:
    """With groups p is the share of all swaps of groups, by counts and by a function alike."""
    y, a, b = (list(column) for column in zip(*rows, strict=True))
    y, a, b = [*y, 1], [*a, 1], [*b, 1]
    groups = data.draw(st.lists(st.sampled_from("pqr"), min_size=len(y), max_size=len(y)))
    expected = swap_p(y, a, b, METRICS["f1"], groups)
    found = randomization_test(y, a, b, "f1", groups=groups)
    assert found.p_value == pytest.approx(expected, rel=1e-9)
    assert found.n_rows == len(set(groups))
    assert found.unit == "group"
    by_function = randomization_test(y, a, b, METRICS["f1"], groups=groups)
    assert by_function.p_value == pytest.approx(expected, rel=1e-9)


def made_answers(n_rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A truth and two classifiers, of which the first is a little better."""
    generator = np.random.default_rng(seed)
    y = (generator.random(n_rows) < 0.3).astype(int)
    flips = generator.random((2, n_rows)) < np.array([[0.15], [0.22]])
    return y, np.where(flips[0], 1 - y, y), np.where(flips[1], 1 - y, y)


def test_draws_come_near_the_exact_p() -> None:
    """2,000 random swaps differ from the exact p by no more than noise allows, by counts and by rows."""
    y, a, b = made_answers(150)
    n_different = int((a != b).sum())
    exact = randomization_test(y, a, b, "f1", n_swaps=10**6)
    assert exact.details["is_exact"] == 1
    drawn = randomization_test(y, a, b, "f1", n_swaps=2_000)
    by_rows = randomization_test(y, a, b, lambda y, answer: float(np.mean(y == answer)), n_swaps=2_000)
    assert 2**n_different > 2_000
    assert drawn.details["is_exact"] == by_rows.details["is_exact"] == 0
    error = 4 * math.sqrt(exact.p_value * (1 - exact.p_value) / 2_000) + 1e-3
    assert abs(drawn.p_value - exact.p_value) < error
    assert abs(by_rows.p_value - mcnemar(y, a, b).p_value) < 0.05


def test_accuracy_is_mcnemars_exact_test() -> None:
    """Swapping for accuracy is McNemar's exact test, to the last digits, where all outcomes are looked at."""
    y, a, b = made_answers(300)
    found = randomization_test(y, a, b, "accuracy", n_swaps=100_000)
    assert found.details["is_exact"] == 1
    assert found.p_value == pytest.approx(mcnemar(y, a, b).p_value, rel=1e-9)


def test_numbers_are_swapped_as_scipy_does() -> None:
    """The mean absolute error of values: p equals SciPy's permutation test of paired samples."""
    generator = np.random.default_rng(5)
    y = generator.normal(size=9)
    a, b = y + 0.5 * generator.normal(size=9), y + generator.normal(size=9)
    found = randomization_test(y, a, b, lambda y, answer: np.abs(y - answer).mean())
    expected = permutation_test(
        (np.abs(y - a), np.abs(y - b)),
        lambda p, q: np.mean(p - q),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_auc_by_ranks() -> None:
    """The AUC's p equals all swaps of ranks, whatever the scale of the scores, and has an interval."""
    generator = np.random.default_rng(2)
    y = np.array([0, 1] * 5)
    a, b = y + generator.normal(size=10), y + 2 * generator.normal(size=10)
    found = randomization_test(y, a, b, "auc", names=("tree", "rule"))
    ranks = [np.argsort(np.argsort(scores)).tolist() for scores in (a, b)]
    assert found.p_value == pytest.approx(swap_p(y.tolist(), *ranks, plain_auc), rel=1e-9)
    assert found.details["value_a"] == pytest.approx(roc_auc_score(y, a))
    stretched = randomization_test(y, np.exp(a), 1000 * b, "auc")
    assert stretched.p_value == found.p_value
    assert found.difference == compare_auc(y, a, b, names=("tree", "rule")).difference


def test_probabilities_of_several_classes() -> None:
    """A function may take a column of probabilities per class; whole lines are swapped."""
    y = np.array([0, 1, 2, 0])
    a = np.eye(3)[y] * 0.7 + 0.1
    b = np.full((4, 3), 1 / 3)
    found = randomization_test(y, a, b, lambda y, p: -np.log(p[np.arange(4), y]).mean())
    assert found.p_value == 2 / 16


def test_two_that_answer_alike() -> None:
    """Equal answers, a single row and no rows have p = 1, without an interval of no width."""
    y, a, _ = made_answers(20)
    for metric in ("f1", "accuracy", METRICS["accuracy"]):
        found = randomization_test(y, a, a, metric)
        assert found.p_value == 1.0
        assert "Both give the same answers" in str(found)
        assert found.difference is not None
        assert math.isnan(found.difference.low)
    assert randomization_test([1], [1], [0], "f1").p_value == 1.0
    empty = randomization_test([], [], [], "accuracy")
    assert (empty.p_value, math.isnan(empty.statistic)) == (1.0, True)
    assert randomization_test([], [], [], "auc").p_value == 1.0


def test_a_metric_without_a_value() -> None:
    """Where the metric has no value there is no p; a swap without one counts as extreme and is told."""
    found = randomization_test([1, 1], [0.1, 0.2], [0.3, 0.1], "auc")
    assert math.isnan(found.p_value)
    assert "no value for one of the two" in str(found)
    fickle = lambda y, answer: math.nan if answer[0] == answer[1] else answer[0]  # noqa: E731
    found = randomization_test([1, 1], [0.0, 1.0], [1.0, 0.0], fickle)
    assert "2 of 4 swaps gave no value and count as extreme" in str(found)
    assert found.p_value == 1.0


def test_the_interval_is_that_of_resampled_rows() -> None:
    """The interval of the difference lies around it, narrows with more rows, and widens with groups."""
    widths = []
    for n_rows in (200, 20_000):
        y, a, b = made_answers(n_rows)
        found = randomization_test(y, a, b, "f1", n_swaps=200)
        assert found.difference is not None
        assert found.difference.low < found.difference.estimate < found.difference.high
        assert found.difference.estimate == pytest.approx(f1_score(y, a) - f1_score(y, b))
        widths.append(found.difference.width)
    assert widths[1] < widths[0] / 5
    in_groups = randomization_test(y, a, b, "f1", n_swaps=200, groups=np.repeat(np.arange(2_000), 10))
    assert in_groups.difference is not None
    assert in_groups.difference.n_rows == 2_000
    assert in_groups.difference.width == pytest.approx(widths[1], rel=0.15)
    tenfold = [np.repeat(column, 10) for column in (y, a, b)]
    as_groups = randomization_test(*tenfold, "f1", n_swaps=200, groups=np.repeat(np.arange(20_000), 10))
    assert as_groups.difference is not None
    assert as_groups.difference.width == pytest.approx(widths[1], rel=0.1)


def test_the_same_seed_gives_the_same_answer() -> None:
    """Seeds decide, and nothing else does."""
    y, a, b = made_answers(200, seed=6)
    first, second, third = (randomization_test(y, a, b, "f1", seed=seed) for seed in (1, 1, 2))
    assert first == second
    assert first.p_value != third.p_value


def test_the_class_to_spot() -> None:
    """F1 is that of the last of two classes unless another is named."""
    y, a, b = ["n", "y", "y"], ["n", "y", "n"], ["y", "y", "y"]
    assert randomization_test(y, a, b, "f1").details["value_a"] == pytest.approx(2 / 3)
    assert randomization_test(y, a, b, "f1", positive="n").details["value_b"] == 0


def test_what_is_refused() -> None:
    """Names that are none, classes that are none, and metrics that are no numbers are refused."""
    y, a, b = [0, 1, 2], [0, 1, 1], [0, 2, 2]
    with pytest.raises(RequestError, match="did you mean 'f1'"):
        randomization_test(y, a, b, "f_score")
    with pytest.raises(RequestError, match="did you mean 'auc'"):
        randomization_test(y, a, b, "roc_auc")
    with pytest.raises(RequestError, match="more than two classes"):
        randomization_test(y, a, b, "f1")
    with pytest.raises(RequestError, match="no row has the class 7"):
        randomization_test(y, a, b, "f1", positive=7)
    with pytest.raises(RequestError, match="all classes alike"):
        randomization_test(y, a, b, "accuracy", positive=1)
    with pytest.raises(RequestError, match="y and the answers alone"):
        randomization_test(y, a, b, accuracy_score, positive=1)
    with pytest.raises(InputTypeError, match="did not give a number"):
        randomization_test(y, a, b, lambda y, answer: "good")
    with pytest.raises(InputTypeError, match="must be a name"):
        randomization_test(y, a, b, 3)
    with pytest.raises(RequestError, match="n_swaps"):
        randomization_test(y, a, b, "accuracy", n_swaps=0)
    with pytest.raises(DataError, match="groups has 2 rows, y has 3"):
        randomization_test(y, a, b, "accuracy", groups=[1, 2])
    with pytest.raises(DataError, match="different shapes"):
        randomization_test(y, np.zeros((3, 2)), np.zeros((3, 3)), lambda y, p: 0.0)
    with pytest.raises(DataError, match="holds NaN"):
        randomization_test(y, np.full((3, 2), np.nan), np.zeros((3, 2)), lambda y, p: 0.0)
    with pytest.raises(InputTypeError, match="one answer per row"):
        randomization_test(y, 3, np.zeros((3, 2)), lambda y, p: 0.0)
