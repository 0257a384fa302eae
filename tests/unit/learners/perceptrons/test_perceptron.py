"""What a user sees of the perceptron."""

import copy
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.datasets import load_iris

from heldout import DataError, InputTypeError, Perceptron, RequestError, Task, read_table

X = np.array([[1.0, 2.0], [3.0, 4.0], [2.0, 1.0], [4.0, 3.0], [5.0, 6.0], [6.0, 5.0]])
TWO = ["over", "over", "under", "under", "over", "under"]
THREE = ["a", "b", "a", "c", "b", "c"]
VARIANTS = ["averaged", "plain", "voted"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("y", [TWO, THREE])
def test_every_form_of_rows_gives_the_same_perceptron(variant, y):
    """Tables, frames, lists, dense and sparse arrays learn and answer alike."""
    perceptron = Perceptron(variant=variant)
    expected = perceptron.fit(X, y).decision_function(X)
    frames = [pd.DataFrame(X, columns=["a", "b"]), pl.DataFrame(X, schema=["a", "b"])]
    for form in [X.tolist(), *frames, read_table(frames[0]), sparse.csr_matrix(X), sparse.coo_array(X)]:
        fitted = copy.deepcopy(perceptron).fit(form, y)
        assert np.array_equal(fitted.decision_function(form), expected)
        assert fitted.predict(form).tolist() == perceptron.predict(X).tolist()


def test_a_table_and_its_target():
    """A task of Fisher's iris table is learned in the names of its columns."""
    frame, species = load_iris(as_frame=True, return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])
    task = Task(read_table(frame.assign(species=names[species])), target="species")
    fitted = Perceptron(epochs=30).fit(task.X, task.y)
    assert fitted.score(task.X, np.asarray(task.y)) > 0.9
    records = fitted.coefficients()
    assert [record.class_ for record in records] == fitted.classes_.tolist()
    for row, record in enumerate(records):
        assert list(record.weights) == list(task.X.names)
        assert list(record.weights.values()) == fitted.coef_[row].tolist()
        assert record.intercept == fitted.intercept_[row]


def test_shapes_follow_scikit_learn():
    """One margin for two classes, one for each of more; weights likewise."""
    two, three = Perceptron().fit(X, TWO), Perceptron().fit(X, THREE)
    assert two.coef_.shape == (1, 2)
    assert two.intercept_.shape == (1,)
    assert two.decision_function(X).shape == (6,)
    assert three.coef_.shape == (3, 2)
    assert three.intercept_.shape == (3,)
    assert three.decision_function(X).shape == (6, 3)
    assert not hasattr(two, "predict_proba")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_score_of_zero_is_the_first_class(variant):
    """On the border, where scores are equal, the first class is answered, of two classes and of three."""
    without = {"variant": variant, "fit_intercept": False}
    assert Perceptron(**without).fit(X, TWO).predict([[0.0, 0.0]]).tolist() == ["over"]
    assert Perceptron(**without).fit(X, THREE).predict([[0.0, 0.0]]).tolist() == ["a"]


def test_the_order_of_an_epoch_depends_on_the_seed():
    """None is the seed 0, another seed gives other weights, and without shuffling no seed matters."""
    draw = np.random.default_rng(0)
    rows, y = draw.normal(size=(80, 5)), draw.integers(0, 2, 80)

    def weights(**parameters):
        return Perceptron(**parameters).fit(rows, y).coef_.tolist()

    assert weights() == weights(random_state=0) == weights(random_state=2**64)
    assert weights() != weights(random_state=1)
    assert weights(shuffle=False) == weights(shuffle=False, random_state=1)
    seeded = [weights(random_state=np.random.RandomState(seed)) for seed in (5, 5, 6)]
    assert seeded[0] == seeded[1] != seeded[2]


def test_text_of_two_classes():
    """The text names the columns and says what the sum means and how many mistakes were made."""
    fitted = Perceptron(variant="plain", shuffle=False).fit(pd.DataFrame(X, columns=["age", "pay"]), TWO)
    lines = str(fitted).splitlines()
    assert lines[0] == "under if the sum is above 0, else over"
    assert [line.split()[0] for line in lines[1:4]] == ["(intercept)", "age", "pay"]
    assert (
        lines[4] == f"{fitted.n_mistakes_} mistakes in {fitted.n_epochs_} epochs, the last of which made none"
    )


