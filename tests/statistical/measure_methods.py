"""Measure what intervals and tests do, and write the tables of docs/methods/.

    .venv/bin/python -m tests.statistical.measure_methods

It takes about half an hour on two cores. Each place is kept in build/methods/, so an interrupted run goes on
where it stopped; `--share 0.1` takes a tenth of the data sets.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .cross_validations import (
    CLASSIFIERS,
    LOGISTIC,
    NEIGHBORS,
    NEIGHBORS_OF_NUMBERS,
    PRUNED_OF_NUMBERS,
    REGRESSORS,
    RIDGE,
    TREE,
    TREE_OF_NUMBERS,
    Contender,
    answers,
    seeded,
    truth,
)
from .false_alarms import Alarms, alarms, forward_alarms
from .group_coverage import group_coverage
from .interval_coverage import Coverage, coverage
from .populations import (
    CLASSIFIED,
    FAINT,
    GAUSSIAN,
    MEASURED,
    NORMAL_NOISE,
    T5_NOISE,
    TREE_RULE,
    Population,
    Rows,
)

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "methods"
PAGES = ROOT / "docs" / "methods"
MOST_PROCESSES = 2
NESTED = "nested cross-validation"


@dataclass(frozen=True)
class Job:
    """One place of a table: what is measured, where, with how many rows or groups, on how many made sets."""

    kind: str
    population: Population
    contender: Contender
    n_rows: int
    n_sets: int

    @property
    def name(self) -> str:
        words = [self.kind, self.population.name, self.contender.name, str(self.n_rows), str(self.n_sets)]
        return "-".join("".join(c if c.isalnum() else "_" for c in word) for word in words)


def jobs(share: float) -> list[Job]:
    """Everything that is measured."""
    found = []
    for population in (*CLASSIFIED, FAINT, *MEASURED):
        for contender in CLASSIFIERS if population.is_classified else REGRESSORS:
            n_sets = 200 if contender is LOGISTIC else 500
            found += [Job("coverage", population, contender, n_rows, n_sets) for n_rows in (50, 200)]
            if population is not FAINT:
                n_sets = 100 if contender is LOGISTIC else 500
                # Small trees on few rows differ most from fold to fold, and come nearest to the limit.
                n_small = 2000 if contender is TREE else n_sets
                found.append(Job("alarms", population, contender, 50, n_small))
                found.append(Job("alarms", population, contender, 200, n_sets))
    found += [Job("coverage", population, TREE, 1000, 200) for population in CLASSIFIED]
    found += [
        Job("coverage", GAUSSIAN, NEIGHBORS, 1000, 200),
        Job("coverage", NORMAL_NOISE, RIDGE, 1000, 200),
    ]
    found += [Job("nested", population, TREE, 50, 200) for population in CLASSIFIED]
    found += [Job("nested", GAUSSIAN, TREE, 200, 200), Job("nested", GAUSSIAN, NEIGHBORS, 50, 200)]
    found += [Job("nested", NORMAL_NOISE, contender, 50, 200) for contender in (RIDGE, TREE_OF_NUMBERS)]
    found += [
        Job("alarms", population, PRUNED_OF_NUMBERS, n_rows, 500)
        for population in MEASURED
        for n_rows in (50, 200)
    ]
    found += [
        Job(f"alarms of {n_folds} forward folds", population, contender, 200, 500)
        for n_folds in (5, 10)
        for population, contender in (
            (GAUSSIAN, TREE),
            (TREE_RULE, TREE),
            (NORMAL_NOISE, RIDGE),
            (NORMAL_NOISE, NEIGHBORS_OF_NUMBERS),
            (T5_NOISE, NEIGHBORS_OF_NUMBERS),
            (T5_NOISE, PRUNED_OF_NUMBERS),
        )
    ]
    found += [Job("alarms of 10 × 10", population, TREE, 200, 200) for population in CLASSIFIED]
    found += [Job("alarms of 10 × 10", NORMAL_NOISE, RIDGE, 50, 200)]
    found += [
        Job("groups", GAUSSIAN, contender, n_groups, 300)
        for contender in (TREE, NEIGHBORS)
        for n_groups in (20, 60)
    ]
    found += [
        Job("groups", NORMAL_NOISE, contender, n_groups, 300)
        for contender in REGRESSORS[:2]
        for n_groups in (20, 60)
    ]
    return [dataclasses.replace(job, n_sets=max(int(job.n_sets * share), 10)) for job in found]


def nested_coverage(contender: Contender, population: Population, n_rows: int, n_sets: int) -> list[Coverage]:
    """The coverage of the nested interval, of the error of models that learn from all rows."""
    # Nine tenths of this many rows are all of them.
    true = truth(contender, population, round(n_rows / 0.9)).loss
    generator = seeded("nested", contender.name, population.name, n_rows)
    n_held, widths = 0, []
    for place in range(n_sets):
        found = nested(contender, population.rows(generator, n_rows), seed=place)
        n_held += true in found
        widths.append(found.inflation)
    return [Coverage(population.name, contender.name, n_rows, NESTED, n_held, n_sets, float(np.mean(widths)))]


def nested(contender: Contender, rows: Rows, seed: int, repeats: int = 10) -> Any:
    """The nested interval of the mean loss of a learner."""
    from heldout.stats.nested_cv_interval import nested_cv_interval

    X, y = rows.views[0], rows.y
    is_classified = y.dtype.kind == "i"

    def losses(train: Any, test: Any) -> Any:
        if is_classified and len(set(y[train].tolist())) == 1:
            return y[test] != y[train][0]
        predicted = answers(contender, X[train], y[train], X[test]).predicted
        return predicted != y[test] if is_classified else (predicted - y[test]) ** 2

    return nested_cv_interval(losses, len(y), repeats=repeats, seed=seed)


def measured(job: Job) -> list[Coverage] | list[Alarms]:
    """What was found at one place, from the file of an earlier run or anew."""
    file = KEPT / f"{job.name}.json"
    is_test = job.kind.startswith("alarms")
    kind = Alarms if is_test else Coverage
    if file.exists():
        return [kind(**row) for row in json.loads(file.read_text(encoding="utf-8"))]
    from threadpoolctl import threadpool_limits

    place = job.contender, job.population, job.n_rows, job.n_sets
    with threadpool_limits(limits=1):
        if "forward" in job.kind:
            found: Any = forward_alarms(*place, n_folds=10 if "10" in job.kind else 5)
        elif is_test:
            found = alarms(*place, n_repeats=10 if "10" in job.kind else 3)
        elif job.kind == "groups":
            found = group_coverage(job.contender, job.population.is_classified, job.n_rows, job.n_sets)
        else:
            found = (nested_coverage if job.kind == "nested" else coverage)(*place)
    KEPT.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps([dataclasses.asdict(row) for row in found]), encoding="utf-8")
    return found


def measured_at(place: tuple[int, float]) -> list[Coverage] | list[Alarms]:
    """The same by number, because a contender that is a function cannot be sent to another process."""
    return measured(jobs(place[1])[place[0]])


def main() -> None:
    """Measure what is missing, then write the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    share = parser.parse_args().share
    todo = jobs(share)
    with ProcessPoolExecutor(MOST_PROCESSES) as pool:
        found = list(pool.map(measured_at, [(place, share) for place in range(len(todo))]))
    rows = [
        row
        for job, each in zip(todo, found, strict=True)
        for row in each
        # The tests over fewer folds were measured on more sets.
        if "10 × 10" not in job.kind or (isinstance(row, Alarms) and "10 × 10" in row.test)
    ]
    from .methods_pages import write_pages

    write_pages(
        [row for row in rows if isinstance(row, Coverage)], [row for row in rows if isinstance(row, Alarms)]
    )


if __name__ == "__main__":
    main()
