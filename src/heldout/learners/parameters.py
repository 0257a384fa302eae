"""What each parameter of a learner may be, as one table, and the error that names what is allowed.

The table is looked at by `fit` and not by the constructor, as scikit-learn wants it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Protocol

import numpy as np

from heldout.errors import HeldoutError, InputTypeError, RequestError
from heldout.text.words import nearest_name, short_repr
from heldout.types import RandomState


@dataclass(frozen=True)
class Parameter:
    """The allowed values of one parameter.

    name:     as in the constructor
    choices:  values that are allowed as they are: words, None, True and False
    number:   "integer", "number", or "" where no number is allowed
    lowest:   the smallest number allowed
    is_above: whether the number must be larger than `lowest`
    highest:  the largest number allowed; infinity never is
    is_below: whether the number must be smaller than `highest`
    is_not_0: whether the number must not be 0
    types:    other types that are allowed; their contents are checked where they are used
    synonyms: words that others use, each with the choice that means the same
    """

    name: str
    choices: tuple[str | bool | None, ...] = ()
    number: str = ""
    lowest: float = -math.inf
    is_above: bool = False
    highest: float = math.inf
    is_below: bool = False
    is_not_0: bool = False
    types: tuple[type, ...] = ()
    synonyms: tuple[tuple[str, str], ...] = ()

    def allows(self, value: object) -> bool:
        """Whether the value may be used."""
        if value is None or isinstance(value, _WORDS):
            return value in self.choices
        # Asked for first what nearly all are: the abstract kinds of numbers are slow to ask.
        is_plain = type(value) is int or (type(value) is float and self.number == "number")
        if self.number and (is_plain or isinstance(value, Integral if self.number == "integer" else Real)):
            return self._is_in_range(_as_float(value))
        return isinstance(value, self.types)

    def _is_in_range(self, number: float) -> bool:
        if self.is_not_0 and number == 0:
            return False
        if not (number > self.lowest if self.is_above else number >= self.lowest):
            return False
        return number < math.inf and (number < self.highest if self.is_below else number <= self.highest)

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        words = [repr(choice) for choice in self.choices]
        if self.number:
            words.append(self._range_in_words())
        words += [_TYPE_WORDS.get(kind.__name__, f"a {kind.__name__}") for kind in self.types]
        return ", ".join(words[:-1]) + " or " + words[-1] if len(words) > 1 else words[0]

    def _range_in_words(self) -> str:
        noun = "an integer" if self.number == "integer" else "a number"
        if self.lowest == -math.inf:
            return f"{noun} other than 0" if self.is_not_0 else noun
        words = f"{noun} {'above' if self.is_above else 'of at least'} {self.lowest:g}"
        if self.highest == math.inf:
            return words
        highest = f"{self.highest:,.0f}" if self.number == "integer" else f"{self.highest:g}"
        return f"{words} and {'below' if self.is_below else 'at most'} {highest}"


_WORDS = (str, bool)
_TYPE_WORDS = {
    "dict": "a dict",
    "list": "a list",
    "tuple": "a tuple",
    "ndarray": "an array",
    "RandomState": "a RandomState",
    "Callable": "a function",
}


def _as_float(number: Any) -> float:
    """The number; one that is too large for double precision is infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def check_parameters(learner: object, parameters: Iterable[Parameter]) -> None:
    """Refuse the first parameter that is not one of its allowed values."""
    for parameter in parameters:
        value = getattr(learner, parameter.name)
        if not parameter.allows(value):
            raise refusal(type(learner).__name__, parameter, value)


def check_copies(
    copies: Sequence[object], settings: Sequence[Mapping[str, Any]], parameters: Sequence[Parameter]
) -> None:
    """Refuse the first parameter of copies of one learner that is not one of its allowed values.

    settings: in what each copy differs from the learner; what all have in common is looked at once
    """
    for index, (copy, setting) in enumerate(zip(copies, settings, strict=True)):
        is_first = index == 0
        check_parameters(
            copy,
            [each for each in parameters if is_first or each.name in setting or each.name in settings[0]],
        )


def refusal(caller: str, parameter: Parameter, value: object) -> HeldoutError:
    """The error for a value that is not allowed, with the one that was probably meant.

    caller: the learner or the function that was given the value
    """
    near = _near_choices(parameter, value.casefold()) if isinstance(value, str) else []
    is_wrong_type = not isinstance(value, str | Real) or (isinstance(value, Real) and not parameter.number)
    error = InputTypeError if is_wrong_type else RequestError
    return error(
        f"{parameter.name} must be {parameter.allowed}",
        where=f"{caller}({parameter.name}={short_repr(value)})",
        fix=f"did you mean {near[0]!r}?" if near else f"set {parameter.name} to one of these",
    )


def _near_choices(parameter: Parameter, word: str) -> list[str]:
    """The choice that the word probably means, if there is one."""
    meant = [choice for synonym, choice in parameter.synonyms if synonym == word]
    words = [choice for choice in parameter.choices if isinstance(choice, str)]
    near = nearest_name(word, words, cutoff=0.6)
    return meant or ([near] if near else [])


class HasThreads(Protocol):
    """A learner with the parameter `n_jobs`."""

    n_jobs: int | None


N_JOBS = Parameter("n_jobs", choices=(None,), number="integer", is_not_0=True)


def n_threads(n_jobs: int | None) -> int:
    """How many threads `n_jobs` means: None is one, -1 all processors."""
    if n_jobs is None or n_jobs == 1:
        return 1
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def threads_of(learner: HasThreads) -> int:
    """How many threads the learner may use now; `n_jobs` may have been set after `fit`."""
    check_parameters(learner, (N_JOBS,))
    return n_threads(learner.n_jobs)


def seed_of(random_state: RandomState) -> int:
    """The seed that a random state stands for: None is 0, so that the same data give the same model."""
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    return 0 if random_state is None else int(random_state) % 2**64
