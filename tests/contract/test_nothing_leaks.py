"""No transformer learns from rows that it was not fitted on, and no row sees the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from .fitted_state import rows_of, state_of
from .made_rows import answers, made_rows, taken
from .transformers import TRANSFORMERS

N_ROWS = 90
N_HELD = 30
HELD = np.arange(N_ROWS) % 3 == 1

pytestmark = [
    pytest.mark.filterwarnings("ignore::heldout.features.level_encoder.UnseenLevelWarning"),
    pytest.mark.parametrize(
        ("transformer", "form"),
        TRANSFORMERS,
        ids=[f"{transformer!r}-{form}".replace("\n", "") for transformer, form in TRANSFORMERS],
    ),
]


def fitted(transformer: BaseEstimator, X: Any) -> BaseEstimator:
    """The transformer, fitted on the training rows of X."""
    training = np.flatnonzero(~HELD)
    return clone(transformer).fit(taken(X, training), answers(N_ROWS)[training])


def test_held_out_rows_do_not_move_what_is_fitted(transformer: BaseEstimator, form: str) -> None:
    """With other values, levels and words in every held-out row the fitted state is the same, bit for bit."""
    plain = made_rows(form, N_ROWS, np.zeros(N_ROWS, dtype=np.bool_))
    changed = made_rows(form, N_ROWS, HELD)
    held = np.flatnonzero(HELD)
    assert state_of(taken(plain, held)) != state_of(taken(changed, held))
    assert state_of(fitted(transformer, plain)) == state_of(fitted(transformer, changed))


def test_transforming_changes_nothing_that_was_fitted(transformer: BaseEstimator, form: str) -> None:
    """Held-out rows go through, and the fitted state is what it was before."""
    X = made_rows(form, N_ROWS, HELD)
    one = fitted(transformer, X)
    before = state_of(one)
    first = rows_of(one.transform(taken(X, np.flatnonzero(HELD))))
    assert state_of(one) == before
    assert rows_of(one.transform(taken(X, np.flatnonzero(HELD)))) == first


def test_a_row_does_not_see_the_rows_beside_it(transformer: BaseEstimator, form: str) -> None:
    """A held-out row becomes the same alone, among others, and when all the others change."""
    is_changed = HELD.copy()
    held = np.flatnonzero(HELD)
    is_changed[held[::2]] = False
    plain = made_rows(form, N_ROWS, np.zeros(N_ROWS, dtype=np.bool_))
    changed = made_rows(form, N_ROWS, is_changed)
    one = fitted(transformer, plain)
    among_plain = rows_of(one.transform(taken(plain, held)))
    among_changed = rows_of(one.transform(taken(changed, held)))
    alone = [rows_of(one.transform(taken(plain, [row])))[0] for row in held.tolist()]
    assert len(alone) == N_HELD
    assert alone == among_plain
    assert among_changed[::2] == among_plain[::2]


def test_training_rows_leave_as_any_other_rows(transformer: BaseEstimator, form: str) -> None:
    """fit_transform gives what fit and then transform give."""
    X = made_rows(form, N_ROWS, np.zeros(N_ROWS, dtype=np.bool_))
    at_once = clone(transformer).fit_transform(X, answers(N_ROWS))
    assert rows_of(at_once) == rows_of(clone(transformer).fit(X, answers(N_ROWS)).transform(X))


def test_names_are_as_many_as_columns_and_distinct(transformer: BaseEstimator, form: str) -> None:
    """get_feature_names_out names every column that leaves, each once."""
    X = made_rows(form, N_ROWS, np.zeros(N_ROWS, dtype=np.bool_))
    one = clone(transformer).fit(X, answers(N_ROWS))
    names = one.get_feature_names_out().tolist()
    assert len(set(names)) == len(names) == one.transform(X).shape[1]


def test_refitting_forgets(transformer: BaseEstimator, form: str) -> None:
    """A transformer that is fitted again holds nothing of the first time."""
    other = made_rows(form, N_ROWS, np.ones(N_ROWS, dtype=np.bool_))
    X = made_rows(form, N_ROWS, np.zeros(N_ROWS, dtype=np.bool_))
    once = clone(transformer).fit(X, answers(N_ROWS))  # first, before the other rows are known anywhere
    twice = clone(transformer).fit(other, answers(N_ROWS)).fit(X, answers(N_ROWS))
    assert dict(state_of(vars(twice))) == dict(state_of(vars(once)))


def test_it_prints_itself_and_has_a_length(transformer: BaseEstimator, form: str) -> None:
    """What was learned can be read, and costs a number of bits that is not negative."""
    X = made_rows(form, N_ROWS, np.zeros(N_ROWS, dtype=np.bool_))
    one = clone(transformer).fit(X, answers(N_ROWS))
    assert str(one) == one.to_text() != ""
    assert one.description_bits() >= 0
