"""A plan in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heldout.table.describe import aligned, note_lines, plural, shortened

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.plan.plan import Plan


def plan_lines(plan: Plan) -> list[str]:
    """The contenders, then how they are tuned, judged and chosen among."""
    rows = [(shortened(contender.name, 40), contender_words(contender)) for contender in plan.contenders]
    rows += [
        ("folds", "those of tuning" if plan.rigor == "quick" else split_words(plan.folds)),
        ("tuning", split_words(plan.tuning)),
        ("metrics", ", ".join(metric.name for metric in plan.metrics) or "those that suit the task"),
        ("choose by", "what suits the task" if plan.choose_by is None else plan.choose_by.name),
        ("rule", plan.rule.words),
        ("seed", "that of the study" if plan.seed is None else str(plan.seed)),
        ("rigor", plan.rigor),
    ]
    return [f"Plan of {plural(len(plan.contenders), 'contender')}", *aligned(rows), *note_lines(plan.notes)]


def contender_words(contender: Contender) -> str:
    """The learner, and what is chosen among.

    >>> import heldout as ho
    >>> contender_words(ho.Contender("tree", ho.TreeClassifier(), {"min_leaf": [2, 10]}))
    'TreeClassifier(), 2 settings of min_leaf'
    """
    words = [shortened(" ".join(repr(contender.learner).split()), 70)]
    if contender.n_settings > 1:
        names = dict.fromkeys(name for setting in contender.settings() for name in setting)
        words.append(f"{plural(contender.n_settings, 'setting')} of {shortened(', '.join(names), 60)}")
    if contender.prepare is None:
        words.append("rows as they are")
    elif contender.prepare != "auto":
        words.append(f"prepared by {shortened(' '.join(repr(contender.prepare).split()), 60)}")
    if contender.resample is not None:
        words.append(f"resampled {contender.resample}")
    if contender.choose == "one_se":
        words.append("the first within one standard error of the best")
    return ", ".join(words)


def split_words(split: Any) -> str:
    """A split with the settings that are not as they always are.

    >>> from heldout.split.k_fold import KFold
    >>> split_words(KFold(5))
    'KFold(k=5)'
    """
    settings = split.to_dict()
    name = settings.pop("split")
    usual = {"repeats": 1, "stratified": True, "seed": None}
    shown = [f"{key}={value!r}" for key, value in settings.items() if usual.get(key, ...) != value]
    return f"{name}({', '.join(shown)})"
