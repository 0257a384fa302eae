"""What the textbook says about features: XOR and PlayTennis with paths of trees, scaling by hand."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_array
from sklearn.pipeline import make_pipeline

import heldout as ho

CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
XOR = np.array([0, 1, 1, 0])
# The known example whose mean is 5 and whose deviation, with 1/N, is 2.
EIGHT = np.array([[2.0], [4.0], [4.0], [4.0], [5.0], [5.0], [7.0], [9.0]])


def is_separable(X: np.ndarray, y: np.ndarray) -> bool:
    """Whether some w and b have sign · (w·x + b) ≥ 1 in every row, by linear programming."""
    signs = np.where(y == 1, 1.0, -1.0)
    rows = -signs[:, np.newaxis] * np.column_stack([X, np.ones(len(X))])
    found = linprog(np.zeros(rows.shape[1]), A_ub=rows, b_ub=-np.ones(len(X)), bounds=(None, None))
    return bool(found.status == 0)


def scattered_xor(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Points scattered about the four corners; one answer in twenty is wrong."""
    draw = np.random.default_rng(seed)
    corner = draw.integers(0, 4, n_rows)
    X = CORNERS[corner] + 0.15 * draw.normal(size=(n_rows, 2))
    return X, XOR[corner] ^ (draw.random(n_rows) < 0.05)


def test_no_line_parts_xor():
    """No linear classifier has all four corners right, and some have any three of them."""
    assert not is_separable(CORNERS, XOR)
    assert all(is_separable(np.delete(CORNERS, left, 0), np.delete(XOR, left)) for left in range(4))


def test_the_perceptron_alone_cannot_learn_xor():
    """No variant, however long it learns and in whatever order, has more than three of the four corners."""
    settings = product(("plain", "averaged", "voted"), (1, 2, 5, 10, 100), (True, False), (0, 1, 2))
    scores = {
        ho.Perceptron(variant=variant, epochs=epochs, shuffle=shuffle, random_state=seed)
        .fit(CORNERS, XOR)
        .score(CORNERS, XOR)
        for variant, epochs, shuffle, seed in settings
    }
    assert max(scores) <= 0.75


@pytest.mark.parametrize("variant", ["plain", "averaged", "voted"])
@pytest.mark.parametrize("keep", [True, False])
def test_with_paths_of_length_two_the_perceptron_learns_xor(variant: str, keep: bool):
    """The four corners become columns of their own, and every variant has all of them right."""
    paths = ho.TreePaths(length=2, keep=keep)
    learner = make_pipeline(paths, ho.Perceptron(variant=variant, epochs=50)).fit(CORNERS, XOR)
    assert is_separable(learner[:-1].transform(CORNERS), XOR)
    assert learner.score(CORNERS, XOR) == 1.0
    assert learner[-1].is_separated_


def test_paths_of_length_one_do_not_help():
    """Single conditions are sums of single columns: no line parts XOR with them."""
    made = ho.TreePaths(length=1).fit_transform(CORNERS, XOR)
    assert made.shape == (4, 6)
    assert not is_separable(made, XOR)


def test_paths_learn_xor_that_holds_for_new_rows():
    """Learned from scattered points, some with wrong answers, XOR holds for new points; without paths not."""
    X, y = scattered_xor(300, seed=1)
    held, _ = scattered_xor(1000, seed=2)
    truth = (held[:, 0] > 0.5) ^ (held[:, 1] > 0.5)
    alone = ho.Perceptron(epochs=50).fit(X, y)
    learner = make_pipeline(ho.TreePaths(length=2), ho.Perceptron(epochs=50)).fit(X, y)
    assert np.mean(alone.predict(held) == truth) < 0.7
    assert np.mean(learner.predict(held) == truth) > 0.95


def test_paths_of_play_tennis():
    """The paths are the five branches of the known tree, in the names of the table."""
    task = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis")
    paths = ho.TreePaths(length=2).fit(task.X, task.y)
    expected = [
        "Outlook = Overcast",
        "Outlook = Rain ∧ Wind = Strong",
        "Outlook = Rain ∧ Wind = Weak",
        "Outlook = Sunny ∧ Humidity = High",
        "Outlook = Sunny ∧ Humidity = Normal",
    ]
    assert paths.get_feature_names_out().tolist() == [*task.X.names, *expected]
    made = paths.transform(task.X)
    assert [int(made[name].values.sum()) for name in expected] == [4, 2, 3, 3, 2]
    assert [set(task.y[made[name].values == 1]) for name in expected] == [
        {"Yes"}, {"No"}, {"Yes"}, {"No"}, {"Yes"},
    ]  # fmt: skip


