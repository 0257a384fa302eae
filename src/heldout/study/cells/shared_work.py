"""What is made once for all folds, where that changes no answer: codes of columns, lists of neighbors."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sklearn.utils import get_tags

from heldout.errors import HeldoutError
from heldout.inputs.numeric_inputs import share_matrix
from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.study.cells.guarded_fit import one_algebra_thread
from heldout.study.cells.recipe import TrainingPart
from heldout.table.table import Table

if TYPE_CHECKING:
    from heldout.study.cells.recipe import Recipe
    from heldout.study.cells.work import Work

# To list the neighbors of all rows costs as much as the searches of about so many cells.
FEWEST_CELLS = 4


def share_between_folds(work: Work, n_cells: int, n_threads: int = 1) -> None:
    """Make what the folds of a plan have in common before they are run, and before processes are forked.

    n_cells:   how many cells will be run
    n_threads: for the searches
    """
    with one_algebra_thread():  # finds the libraries, which forked processes need not do again
        pass
    if n_cells < FEWEST_CELLS:
        return
    recipes = [work.recipe_of(contender) for contender in work.resolved.contenders]
    # Behind a preparation rows differ from fold to fold, and what others call "share" may be anything.
    plain = [recipe for recipe in recipes if recipe.preparation is None and is_ours(recipe.learner)]
    if not all(_takes_codes(recipe.learner) for recipe in plain):
        share_matrix(work.X)
    if any(_takes_codes(recipe.learner) for recipe in plain):
        _make_codes(work, n_threads)
    for recipe in plain:
        if recipe.resample is None and hasattr(recipe.learner, "share"):
            _share_neighbors(recipe, work, n_threads)


def _takes_codes(learner: Any) -> bool:
    """Whether the learner works with the codes of columns, which every table keeps by itself."""
    return bool(get_tags(learner).input_tags.categorical)


def _make_codes(work: Work, n_threads: int) -> None:
    """The codes of all columns, which they keep."""
    with suppress(HeldoutError):  # a column of strings is for the cells to complain of
        work.X.coded(n_threads)


def _share_neighbors(recipe: Recipe, work: Work, n_threads: int) -> None:
    """Lists of neighbors for every way in which the settings compare rows, as long as the largest k."""
    most: dict[str, tuple[Any, int]] = {}
    for setting in recipe.learning:
        learner = recipe.unfitted(setting)
        if not isinstance(learner.k, int):
            continue
        key = f"{learner.metric} {learner.feature_weights!r}"
        _, before = most.get(key, (learner, 0))
        most[key] = learner, max(before, learner.k)
    for learner, k in most.values():
        try:
            learner.share(work.X, k, n_threads)
        except HeldoutError:  # what is wrong with the rows is for the cells to say
            continue


def is_ours(learner: Any) -> bool:
    """Whether the learner is one of Heldout's."""
    inner = getattr(learner, "estimator_", learner) if type(learner) is ThresholdClassifier else learner
    return type(inner).__module__.split(".")[0] == "heldout"


def own_part(learner: Any, part: TrainingPart) -> TrainingPart:
    """The part as this learner may have it to itself."""
    if is_ours(learner):
        return part
    return replace(
        part,
        X=own_rows(learner, part.X),
        y=part.y.copy(),
        weights=None if part.weights is None else part.weights.copy(),
        groups=None if part.groups is None else part.groups.copy(),
    )


def own_rows(learner: Any, X: Any) -> Any:
    """The rows as this learner may have them to itself."""
    is_safe = is_ours(learner) or isinstance(X, Table) or not hasattr(X, "copy")
    return X if is_safe else X.copy()