def test_text_of_several_classes_shows_the_largest_weights():
    """Of many columns those with the largest weights are shown, in the order of the columns."""
    draw = np.random.default_rng(1)
    fitted = Perceptron().fit(draw.normal(size=(60, 30)), draw.integers(0, 3, 60))
    lines = fitted.to_text(max_columns=4).splitlines()
    assert lines[0] == "the class of the largest sum"
    assert lines[1].split() == ["0", "1", "2"]
    largest = np.sort(np.abs(fitted.coef_).max(axis=0).argsort()[-4:])
    assert [line.split()[0] for line in lines[3:7]] == [f"x{place}" for place in largest]
    assert lines[7] == "and 26 more columns of smaller weights"
    assert len(str(fitted).splitlines()) == 25
    assert "more column" not in fitted.to_text(max_columns=30)


def test_a_voted_perceptron_has_no_single_weights():
    """It says how many vote, and refuses to show one row of weights."""
    fitted = Perceptron(variant="voted", epochs=3).fit(X, TWO)
    assert str(fitted).startswith(f"a vote of {fitted.n_mistakes_} rows of weights, 18 votes in all")
    assert not hasattr(fitted, "coef_")
    with pytest.raises(RequestError, match="a voted perceptron has no single row of weights"):
        fitted.coefficients()


def test_a_voted_perceptron_keeps_each_mistaken_row_once():
    """What is kept is bounded by the training rows and the number of mistakes."""
    draw = np.random.default_rng(3)
    rows, y = draw.normal(size=(50, 4)), draw.integers(0, 2, 50)
    fitted = Perceptron(variant="voted", epochs=40).fit(rows, y)
    assert len(fitted.updates_.row) == fitted.n_mistakes_ > 50
    assert len(fitted.updates_.ends) - 1 <= 50


def test_fitting_again_leaves_nothing_behind():
    """A perceptron that was voted and is fitted again as a plain one answers as a plain one."""
    perceptron = Perceptron(variant="voted").fit(X, THREE)
    perceptron.set_params(variant="plain")
    assert perceptron.predict(X).shape == (6,)  # still as it was fitted
    perceptron.fit(X, TWO)
    assert not hasattr(perceptron, "updates_")
    assert np.array_equal(perceptron.coef_, Perceptron(variant="plain").fit(X, TWO).coef_)
    perceptron.set_params(variant="voted").fit(X, TWO)
    assert not hasattr(perceptron, "coef_")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_pickled_perceptron_answers_alike(variant):
    """Nothing but plain data is kept, so a copy by pickle is the same."""
    fitted = Perceptron(variant=variant).fit(X, THREE)
    copied = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(copied.decision_function(X), fitted.decision_function(X))
    assert str(copied) == str(fitted)


def test_description_bits_count_every_weight():
    """Half of log2 of the rows for each weight: one row for two classes, and all rows that vote."""
    per_weight = 0.5 * math.log2(6)
    assert Perceptron().fit(X, TWO).description_bits() == 3 * per_weight
    assert Perceptron(fit_intercept=False).fit(X, TWO).description_bits() == 2 * per_weight
    assert Perceptron().fit(X, THREE).description_bits() == 9 * per_weight
    voted = Perceptron(variant="voted").fit(X, TWO)
    assert voted.description_bits() == voted.n_mistakes_ * 3 * per_weight


def test_one_class_is_refused():
    """There is nothing to divide: the error names the class and what to use instead."""
    with pytest.raises(DataError, match="y contains only one class") as refusal:
        Perceptron().fit(X, ["same"] * 6)
    assert refusal.value.where == "6 rows, all of the class 'same'"
    assert "BaselineClassifier" in refusal.value.fix


def test_there_is_no_sample_weight():
    """A perceptron takes every row as it comes."""
    with pytest.raises(TypeError, match="sample_weight"):
        Perceptron().fit(X, TWO, sample_weight=np.ones(6))


def test_rows_and_answers_must_match():
    """scikit-learn's error where X and y differ in length."""
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        Perceptron().fit(X, TWO[:4])


@pytest.mark.parametrize("variant", ["averaged", "plain", "voted"])
@pytest.mark.parametrize("factor", [1e200, -1e307, 1e-200])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_numbers_whose_products_overflow_are_refused(variant, factor, form):
    """Where every score would be infinite or 0 there is nothing to learn from, and the error says so."""
    with pytest.raises(DataError, match="too large or too small to be multiplied") as refusal:
        Perceptron(variant=variant).fit(form(X * factor), TWO)
    assert "scale the columns" in refusal.value.fix


