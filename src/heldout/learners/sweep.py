"""A sweep: one call that fits many settings of a learner, and predicts by each of them."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import product
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.errors import HeldoutError, InputTypeError, RequestError
from heldout.learners.parameters import check_parameters
from heldout.learners.readable_learner import learner_copies
from heldout.text.words import nearest_name
from heldout.types import Estimator, SettingsSpace, TableLike


class Sweep(ABC):
    """Many settings of a learner, fitted together. Each predicts as if it had been fitted by itself.

    Attributes
    ----------
    settings
        the settings in order, each a dict of parameters
    """

    def __init__(self, settings: list[dict[str, Any]]) -> None:
        self.settings = settings

    def __len__(self) -> int:
        return len(self.settings)

    def __repr__(self) -> str:
        names = list(dict.fromkeys(name for setting in self.settings for name in setting))
        noun = "setting" if len(self) == 1 else "settings"
        return f"<Sweep of {len(self)} {noun}{' over ' * bool(names)}{', '.join(names)}>"

    def _index(self, i: SupportsIndex) -> int:
        """The index of a setting; a negative one counts from the end."""
        try:
            index = operator.index(i)
        except TypeError as error:
            raise InputTypeError("a setting is asked for by its index", *self._advice(i)) from error
        if not -len(self) <= index < len(self):
            raise RequestError("there is no such setting", *self._advice(i))
        return index % len(self)

    def _advice(self, i: SupportsIndex) -> tuple[str, str]:
        """Where a wrong index was asked for, and which are right."""
        indices = f"from 0 to {len(self) - 1}"
        return f"model({i!r:.60}) of {self!r:.60}", f"give the index of a setting in `settings`, {indices}"

    @abstractmethod
    def model(self, i: int) -> Any:
        """The learner that `fit` would have made with the setting `settings[i]`."""

    @abstractmethod
    def predict(self, X: TableLike) -> NDArray[Any]:
        """The predictions of all settings: one row for each setting, one column for each row of X."""

    @abstractmethod
    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """The probabilities by all settings: setting × row of X × class."""


def settings_of(learner: Estimator, space: SettingsSpace) -> list[dict[str, Any]]:
    """The settings that a space stands for.

    space: names with lists of values, all combinations of which are meant; or a list of settings
    """
    if isinstance(space, Mapping):
        values = [_values(learner, name, space[name]) for name in space]
        settings = [dict(zip(space, combination, strict=True)) for combination in product(*values)]
    elif isinstance(space, Sequence) and all(isinstance(setting, Mapping) for setting in space):
        settings = [dict(setting) for setting in space]
    else:
        raise _not_a_space(learner, f"space is a {type(space).__name__}")
    if not settings:
        raise _not_a_space(learner, "space has no setting")
    allowed = sorted(learner.get_params(deep=False))
    for setting in settings:
        for name in setting:
            if name not in allowed:
                raise _unknown_name(learner, name, allowed)
    return settings


def _values(learner: Estimator, name: str, values: object) -> list[Any]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Sequence | np.ndarray):
        raise InputTypeError(
            "a space has a list of values for each parameter",
            where=f"{name!r} has {values!r:.60}",
            fix=_as_list(name, values),
        )
    if not len(values):
        raise _not_a_space(learner, f"{name!r} has no value")
    # Plain values: learners take True and False, and not NumPy's.
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _as_list(name: str, values: object) -> str:
    """How the values are written as a list: those of a set one by one, a single value alone."""
    is_one = isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable)
    listed = list(values) if isinstance(values, Set) else [values]
    written = f"write {{{name!r}: {listed!r}}}"
    is_written = (is_one or isinstance(values, Set)) and len(written) < 120
    return written if is_written else f"put the values of {name!r} into a list"


def _not_a_space(learner: Estimator, where: str) -> HeldoutError:
    known = learner.get_params(deep=False)
    name = next((parameter.name for parameter in getattr(learner, "_parameters", ())), next(iter(known)))
    value = known[name]
    return RequestError(
        "a space is a dict of parameters with lists of values, or a list of dicts",
        where=where,
        fix=f"write for instance {{{name!r}: [{value!r}, ...]}} or [{{{name!r}: {value!r}}}, ...]",
    )


def _unknown_name(learner: Estimator, name: object, allowed: list[str]) -> HeldoutError:
    near = nearest_name(name, allowed, cutoff=0.6)
    return RequestError(
        f"{type(learner).__name__} has no parameter {name!r}",
        where=f"space; the parameters are {', '.join(allowed)}",
        fix=f"did you mean {near!r}?" if near else "use one of these",
    )


def refuse_regression(is_regression: bool) -> None:
    """Raise where the probabilities of a regression are asked for."""
    if is_regression:
        raise RequestError(
            "a regression has no probabilities", where="Sweep.predict_proba", fix="use predict"
        )


class SeparateSweep(Sweep):
    """Settings that were fitted one by one.

    settings: the settings in order
    models:   the fitted learner of each
    """

    def __init__(self, settings: list[dict[str, Any]], models: Sequence[Any]) -> None:
        super().__init__(settings)
        self._models = models

    def model(self, i: int) -> Any:
        """The learner that `fit` made with the setting `settings[i]`."""
        return self._models[self._index(i)]

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The predictions of all settings: one row for each setting, one column for each row of X."""
        return np.stack([model.predict(X) for model in self._models])

    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """The probabilities by all settings: setting × row of X × class."""
        for index, model in enumerate(self._models):
            if not hasattr(model, "predict_proba"):
                raise RequestError(
                    f"{type(model).__name__} has no probabilities",
                    where=f"Sweep.predict_proba, setting {index}",
                    fix="use predict",
                )
        return np.stack([model.predict_proba(X) for model in self._models])


def separate_sweep(
    learner: Estimator, X: TableLike, y: ArrayLike, space: SettingsSpace, **fit_arguments: Any
) -> SeparateSweep:
    """Fit each setting of a space by itself; the learner is not changed.

    Every parameter of every setting is checked before the first is fitted.

    X, y:          as for `fit`
    space:         parameters with lists of values, or a list of settings, each a dict
    fit_arguments: what else `fit` is given, such as sample_weight
    """
    settings = settings_of(learner, space)
    return SeparateSweep(settings, separate_models(learner, settings, X, y, **fit_arguments))


def separate_models(
    learner: Estimator, settings: Sequence[dict[str, Any]], X: TableLike, y: ArrayLike, **fit_arguments: Any
) -> list[Any]:
    """A fitted copy of the learner for each setting."""
    copies = learner_copies(learner, settings)
    for copy in copies:
        check_parameters(copy, getattr(copy, "_parameters", ()))
    return [copy.fit(X, y, **fit_arguments) for copy in copies]
