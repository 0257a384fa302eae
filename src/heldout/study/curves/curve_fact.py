"""Curves in the study file: written once, with the look that they were; asked for again, read from there."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from heldout.ledger.fact import Entry
from heldout.ledger.json_numbers import number_of_json
from heldout.plan.digest import digest_of
from heldout.stats.result import plain
from heldout.study.curves.curve import Curve
from heldout.study.files.create_study import look_body

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.study.study import Study

AnyCurve = TypeVar("AnyCurve", bound=Curve)


@dataclass(frozen=True, eq=False)
class CurveRequest:
    """What was asked for: it decides every number of the curve, together with the study's rows.

    kind:      "learning", "validation" or "size"
    contender: whose curve
    options:   everything else, as JSON can hold it

    >>> from heldout import BaselineClassifier, Contender
    >>> guess = Contender("guess", BaselineClassifier())
    >>> one, other = (CurveRequest("size", guess, {"seed": seed}) for seed in (1, 2))
    >>> one.key == CurveRequest("size", guess, {"seed": 1}).key, one.key == other.key
    (True, False)
    """

    kind: str
    contender: Contender
    options: Mapping[str, Any]

    @property
    def key(self) -> str:
        return digest_of(plain({"curve": self.kind, **self.to_dict()}), "curve")

    def to_dict(self) -> dict[str, Any]:
        return {"contender": self.contender.digest, "name": self.contender.name, **self.options}


def recorded_curve(
    study: Study, request: CurveRequest, kind: type[AnyCurve], measured: Callable[[], AnyCurve]
) -> AnyCurve:
    """The curve that stands in the study file; else it is measured and written there.

    kind:     of the curve
    measured: makes it
    """
    fact = study.ledger.fact("curve", request.key)
    if fact is not None:
        return curve_of_dict(kind, fact.body["result"])
    curve = measured()
    look = look_body(f"{request.kind} curve", request.contender.name, np.arange(curve.n_rows), "open")
    body = {"curve": request.kind, "request": request.to_dict(), "result": curve.to_dict()}
    entries = [
        Entry("curve", request.key, plain(body), once=True),
        Entry("look", f"curve:{request.key}", look, once=True),
    ]
    study.ledger.append(entries)
    # As it is read back, so that the first answer and the next are the same to the last digit.
    return curve_of_dict(kind, plain(body)["result"])


def curve_of_dict(kind: type[AnyCurve], record: Mapping[str, Any]) -> AnyCurve:
    """The curve that `to_dict` wrote."""
    values = {field.name: record[field.name] for field in dataclasses.fields(kind)}
    for name in ("train", "test"):
        values[name] = np.array(
            [[number_of_json(score) for score in row] for row in values[name]],
            dtype=np.float64,
        ).reshape(len(values[name]), len(values["places"]))
    low, high = values["ends"]
    values["ends"] = (-math.inf if low is None else low, math.inf if high is None else high)
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return kind(**(values | lists))
