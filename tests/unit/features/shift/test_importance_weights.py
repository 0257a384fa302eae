"""Importance weights make training rows look like the population, and say how far they go."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import heldout as ho
from heldout.features.importance_weights import _of_mean_1
from heldout.features.shift.membership import paired_folds, rank_auc
from heldout.features.shift.two_samples import two_samples

from .shifted import mixed_table, normal


def test_weighted_rows_look_like_the_population() -> None:
    """Most of the difference between the two means is gone under the weights, whose mean is 1."""
    train, population = normal(1, 600), normal(2, 600, mean=0.8)
    result = ho.importance_weights(train, population)
    before = abs(train[:, 0].mean() - population[:, 0].mean())
    after = abs(np.average(train[:, 0], weights=result.weights) - population[:, 0].mean())
    assert after < 0.3 * before
    assert result.weights.mean() == pytest.approx(1.0)
    assert (result.weights > 0).all()


def test_without_a_shift_nearly_all_rows_count() -> None:
    """Two samples of one distribution cannot be told apart, and few effective rows are lost."""
    result = ho.importance_weights(normal(1, 500), normal(2, 500))
    assert abs(result.auc - 0.5) < 0.06
    assert result.effective_rows > 0.8 * 500


def test_the_effective_rows_are_those_of_kish() -> None:
    """(Σw)² ÷ Σw², between 1 and the number of rows; the largest weight is named with its row."""
    result = ho.importance_weights(normal(1, 200), normal(2, 200, mean=1.0))
    weights = result.weights
    assert result.effective_rows == pytest.approx(weights.sum() ** 2 / (weights @ weights))
    assert 1 <= result.effective_rows <= 200
    assert weights[result.largest_row] == result.largest == weights.max()
    assert result.largest_share == pytest.approx(weights.max() / weights.sum())


def test_the_area_is_that_of_scikit_learn() -> None:
    """Wilcoxon-Mann-Whitney with ties equals scikit-learn's area under the curve."""
    generator = np.random.default_rng(0)
    lower, upper = generator.integers(0, 9, 80) / 9, generator.integers(2, 11, 50) / 9
    expected = roc_auc_score(np.repeat([0, 1], [80, 50]), np.concatenate([lower, upper]))
    assert rank_auc(lower, upper) == pytest.approx(expected, abs=1e-12)


def test_a_given_learner_is_cross_fitted_as_by_hand() -> None:
    """The weights are the odds of models that have not seen the row, of mean 1."""
    train, population = normal(1, 90), normal(2, 60, mean=0.5)
    learner = LogisticRegression()
    result = ho.importance_weights(train, population, learner=learner, folds=3, seed=4)
    folds = [np.random.default_rng([4, part]).permutation(n) % 3 for part, n in enumerate((90, 60))]
    ratios = np.empty(90)
    for fold in range(3):
        parts = train[folds[0] != fold], population[folds[1] != fold]
        y = np.repeat([0, 1], [len(parts[0]), len(parts[1])])
        model = LogisticRegression().fit(np.concatenate(parts), y)
        shares = model.predict_proba(train[folds[0] == fold])[:, 1]
        ratios[folds[0] == fold] = shares / (1 - shares) * len(parts[0]) / len(parts[1])
    assert result.weights == pytest.approx(ratios / ratios.mean(), rel=1e-9)
    assert not hasattr(learner, "coef_")
    assert "LogisticRegression" in str(result)


def test_a_row_is_never_judged_by_a_model_that_has_seen_it() -> None:
    """A learner that remembers its rows finds none of them among those it is asked about."""

    class Rememberer(LogisticRegression):  # type: ignore[misc]
        def fit(self, X: np.ndarray, y: np.ndarray) -> Rememberer:
            self.seen_ = {row.tobytes() for row in np.asarray(X)}
            return super().fit(X, y)

        def predict_proba(self, X: np.ndarray) -> np.ndarray:
            assert not any(row.tobytes() in self.seen_ for row in np.asarray(X))
            return super().predict_proba(X)

    result = ho.importance_weights(normal(1, 60), normal(2, 60), learner=Rememberer())
    assert len(result.weights) == 60


def test_a_sample_of_the_population_itself_is_weighed_rightly() -> None:
    """Training rows that are also rows of the population are not given away by their copies."""
    population = normal(1, 900)
    chance = np.where(population[:, 0] > 0, 0.2, 0.8)
    train = population[np.random.default_rng(2).uniform(size=900) < chance]
    result = ho.importance_weights(train, population)
    is_above = train[:, 0] > 0
    # The true ratio is 4; the area is that of two samples drawn apart, about 0.64, and not below ½.
    assert 2.5 < result.weights[is_above].mean() / result.weights[~is_above].mean() < 6
    assert 0.58 < result.auc < 0.7


