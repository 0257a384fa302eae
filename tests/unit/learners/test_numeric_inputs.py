"""How X enters a learner that counts in numbers."""

import datetime
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

from heldout import DataError, InputTypeError, read_table
from heldout.inputs.numeric_inputs import boolean_numbers, numeric_rows, numeric_training
from heldout.table.column import Column
from heldout.table.table import Table


class Learner(BaseEstimator):
    """Stands for any learner; the entry writes the names of the columns on it."""


def entered(X, later=None, **options):
    """The matrix of X at fit, or that of `later` after a fit on X."""
    learner = Learner()
    inputs = numeric_training(learner, X, **options)
    return inputs.matrix if later is None else numeric_rows(learner, later, inputs.schema, **options)


NUMBERS = np.array([[1.0, -2.5], [3.0, 0.0], [0.0, 7.0]])
FORMS = {
    "array": NUMBERS,
    "fortran": np.asfortranarray(NUMBERS),
    "every second": np.repeat(NUMBERS, 2, axis=0)[::2],
    "float32": NUMBERS.astype(np.float32),
    "float16": NUMBERS.astype(np.float16),
    "list": NUMBERS.tolist(),
    "objects": NUMBERS.astype(object),
    "strings": NUMBERS.astype(str),
    "table": read_table({"a": NUMBERS[:, 0], "b": NUMBERS[:, 1]}),
    "pandas": pd.DataFrame(NUMBERS, columns=["a", "b"]),
    "polars": pl.DataFrame({"a": NUMBERS[:, 0], "b": NUMBERS[:, 1]}),
    "arrow": pa.table({"a": NUMBERS[:, 0], "b": NUMBERS[:, 1]}),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_matrix(form):
    """Whatever holds the numbers, they come as C-contiguous float64, at fit and afterwards."""
    for matrix in (entered(FORMS[form]), entered(FORMS[form], FORMS[form])):
        assert matrix.dtype == np.float64
        assert matrix.flags.c_contiguous
        assert np.array_equal(matrix, NUMBERS)


@pytest.mark.parametrize(
    "form", ["csr_matrix", "csr_array", "csc_array", "coo_array", "lil_matrix", "dok_array"]
)
def test_every_sparse_form_becomes_rows(form):
    """Every sparse form comes as a csr_array of the same cells."""
    given = getattr(sparse, form)(NUMBERS)
    for matrix in (entered(given, accepts_sparse=True), entered(given, given, accepts_sparse=True)):
        assert isinstance(matrix, sparse.csr_array)
        assert matrix.dtype == np.float64
        assert np.array_equal(matrix.toarray(), NUMBERS)


def test_cells_that_are_stored_twice_are_added_up_in_a_copy():
    """Rows come in the order of the columns with each cell once, and the user's matrix stays as it was."""
    data, columns, ends = np.array([1.0, 2.0, 4.0]), np.array([1, 0, 1]), np.array([0, 3])
    given = sparse.csr_array((data, columns, ends), shape=(1, 2))
    matrix = entered(given, accepts_sparse=True)
    assert matrix.indices.tolist() == [0, 1]
    assert matrix.data.tolist() == [2.0, 5.0]
    assert given.indices.tolist() == [1, 0, 1]
    assert given.data.tolist() == [1.0, 2.0, 4.0]


def test_an_array_of_floats_is_not_copied():
    """A C-contiguous array of the wanted type is taken as it stands."""
    assert entered(NUMBERS) is NUMBERS


@pytest.mark.parametrize("given", [NUMBERS.astype(np.float32), sparse.csr_array(NUMBERS.astype(np.float32))])
def test_float32_is_kept_only_if_asked_for(given):
    """Arrays and sparse matrices of float32 stay so where the learner keeps them, and only there."""
    assert entered(given, accepts_sparse=True, keeps_float32=True).dtype == np.float32
    assert entered(given, given, accepts_sparse=True, keeps_float32=True).dtype == np.float32
    assert entered(given, accepts_sparse=True).dtype == np.float64
    assert entered(NUMBERS.astype(int), keeps_float32=True).dtype == np.float64


def test_sparse_is_refused_where_it_cannot_be_used():
    """A learner without a sparse kernel says so in scikit-learn's words."""
    with pytest.raises(TypeError, match="Sparse data was passed"):
        entered(sparse.csr_array(NUMBERS))


def test_names_are_recorded_and_forgotten():
    """A frame sets feature_names_in_, and an array that is fitted afterwards takes them away."""
    learner = Learner()
    schema = numeric_training(learner, FORMS["pandas"]).schema
    assert schema.names == ["a", "b"]
    assert learner.feature_names_in_.tolist() == ["a", "b"]
    assert numeric_training(learner, NUMBERS).schema.names == ["x0", "x1"]
    assert not hasattr(learner, "feature_names_in_")
    assert learner.n_features_in_ == 2


@pytest.mark.parametrize("form", ["table", "pandas", "polars", "arrow"])
def test_other_names_are_refused(form):
    """Columns in another order than at fit are refused, whatever holds them."""
    frame = {"b": NUMBERS[:, 0], "a": NUMBERS[:, 1]}
    makers = {"table": read_table, "pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}
    with pytest.raises(DataError, match="Feature names must be in the same order"):
        entered(FORMS[form], makers[form](frame))


@pytest.mark.parametrize("later", [NUMBERS[:, :1], sparse.csr_array(NUMBERS[:, :1]), FORMS["pandas"][["a"]]])
@pytest.mark.filterwarnings("ignore:X has feature names")
def test_another_number_of_columns_is_refused(later):
    """Fewer columns than at fit are refused in scikit-learn's words."""
    with pytest.raises(ValueError, match="X has 1 features, but Learner is expecting 2 features"):
        entered(NUMBERS, later, accepts_sparse=True)


def test_an_array_after_a_frame_is_warned_of():
    """scikit-learn's warning about names that are gone comes through."""
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        entered(FORMS["pandas"], NUMBERS)


def test_dates_are_days_and_booleans_0_and_1():
    """A date counts as its days, a boolean as what its word means, whatever the order of the levels."""
    table = Table(
        [
            Column("day", "date", np.array([1.0, 2.0])),
            Column("paid", "boolean", np.array([0, 1], dtype=np.int32), ("Yes", "No")),
        ]
    )
    frame = pd.DataFrame({"day": [datetime.datetime(1970, 1, 4)], "paid": [True]})
    assert entered(table).tolist() == [[1.0, 1.0], [2.0, 0.0]]
    assert entered(table, frame).tolist() == [[3.0, 1.0]]


@pytest.mark.parametrize(
    ("levels", "numbers"),
    [
        (("no", "yes"), [0.0, 1.0]),
        (("on", "off"), [1.0, 0.0]),
        (("true",), [1.0]),
        (("found", "no"), [1.0, 0.0]),
        (("left", "right"), [0.0, 1.0]),
        (("t", "true"), [0.0, 1.0]),
        (("left",), [0.0]),
        ((), []),
    ],
)
def test_a_boolean_counts_by_its_meaning_or_else_by_its_place(levels, numbers):
    """A word that says true is 1 wherever it stands, and words that say nothing count by their place."""
    assert list(boolean_numbers(levels).values()) == numbers


def test_a_boolean_that_had_one_level_at_fit_takes_the_other_by_its_meaning():
    """A column that was always true at fit may be false later: that is 0, not unknown."""
    then = Table([Column("paid", "boolean", np.array([0], dtype=np.int32), ("true",))])
    now = Table([Column("paid", "boolean", np.array([0, 1], dtype=np.int32), ("no", "yes"))])
    assert entered(then, now).tolist() == [[0.0], [1.0]]


def test_a_boolean_in_unknown_words_is_refused():
    """Where no word says which level is which, guessing could turn every answer around."""
    then = Table([Column("side", "boolean", np.array([0, 1], dtype=np.int32), ("left", "right"))])
    now = Table([Column("side", "boolean", np.array([0, 1], dtype=np.int32), ("no", "yes"))])
    with pytest.raises(DataError, match="boolean column 'side' has other levels than at fit"):
        entered(then, now)


def test_columns_of_words_are_refused_by_name():
    """Categories, texts and identifiers are all named at once, with what to do about them."""
    frame = pd.DataFrame({"age": [1.0, 2.0], "city": ["Ulm", "Bonn"], "name": ["a", "b"]})
    with pytest.raises(DataError, match="cannot take columns of words") as refusal:
        entered(frame)
    assert refusal.value.where == "2 of 3 columns: 'city' (category), 'name' (category)"
    assert "OneHot" in refusal.value.fix


def test_an_identifier_gets_its_own_advice():
    """To encode the number of a customer would be folly; if it does count, kinds says so."""
    table = Table([Column("id", "identifier", np.array(["1", "2", "3"], dtype=object))])
    with pytest.raises(DataError, match="words or identifiers") as refusal:
        entered(table)
    assert "kinds={'id': 'number'}" in refusal.value.fix
    assert "OneHot" not in refusal.value.fix


def test_another_kind_than_at_fit_is_refused():
    """A column of numbers that holds words later is named with both kinds."""
    with pytest.raises(DataError, match="column 'b' is a category now and was a number at fit"):
        entered(FORMS["pandas"], pd.DataFrame({"a": [1.0], "b": ["two"]}))


@pytest.mark.parametrize("form", ["array", "list", "objects", "table", "pandas", "polars", "arrow", "csr"])
@pytest.mark.parametrize("is_later", [False, True])
def test_missing_values_are_refused_with_their_place(form, is_later):
    """The error counts the missing values of the first column that has some and names the first row."""
    numbers = np.array([[1.0, 2.0, np.inf], [3.0, np.nan, 1.0], [np.nan, np.nan, 1.0]])
    makers = {
        "array": np.array,
        "list": np.ndarray.tolist,
        "objects": lambda values: np.where(np.isnan(values), None, values.astype(object)),
        "table": lambda values: Table([Column(f"x{k}", "number", values[:, k]) for k in range(3)]),
        "pandas": lambda values: pd.DataFrame(values, columns=["x0", "x1", "x2"]),
        "polars": lambda values: pl.DataFrame(values, schema=["x0", "x1", "x2"]),
        "arrow": lambda values: pa.table({f"x{k}": values[:, k] for k in range(3)}),
        "csr": sparse.csr_array,
    }
    whole = makers[form](np.ones((2, 3)))
    first, later = (whole, makers[form](numbers)) if is_later else (makers[form](numbers), None)
    with pytest.raises(DataError, match=r"^Input X contains NaN\.") as refusal:
        entered(first, later, accepts_sparse=True)
    assert refusal.value.where == "column 'x0', 1 of 3 rows, first in row 3, and 1 more column"


@pytest.mark.parametrize("make", [np.array, sparse.csc_array])
def test_infinity_is_refused_with_its_place(make):
    """Infinite numbers are refused, those of a sparse matrix too."""
    numbers = np.array([[0.0, 1.0], [0.0, -np.inf], [2.0, np.inf]])
    with pytest.raises(DataError, match="Input X contains infinity") as refusal:
        entered(make(numbers), accepts_sparse=True)
    assert refusal.value.where == "column 'x1', 2 of 3 rows, first in row 2"


def test_very_large_numbers_are_not_infinite():
    """Numbers whose sum overflows are numbers all the same, and nothing warns."""
    large = np.full((4, 2), 1.5e308)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert entered(large) is large
        assert entered(large, -large).tolist() == (-large).tolist()


def test_words_in_an_array_are_refused_with_advice():
    """scikit-learn's words come first, then what can be done."""
    with pytest.raises(DataError, match="could not convert string to float") as refusal:
        entered(np.array([[1.0, "red"]], dtype=object))
    assert "OneHot" in refusal.value.fix


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ([{"a": 1.0}], InputTypeError, "X is made of dicts"),
        (pl.LazyFrame({"a": [1.0]}), InputTypeError, "collect"),
        (np.array([1.0, 2.0]), ValueError, "Expected 2D array, got 1D array instead"),
        (np.empty((0, 2)), ValueError, r"Found array with 0 sample\(s\)"),
        (pd.DataFrame({"a": []}), DataError, r"Found array with 0 sample\(s\)"),
        (np.array([[1j]]), ValueError, "Complex data not supported"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(given, error, words):
    """What no learner can read has an error that says so."""
    with pytest.raises(error, match=words):
        entered(given)


def test_no_rows_after_fit_give_no_rows():
    """A table without rows is no error after fit: it has no answers."""
    assert entered(FORMS["pandas"], FORMS["pandas"][:0]).shape == (0, 2)


@pytest.mark.parametrize("make", [np.array, lambda rows: pd.DataFrame(rows, columns=["x0"])])
def test_lost_digits_are_warned_of_where_the_user_stands(make):
    """Whole numbers beyond 2^53 lose digits; the warning points at this file."""
    with pytest.warns(UserWarning, match="column 'x0': 1 of 2 whole numbers lie beyond") as caught:
        entered(make([[2**53 + 1], [3]]))
    assert caught[0].filename == __file__
