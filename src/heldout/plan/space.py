"""The settings that a contender chooses among, each checked before anything runs."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from sklearn.base import clone

from heldout.errors import HeldoutError, InputTypeError, RequestError
from heldout.learners.parameters import check_parameters
from heldout.plan.written_values import changes_nothing
from heldout.text.words import suggestion

MOST_SETTINGS = 10_000
PREPARE = "prepare__"

Settings = tuple[dict[str, Any], ...]


def checked_space(name: str, space: Any) -> Any:
    """A copy of the space: a dict of lists, a list of settings, or None.

    name: of the contender
    """
    if space is None:
        return None
    listed: Any
    if isinstance(space, Mapping) and space and all(isinstance(key, str) for key in space):
        listed = {key: _values(name, key, values) for key, values in space.items()}
        n_settings = math.prod(len(values) for values in listed.values())
    elif isinstance(space, Sequence) and len(space) and all(_is_setting(entry) for entry in space):
        listed = [{key: _plain(value) for key, value in entry.items()} for entry in space]
        n_settings = len(listed)
    else:
        raise InputTypeError(
            "a space is a dict of parameters with lists of values, or a list of settings",
            where=f"contender {name!r}, space={space!r:.60}",
            fix='write for instance {"max_depth": [2, 5]} or [{"max_depth": 2}, {"max_depth": 5}]',
        )
    _refuse_what_changes_nothing(name, listed)
    if n_settings > MOST_SETTINGS:
        raise RequestError(
            f"a space of {n_settings:,} settings is more than {MOST_SETTINGS:,}",
            where=f"contender {name!r}",
            fix="name fewer values; whoever tries everything finds something",
        )
    return listed


def settings_in(space: Any) -> Settings:
    """The settings of a checked space, in order; the one setting that changes nothing where there is none."""
    if space is None:
        return ({},)
    if isinstance(space, Mapping):
        return tuple(dict(zip(space, combination, strict=True)) for combination in product(*space.values()))
    return tuple(dict(setting) for setting in space)


def divided(setting: Mapping[str, Any], reaches_preparation: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """The part of a setting that is the learner's, and that of the preparation, without "prepare__"."""
    if not reaches_preparation:
        return dict(setting), {}
    ours = {name: value for name, value in setting.items() if not name.startswith(PREPARE)}
    rest = {name.removeprefix(PREPARE): value for name, value in setting.items() if name not in ours}
    return ours, rest


def check_settings(owner: str, estimator: Any, settings: Sequence[Mapping[str, Any]]) -> None:
    """Refuse names that the estimator does not have, and values that it would refuse when it is fitted.

    owner:    in words, whose settings they are
    settings: of this estimator alone
    """
    for setting in settings:
        where = f"{owner}, setting {dict(setting)!r:.80}"
        changed = clone(estimator)
        try:
            changed.set_params(**copy.deepcopy(dict(setting)))
        except HeldoutError:
            raise
        except Exception as error:
            raise _cannot_be_set(estimator, setting, where, error) from error
        check_values(where, changed)


def check_values(owner: str, estimator: Any) -> None:
    """Refuse parameters that the estimator, or one within it, would refuse when it is fitted."""
    for part in [estimator, *estimator.get_params(deep=True).values()]:
        if isinstance(part, type) or not hasattr(part, "get_params"):
            continue
        try:
            check_parameters(part, getattr(part, "_parameters", ()))
            if isinstance(getattr(part, "_parameter_constraints", None), dict):
                part._validate_params()
        except HeldoutError as error:
            error_kind = type(error)
            raise error_kind(error.what, where=f"{owner}: {error.where}", fix=error.fix) from error
        except (ValueError, TypeError) as error:
            raise RequestError(
                f"{type(part).__name__} refuses a parameter: {error!s:.200}",
                where=owner,
                fix="set it to one of these",
            ) from error


def _refuse_what_changes_nothing(name: str, space: Any) -> None:
    """Threads and caches are no settings; a cache that someone else names would be a folder of pickles."""
    axes = [space] if isinstance(space, dict) else [{key: [each[key]] for key in each} for each in space]
    for parameter, values in [pair for axis in axes for pair in axis.items()]:
        if any(changes_nothing(parameter.rpartition("__")[2], value) for value in values):
            raise RequestError(
                f"{parameter!r:.60} changes no answer, so there is nothing to choose",
                where=f"contender {name!r}, space",
                fix="leave it out of the space, and set it in the learner",
            )


def _cannot_be_set(estimator: Any, setting: Mapping[str, Any], where: str, error: Exception) -> RequestError:
    known = sorted(map(str, estimator.get_params(deep=True)))
    for name in setting:
        if name not in known:
            within = [each for each in known if each.endswith(f"__{name}")]  # of a step of a Pipeline
            return RequestError(
                f"{type(estimator).__name__} has no parameter {name!r:.60}",
                where=where,
                fix=f"did you mean {within[0]!r}?"
                if within
                else suggestion(name, known)
                if known
                else "leave the space out",
            )
    return RequestError(
        f"{type(estimator).__name__} cannot be set so: {error!s:.120}",
        where=where,
        fix="a space has a list of values for each parameter, a setting in a list one value",
    )


def _is_setting(entry: Any) -> bool:
    return isinstance(entry, Mapping) and all(isinstance(key, str) for key in entry)


def _values(name: str, key: str, values: Any) -> list[Any]:
    is_list = isinstance(values, Sequence | np.ndarray) and not isinstance(values, str | bytes)
    if not is_list or np.ndim(values if isinstance(values, np.ndarray) else [0]) != 1:
        raise InputTypeError(
            "a space has a list of values for each parameter",
            where=f"contender {name!r}, {key!r} has {values!r:.60}",
            fix=f"make it a list, in the order in which values are tried: {{{key!r}: […]}}"
            if isinstance(values, Iterable) and not isinstance(values, str | bytes)
            else f"write {{{key!r}: [{values!r:.60}]}}",
        )
    if not len(values):
        raise RequestError(
            f"the space has no value for {key!r:.60}",
            where=f"contender {name!r}",
            fix="name at least one, or leave the parameter out",
        )
    return [_plain(value) for value in (values.tolist() if isinstance(values, np.ndarray) else values)]


def _plain(value: Any) -> Any:
    """A copy; of NumPy's numbers the plain ones, as learners take True and False and not NumPy's."""
    return value.item() if isinstance(value, np.generic) else copy.deepcopy(value)
