"""The facts that a study begins with, and those that any command may add: looks at rows, settings, notes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from numpy.typing import NDArray

from heldout.ledger.fact_body import FactBody
from heldout.split.fold import rows_digest
from heldout.split.sealed_split import SealedBy, SealedSplit


@dataclass(frozen=True)
class ColumnFact:
    """A column as it was when the study was made; of the target, `digest` is that of the open rows alone."""

    name: str
    kind: str
    digest: str


@dataclass(frozen=True)
class SourceFact:
    """The file of a table: its path, the path seen from the study file, and the options of reading it."""

    path: str
    options: Mapping[str, object]
    relative: str


@dataclass(frozen=True)
class StudyFact(FactBody):
    """The first fact of a study file: the table, what is predicted, the seed, the seal.

    `roles` are target, kind, positive, groups, time and weights, as far as there are some: they make the Task
    again. `n_task_rows` counts the rows that have a target. `source` is None for a table made in memory.
    """

    fact_kind: ClassVar[str] = "study"

    table_digest: str
    n_table_rows: int
    columns: tuple[ColumnFact, ...]
    roles: Mapping[str, Any]
    n_task_rows: int
    seed: int
    is_seed_given: bool
    held: float
    looks_allowed: int
    source: SourceFact | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    notes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Of the table and what is predicted; the key of the fact."""
        question = json.dumps([self.table_digest, dict(self.roles)], sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(f"heldout study 1\n{question}".encode()).hexdigest()

    @property
    def target(self) -> str:
        return str(self.roles["target"])

    @property
    def task_kind(self) -> str:
        """Either "classification" or "regression"."""
        return str(self.roles["kind"])

    @property
    def groups(self) -> str | None:
        """The column of groups, if there is one."""
        return self.roles.get("groups")

    @property
    def time(self) -> str | None:
        """The column of time, if there is one."""
        return self.roles.get("time")


@dataclass(frozen=True)
class SealFact(FactBody):
    """Which rows are sealed, without the rows; `how` is in words what `by` says."""

    fact_kind: ClassVar[str] = "seal"

    n_open: int
    n_held: int
    n_left_out: int
    open_digest: str
    held_digest: str
    digest: str
    seed: int
    by: SealedBy
    how: str
    notes: tuple[str, ...] = ()

    @classmethod
    def of_split(cls, seal: SealedSplit) -> SealFact:
        return cls.from_dict(seal.to_dict())


@dataclass(frozen=True)
class ColumnProfile:
    """A column among the open rows: quantiles and bins of numbers, or levels, with counts by class."""

    name: str
    kind: str
    role: str
    n_missing: int
    reason: str = ""
    quantiles: tuple[float, ...] | None = None
    edges: tuple[float, ...] = ()
    counts: tuple[tuple[int, ...], ...] = ()
    n_levels: int | None = None
    levels: tuple[Any, ...] = ()
    n_distinct: int | None = None


@dataclass(frozen=True)
class ProfileFact(FactBody):
    """The open rows, described: no value of a held row has a part in it."""

    fact_kind: ClassVar[str] = "profile"

    n_rows: int
    kind: str
    reason: str
    target: str
    classes: tuple[Any, ...]
    positive: Any
    class_counts: tuple[int, ...]
    columns: tuple[ColumnProfile, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class LookFact(FactBody):
    """A use of rows.

    `what` is "describe", "tune", "fit", "score", "show", "fail", "refit" or the name of a curve; `role` is
    "open" or "held"; `rows` is the digest of the rows. `bits` is how much of the held labels it gave away, at
    most; `gives_all` that it showed every one. `path` is the file that a refitted model went into.
    """

    fact_kind: ClassVar[str] = "look"

    what: str
    by: str
    rows: str
    n_rows: int
    role: str
    bits: float = 0.0
    reason: str = ""
    gives_all: bool = False
    path: str = ""

    @classmethod
    def at_rows(
        cls, what: str, by: str, rows: Sequence[int] | NDArray[Any], role: str, **more: Any
    ) -> LookFact:
        """A look at these rows."""
        return cls(what, by, rows_digest(rows), len(rows), role, **more)


@dataclass(frozen=True)
class SettingsFact(FactBody):
    """What a command was told: for each option its `value`, and `from` where it came."""

    fact_kind: ClassVar[str] = "settings"

    command: str
    settings: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class NoteFact(FactBody):
    """Something that happened, in a sentence."""

    fact_kind: ClassVar[str] = "note"

    text: str
