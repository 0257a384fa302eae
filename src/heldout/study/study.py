"""The study: a table with a question, rows sealed away, and all that is done with them written down."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from heldout.charts.notebook_piece import NotebookPiece, piece_html
from heldout.errors import InputTypeError
from heldout.ledger.study_facts import SealFact
from heldout.ledger.verdict_facts import VerdictFact
from heldout.results.looks_table import looks_table
from heldout.results.seal_state import read_seal_state
from heldout.study.files.create_study import SealRequest, create_study
from heldout.study.files.open_study import OpenedStudy, open_study
from heldout.study.files.seal_task import sealed_words
from heldout.study.session_plans import SessionPlans
from heldout.table.task import Task
from heldout.text.layout import align_cells, note_lines
from heldout.text.words import plural, shorten

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger
    from heldout.ledger.verify import Verification
    from heldout.plan.contender import Contender
    from heldout.plan.plan import Plan
    from heldout.results.printed_table import PrintedTable
    from heldout.results.study_result import StudyResult
    from heldout.split.sealed_split import SealedSplit
    from heldout.study.curves.learning_curve import LearningCurve
    from heldout.study.curves.size_curve import SizeCurve
    from heldout.study.curves.validation_curve import ValidationCurve
    from heldout.study.runners.runner import Runner
    from heldout.study.runs.progress import Progress
    from heldout.study.seal.final_score import FinalScore
    from heldout.study.ship import Shipped


class Study:
    """One question to one table, with rows that are held back until the end.

    `Study.create` makes one, `Study.open` goes on with one. What is learned, chosen and compared sees the
    open rows alone: `study.task` holds no others. Every use of rows is a fact in the study file.

    Examples
    --------
    >>> import tempfile, heldout as ho
    >>> path = Path(tempfile.mkdtemp(), "penguins.heldout")
    >>> with ho.Study.create(path, ho.datasets.load("penguins"), target="species") as study:
    ...     print(study)
    Study of 'species' (classification)
      rows   275 rows open, 69 held (stratified by class; seed from the table)
      plans  none yet
      seal   never opened
    """

    def __init__(self, found: OpenedStudy) -> None:
        if not isinstance(found, OpenedStudy):
            raise InputTypeError(
                "a study is made by Study.create, or opened by Study.open",
                where=f"Study({found!r:.60})",
                fix="Study.create('churn.heldout', table, target='churned') makes one,"
                " Study.open('churn.heldout') goes on with one",
            )
        self._found = found
        self.session = SessionPlans()

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        table: Any,
        target: str,
        held: float | None = 0.2,
        kind: str | None = None,
        positive: Any = None,
        groups: str | None = None,
        time: str | None = None,
        weights: str | None = None,
        seed: int | None = None,
        looks_allowed: int = 1,
        exist_ok: bool = False,
    ) -> Study:
        """A new study: rows are sealed, and its file is written, as a whole or not at all.

        Parameters
        ----------
        path
            of the study file; what stands there is never written over
        table
            a Table, the path of a file, or a frame
        target
            the name of the column to predict
        held
            the share of rows to hold back; None or 0 for none, and then there is no final score
        kind, positive, groups, time, weights
            as for `ho.Task`
        seed
            left out, it is derived from the table, so that the same rows are held again
        looks_allowed
            how many looks at the held rows need no reason
        exist_ok
            open the study that is there, if it asks the same of the same table; another is refused
        """
        roles = {
            "target": target,
            "kind": kind,
            "positive": positive,
            "groups": groups,
            "time": time,
            "weights": weights,
        }
        request = SealRequest.checked(held, seed, looks_allowed)
        return cls(create_study(path, table, roles, request, exist_ok))

    @classmethod
    def open(cls, path: str | os.PathLike[str], table: Any = None) -> Study:
        """The study of a file; changed data, a changed seal or a broken chain are refused.

        Parameters
        ----------
        path
            of the study file
        table
            the table, if it is not where it was read from: a Table, a path or a frame. Without any table
            the study can be read: its results, looks and reports
        """
        return cls(open_study(path, table))

    @property
    def ledger(self) -> Ledger:
        return self._found.ledger

    @property
    def path(self) -> Path:
        return self._found.ledger.path

    @property
    def seal(self) -> SealedSplit:
        return self._found.seal

    @property
    def seed(self) -> int:
        return self._found.study.seed

    @property
    def digest(self) -> str:
        """Of the table and what is asked of it."""
        return self._found.study.digest

    @property
    def task(self) -> Task:
        """The task of the open rows; the held rows are not in it."""
        if self._found.task is None:
            raise self._found.at_hand.missing()
        return self._found.task

    @property
    def has_rows(self) -> bool:
        """Whether the table is at hand; without it the study can only be read."""
        return self._found.task is not None

    @property
    def looks_allowed(self) -> int:
        """How many looks at the held rows need no reason."""
        return self._found.study.looks_allowed

    @property
    def plans(self) -> tuple[str, ...]:
        """The digests of all plans that were run, the newest last."""
        return tuple(fact.key for fact in self.ledger.facts("plan"))

    def run(
        self,
        plan: Plan,
        n_jobs: int | None = None,
        progress: bool | Progress = True,
        runner: Runner | None = None,
    ) -> StudyResult:
        """Run a plan on the open rows; what was done before, also before a crash, is not done again.

        Parameters
        ----------
        plan
            contenders, folds, tuning, metrics and rule
        n_jobs
            how many processes; left out, one for each core
        progress
            False to run without a word, or something that shows it in its own way
        runner
            what runs the cells; left out, processes on this machine
        """
        from heldout.study.runs.run_study import run_study

        return run_study(self, plan, n_jobs, progress, runner)

    def result(self, plan: Plan | str | None = None) -> StudyResult:
        """What a plan found, from the study file alone: the table need not be at hand.

        Its standings and verdict are those of the race: of all plans with the same folds and metric.

        Parameters
        ----------
        plan
            the plan, or its digest; left out, the newest
        """
        from heldout.results.plan_result import plan_fact, read_result

        fact = plan_fact(self.ledger, plan)
        return read_result(self.ledger, fact.key, self.session.plan(fact.key))

    def unseal(
        self, contender: str | Contender, reason: str | None = None, detail: str = "score"
    ) -> FinalScore:
        """One look at the held rows: a contender, tuned and fitted on all open rows, is scored on them.

        The score is recorded before it is shown. Asking again for the same model gives the recorded answer.

        Parameters
        ----------
        contender
            its name, or a Contender
        reason
            the reason for looking again, when the looks that need none are used
        detail
            "full" shows every held row with its answer, and gives the whole set away
        """
        from heldout.study.seal.unseal import unseal

        return unseal(self, self._found.at_hand, contender, reason, detail)

    def ship(self, contender: str | Contender, path: str | os.PathLike[str]) -> Shipped:
        """Choose a setting on the open rows, fit on every row, and save the model with where it comes from.

        Parameters
        ----------
        contender
            its name, or a Contender; a model file holds learners of Heldout alone
        path
            of the model file; one that is there is replaced
        """
        from heldout.study.ship import ship

        return ship(self, self._found.at_hand, contender, path)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write the page of the study: one HTML file, made from the study file alone.

        Parameters
        ----------
        path
            of the page; one that is there is replaced
        """
        from heldout.report.write_report import write_report

        return write_report(self.ledger, path)

    def learning_curve(self, contender: str | Contender, **options: Any) -> LearningCurve:
        """Scores against the number of training rows; see `heldout.study.curves.learning_curve`."""
        from heldout.study.curves.learning_curve import learning_curve

        return learning_curve(self, self._meant(contender), **options)

    def validation_curve(
        self, contender: str | Contender, parameter: str, values: Any = None, **options: Any
    ) -> ValidationCurve:
        """Scores against the values of one parameter; see `heldout.study.curves.validation_curve`."""
        from heldout.study.curves.validation_curve import validation_curve

        return validation_curve(self, self._meant(contender), parameter, values, **options)

    def size_curve(self, tree: str | Contender, **options: Any) -> SizeCurve:
        """Errors of a tree against its number of leaves; see `heldout.study.curves.size_curve`."""
        from heldout.study.curves.size_curve import size_curve

        return size_curve(self, self._meant(tree), **options)

    def _meant(self, contender: str | Contender) -> str | Contender:
        from heldout.results.judged_contender import find_judged

        judged = find_judged(self.ledger, contender) if isinstance(contender, str) else None
        known = contender if judged is None else judged.standing.contender
        return self.session.contender(known) or contender

    def looks(self) -> PrintedTable:
        """Every recorded use of rows: when, what, by what, which rows, and how many bits it gave away."""
        return looks_table(self.ledger)

    def verify(self, head: str | None = None) -> Verification:
        """Whether the chain of facts is unbroken.

        Parameters
        ----------
        head
            a hash that was kept elsewhere, as in a report or a model file; then a rewrite is found too
        """
        return self.ledger.verify(head)

    def results_digest(self, plan: str | None = None) -> str:
        """The digest of all results, or of a plan's: alike for any order, number of workers, crashes."""
        return self.ledger.results_digest(plan)

    def close(self) -> None:
        """Close the study file; it is one file then."""
        self.ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Study({str(self.path)!r}, target={self._found.study.target!r})"

    def __str__(self) -> str:
        return str(description_of(self._found))

    def _repr_html_(self) -> str:
        if self.ledger.is_closed:
            return piece_html(NotebookPiece(repr(self), ("closed; open it again to see how it stands",)))
        return piece_html(description_of(self._found).notebook_piece())


