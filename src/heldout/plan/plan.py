"""A plan: everything that is decided before anything runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from heldout.errors import RequestError
from heldout.metrics.metric import Metric
from heldout.plan.code_fingerprint import digest_of
from heldout.plan.contender import Contender, read_contender
from heldout.plan.plan_checks import (
    checked_contenders,
    checked_metric,
    checked_metrics,
    checked_rigor,
    checked_rule,
    checked_seed,
    checked_split,
    judging_split,
)
from heldout.plan.read_values import Reading, odd, read_json, read_metric, written_metric
from heldout.plan.trusted_names import checked_allow
from heldout.split.k_fold import KFold, RotatingValidation
from heldout.split.split import Split
from heldout.split.split_from_dict import split_from_dict
from heldout.text.layout import align_cells, note_lines
from heldout.text.words import plural, shorten, suggestion
from heldout.verdict.read_rule import read_rule
from heldout.verdict.rule import Rule
from heldout.verdict.simplest_within_noise import SimplestWithinNoise

FORM = 1
FOLDS, TUNING, RULE = KFold(10, repeats=3), KFold(5), SimplestWithinNoise()
# By which folds contenders are judged; in a quick plan, by those of the tuning.
USUAL_FOLDS = {"quick": TUNING, "standard": FOLDS, "thorough": KFold(10, repeats=10)}
_FIELDS = ("contenders", "folds", "tuning", "metrics", "choose_by", "rule", "seed", "rigor")


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Plan:
    """Contenders, and how they are tuned, judged and chosen among. It cannot be changed; make another.

    Parameters
    ----------
    contenders
        ho.Contender objects, such as those of ho.default_contenders(task); a baseline is added where
        there is none
    folds
        by which contenders are judged
    tuning
        by which each chooses its setting, within the training rows of every fold
    metrics
        names or metrics to score by; left out, those that suit the task
    choose_by
        the metric that settings and contenders are chosen by; left out, accuracy; where one class has
        more than 70% of the rows, AUC, or balanced accuracy of several classes; RMSE of numbers
    rule
        how the winner is chosen
    seed
        of everything random; left out, that of the study
    rigor
        "standard" and "thorough" judge by folds; "quick" by the tuning folds only, corrected for the
        choosing

    Examples
    --------
    >>> import heldout as ho
    >>> plan = Plan([ho.Contender("tree", ho.TreeClassifier(), {"min_leaf": [2, 10]})], seed=7)
    >>> print(plan)
    Plan of 1 contender
      tree       TreeClassifier(), 2 settings of min_leaf
      folds      KFold(k=10, repeats=3)
      tuning     KFold(k=5)
      metrics    those that suit the task
      choose by  what suits the task
      rule       the simplest within 1 standard error and a margin of the best: 1%,
                 or a quarter of its error (a tenth of a loss) if less
      seed       7
      rigor      standard
    >>> Plan.from_json(plan.to_json()).digest == plan.digest
    True
    """

    contenders: tuple[Contender, ...]
    folds: Split
    tuning: Split
    metrics: tuple[Metric, ...]
    choose_by: Metric | None
    rule: Rule
    seed: int | None
    rigor: str
    notes: tuple[str, ...]

    def __init__(
        self,
        contenders: Contender | Iterable[Contender],
        folds: Split = FOLDS,
        tuning: Split = TUNING,
        metrics: str | Metric | Iterable[str | Metric] = (),
        choose_by: str | Metric | None = None,
        rule: Rule = RULE,
        seed: int | None = None,
        rigor: str = "standard",
    ) -> None:
        listed, judges = checked_contenders(contenders), checked_metrics(metrics)
        checked_rigor(rigor)
        inner = checked_split("tuning", tuning, is_tuning=True)
        fields = {
            "contenders": listed,
            "folds": judging_split(folds, inner, rigor, usual=FOLDS),
            "tuning": inner,
            "metrics": judges,
            "choose_by": _chosen(choose_by, judges),
            "rule": checked_rule(rule),
            "seed": checked_seed(seed),
            "rigor": rigor,
            "notes": tuple(dict.fromkeys(note for each in listed for note in each.notes)),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def quick(cls, contenders: Any, **choices: Any) -> Self:
        """Tuning folds only: about a thirtieth of the time; scores are corrected for the choosing.

        Parameters
        ----------
        contenders
            as for a plan
        choices
            other fields of the plan; there are no folds but those of `tuning`

        Examples
        --------
        >>> import heldout as ho
        >>> Plan.quick([ho.Contender("tree", ho.TreeClassifier())]).folds
        KFold(k=5, repeats=1, stratified=True, seed=None)
        """
        return cls(contenders, **(choices | {"rigor": "quick"}))

    @classmethod
    def standard(cls, contenders: Any, **choices: Any) -> Self:
        """10 folds, 3 times, and 5 folds within each for tuning.

        Parameters
        ----------
        contenders
            as for a plan
        choices
            other fields of the plan

        Examples
        --------
        >>> import heldout as ho
        >>> Plan.standard([ho.Contender("tree", ho.TreeClassifier())]).rigor
        'standard'
        """
        return cls(contenders, **(choices | {"rigor": "standard"}))

    @classmethod
    def thorough(cls, contenders: Any, **choices: Any) -> Self:
        """10 folds, 10 times, and learning curves.

        Parameters
        ----------
        contenders
            as for a plan
        choices
            other fields of the plan

        Examples
        --------
        >>> import heldout as ho
        >>> Plan.thorough([ho.Contender("tree", ho.TreeClassifier())]).folds.repeats
        10
        """
        return cls(contenders, **({"folds": USUAL_FOLDS["thorough"]} | choices | {"rigor": "thorough"}))

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the contenders."""
        return tuple(contender.name for contender in self.contenders)

    @property
    def needs_tuning(self) -> bool:
        """Whether some contender has settings to choose among by the tuning folds."""
        is_chosen = any(contender.n_settings > 1 for contender in self.contenders)
        return is_chosen and not isinstance(self.folds, RotatingValidation)

    def with_changes(self, **choices: Any) -> Self:
        """Another plan, with some fields changed.

        Examples
        --------
        >>> import heldout as ho
        >>> Plan([ho.Contender("tree", ho.TreeClassifier())]).with_changes(seed=3).seed
        3
        """
        unknown = sorted(set(choices) - set(_FIELDS))
        if unknown:
            raise RequestError(
                f"a plan has no {unknown[0]!r:.60}", where="with_changes", fix=suggestion(unknown[0], _FIELDS)
            )
        if "quick" in (self.rigor, choices.get("rigor")):
            choices = {"folds": FOLDS} | choices
        return type(self)(**({name: getattr(self, name) for name in _FIELDS} | choices))

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it; refused where a contender or metric cannot be written down."""
        return {
            "heldout_plan": FORM,
            "contenders": [contender.to_dict() for contender in self.contenders],
            "folds": self.folds.to_dict(),
            "tuning": self.tuning.to_dict(),
            "metrics": [written_metric(metric) for metric in self.metrics],
            "choose_by": None if self.choose_by is None else written_metric(self.choose_by),
            "rule": self.rule.to_dict(),
            "seed": self.seed,
            "rigor": self.rigor,
        }

    def to_json(self) -> str:
        """A text that `from_json` reads; threads, messages and caches of learners are left out."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes, allow: Sequence[str] = ()) -> Self:
        """The plan that `to_json` wrote. Code that has changed since is named in its notes.

        Parameters
        ----------
        text
            from anyone: nothing in it is run, and classes come from heldout, sklearn and `allow` only
        allow
            packages, modules or qualified names that you trust
        """
        return cls.from_dict(read_json(text), allow)

    @classmethod
    def from_dict(cls, record: Any, allow: Sequence[str] = ()) -> Self:
        """The plan that `to_dict` wrote; see `from_json`."""
        if type(record) is not dict or repr(record.get("heldout_plan")) != repr(FORM):
            raise odd("it is no plan of this form", f"{record!r:.80}")
        if set(record) != {"heldout_plan", *_FIELDS} or type(record["contenders"]) is not list:
            raise odd(f"a plan has {', '.join(_FIELDS)}", f"it has {', '.join(record)!r:.120}")
        if type(record["metrics"]) is not list:
            raise odd("metrics is a list", f"metrics={record['metrics']!r:.60}")
        reading = Reading(checked_allow(allow))
        choose_by = record["choose_by"]
        found = cls(
            contenders=tuple(read_contender(each, reading.allow) for each in record["contenders"]),
            folds=split_from_dict(record["folds"]),
            tuning=split_from_dict(record["tuning"]),
            metrics=tuple(read_metric(each, reading) for each in record["metrics"]),
            choose_by=None if choose_by is None else read_metric(choose_by, reading),
            rule=read_rule(record["rule"]),
            seed=record["seed"],
            rigor=record["rigor"],
        )
        object.__setattr__(found, "notes", tuple(dict.fromkeys((*found.notes, *reading.notes))))
        return found

    @cached_property
    def digest(self) -> str:
        """64 hexadecimal digits over all that the plan decides, and the versions of the code it names."""
        return digest_of(self.to_dict(), "plan")

    def __str__(self) -> str:
        return "\n".join(plan_lines(self))

    def __repr__(self) -> str:
        return str(self)


