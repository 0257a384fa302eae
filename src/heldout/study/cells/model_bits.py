"""How many bits it takes to write a fitted model down, also one that is not ours."""

from __future__ import annotations

import io
import math
import pickle
import zlib
from dataclasses import dataclass
from typing import Any

from heldout.errors import RequestError
from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.study.cells.foreign_bits import KnownRows, coded, is_skipped


@dataclass(frozen=True)
class ModelLength:
    """How long the description of a model is.

    bits:       its length
    is_pickled: whether a part of it is the length of a compressed pickle, which is no code for its kind
    """

    bits: float
    is_pickled: bool = False


def model_length(model: Any, X: Any) -> ModelLength:
    """The length of a fitted model.

    Ours know their code, and trees, forests and linear models of others get the same one. A pipeline is the
    sum of its steps; a search is what it found. Anything else is the length of its compressed pickle, which
    is written and never loaded.

    X: the rows that it was fitted on

    >>> from heldout import TreeClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = [[1.0], [2.0]], ["a", "b"]
    >>> model_length(TreeClassifier.cart(prune=None).fit(X, y), X)
    ModelLength(bits=5.0, is_pickled=False)
    >>> model_length(DecisionTreeClassifier().fit(X, y), X)
    ModelLength(bits=5.0, is_pickled=False)
    """
    return _length(model, KnownRows(lambda: X))


def _length(model: Any, rows: KnownRows) -> ModelLength:
    if is_skipped(model):
        return ModelLength(0.0)
    if hasattr(model, "description_bits"):
        return ModelLength(float(model.description_bits()))
    own, parts = 0.0, _steps(model, rows)
    if parts is None:
        found = coded(model, rows)
        if found is None:
            return ModelLength(8.0 * len(zlib.compress(_pickled(model), 9)), is_pickled=True)
        own, parts = found.bits, list(found.parts)
    lengths = [_length(*part) for part in parts]
    return ModelLength(
        math.fsum([own, *(each.bits for each in lengths)]), any(each.is_pickled for each in lengths)
    )


def _steps(model: Any, rows: KnownRows) -> list[tuple[Any, KnownRows]] | None:
    """The steps of a pipeline, or the find of a search, each with the rows that it was fitted on."""
    if type(model) is ThresholdClassifier:  # a threshold belongs to the use of a model
        return [(model.estimator_, rows)]
    if hasattr(model, "best_estimator_"):  # a search keeps its clock times, which are no part of its find
        return [(model.best_estimator_, rows)]
    if not isinstance(getattr(model, "steps", None), list):
        return None
    found = []
    for _, step in model.steps:
        found.append((step, rows))
        rows = rows if is_skipped(step) else rows.behind(step)
    return found


def _pickled(model: Any) -> bytes:
    """A pickle whose length follows from the values alone.

    A common pickle writes an object once and then refers to it, so that equal strings take more or less
    room depending on whether they are one object: a plan that was read from a file would give other bits.
    """
    try:
        return _written(model, is_plain=True)
    except (ValueError, RecursionError):  # it holds itself, which only references can say
        pass
    except Exception as error:
        raise _no_pickle(model, error) from error
    try:
        return _written(model, is_plain=False)
    except Exception as error:
        raise _no_pickle(model, error) from error


def _written(model: Any, is_plain: bool) -> bytes:
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, protocol=5)
    pickler.fast = is_plain
    pickler.dump(model)
    return stream.getvalue()


def _no_pickle(model: Any, error: Exception) -> RequestError:
    return RequestError(
        f"{type(model).__name__} cannot be pickled, so its bits are not known",
        where=f"{type(error).__name__}: {error}"[:200],
        fix="leave functions without a name out of its parameters",
    )