@pytest.mark.parametrize("factor", [2.0**300, 2.0**-300])
def test_units_far_from_1_do_not_matter(factor):
    """A power of two in all columns changes no mistake, and the weights by just that factor."""
    plain = Perceptron(variant="plain", fit_intercept=False).fit(X, THREE)
    scaled = Perceptron(variant="plain", fit_intercept=False).fit(X * factor, THREE)
    assert scaled.n_mistakes_ == plain.n_mistakes_
    assert np.array_equal(scaled.coef_, plain.coef_ * factor)


@pytest.mark.parametrize(
    ("max_columns", "error"), [(-1, RequestError), ("all", RequestError), (None, InputTypeError)]
)
def test_how_many_columns_are_shown_is_checked(max_columns, error):
    """What is no number of columns is refused, not sliced with."""
    with pytest.raises(error, match="max_columns must be an integer of at least 0"):
        Perceptron().fit(X, TWO).to_text(max_columns)


def test_missing_values_are_refused():
    """A perceptron needs every number."""
    with pytest.raises(DataError, match="Input X contains NaN"):
        Perceptron().fit([[np.nan], [1.0]], [0, 1])
    with pytest.raises(DataError, match="Input X contains NaN"):
        Perceptron().fit([[0.0], [1.0]], [0, 1]).predict([[np.nan]])


def test_columns_of_words_are_refused():
    """A category has no number; the error says how to encode it."""
    frame = pd.DataFrame({"city": ["Ulm", "Bonn"], "age": [1.0, 2.0]})
    with pytest.raises(DataError, match="cannot take columns of words"):
        Perceptron().fit(frame, [0, 1])


@pytest.mark.parametrize(
    ("parameters", "error", "words"),
    [
        ({"variant": "average"}, RequestError, "variant must be 'averaged', 'plain' or 'voted'"),
        ({"epochs": 0}, RequestError, "epochs must be an integer of at least 1"),
        ({"epochs": 2.5}, RequestError, "epochs must be an integer"),
        ({"shuffle": 1}, InputTypeError, "shuffle must be True or False"),
        ({"fit_intercept": None}, InputTypeError, "fit_intercept must be True or False"),
        ({"random_state": "x"}, RequestError, "random_state must be None"),
    ],
)
def test_parameters_are_checked_by_fit(parameters, error, words):
    """A value that is not allowed is named with those that are."""
    with pytest.raises(error, match=words):
        Perceptron(**parameters).fit(X, TWO)


def test_columns_by_wide_numbers_are_taken():
    """A sparse matrix whose columns are counted in 64 bits is learned like any other."""
    narrow = sparse.csr_array(X)
    wide = sparse.csr_array((narrow.data, narrow.indices.astype(np.int64), narrow.indptr.astype(np.int64)))
    assert np.array_equal(Perceptron().fit(wide, TWO).coef_, Perceptron().fit(X, TWO).coef_)


def test_rows_without_entries_are_zeros():
    """Empty sparse rows, and a matrix without any entry, are taken for what they are."""
    empty = sparse.csr_array((4, 3))
    fitted = Perceptron(epochs=2).fit(empty, [0, 0, 0, 1])
    assert fitted.coef_.tolist() == [[0.0, 0.0, 0.0]]
    assert fitted.predict(empty).shape == (4,)
    assert not fitted.is_separated_


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_rows_have_no_answers(variant):
    """A frame without rows is answered with nothing."""
    frame = pd.DataFrame(X, columns=["a", "b"])
    fitted = Perceptron(variant=variant).fit(frame, THREE)
    assert fitted.predict(frame[:0]).shape == (0,)
    assert fitted.decision_function(frame[:0]).shape == (0, 3)


def test_text_of_many_classes_stays_within_a_line():
    """Classes that have no room beside the others stand below them, each with the names of the columns."""
    draw = np.random.default_rng(2)
    labels = np.array([f"class number {label}" for label in draw.integers(0, 9, 90)])
    fitted = Perceptron().fit(draw.normal(size=(90, 3)), labels)
    lines = fitted.to_text().splitlines()
    assert max(map(len, lines)) <= 78
    heads = [line for line in lines if line.strip().startswith("class number")]
    assert sum(line.count("class number") for line in heads) == 9
    assert sum(line.startswith("x2 ") for line in lines) == len(heads) > 1
