"""What a plan may be made of, each refused with what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from heldout.checks.values import check_choice, check_seed
from heldout.errors import InputTypeError, RequestError
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.plan.contender import Contender, look_of
from heldout.split.k_fold import RotatingValidation
from heldout.split.split import Split
from heldout.split.split_from_dict import SPLITS
from heldout.verdict.best_mean import BestMean
from heldout.verdict.rule import Rule
from heldout.verdict.simplest_within_noise import SimplestWithinNoise

RIGORS = ("quick", "standard", "thorough")
MOST_CONTENDERS = 1000
LONGEST_METRIC = 100


def checked_contenders(contenders: Any) -> tuple[Contender, ...]:
    """Contenders with names that can be told apart, in the order in which they were given."""
    if isinstance(contenders, Contender):
        return (contenders,)
    if isinstance(contenders, str | dict) or not isinstance(contenders, Iterable):
        raise InputTypeError(
            "a plan needs contenders",
            where=f"Plan({contenders!r:.60})",
            fix='write Plan([ho.Contender("tree", ho.TreeClassifier()), …])',
        )
    listed = tuple(contenders)
    if not listed:
        raise RequestError(
            "a plan needs contenders",
            where="Plan([])",
            fix="take those of ho.default_contenders(task), or name your own",
        )
    if len(listed) > MOST_CONTENDERS:
        raise RequestError(
            f"a plan has at most {MOST_CONTENDERS:,} contenders",
            where=f"{len(listed):,} contenders",
            fix="let one contender choose among settings: give it a space",
        )
    for index, contender in enumerate(listed):
        if not isinstance(contender, Contender):
            raise InputTypeError(
                "a plan is made of contenders",
                where=f"contenders[{index}] is a {type(contender).__name__}",
                fix=f'give it a name: ho.Contender("{_short_name(contender)}", …)',
            )
    _refuse_alike([contender.name for contender in listed])
    return listed


def checked_split(name: str, split: Any, is_tuning: bool = False) -> Split:
    """A split of Heldout's, which obeys groups and time."""
    if isinstance(split, int) and not isinstance(split, bool):
        raise InputTypeError(
            f"{name} is a split", where=f"{name}={split!r:.60}", fix=f"write ho.KFold({split})"
        )
    if type(split) not in SPLITS.values():
        raise InputTypeError(
            f"{name} is a split of Heldout's",
            where=f"{name}={split!r:.60}",
            fix=f"hand over ho.{split.__name__}()"
            if isinstance(split, type) and split in SPLITS.values()
            else "use ho.KFold(10), ho.Holdout(), ho.EveryKth(10), ho.LeaveOneOut(), ho.RotatingValidation()",
        )
    if is_tuning and isinstance(split, RotatingValidation):
        raise RequestError(
            "rotating validation is a way to judge, not to tune",
            where=f"{name}={split!r:.60}",
            fix="give it as folds=, where it tunes on a part of its own; or tune by ho.KFold(5)",
        )
    known: Split = split
    return known


def judging_split(folds: Any, tuning: Split, rigor: str, usual: Split) -> Split:
    """The split by which contenders are judged; that of tuning where rigor is "quick".

    usual: what `folds` is where no one says so
    """
    checked = checked_split("folds", folds)
    if rigor != "quick":
        return checked
    if checked not in (usual, tuning):
        raise RequestError(
            "a quick plan has no folds but those of tuning",
            where=f'folds={checked!r:.60}, rigor="quick"',
            fix="give them as tuning=…, or use Plan.standard",
        )
    return tuning


def checked_metrics(metrics: Any) -> tuple[Metric, ...]:
    """Metrics that judge answers, each once."""
    listed = [metrics] if isinstance(metrics, str | Metric) else metrics
    if listed is None:
        return ()
    if not isinstance(listed, Iterable) or isinstance(listed, dict):
        raise InputTypeError(
            "metrics is a list of names or metrics",
            where=f"metrics={metrics!r:.60}",
            fix='write for instance metrics=("accuracy", "auc")',
        )
    found = tuple(checked_metric(each) for each in listed)
    names = [metric.name for metric in found]
    for name in names:
        if names.count(name) > 1:
            raise RequestError(
                f"the metric {name!r:.60} is named twice", where=f"metrics={names!r:.80}", fix="name it once"
            )
    return found


def checked_metric(metric: Any) -> Metric:
    """A metric that judges answers; what is a property of a model is recorded anyway."""
    found = metric_named(metric)
    if not found.name.isprintable() or len(found.name) > LONGEST_METRIC:
        raise RequestError(
            f"the name of a metric is printable, and has at most {LONGEST_METRIC} characters",
            where=f"metric {found.name!r:.60}",
            fix='give it another: metric.using(name="…")',
        )
    if found.needs == "model":
        raise RequestError(
            f"{found.name!r} does not judge answers",
            where=f"metric {found.name!r}",
            fix="leave it out: seconds and description bits are recorded for every contender",
        )
    return found


def checked_rule(rule: Any) -> Rule:
    """A rule of Heldout's."""
    if isinstance(rule, SimplestWithinNoise | BestMean):
        return rule
    is_class = isinstance(rule, type)
    raise InputTypeError(
        "a rule is ho.SimplestWithinNoise(…) or ho.BestMean()",
        where=f"rule={rule!r:.60}",
        fix=f"hand over {rule.__name__}()" if is_class else "leave it out, or use one of these",
    )


def checked_rigor(rigor: Any) -> None:
    """Refuse what is not "quick", "standard" or "thorough"."""
    check_choice("rigor", rigor, RIGORS)


def checked_seed(seed: Any) -> int | None:
    """A whole number of at least 0, or None for that of the study."""
    return None if seed is None else check_seed(seed)


def _refuse_alike(names: list[str]) -> None:
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(look_of(name), name)
        if names.count(name) > 1 or other != name:
            taken = {look_of(each) for each in names}
            free = next(
                f"{name} {n}" for n in range(2, len(names) + 3) if look_of(f"{name} {n}") not in taken
            )
            raise RequestError(
                f"two contenders are called {name!r}"
                if other == name
                else f"{other!r} and {name!r} can hardly be told apart",
                where="contenders of a plan",
                fix=f"call one of them for instance {free!r}",
            )


def _short_name(learner: Any) -> str:
    name = learner.__name__ if isinstance(learner, type) else type(learner).__name__
    for ending in ("Classifier", "Regressor"):
        name = name.removesuffix(ending)
    return name.lower() or "learner"
