"""The best of many settings, corrected for having been chosen."""

from __future__ import annotations

import json
import math
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, mean_absolute_error, mean_squared_error

from heldout.errors import DataError, HeldoutError, InputTypeError, RequestError
from heldout.stats.selection_bias import selection_bias_corrected


def guesses(n_rows: int = 40, n_settings: int = 5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    return generator.integers(2, size=(n_rows, n_settings)), generator.integers(2, size=n_rows)


def by_hand(losses: np.ndarray, n_bootstraps: int, seed: int) -> tuple[list[float], list[int]]:
    """The method as its authors write it, one row after the other."""
    generator = np.random.default_rng(seed)
    n_rows, n_settings = losses.shape
    outside, chosen = [], []
    for _ in range(n_bootstraps):
        rows = generator.integers(n_rows, size=n_rows)
        left = [row for row in range(n_rows) if row not in set(rows.tolist())]
        means = [sum(losses[row, setting] for row in rows) / n_rows for setting in range(n_settings)]
        chosen.append(means.index(min(means)))
        outside.append(float(np.mean([losses[row, chosen[-1]] for row in left])) if left else np.nan)
    return outside, chosen


def test_it_is_the_published_method() -> None:
    """Estimate, ends and counts of choices are those of the method written out row by row."""
    predicted, y = guesses(25)
    losses = (predicted != y[:, np.newaxis]).astype(float)
    found = selection_bias_corrected(losses, n_bootstraps=60, seed=3)
    outside, chosen = by_hand(losses, 60, 3)
    assert found.corrected == pytest.approx(np.nanmean(outside))
    assert (found.interval.low, found.interval.high) == pytest.approx(
        tuple(np.nanquantile(outside, [0.025, 0.975]))
    )
    assert list(found.frequencies) == np.bincount(chosen, minlength=5).tolist()
    assert found.best_score == losses.mean(axis=0).min()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "function", "is_larger"),
    [
        ("accuracy", accuracy_score, True),
        ("error", lambda y, answers: 1 - accuracy_score(y, answers), False),
        ("mse", mean_squared_error, False),
        ("mae", mean_absolute_error, False),
    ],
)
def test_the_short_way_is_the_long_one(metric: str, function: Any, is_larger: bool) -> None:
    """Metrics by name, computed by products, give what the function of scikit-learn gives when called."""
    predicted, y = guesses(30)
    short = selection_bias_corrected(predicted, y, metric, n_bootstraps=50)
    long = selection_bias_corrected(predicted, y, function, n_bootstraps=50, is_larger_better=is_larger)
    assert short.frequencies == long.frequencies
    assert short.chosen == long.chosen
    assert short.corrected == pytest.approx(long.corrected)
    assert short.interval.low == pytest.approx(long.interval.low)


def test_any_metric() -> None:
    """F1 by a function, and a record that knows its own direction, as Metric is one."""
    predicted, y = guesses(60, 4)

    class Loss:
        name = "half error"
        is_larger_better = False

        def __call__(self, truth: np.ndarray, answers: np.ndarray) -> float:
            return float((truth != answers).mean() / 2)

    by_f1 = selection_bias_corrected(
        predicted, y, lambda truth, answers: f1_score(truth, answers, zero_division=0), n_bootstraps=30
    )
    assert by_f1.best_score == max(f1_score(y, predicted[:, place]) for place in range(4))
    by_loss = selection_bias_corrected(predicted, y, Loss(), n_bootstraps=30)
    assert by_loss.best_score == min((predicted != y[:, None]).mean(axis=0)) / 2
    assert by_loss.interval.what == "half error"
    assert by_loss.optimism == pytest.approx(by_loss.corrected - by_loss.best_score)


@given(st.integers(2, 30), st.integers(1, 6), st.integers(0, 50))
@settings(max_examples=40)
def test_scores_lie_within_the_losses(n_rows: int, n_settings: int, seed: int) -> None:
    """Whatever the rows, the corrected loss lies among the losses, and every resample is accounted for."""
    losses = np.random.default_rng(seed).random((n_rows, n_settings))
    found = selection_bias_corrected(losses, n_bootstraps=40, seed=seed)
    assert losses.min() <= found.interval.low <= found.corrected <= found.interval.high <= losses.max()
    assert sum(found.frequencies) == 40
    assert found == selection_bias_corrected(losses, n_bootstraps=40, seed=seed)


def test_ties_go_to_the_first() -> None:
    """Of equal settings the first is chosen, in every resample, whatever the sums round to."""
    column = np.random.default_rng(0).random((50, 1)) / 3
    found = selection_bias_corrected(np.hstack([column + 1, column, column, column]), names="abcd")
    assert found.chosen == "b"
    assert found.frequencies == (0, 1000, 0, 0)


def test_a_clear_winner_needs_no_correction() -> None:
    """One setting alone, or one that always wins, keeps its mean but for the drawing."""
    losses = np.random.default_rng(1).random((400, 3))
    alone = selection_bias_corrected(losses[:, :1])
    assert alone.corrected == pytest.approx(alone.best_score, abs=0.003)
    clear = selection_bias_corrected(losses - [1, 0, 0])
    assert clear.frequencies[0] == 1000
    assert clear.optimism == pytest.approx(0, abs=0.003)


