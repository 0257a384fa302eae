"""What the steps are mostly asked for can be said without a name, in the order in which it is said."""

from __future__ import annotations

import inspect

import pytest

import heldout as ho


@pytest.mark.parametrize(
    ("step", "given"),
    [
        (ho.Discretize, {"n": 4}),
        (ho.DropRare, {"min_count": 5, "max_count": -1}),
        (ho.DropLowVariance, {"threshold": 0.1}),
        (ho.PatchFeatures, {"size": 4, "n": 16}),
        (ho.TreePaths, {"length": 3, "tree": None}),
    ],
)
def test_leading_parameters_need_no_names(step: type, given: dict[str, object]) -> None:
    """`Discretize(4)` is `Discretize(n=4)`, and so on; all further parameters are named."""
    parameters = step(*given.values()).get_params()
    assert {name: parameters[name] for name in given} == given
    others = [each for each in inspect.signature(step).parameters.values() if each.name not in given]
    assert {each.kind for each in others} == {inspect.Parameter.KEYWORD_ONLY}