def test_the_rule_of_play_tennis_needs_its_paths():
    """No line over the levels answers all 36 days as the known tree does; with its paths one does."""
    task = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis")
    days = list(product(*(task.X[name].levels for name in task.X.names)))
    possible = ho.read_table(dict(zip(task.X.names, map(list, zip(*days, strict=True)), strict=True)))
    played = ho.TreeClassifier.id3().fit(task.X, task.y).predict(possible)
    levels = ho.OneHot().fit(task.X).transform(possible)
    assert len(days) == 36
    assert not is_separable(np.asarray(levels, dtype=float), played == "Yes")
    learner = make_pipeline(ho.TreePaths(), ho.OneHot(), ho.Perceptron(epochs=100)).fit(task.X, task.y)
    made = learner[:-1].transform(possible)
    assert is_separable(np.asarray(made, dtype=float), played == "Yes")
    assert learner.score(task.X, task.y) == 1.0


def test_centering_and_variance_scaling_by_hand():
    """Formulas 4.1, 4.2, 4.4 and 4.5: the mean is 5, the deviation with 1/N is 2, and new rows use both."""
    scale = ho.Scale(center=True, by="variance").fit(EIGHT)
    assert (scale.center_.tolist(), scale.scale_.tolist()) == ([5.0], [2.0])
    assert scale.transform(EIGHT).ravel().tolist() == [-1.5, -0.5, -0.5, -0.5, 0.0, 0.0, 1.0, 2.0]
    assert scale.transform([[11.0]]).tolist() == [[3.0]]
    assert ho.Scale(by=None).fit_transform(EIGHT).ravel().tolist() == [
        -3.0,
        -1.0,
        -1.0,
        -1.0,
        0.0,
        0.0,
        2.0,
        4.0,
    ]


def test_absolute_scaling_by_hand():
    """Formulas 4.3 and 4.6: the largest absolute value is 4 of centered values, 9 of those as they are."""
    centered = ho.Scale(center=True, by="max").fit(EIGHT)
    assert centered.transform(EIGHT).ravel().tolist() == [-0.75, -0.25, -0.25, -0.25, 0.0, 0.0, 0.5, 1.0]
    plain = ho.Scale(center=False, by="max").fit(-EIGHT)
    assert plain.scale_.tolist() == [9.0]
    assert plain.transform([[-9.0], [4.5]]).ravel().tolist() == [-1.0, 0.5]


def test_sparse_data_stay_sparse():
    """Without centering zeros stay zeros; centering them is refused with advice."""
    sparse = csr_array([[0.0, 4.0], [2.0, 0.0], [0.0, 0.0]])
    scaled = ho.Scale(center=False, by="max").fit_transform(sparse)
    assert scaled.nnz == 2
    assert scaled.toarray().tolist() == [[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    with pytest.raises(ho.DataError, match="sparse"):
        ho.Scale().fit(sparse)


def test_unit_length_by_hand():
    """Formula 4.7: every row has length 1, and one that points the same way becomes the same."""
    made = ho.UnitLength().fit_transform([[3.0, 4.0], [6.0, 8.0], [-5.0, 12.0], [0.0, 0.0]])
    np.testing.assert_allclose(made, [[0.6, 0.8], [0.6, 0.8], [-5 / 13, 12 / 13], [0.0, 0.0]], rtol=1e-15)


def test_logarithm_by_hand():
    """log2(x + 1): zeros remain zero and sparsity is kept; ten times a word is little more than once."""
    counts = np.array([[0.0, 1.0, 3.0], [7.0, 1023.0, 0.0]])
    assert ho.LogTransform().fit_transform(counts).tolist() == [[0.0, 1.0, 2.0], [3.0, 10.0, 0.0]]
    made = ho.LogTransform().fit_transform(csr_array(counts))
    assert made.nnz == 4
    assert made.toarray().tolist() == [[0.0, 1.0, 2.0], [3.0, 10.0, 0.0]]
