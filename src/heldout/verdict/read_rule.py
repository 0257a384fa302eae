"""A rule from its plain form."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from heldout.errors import DataError, InputTypeError
from heldout.text.words import suggestion
from heldout.verdict.best_mean import BestMean
from heldout.verdict.rule import Rule
from heldout.verdict.simplest_within_noise import SimplestWithinNoise

RULES: Mapping[str, type[Rule]] = {each.__name__: each for each in (SimplestWithinNoise, BestMean)}


def read_rule(plain: Mapping[str, Any]) -> Rule:
    """The rule that `to_dict` made this of."""
    if not isinstance(plain, Mapping):
        raise InputTypeError(
            "a rule is kept as a dict", where=f"{plain!r:.60}", fix="give what rule.to_dict() made"
        )
    settings = dict(plain)
    name = str(settings.pop("rule", ""))
    if name not in RULES:
        raise DataError(
            f"there is no rule {name!r}", where=f"rule={name!r}", fix=suggestion(name, list(RULES))
        )
    kind: Any = RULES[name]
    known = [each.name for each in dataclasses.fields(kind)]
    for setting in settings:
        if setting not in known:
            fix = suggestion(setting, known) if known else "leave it out: the rule has no settings"
            raise DataError(f"the rule {name} has no {setting}", where=f"{setting} in the rule", fix=fix)
    found: Rule = kind(**settings)
    return found