@pytest.mark.parametrize("folds", [2, 5])
def test_copies_are_in_the_same_fold(folds: int) -> None:
    """The j-th copy in the population has the fold of the j-th in training; no fold lacks one of the two."""
    rows = np.random.default_rng(0).integers(0, 6, (60, 2)).astype(float)
    samples = two_samples(rows[:40], rows[20:], ("train", "population"))
    fold_of = paired_folds(samples.first, samples.second, folds, seed=3)
    for content in {tuple(row) for row in rows.tolist()}:
        upper = [fold_of[k] for k in range(40) if tuple(rows[k]) == content]
        lower = [fold_of[40 + k] for k in range(40) if tuple(rows[20 + k]) == content]
        n_pairs = min(len(upper), len(lower))
        assert upper[:n_pairs] == lower[:n_pairs]
    assert set(fold_of[:40].tolist()) == set(fold_of[40:].tolist()) == set(range(folds))


def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads() -> None:
    """Weights come again bit for bit, with two threads too; another seed gives others."""
    train, population = normal(1, 150), normal(2, 150, mean=0.5)
    first = ho.importance_weights(train, population, seed=2).weights
    assert (first == ho.importance_weights(train, population, seed=2, n_jobs=2).weights).all()
    assert (first != ho.importance_weights(train, population, seed=3).weights).any()


def test_tables_with_categories_and_gaps_are_taken_as_they_are() -> None:
    """A category that is more frequent in the population gets more weight, and so do missing values."""
    train = mixed_table(1, 600)
    generator = np.random.default_rng(5)
    both = mixed_table(2, 2400, missing=0.4)
    keep = generator.uniform(size=2400) < np.where(np.array(both["town"].labels()) == "c", 0.9, 0.3)
    result = ho.importance_weights(train, both[np.flatnonzero(keep)])
    is_c = np.array(train["town"].labels()) == "c"
    is_gap = train["size"].is_missing
    assert result.weights[is_c].mean() > 1.3 * result.weights[~is_c].mean()
    assert result.weights[is_gap].mean() > 1.5 * result.weights[~is_gap].mean()


def test_frames_and_tables_give_the_same_weights() -> None:
    """A pandas and a polars frame give the weights of the Table made of them."""
    train, population = normal(1, 120), normal(2, 120, mean=0.5)
    names = ["a", "b", "c"]
    tables = [ho.read_table(pd.DataFrame(rows, columns=names)) for rows in (train, population)]
    expected = ho.importance_weights(*tables).weights
    for make in (pd.DataFrame, lambda rows, columns: pl.DataFrame(rows, schema=columns)):
        frames = [make(rows, columns=names) for rows in (train, population)]
        assert (ho.importance_weights(*frames).weights == expected).all()
        given = ho.importance_weights(*frames, learner=ho.TreeClassifier(min_leaf=20))
        assert given.weights.mean() == pytest.approx(1.0)


def test_columns_in_another_order_are_matched_by_name() -> None:
    """The population may have its columns in another order, also for a learner that is given."""
    train = pd.DataFrame(normal(1, 100), columns=["a", "b", "c"])
    population = pd.DataFrame(normal(2, 100, mean=1.0), columns=["a", "b", "c"])
    for learner in (None, LogisticRegression()):
        expected = ho.importance_weights(train, population, learner=learner).weights
        turned = ho.importance_weights(train, population[["c", "a", "b"]], learner=learner).weights
        assert (turned == expected).all()


def test_most_clips_and_the_mean_stays_1() -> None:
    """No weight is above `most`, their mean is 1, their order is kept, and the result counts them."""
    train, population = normal(1, 300), normal(2, 300, mean=1.2)
    free = ho.importance_weights(train, population)
    clipped = ho.importance_weights(train, population, most=3.0)
    assert free.largest > 3
    assert clipped.largest == pytest.approx(3.0)
    assert clipped.weights.mean() == pytest.approx(1.0)
    assert clipped.n_clipped == np.count_nonzero(clipped.weights == 3.0) > 0
    assert (np.diff(clipped.weights[np.argsort(free.weights)]) >= 0).all()
    assert clipped.effective_rows > free.effective_rows
    assert "most=3" in str(clipped)


@pytest.mark.parametrize("most", [1.2, 1.5, 4.0, 100.0])
def test_clipping_shares_what_is_taken_off(most: float) -> None:
    """Weights that are not clipped keep their proportions."""
    ratios = np.array([0.1, 0.2, 0.4, 1.0, 9.0])
    weights, n_clipped = _of_mean_1(ratios, most)
    free = weights < most
    assert weights.mean() == pytest.approx(1.0)
    assert weights.max() <= most * (1 + 1e-12)
    assert n_clipped == np.count_nonzero(~free)
    if free.any():
        assert np.ptp(weights[free] / ratios[free]) < 1e-12


def test_a_most_of_1_makes_all_weights_equal() -> None:
    """Nothing is left to weigh where no weight may be above the mean."""
    assert _of_mean_1(np.array([0.1, 0.4, 9.0]), 1.0)[0] == pytest.approx(np.ones(3))


