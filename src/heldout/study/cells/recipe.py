"""How a contender is fitted: preparation, learner, settings and seeds, made ready once for all cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from heldout.plan.random_states import with_random_states
from heldout.study.cells.preparation import does_nothing, preparation_of
from heldout.study.cells.seeded import copy_of_seeded, seeded_setting
from heldout.study.cells.training_part import TrainingPart

if TYPE_CHECKING:
    from heldout.plan.contender import Contender

Setting = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Recipe:
    """A contender before any setting; nothing in it is ever fitted, only copies are.

    name:        of the contender
    preparation: with every seed set; None where nothing is to be done
    learner:     with every seed set
    settings:    in order
    learning:    of each setting what the learner is told, with every seed set
    preparing:   of each setting what the preparation is told
    resample:    None, "down" or "up": classes of equal size in whatever is fitted on
    seed:        for every random_state that is None, and for resampling
    """

    name: str
    preparation: Any
    learner: Any
    settings: tuple[dict[str, Any], ...]
    learning: tuple[dict[str, Any], ...]
    preparing: tuple[dict[str, Any], ...]
    resample: str | None
    seed: int

    def prepared(
        self, setting: Setting, part: TrainingPart, judged: TrainingPart | None = None
    ) -> tuple[Any, TrainingPart, TrainingPart | None]:
        """The fitted preparation, the training part behind it, and rows to judge by behind it.

        setting: parameters of the preparation
        part:    what it is fitted on
        judged:  rows that it only transforms; None where there are none
        """
        if self.preparation is None:
            return None, part, judged
        fitted = copy_of_seeded(self.preparation, setting, self.seed)
        made = fitted.fit_transform(part.X, part.y)
        later = None if judged is None else replace(judged, X=fitted.transform(judged.X))
        return fitted, replace(part, X=made), later

    def unfitted(self, setting: Setting) -> Any:
        """A copy of the learner with this setting of its own."""
        return copy_of_seeded(self.learner, setting, self.seed)

    def resampled(self, part: TrainingPart) -> TrainingPart:
        """What is fitted on of a training part."""
        return part.resampled(self.resample, self.seed)


def recipe_for(contender: Contender, X: Any, seed: int, settings: Any = None) -> Recipe:
    """The recipe of a contender for inputs of these kinds.

    X:        a Table; only the kinds of its columns are looked at
    seed:     for every random_state that is None
    settings: left out, those of the contender

    >>> import heldout as ho
    >>> X = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis").X
    >>> recipe = recipe_for(ho.Contender("forest", ho.ForestClassifier()), X, seed=3)
    >>> recipe.preparation, recipe.learner.random_state is None
    (None, False)
    """
    listed = tuple(contender.settings() if settings is None else settings)
    parts = [contender.divided(setting) for setting in listed]
    preparing = tuple(rest for _, rest in parts)
    preparation = preparation_of(contender, X)
    if does_nothing(preparation) and not any(preparing):
        preparation = None
    learner = with_random_states(contender.learner, seed)
    return Recipe(
        name=contender.name,
        preparation=None if preparation is None else with_random_states(preparation, seed),
        learner=learner,
        settings=listed,
        learning=tuple(seeded_setting(learner, ours, seed) for ours, _ in parts),
        preparing=preparing,
        resample=contender.resample,
        seed=seed,
    )
