"""Studies of labels that nothing explains: every honest number is ½ on average, whatever was tried.

Labels are balanced and folds stratified, so that guessing the majority gets exactly ½. With labels drawn at
random the larger class is guessed, and known to be larger: that is no fault of the estimate.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import heldout as ho
from heldout.plan.resolved_plan import resolve_plan
from heldout.study.cells.cell import cell_key, run_cell
from heldout.study.cells.work import work_of
from heldout.study.study import Study

Numbers = NDArray[np.float64]
N_PLANS = 5
OUTER, INNER = ho.KFold(5), ho.KFold(4)
MANY = ho.Contender(
    "40 settings",
    ho.NeighborsClassifier(),
    {"k": list(range(1, 21)), "weights": ["uniform", "inverse"]},
    prepare=None,
)


@dataclass(frozen=True)
class NestedNoise:
    """What 40 settings got on sets of noise, an entry for each set.

    nested: the nested estimate of the accuracy
    inner:  the best inner score, as whoever reports the best setting would see it; the mean over outer folds
    """

    n_rows: int
    nested: Numbers
    inner: Numbers


@dataclass(frozen=True)
class VerdictNoise:
    """What the verdict said of sets of noise after five edited plans, an entry for each set.

    default:   the verdict's number under the default rule
    best_mean: the number under `BestMean`, which takes the best score whether or not it beats the baseline
    best:      the best cross-validated score among all contenders of all plans
    inner:     the best mean inner score among them
    n_sure:    in how many sets the interval of the number under `BestMean` holds ½
    n_winners: in how many sets something was said to beat guessing
    """

    n_open: int
    default: Numbers
    best_mean: Numbers
    best: Numbers
    inner: Numbers
    n_sure: int
    n_winners: int


def noise_table(
    generator: np.random.Generator, n_rows: int, n_inputs: int = 4, is_balanced: bool = True
) -> ho.Table:
    """Normal inputs and labels that have nothing to do with them."""
    labels = generator.permutation(np.arange(n_rows) % 2) if is_balanced else generator.integers(0, 2, n_rows)
    inputs = generator.normal(size=(n_inputs, n_rows))
    columns = [ho.Column(f"x{place}", "number", values) for place, values in enumerate(inputs)]
    return ho.Table([*columns, ho.Column("y", "number", labels.astype(np.float64))])


def nested_noise(
    n_sets: int,
    n_rows: int = 60,
    folds: ho.KFold = OUTER,
    tuning: ho.KFold = INNER,
    contender: ho.Contender = MANY,
    is_balanced: bool = True,
) -> NestedNoise:
    """Cells as a study runs them, with 40 settings tuned inside each."""
    generator = np.random.default_rng([n_rows, folds.k])
    plan = ho.Plan([contender], folds=folds, tuning=tuning, metrics=["accuracy"], choose_by="accuracy")
    assert contender.n_settings == 40
    found = []
    for seed in range(n_sets):
        task = ho.Task(noise_table(generator, n_rows, is_balanced=is_balanced), "y", kind="classification")
        work = work_of(task, resolve_plan(plan, task, seed))
        keys = [cell_key(work, contender.digest, fold) for fold in work.folds]
        cells = [run_cell(work, key) for key in keys]
        # Folds may differ in size by a row: the estimate is over rows, as in the verdict.
        n_right = sum(cell.scores["accuracy"] * len(cell.rows) for cell in cells)
        found.append((n_right / n_rows, np.mean([cell.choice_scores.max() for cell in cells])))
    nested, inner = np.array(found).T
    return NestedNoise(n_rows, nested, inner)


def edited(number: int) -> tuple[ho.Contender, ...]:
    """Six contenders; with every edit of the plan they get other settings to choose among."""
    k = [number + 1, number + 4, number + 8, number + 14]
    near = {
        metric: ho.Contender(metric, ho.NeighborsClassifier(metric=metric), {"k": k}, prepare=None)
        for metric in ("l2", "l1", "linf", "cosine")
    }
    tree = ho.TreeClassifier(min_leaf=number + 1, prune=None)
    line = {"epochs": [number + 1, number + 5]}
    return (
        *near.values(),
        ho.Contender("tree", tree, {"max_depth": [1, 3]}, prepare=None),
        ho.Contender("perceptron", ho.Perceptron(), line, prepare=None),
    )


def verdict_noise(n_sets: int, n_rows: int = 75) -> VerdictNoise:
    """Whole studies: five plans of six contenders, each an edit of the last, all in one study file."""
    generator = np.random.default_rng([n_rows, N_PLANS])
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    try:
        found = [_verdicts(folder, noise_table(generator, n_rows), seed) for seed in range(n_sets)]
    finally:
        shutil.rmtree(folder)
    n_open = int(found[0][-1])
    default, best_mean, best, inner, is_sure, is_winner, _ = np.array(found).T
    return VerdictNoise(n_open, default, best_mean, best, inner, int(is_sure.sum()), int(is_winner.sum()))


def _verdicts(folder: Path, table: ho.Table, seed: int) -> tuple[float, ...]:
    asked = {"folds": ho.KFold(5), "tuning": ho.KFold(3), "metrics": ["accuracy"], "choose_by": "accuracy"}
    with Study.create(folder / f"{seed}.heldout", table, "y", kind="classification", seed=seed) as study:
        for number in range(N_PLANS):
            plan = ho.Plan(edited(number), **asked)
            verdict = study.run(plan, n_jobs=1, progress=False).verdict
        # The same contenders and cells; only how is chosen among them differs.
        plan = ho.Plan(edited(N_PLANS - 1), rule=ho.BestMean(), **asked)
        taken = study.run(plan, n_jobs=1, progress=False).verdict
        inner = best_inner(study)
        n_open = study.task.n_rows
    (folder / f"{seed}.heldout").unlink()
    assert verdict.n_contenders == taken.n_contenders == 6 * N_PLANS + 1
    assert verdict.corrected is not None
    return (
        verdict.number.estimate,
        taken.number.estimate,
        verdict.corrected.best_score,
        inner,
        0.5 in taken.number,
        verdict.beats_baseline,
        n_open,
    )


def best_inner(study: Study) -> float:
    """The best inner score of any contender, averaged over its cells."""
    best: dict[str, list[float]] = {}
    for fact in study.ledger.facts("cell"):
        result = fact.body["result"]
        scores: Sequence[float] = [each for each in result["choice_scores"] if each is not None]
        if scores:
            best.setdefault(result["contender"], []).append(max(scores))
    return max(float(np.mean(each)) for each in best.values())
