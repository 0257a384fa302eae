"""A contender: a learner with a name, its preparation, and the settings it chooses among."""

from __future__ import annotations

import copy
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sklearn.base import BaseEstimator, clone

from heldout.errors import HeldoutError, InputTypeError, RequestError
from heldout.learners.baseline import Baseline
from heldout.learners.parameters import Parameter, refusal
from heldout.plan.code_fingerprint import digest_of
from heldout.plan.read_values import Reading, odd
from heldout.plan.space import check_settings, check_values, checked_space, divided, settings_in
from heldout.plan.trusted_names import checked_allow
from heldout.plan.written_values import written, written_estimator
from heldout.text.words import suggestion

RESAMPLE = Parameter(
    "resample",
    choices=(None, "down", "up"),
    synonyms=(("undersample", "down"), ("under", "down"), ("oversample", "up"), ("over", "up")),
)
CHOOSE = Parameter(
    "choose", choices=("best", "one_se"), synonyms=(("1se", "one_se"), ("one_standard_error", "one_se"))
)
_GUESSING = ("prior", "most_frequent", "mean", "median")


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Contender:
    """One way to learn, under a name.

    Parameters
    ----------
    name
        as tables and verdicts call it: printable, at most 60 characters
    learner
        ours, or any other of scikit-learn's protocol, a Pipeline too. A copy is kept, unfitted
    space
        the settings to choose among by tuning: parameters with lists of values, or a list of settings;
        left out, there is nothing to tune. `"prepare__…"` reaches into the preparation
    prepare
        "auto" makes the rows what the learner takes (`ho.prepare_for`), None hands them over as they are;
        or a transformer or Pipeline. It is fitted on training rows alone
    resample
        None, or "down" or "up": classes of equal size in the rows that are learned from
    choose
        which of the settings tuning takes: "best", the best mean over the inner folds; "one_se", the
        first within one standard error of that, so write the simplest first. In a grid the first
        parameter counts most

    Examples
    --------
    >>> import heldout as ho
    >>> contender = Contender("neighbors", ho.NeighborsClassifier(), {"k": [1, 5, 25]})
    >>> contender
    Contender('neighbors', NeighborsClassifier(), 3 settings)
    >>> contender.settings()
    [{'k': 1}, {'k': 5}, {'k': 25}]
    """

    name: str
    resample: str | None
    choose: str
    notes: tuple[str, ...]
    _learner: Any = field(repr=False)
    _space: Any = field(repr=False)
    _prepare: Any = field(repr=False)

    def __init__(
        self,
        name: str,
        learner: Any,
        space: Any = None,
        prepare: Any = "auto",
        resample: str | None = None,
        choose: str = "best",
    ) -> None:
        name = checked_name(name)
        if not RESAMPLE.allows(resample):
            raise refusal(f"contender {name!r}: Contender", RESAMPLE, resample)
        if not CHOOSE.allows(choose):
            raise refusal(f"contender {name!r}: Contender", CHOOSE, choose)
        fields = {
            "name": name,
            "resample": resample,
            "choose": choose,
            "notes": (),
            "_learner": checked_learner(name, learner),
            "_space": checked_space(name, space),
            "_prepare": checked_preparation(name, prepare),
        }
        for field_name, value in fields.items():
            object.__setattr__(self, field_name, value)
        self._check_settings()

    @property
    def learner(self) -> Any:
        """A copy of the learner, unfitted."""
        return clone(self._learner)

    @property
    def space(self) -> Any:
        """A copy of the space, or None."""
        return copy.deepcopy(self._space)

    @property
    def prepare(self) -> Any:
        """ "auto", None, or a copy of the transformer."""
        return self._prepare if self._prepare is None or self._prepare == "auto" else clone(self._prepare)

    @property
    def is_baseline(self) -> bool:
        """Whether it looks at no column and always answers the same, as every other has to beat."""
        if isinstance(self._learner, Baseline):
            return True
        is_dummy = type(self._learner).__name__ in ("DummyClassifier", "DummyRegressor")
        return is_dummy and getattr(self._learner, "strategy", None) in _GUESSING

    @property
    def n_settings(self) -> int:
        return len(self._settings)

    def settings(self) -> list[dict[str, Any]]:
        """The settings in order; `[{}]` where there is nothing to choose."""
        return copy.deepcopy(list(self._settings))

    def divided(self, setting: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The parts of a setting that are the learner's and the preparation's."""
        return divided(setting, self._prepare is not None)

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it; refused where something cannot be written down."""
        where = f"contender {self.name!r}"
        prepare = self._prepare
        if prepare is not None and prepare != "auto":
            prepare = written_estimator(prepare, f"{where}, prepare")
        return {
            "name": self.name,
            "learner": written_estimator(self._learner, where),
            "space": _written_space(self._space, f"{where}, space"),
            "prepare": prepare,
            "resample": self.resample,
            "choose": self.choose,
        }

    @cached_property
    def _settings(self) -> tuple[dict[str, Any], ...]:
        return settings_in(self._space)

    @cached_property
    def digest(self) -> str:
        """64 hexadecimal digits over everything above, and over the versions of the code behind it."""
        return digest_of(self.to_dict(), "contender")

    def __repr__(self) -> str:
        parts = [repr(self.name), " ".join(repr(self._learner).split())]
        if self._space is not None:
            parts.append(f"{self.n_settings} setting{'s' * (self.n_settings != 1)}")
        if self._prepare is None or self._prepare != "auto":
            parts.append(f"prepare={' '.join(repr(self._prepare).split())}")
        if self.resample is not None:
            parts.append(f"resample={self.resample!r}")
        if self.choose != "best":
            parts.append(f"choose={self.choose!r}")
        return f"Contender({', '.join(parts)})"

    def _check_settings(self) -> None:
        owner = f"contender {self.name!r}"
        parts = [self.divided(setting) for setting in self._settings]
        check_values(owner, self._learner)
        check_settings(owner, self._learner, [ours for ours, _ in parts if ours])
        if self._prepare is None or self._prepare == "auto":
            return
        check_values(f"{owner}, prepare", self._prepare)
        check_settings(f"{owner}, prepare", self._prepare, [rest for _, rest in parts if rest])


def read_contender(record: Any, allow: Sequence[str] = ()) -> Contender:
    """The contender that `to_dict` wrote; code that has changed since is named in its notes.

    allow: packages besides heldout and scikit-learn from which learners may come
    """
    fields = {"name", "learner", "space", "prepare", "resample", "choose"}
    if type(record) is not dict or set(record) != fields:
        raise odd(f"a contender has {', '.join(sorted(fields))}", f"{record!r:.80}")
    reading = Reading(checked_allow(allow))
    where = f"contender {record['name']!r:.60}"
    prepare = record["prepare"]
    if prepare is not None and type(prepare) is not str:
        prepare = reading.estimator(prepare, f"{where}, prepare")
    learner = reading.estimator(record["learner"], where)
    space = _read_space(record["space"], reading, f"{where}, space")
    try:
        found = Contender(record["name"], learner, space, prepare, record["resample"], record["choose"])
    except HeldoutError:
        raise
    except Exception as error:  # what scikit-learn's own code says to parameters that no one ever gave it
        raise odd("a contender cannot be made", f"{where}: {error!s:.120}") from error
    object.__setattr__(found, "notes", tuple(reading.notes))
    return found


def _written_space(space: Any, where: str) -> Any:
    """A grid as pairs: the order of its parameters is the order of its settings, and JSON may lose it."""
    if space is None:
        return None
    if isinstance(space, dict):
        return {
            "grid": [[name, [written(value, where) for value in values]] for name, values in space.items()]
        }
    return {"settings": [{name: written(value, where) for name, value in each.items()} for each in space]}


def _read_space(form: Any, reading: Reading, where: str) -> Any:
    if form is None:
        return None
    if type(form) is dict and len(form) == 1:
        ((kind, content),) = form.items()
        if kind == "grid" and type(content) is list and all(_is_axis(axis) for axis in content):
            if len({name for name, _ in content}) < len(content):
                raise odd("a grid has a parameter twice", where)
            return {name: [reading.value(value, where) for value in values] for name, values in content}
        if kind == "settings" and type(content) is list and all(type(each) is dict for each in content):
            return [{name: reading.value(value, where) for name, value in each.items()} for each in content]
    raise odd("a space is a grid or a list of settings", f"{where}: {form!r:.60}")


def _is_axis(axis: Any) -> bool:
    return type(axis) is list and len(axis) == 2 and type(axis[0]) is str and type(axis[1]) is list


def checked_learner(name: str, learner: Any) -> Any:
    """An unfitted copy of the learner.

    name: of the contender
    """
    _refuse_class(name, learner, "a contender needs a learner")
    if not isinstance(learner, BaseEstimator) or not hasattr(learner, "fit"):
        raise InputTypeError(
            "a contender needs a learner of scikit-learn's protocol",
            where=f"contender {name!r}, learner is a {type(learner).__name__}",
            fix="use one of Heldout's or scikit-learn's, or derive yours from sklearn.base.BaseEstimator",
        )
    if not _may(learner, "predict"):
        raise InputTypeError(
            f"a {type(learner).__name__} predicts nothing",
            where=f"contender {name!r}",
            fix=f"hand over a learner, and say prepare={type(learner).__name__}() if that is what it is for",
        )
    return _copied(name, learner)


def checked_preparation(name: str, prepare: Any) -> Any:
    """ "auto", None, or an unfitted copy of a transformer or Pipeline."""
    if prepare is None or (isinstance(prepare, str) and prepare == "auto"):
        return prepare
    _refuse_class(name, prepare, "a preparation is a transformer")
    if isinstance(prepare, BaseEstimator) and hasattr(prepare, "fit") and _may(prepare, "transform"):
        return _copied(name, prepare)
    raise InputTypeError(
        'a preparation is "auto", None, a transformer, or a Pipeline of them',
        where=f"contender {name!r}, prepare={prepare!r:.60}",
        fix=suggestion(prepare, ["auto"])
        if isinstance(prepare, str)
        else "leave it out: what the learner cannot take as it is will be prepared",
    )


def _refuse_class(name: str, given: Any, what: str) -> None:
    if isinstance(given, type):
        raise InputTypeError(
            f"{what}, and {given.__name__} is a class",
            where=f"contender {name!r}",
            fix=f"hand over {given.__name__}()",
        )


def _may(estimator: Any, what: str) -> bool:
    """Whether it could do so once fitted: a Pipeline asks its last step, a search what it searches."""
    return hasattr(estimator, what) or (hasattr(type(estimator), what) and not hasattr(estimator, "steps"))


def _copied(name: str, estimator: Any) -> Any:
    try:
        parts = [estimator, *estimator.get_params(deep=True).values()]
        copied = clone(estimator)
    except Exception as error:
        raise RequestError(
            f"a {type(estimator).__name__} cannot be copied: {error!s:.160}",
            where=f"contender {name!r}",
            fix="let its constructor keep every argument as it is, under the argument's name",
        ) from error
    if any(_is_frozen(part) for part in parts):
        raise RequestError(
            "a FrozenEstimator keeps what it learned elsewhere, from rows that it would be tested on",
            where=f"contender {name!r}",
            fix="hand over the estimator within it; it is fitted anew on the training rows of every fold",
        )
    return copied


def _is_frozen(part: Any) -> bool:
    return type(part).__name__ == "FrozenEstimator" and type(part).__module__.startswith("sklearn.")


LONGEST_NAME = 60


def checked_name(name: Any) -> str:
    """The name; one that cannot be shown, or would not be recognized, is refused."""
    if not isinstance(name, str):
        raise InputTypeError(
            "a contender has a name",
            where=f"Contender({name!r:.60}, …), the first is a {type(name).__name__}",
            fix='write the name first: ho.Contender("tree", ho.TreeClassifier())',
        )
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    cleaned = " ".join(shown.split())[:LONGEST_NAME].rstrip()
    fix = f"did you mean {cleaned!r}?" if cleaned else "give it a short name, such as 'tree'"
    where = f"Contender({name!r:.60})"
    if not name.isprintable():
        raise RequestError(
            "the name of a contender has a character that cannot be shown", where=where, fix=fix
        )
    if not cleaned:
        raise RequestError("the name of a contender is empty", where=where, fix=fix)
    if len(name) > LONGEST_NAME:
        raise RequestError(
            f"the name of a contender has at most {LONGEST_NAME} characters",
            where=f"{where}, {len(name):,} characters",
            fix=fix,
        )
    if name != name.strip():
        raise RequestError("the name of a contender begins or ends with a space", where=where, fix=fix)
    return str(name)


def look_of(name: str) -> str:
    """Equal for names that a reader would not tell apart."""
    return unicodedata.normalize("NFKC", name).casefold()
