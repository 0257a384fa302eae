"""What a model costs: seconds, bytes, bits, leaves and parameters, as metrics like any other."""

from __future__ import annotations

import math
import pickle
import time
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.errors import RequestError


@dataclass(frozen=True)
class TimedModel:
    """A fitted model with the seconds that it took.

    Attributes
    ----------
    model
        fitted
    fit_seconds
        on the clock of the wall; NaN where it was not measured
    predict_seconds
        for all rows that were predicted; NaN where it was not measured
    n_rows
        how many rows were predicted

    Examples
    --------
    >>> TimedModel("a model", fit_seconds=1.5).fit_seconds
    1.5
    """

    model: Any
    fit_seconds: float = math.nan
    predict_seconds: float = math.nan
    n_rows: int = 0


def timed(learner: Any, X: Any, y: Any = None, X_new: Any = None, **fit_options: Any) -> TimedModel:
    """Fit a learner, predict, and look at the clock.

    Parameters
    ----------
    learner
        is fitted itself, as by its own `fit`
    X, y
        the training rows
    X_new
        rows to predict; left out, nothing is predicted
    fit_options
        for `fit`, such as sample_weight=…

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> found = timed(DummyClassifier(), [[1], [2]], [0, 1], X_new=[[3]])
    >>> found.fit_seconds > 0, found.predict_seconds > 0, found.n_rows
    (True, True, 1)
    """
    start = time.perf_counter()
    model = learner.fit(X, **fit_options) if y is None else learner.fit(X, y, **fit_options)
    fit_seconds = time.perf_counter() - start
    if X_new is None:
        return TimedModel(model, fit_seconds)
    predicted = timed_predictions(model, X_new)
    return TimedModel(model, fit_seconds, predicted.predict_seconds, predicted.n_rows)


def timed_predictions(model: Any, X: Any) -> TimedModel:
    """How long a fitted model takes to predict these rows.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> timed_predictions(DummyClassifier().fit([[1], [2]], [0, 1]), [[3]]).n_rows
    1
    """
    start = time.perf_counter()
    predictions = model.predict(X)
    return TimedModel(model, predict_seconds=time.perf_counter() - start, n_rows=len(predictions))


def fit_seconds(model: TimedModel) -> float:
    """The seconds of the fit, as `timed` has measured them."""
    return _measured(model, "fit_seconds")


def predict_seconds(model: TimedModel) -> float:
    """The seconds of predicting all rows that `timed` was given."""
    return _measured(model, "predict_seconds")


def model_bytes(model: Any) -> float:
    """The length of the pickle of a fitted model, not compressed; it is written and never read.

    What a learner keeps beside the model, such as training rows, counts too.
    """
    return float(len(_pickled(_bare(model))))


def description_bits(model: Any) -> float:
    """How many bits it takes to write a fitted model down: the fewer, the simpler it is.

    Heldout's learners and transformers know their code; a pipeline is the sum of its steps. Of any other
    estimator it is the length of its compressed pickle, which is no code for its kind and far longer: to
    count the cuts of a tree takes the rows that it was grown from, which a study has and a metric has not.
    """
    bare = _bare(model)
    if hasattr(bare, "description_bits"):
        return float(bare.description_bits())
    steps = getattr(bare, "steps", None)
    if isinstance(steps, list):
        return math.fsum(description_bits(step) for _, step in steps if step not in (None, "passthrough"))
    return 8.0 * len(zlib.compress(_pickled(bare), 9))


def n_leaves(model: Any) -> float:
    """The leaves of a fitted tree, or of all trees of a forest; of a pipeline, those of its last step."""
    last = _last_step(model)
    if hasattr(last, "n_leaves_"):
        return float(last.n_leaves_)
    if hasattr(last, "get_n_leaves"):
        return float(last.get_n_leaves())
    trees = np.ravel(getattr(last, "estimators_", np.empty(0, dtype=object)))
    if len(trees) and all(hasattr(tree, "get_n_leaves") for tree in trees):
        return float(sum(tree.get_n_leaves() for tree in trees))
    raise _has_none(last, "leaves", "trees and forests have them; description_bits is there for every model")


def n_parameters(model: Any) -> float:
    """The coefficients and intercepts of a fitted linear model; of a pipeline, those of its last step."""
    last = _last_step(model)
    if hasattr(last, "coef_"):
        has_intercept = getattr(last, "fit_intercept", True) and hasattr(last, "intercept_")
        return float(np.size(last.coef_) + (np.size(last.intercept_) if has_intercept else 0))
    if hasattr(last, "coefs_"):
        return float(sum(np.size(layer) for layer in [*last.coefs_, *last.intercepts_]))
    raise _has_none(
        last, "coefficients", "linear models have them; description_bits is there for every model"
    )


def _bare(model: Any) -> Any:
    return model.model if isinstance(model, TimedModel) else model


def _last_step(model: Any) -> Any:
    bare = _bare(model)
    steps = getattr(bare, "steps", None)
    return _last_step(steps[-1][1]) if isinstance(steps, list) and steps else bare


def _measured(model: Any, field: str) -> float:
    seconds = getattr(model, field, math.nan) if isinstance(model, TimedModel) else math.nan
    if math.isnan(seconds):
        raise RequestError(
            "these seconds were not measured",
            where=f"{field} of a {type(_bare(model)).__name__}",
            fix="hand over timed(learner, X, y, X_new), which fits and predicts by the clock; within"
            " scikit-learn's cross_validate the seconds of fitting are fit_time",
        )
    return float(seconds)


def _pickled(model: Any) -> bytes:
    try:
        return pickle.dumps(model, protocol=5)
    except Exception as error:
        raise RequestError(
            f"{type(model).__name__} cannot be pickled, so its bytes are not known",
            where=f"{type(error).__name__}: {error}"[:200],
            fix="leave functions without a name out of its parameters",
        ) from error


def _has_none(model: Any, what: str, fix: str) -> RequestError:
    return RequestError(f"{type(model).__name__} has no {what} to count", where="a fitted model", fix=fix)