def _chosen(choose_by: Any, metrics: tuple[Metric, ...]) -> Metric | None:
    """The metric to choose by: one of those that are named, where the name is one of theirs."""
    if choose_by is None:
        return None
    own = {metric.name: metric for metric in metrics}
    if isinstance(choose_by, str) and choose_by in own:
        return own[choose_by]
    found = checked_metric(choose_by)
    if own.get(found.name, found) != found:
        raise RequestError(
            f"two metrics are called {found.name!r:.60}",
            where="choose_by and metrics",
            fix='give one of them a name of its own: metric.using(name="…", …)',
        )
    return found


def plan_lines(plan: Plan) -> list[str]:
    """The contenders, then how they are tuned, judged and chosen among."""
    rows = [(shorten(contender.name, 40), contender_words(contender)) for contender in plan.contenders]
    rows += [
        ("folds", "those of tuning" if plan.rigor == "quick" else split_words(plan.folds)),
        ("tuning", split_words(plan.tuning)),
        ("metrics", ", ".join(metric.name for metric in plan.metrics) or "those that suit the task"),
        ("choose by", "what suits the task" if plan.choose_by is None else plan.choose_by.name),
        ("rule", plan.rule.words),
        ("seed", "that of the study" if plan.seed is None else str(plan.seed)),
        ("rigor", plan.rigor),
    ]
    return [
        f"Plan of {plural(len(plan.contenders), 'contender')}",
        *align_cells(rows),
        *note_lines(plan.notes),
    ]


def contender_words(contender: Contender) -> str:
    """The learner, and what is chosen among."""
    words = [shorten(" ".join(repr(contender.learner).split()), 70)]
    if contender.n_settings > 1:
        names = dict.fromkeys(name for setting in contender.settings() for name in setting)
        words.append(f"{plural(contender.n_settings, 'setting')} of {shorten(', '.join(names), 60)}")
    if contender.prepare is None:
        words.append("rows as they are")
    elif contender.prepare != "auto":
        words.append(f"prepared by {shorten(' '.join(repr(contender.prepare).split()), 60)}")
    if contender.resample is not None:
        words.append(f"resampled {contender.resample}")
    if contender.choose == "one_se":
        words.append("the first within one standard error of the best")
    return ", ".join(words)


def split_words(split: Any) -> str:
    """A split with the settings that are not as they always are."""
    settings = split.to_dict()
    name = settings.pop("split")
    usual = {"repeats": 1, "stratified": True, "seed": None}
    shown = [f"{key}={value!r}" for key, value in settings.items() if usual.get(key, ...) != value]
    return f"{name}({', '.join(shown)})"
