"""How many bits it takes to write a fitted model down, also one that is not ours."""

from __future__ import annotations

import io
import math
import pickle
import zlib
from typing import Any

from heldout.errors import RequestError


def model_bits(model: Any) -> float:
    """The description of a fitted model in bits.

    Ours know their code; a pipeline is the sum of its steps; a search is what it found. Anything else is
    the length of its compressed pickle, which is written and never loaded.

    >>> from heldout import TreeClassifier
    >>> tree = TreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    >>> model_bits(tree) == tree.description_bits(), model_bits(None)
    (True, 0.0)
    """
    parts = _parts(model)
    if parts is not None:
        return math.fsum(model_bits(part) for part in parts)
    if hasattr(model, "description_bits"):
        return float(model.description_bits())
    return 8.0 * len(zlib.compress(_pickled(model), 9))


def is_foreign(model: Any) -> bool:
    """Whether a part of the model is described by its pickle.

    >>> from sklearn.dummy import DummyClassifier
    >>> is_foreign(DummyClassifier()), is_foreign("passthrough")
    (True, False)
    """
    parts = _parts(model)
    if parts is not None:
        return any(is_foreign(part) for part in parts)
    return not hasattr(model, "description_bits")


def _parts(model: Any) -> list[Any] | None:
    """What a model is made of, if its description is the sum of theirs."""
    if model is None or (isinstance(model, str) and model == "passthrough"):
        return []
    if hasattr(model, "description_bits"):
        return None
    if isinstance(getattr(model, "steps", None), list):
        return [step for _, step in model.steps]
    # A search keeps its clock times, which are no part of what it found.
    return [model.best_estimator_] if hasattr(model, "best_estimator_") else None


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
