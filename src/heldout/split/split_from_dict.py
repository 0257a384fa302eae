"""A split from its plain dict, as plans keep it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from heldout.errors import InputTypeError, RequestError
from heldout.split.holdout import Holdout
from heldout.split.k_fold import EveryKth, KFold, LeaveOneOut, RotatingValidation
from heldout.split.split import Split
from heldout.text.words import suggestion

SPLITS: dict[str, type[Split]] = {
    made.__name__: made for made in (KFold, Holdout, EveryKth, LeaveOneOut, RotatingValidation)
}


def split_from_dict(record: Mapping[str, Any]) -> Split:
    """The split that `to_dict` wrote.

    record: {"split": its name, setting: value, …}; a setting left out is as by default
    """
    if not isinstance(record, Mapping):
        raise InputTypeError(
            "a split is read from a dict",
            where=f"got {type(record).__name__}",
            fix="write {'split': 'KFold', 'k': 10}",
        )
    settings = dict(record)
    name = settings.pop("split", None)
    if not isinstance(name, str) or name not in SPLITS:
        raise RequestError(
            f"unknown split {name!r:.60}", where="'split'", fix=suggestion(str(name), list(SPLITS))
        )
    made = SPLITS[name]
    known = [field.name for field in dataclasses.fields(made)]  # type: ignore[arg-type]
    unknown = [str(setting) for setting in settings if setting not in known]
    if unknown:
        fix = suggestion(unknown[0], known) if known else "leave it out"
        raise RequestError(f"{name} has no setting {unknown[0]!r}", where=f"'{unknown[0]}'", fix=fix)
    return made(**settings)


def describe_split(record: Mapping[str, Any], in_time: bool) -> str:
    """A recorded split in words; in time there is one repeat, and nothing is stratified.

    record:  as `split_from_dict` takes it
    in_time: whether the rows have an order in time, which every split obeys
    """
    split = split_from_dict(record)
    if not in_time:
        return str(split)
    given_up = {"repeats": 1, "stratified": False}
    known = {field.name for field in dataclasses.fields(split)}  # type: ignore[arg-type]
    as_dealt = dataclasses.replace(split, **{name: given_up[name] for name in given_up if name in known})  # type: ignore[type-var]
    return f"{as_dealt}, forward in time"