def test_certain_probabilities_are_moved_inside() -> None:
    """A learner that is certain gives finite weights, and the result says how many rows that concerns."""
    train, population = normal(1, 60), normal(2, 60, mean=9.0)
    result = ho.importance_weights(train, population, learner=ho.TreeClassifier(smoothing=0))
    assert np.isfinite(result.weights).all()
    assert result.n_bounded > 0
    assert "probability of 0 or 1" in str(result)


def test_the_result_says_what_it_cannot_do() -> None:
    """It names the effective rows, the area and the function for regions never seen, and goes into JSON."""
    result = ho.importance_weights(normal(1, 100), normal(2, 100, mean=2.5))
    text = str(result)
    assert all(word in text for word in ("effective rows", "AUC", "ho.coverage", "folds"))
    assert json.loads(json.dumps(result.to_dict()))["n_train"] == 100


def test_few_rows_that_carry_all_are_remarked() -> None:
    """Where one row has a tenth of the weight, the result warns of it."""
    weights = np.ones(50)
    weights[3] = 20.0
    made = ho.importance_weights(normal(1, 50), normal(2, 50))
    heavy = type(made)(weights / weights.mean(), 0.9, 50, 5, "a forest", None, 0, 0, 1.0)
    assert "few rows carry" in str(heavy)
    assert "few rows carry" not in str(made)


@pytest.mark.parametrize(
    ("train", "population", "words"),
    [
        (normal(1, 20), normal(2, 20, n_columns=2), "number of columns"),
        (normal(1, 20), pd.DataFrame(normal(2, 20)), "two forms"),
        (normal(1, 20), mixed_table(2, 20), "two forms"),
        (mixed_table(1, 20), mixed_table(1, 20).drop("age"), "different columns"),
        (normal(1, 3), normal(2, 20), "fewer rows than"),
        (normal(1, 20), np.empty((0, 3)), "no rows"),
        (normal(1, 20)[:, 0], normal(2, 20), "rows and columns"),
        ([[1.0], [np.inf]] * 10, [[1.0], [2.0]] * 10, "infinity"),
        ([{"a": 1}], [{"a": 2}], "dicts"),
    ],
)
def test_samples_that_do_not_fit_are_refused(train: object, population: object, words: str) -> None:
    """Different columns, different forms, too few rows: refused with all three parts."""
    with pytest.raises(ho.HeldoutError, match=words) as caught:
        ho.importance_weights(train, population)
    assert caught.value.where
    assert caught.value.fix


def test_kinds_that_differ_are_refused() -> None:
    """A column that is a number here and a category there is refused, unless it has no value there."""
    number = ho.Table([ho.Column("a", "number", np.arange(20.0))])
    words = ho.Table([ho.Column("a", "category", np.zeros(20, dtype=np.int32), ("u",))])
    with pytest.raises(ho.DataError, match="two kinds"):
        ho.importance_weights(number, words)
    nothing = ho.Table([ho.Column("a", "category", np.full(20, -1, dtype=np.int32))])
    assert len(ho.importance_weights(number, nothing).weights) == 20


def test_sparse_rows_and_text_are_refused_with_a_way_out() -> None:
    """A sparse matrix and a text column cannot be compared here."""
    from scipy.sparse import csr_array

    with pytest.raises(ho.InputTypeError, match="sparse"):
        ho.importance_weights(csr_array(normal(1, 20)), csr_array(normal(2, 20)))
    text = ho.Table([ho.Column("a", "text", np.array(["x y"] * 20, dtype=object))])
    with pytest.raises(ho.DataError, match="text"):
        ho.importance_weights(text, text)


@pytest.mark.parametrize(
    "how",
    [{"folds": 1}, {"seed": -1}, {"most": 0.5}, {"learner": "forest"}, {"learner": ho.RidgeRegressor()}],
)
def test_wrong_requests_are_refused(how: dict[str, object]) -> None:
    """Each parameter says what it may be."""
    with pytest.raises(ho.HeldoutError) as caught:
        ho.importance_weights(normal(1, 20), normal(2, 20), **how)
    assert caught.value.where
    assert caught.value.fix


def test_constant_and_empty_columns_do_no_harm() -> None:
    """A column with one value, and one without any, change nothing that could be told apart."""
    rows = np.column_stack([np.ones(40), np.full(40, np.nan), np.arange(40.0)])
    result = ho.importance_weights(rows, rows)
    assert np.isfinite(result.weights).all()
    assert result.weights.mean() == pytest.approx(1.0)


def test_samples_without_overlap_are_said_to_have_none() -> None:
    """Equal weights of samples that lie apart look harmless; the result says that nothing is reached."""
    apart = ho.importance_weights(normal(1, 200), normal(2, 200, mean=50.0))
    assert apart.reached < 0.1
    assert "Training reaches only about" in str(apart)
    for mean, n_rows in ((0.0, 200), (1.0, 200), (0.0, 800)):  # the sizes of the samples have no say
        near = ho.importance_weights(normal(1, 200), normal(2, n_rows, mean=mean))
        assert 0.8 < near.reached < 1.4
        assert "reaches only" not in str(near)