def test_groups_and_strata() -> None:
    """Groups are drawn whole and counted as such; copies of rows within a group change nothing."""
    losses = np.random.default_rng(2).random((20, 4))
    plain = selection_bias_corrected(losses, n_bootstraps=200, seed=5)
    copies = selection_bias_corrected(
        np.repeat(losses, 3, axis=0), n_bootstraps=200, seed=5, groups=np.repeat(np.arange(20), 3)
    )
    assert copies.corrected == pytest.approx(plain.corrected)
    assert (copies.interval.n_rows, copies.interval.unit) == (20, "group")
    strata = selection_bias_corrected(losses, n_bootstraps=50, stratify=np.arange(20) % 2)
    assert 0 < strata.corrected < 1


def test_repeats_are_averaged() -> None:
    """Repeats of cross-validation: the mean of losses, and of a metric's values."""
    predicted, y = guesses(30)
    other, _ = guesses(30, seed=9)
    both = np.stack([predicted, other])
    short = selection_bias_corrected(both, y, "accuracy", n_bootstraps=40)
    long = selection_bias_corrected(both, y, accuracy_score, n_bootstraps=40)
    assert short.corrected == pytest.approx(long.corrected)
    hits = (both == y[:, np.newaxis]).mean(axis=(0, 1))
    assert short.best_score == pytest.approx(hits.max())


def test_degenerate_rows() -> None:
    """No rows, one row, one group: no score outside, and a sentence that says so; two rows still give one."""
    for losses, groups in ((np.empty((0, 3)), None), (np.ones((1, 3)), None), (np.ones((4, 3)), [1] * 4)):
        found = selection_bias_corrected(losses, n_bootstraps=20, groups=groups)
        assert np.isnan(found.corrected)
        assert "20 of 20 resamples gave no score" in str(found)
    two = selection_bias_corrected(np.array([[0.0, 1.0], [1.0, 0.0]]), n_bootstraps=50)
    assert two.corrected == 1.0
    assert "were left aside" in str(two)


def test_a_setting_without_a_score_cannot_win() -> None:
    """A metric that is NaN for a setting leaves it out; NaN for all leaves no score."""
    predicted, y = guesses(30, 3)
    predicted[:, 0] = 7
    some = selection_bias_corrected(
        predicted, y, lambda truth, answers: np.nan if (answers == 7).all() else 0.5, n_bootstraps=20
    )
    assert some.chosen == "1"
    assert some.frequencies == (0, 20, 0)
    none = selection_bias_corrected(predicted, y, lambda truth, answers: np.nan, n_bootstraps=20)
    assert "No setting" in str(none)
    assert none.chosen == ""


def test_words_dict_and_picture() -> None:
    """The sentence names the best setting and the corrected score; JSON and picture are sound."""
    predicted, y = guesses(80, 6)
    found = selection_bias_corrected(predicted, y, "accuracy", names=[f"k = {k}" for k in range(6)])
    text = str(found)
    assert f"{found.chosen} has the best accuracy of 6 settings" in text
    assert "Corrected for the choosing: accuracy" in text
    assert json.loads(json.dumps(found.to_dict()))["chosen"] == found.chosen
    assert "corrected" in " ".join(ElementTree.fromstring(found.to_svg()).itertext())


@pytest.mark.parametrize(
    ("call", "error", "word"),
    [
        (lambda: selection_bias_corrected(np.ones(5)), DataError, "shape"),
        (lambda: selection_bias_corrected(np.ones((5, 0))), DataError, "shape"),
        (lambda: selection_bias_corrected(np.ones((5, 2)), y=[1] * 5), RequestError, "both"),
        (lambda: selection_bias_corrected(np.ones((5, 2)), metric="mse"), RequestError, "both"),
        (lambda: selection_bias_corrected(np.ones((5, 2)), [1] * 4, "mse"), DataError, "4 rows"),
        (lambda: selection_bias_corrected(np.ones((5, 2)), [1] * 5, "acuracy"), RequestError, "'accuracy'"),
        (lambda: selection_bias_corrected(np.ones((5, 2)), [1] * 5, 3), InputTypeError, "function"),
        (lambda: selection_bias_corrected(np.full((5, 2), np.nan)), DataError, "first in row 1"),
        (lambda: selection_bias_corrected(np.full((5, 2), "a")), InputTypeError, "numbers"),
        (lambda: selection_bias_corrected(np.ones((5, 2)), names=["a"]), DataError, "2 settings"),
        (lambda: selection_bias_corrected(np.ones((5, 2)), n_bootstraps=0), RequestError, "n_bootstraps"),
        (
            lambda: selection_bias_corrected(np.ones((5, 2)), [1] * 5, lambda a, b: "x"),
            InputTypeError,
            "number",
        ),
    ],
)
def test_nonsense_is_refused(call: Any, error: type[HeldoutError], word: str) -> None:
    """What does not fit together is refused with a way out."""
    with pytest.raises(error) as caught:
        call()
    assert word in str(caught.value)
    assert caught.value.fix


def test_scores_that_never_differ_have_no_interval() -> None:
    """Where every resample gives the same score there is no interval, and a note that says why."""
    found = selection_bias_corrected(np.full((20, 3), 0.1), n_bootstraps=300)
    assert found.corrected == pytest.approx(0.1)
    assert math.isnan(found.interval.low)
    assert "Every resample gave the same score" in str(found)
    assert "too wide" not in str(found)


def test_predictions_of_another_kind_than_the_labels() -> None:
    """Words never equal numbers: predictions of the other kind are refused, not judged as all wrong."""
    predicted = np.array([["1", "0"], ["0", "1"]])
    with pytest.raises(InputTypeError, match="holds words, and y holds numbers"):
        selection_bias_corrected(predicted, [1, 0], "accuracy")
