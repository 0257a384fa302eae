"""The path of the coefficients, and its picture."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest

from heldout import LinearRegressor, RidgeRegressor

SVG = "{http://www.w3.org/2000/svg}"


def rows(n_rows: int, n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    return X, X @ rng.normal(size=n_columns) + rng.normal(size=n_rows)


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_every_entry_is_a_fit():
    """Coefficients, intercepts and degrees of freedom are those of separate fits, bit for bit."""
    X, y = rows(20, 3)
    path = RidgeRegressor().coefficient_path(X, y, [0.1, 5.0], sample_weight=[1, 2] * 10)
    for place, alpha in enumerate([0.1, 5.0]):
        model = RidgeRegressor(alpha=alpha).fit(X, y, [1, 2] * 10)
        assert np.array_equal(path.coefficients[place], model.coef_)
        assert (path.intercepts[place], path.df[place]) == (model.intercept_, model.df_)
    assert (path.names, len(path)) == (("x0", "x1", "x2"), 2)


def test_the_path_runs_from_least_squares_to_almost_nothing():
    """Without named penalties the degrees of freedom fall in equal steps from all of them."""
    X, y = rows(20, 3)
    path = RidgeRegressor().coefficient_path(X, y)
    np.testing.assert_allclose(path.df, 3 * np.arange(60, 0, -1) / 60, rtol=1e-11)
    np.testing.assert_allclose(path.coefficients[0], LinearRegressor().fit(X, y).coef_, rtol=1e-10)
    assert (np.diff(path.alphas) > 0).all()
    assert np.abs(path.coefficients[-1]).max() < 0.05 * np.abs(path.coefficients[0]).max()


def test_the_picture_names_every_line():
    """A picture of few columns has a label and a title for each, and names both sides."""
    X, y = rows(20, 3)
    frame = pd.DataFrame(X, columns=["size", "age", "price"])
    svg = RidgeRegressor().coefficient_path(frame, y).to_svg()
    assert {"size", "age", "price", "coefficient", "effective degrees of freedom"} <= set(texts(svg))
    titles = [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}title")]
    assert sum(title.startswith("price: ") for title in titles) == 2
    assert "<script" not in svg


def test_names_are_escaped():
    """A column may be called whatever it likes."""
    X, y = rows(20, 1)
    name = "<script>alert('&')</script>"
    svg = RidgeRegressor().coefficient_path(pd.DataFrame(X, columns=[name]), y).to_svg()
    assert "<script" not in svg
    assert name[:10] in next(text for text in texts(svg) if text.startswith("<"))


def test_of_many_columns_the_largest_are_named():
    """Sixty lines are drawn, twelve have a label, eight a colour."""
    X, y = rows(100, 60)
    svg = RidgeRegressor().coefficient_path(X, y).to_svg()
    assert sum(text.startswith("x") for text in texts(svg)) == 12
    assert "the 12 largest are named" in svg
    assert svg.count('class="s-class-7"') == 2
    assert svg.count('class="s-class-other"') == 60 - 8 + 4


@pytest.mark.parametrize("X", [np.ones((5, 2)), np.arange(5.0)[:, np.newaxis]], ids=["constant", "one"])
def test_small_paths_are_drawn(X):
    """Columns that say nothing, and a single column, make a picture too."""
    path = RidgeRegressor().coefficient_path(X, np.arange(5.0))
    assert ElementTree.fromstring(path.to_svg()).tag == f"{SVG}svg"
    assert path._repr_html_().startswith("<div")


def test_penalties_in_any_order_make_the_same_picture():
    """The picture is ordered by degrees of freedom."""
    X, y = rows(20, 2)
    up, down = (RidgeRegressor().coefficient_path(X, y, alphas) for alphas in ([1, 2, 9], [9, 2, 1]))
    assert up.to_svg() == down.to_svg()