@dataclass(frozen=True)
class StudyDescription:
    """The question, and what has been done about it.

    title:   what is asked
    lines:   pairs of a name and what stands behind it
    notes:   what has to be said about the seal
    verdict: the words of the newest verdict; empty before the first run is done
    picture: its contenders, by score and length
    """

    title: str
    lines: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    verdict: str = ""
    picture: str = ""

    def __str__(self) -> str:
        return "\n".join([self.title, *align_cells(list(self.lines)), *note_lines(self.notes)])

    def notebook_piece(self) -> NotebookPiece:
        """What a notebook shows: the same, and what the newest verdict says."""
        return NotebookPiece(
            self.title,
            paragraphs=(self.verdict,) if self.verdict else (),
            items=self.notes,
            headings=("what", "how it stands"),
            rows=self.lines,
            picture=self.picture,
        )


def description_of(found: OpenedStudy) -> StudyDescription:
    """What the study file says of itself; the rows of the table are not looked at."""
    study, ledger = found.study, found.ledger
    plans = ledger.facts("plan")
    n_contenders = len(ledger.keys("contender"))
    lines = [
        ("rows", sealed_words(study, SealFact.of_split(found.seal))),
        ("plans", f"{len(plans)} with {plural(n_contenders, 'contender')}" if plans else "none yet"),
        ("seal", read_seal_state(ledger).words),
    ]
    if found.task is None:
        lines.append(("table", "not at hand; the study can be read, and nothing can be run"))
    title = f"Study of '{shorten(study.target, 60)}' ({study.task_kind})"
    verdict, picture = _newest_verdict(found)
    return StudyDescription(title, tuple(lines), tuple(found.seal.notes), verdict, picture)


def _newest_verdict(found: OpenedStudy) -> tuple[str, str]:
    """Its first sentence, and its contenders as the page draws them; empty before the first run is done."""
    facts = found.ledger.facts("verdict")
    if not facts:
        return "", ""
    from heldout.report.length_figure import length_figure
    from heldout.report.standing_rows import standing_rows

    verdict = VerdictFact.read(facts[-1])
    figure = length_figure(standing_rows(verdict), verdict.metric)
    return verdict.sentence, "" if figure is None else figure.picture
