"""What scikit-learn refuses, in its words and in our three parts."""

from __future__ import annotations

from typing import Any

from heldout.errors import DataError

# How scikit-learn's message begins, and what helps.
_FIXES_OF_X = (
    (
        "Expected 2D array",
        "Reshape your data: X.reshape(-1, 1) if it is one column, X.reshape(1, -1) if it is one row",
    ),
    ("Expected a 2-dimensional container", "hand over a frame of one column: X.to_frame()"),
    ("Found array with dim", "hand over rows and columns; images become such with ho.PixelFeatures, for one"),
    ("Found array with 0 sample", "hand over at least one row"),
    ("Found array with 0 feature", "hand over at least one column"),
    ("X has ", "hand over the columns of fit, in their order"),
    ("Input X contains infinity", "replace it by a number or by a missing value"),
    ("Complex data", "hand over real numbers, such as the real and the imaginary part as two columns"),
    ("setting an array element", "give every row as many cells as the others"),
)
_FIXES_OF_Y = (
    ("Input y contains", "leave those rows out; Task does so and counts them"),
    ("Complex data", "hand over real numbers"),
    ("", "hand over one answer for each row, such as task.y"),
)


def refused_x(X: Any, error: ValueError, words: str) -> ValueError:
    """The error to raise where scikit-learn refused X.

    words: what helps if a word stands where a number should

    >>> print(refused_x([[1, 2], [3]], ValueError("setting an array element with a sequence."), ""))
    setting an array element with a sequence.
      where: X is a list of length 2
      fix:   give every row as many cells as the others
    """
    if isinstance(error, DataError):
        return error
    fixes = (("could not convert string", words), *_FIXES_OF_X)
    fix = next((fix for start, fix in fixes if str(error).startswith(start)), "hand over a table or an array")
    return DataError(_first_line(error), where=f"X is a {_form(X)}", fix=fix)


def refused_y(y: Any, error: ValueError) -> ValueError:
    """The error to raise where scikit-learn refused y."""
    if isinstance(error, DataError):
        return error
    fix = next(fix for start, fix in _FIXES_OF_Y if str(error).startswith(start))
    where = "fit(X, y), y is None" if y is None else f"y is a {_form(y)}"
    return DataError(_first_line(error), where=where, fix=fix)


def _first_line(error: ValueError) -> str:
    """Without the data that scikit-learn prints behind it."""
    return str(error).partition("\n")[0].rstrip(":")


def _form(value: Any) -> str:
    """The type, and how large it is."""
    shape = getattr(value, "shape", None)
    if shape is not None:
        return f"{type(value).__name__} of shape {tuple(shape)}"
    return type(value).__name__ + (f" of length {len(value)}" if hasattr(value, "__len__") else "")
