"""A program that can be measured: how to get it ready, start it, and judge what it made."""

from __future__ import annotations

import gc
import importlib.util
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.problem import Problem


@dataclass(frozen=True)
class Run:
    """One start of one program. Score is accuracy or R² on the rows to judge on, if it was asked for."""

    wall_seconds: float
    cpu_seconds: float
    score: float | None = None
    n_leaves: int | None = None


class GaveUpError(Exception):
    """A program took longer than anyone would wait."""


class Program(ABC):
    """A tree learner among those that are compared."""

    name: str

    @abstractmethod
    def missing(self) -> str | None:
        """Say why this program can't take part, or None."""

    @abstractmethod
    def run(self, problem: Problem, n_threads: int, is_judged: bool) -> Run:
        """Fit once, and measure it."""


class PythonProgram(Program):
    """A program that runs in this process."""

    module: str

    def missing(self) -> str | None:
        return None if importlib.util.find_spec(self.module) else f"{self.module} is not installed"

    @abstractmethod
    def prepare(self, problem: Problem, n_threads: int) -> Callable[[], Any]:
        """Make the program's own container, and return what is to be measured."""

    @abstractmethod
    def score(self, model: Any, problem: Problem) -> float:
        """Accuracy, or R² for regression."""

    @abstractmethod
    def n_leaves(self, model: Any) -> int:
        """Leaves of the tree."""

    def run(self, problem: Problem, n_threads: int, is_judged: bool) -> Run:
        fit = self.prepare(problem, n_threads)
        model, wall, cpu = clocked(fit)
        if not is_judged:
            return Run(wall, cpu)
        return Run(wall, cpu, self.score(model, problem), self.n_leaves(model))


def clocked(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """Do the work; return what it gave, the seconds on the wall, and the CPU seconds of all threads."""
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def judged(answers: Any, problem: Problem) -> float:
    """Accuracy of class numbers, or R² of numbers.

    >>> import numpy as np
    >>> nothing = np.zeros((2, 1))
    >>> judged([1, 1], Problem("two", nothing, np.array([0, 1]), nothing, np.array([0, 1])))
    0.5
    """
    truth = problem.y_test
    if not problem.is_regression:
        return float(np.mean(np.asarray(answers) == truth))
    residual = np.asarray(answers, dtype=np.float64) - truth
    return float(1 - np.mean(residual**2) / np.var(truth))
