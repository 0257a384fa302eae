"""What can be said to `heldout run`, each with a default that is good for most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from heldout.cli.complete_columns import complete_columns, complete_kinds

RIGORS = ("quick", "standard", "thorough")
TASKS = ("classification", "regression")
CONTENDERS = ("baseline", "tree", "rules", "forest", "neighbors", "perceptron", "ridge", "linear")
# Their names and not the metrics: to import those costs time that `--help` and Tab do not have.
METRICS = ("accuracy", "balanced_accuracy", "auc", "f1", "log_loss", "rmse", "r2", "mae", "mse")


def _complete_contenders(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    *before, last = incomplete.split(",")
    rest = [name for name in CONTENDERS if name.startswith(last) and name not in before]
    return [",".join([*before, name]) for name in rest]


def _complete_metrics(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in METRICS if name.startswith(incomplete)]


def _column(flag: str, help: str) -> Callable[[Any], Any]:
    return click.option(flag, metavar="COLUMN", help=help, shell_complete=complete_columns)


def _whole(flag: str, help: str, lowest: int, highest: int | None = None) -> Callable[[Any], Any]:
    return click.option(flag, type=click.IntRange(lowest, highest), metavar="N", help=help)


def _text(flag: str, metavar: str, help: str, **more: Any) -> Callable[[Any], Any]:
    return click.option(flag, metavar=metavar, help=help, **more)


OPTIONS: dict[str, tuple[Callable[[Any], Any], ...]] = {
    "The question": (
        click.argument("file", type=click.Path(), required=False),
        _column("--target", "What is to be predicted."),
        _column("--groups", "Rows of one group are never split apart."),
        _column("--time", "Orders the rows: later ones are predicted from earlier ones."),
        _column("--weights", "How often a row counts."),
        _text("--held", "SHARE", "Of the rows to seal; 0 for none.  [default: 0.2]", type=float, default=0.2),
        _text("--positive", "CLASS", "Of two classes the one to spot.  [default: the rarer]"),
        click.option("--task", type=click.Choice(TASKS), help="Default: decided by the target."),
        _whole("--seed", "Of all that is random.  [default: made from the table]", 0, 2**32 - 1),
    ),
    "The plan": (
        _text("--contenders", "NAMES", f"Some of {', '.join(CONTENDERS)}.  [default: all]", default="all",
              shell_complete=_complete_contenders),
        _text("--metric", "NAME", f"To choose by: {', '.join(METRICS)} and others.",
              shell_complete=_complete_metrics),
        click.option("--rigor", type=click.Choice(RIGORS), default="standard", show_default=True,
                     help="quick: tuning folds alone; thorough: 10 x 10 folds, and curves."),
        _whole("--folds", "How many.  [default: 10; quick: 5]", 2),
        _whole("--repeats", "How often the folds are drawn again.  [default: 3; quick: 1; thorough: 10]", 1),
        _whole("--jobs", "Processes.  [default: one for each core]", 1),
    ),
    "Reading the file": (
        _text("--drop", "COLUMNS", "Leave columns out: a,b or several times.", multiple=True,
              shell_complete=complete_columns),
        _text("--kind", "COLUMN=KIND", "number, category, boolean, date, text or identifier; several times.",
              multiple=True, shell_complete=complete_kinds),
        _text("--missing", "TEXT", "What stands for missing; COLUMN=TEXT for one column, COLUMN= for nothing"
              " there; several times.", multiple=True),
        _text("--delimiter", "SIGN", r"What separates fields; \t for a tab."),
        click.option("--decimal", type=click.Choice([".", ","]), help="The mark in numbers."),
        click.option("--day-first/--month-first", default=None, help="How 03/04/2024 is read."),
        _text("--encoding", "NAME", "Of a text file, such as latin-1."),
        click.option("--header/--no-header", default=None, help="Whether the first line holds names."),
        _text("--names", "NAMES", "Of the columns: a,b,c; with --header or --no-header."),
        _text("--comment", "SIGN", "What comment lines begin with; '' for none."),
        _whole("--skip-lines", "Lines above the header.", 0),
        _text("--sheet", "NAME", "Of an Excel file: its name, or its position from 0."),
        _text("--table", "NAME", "Of an SQLite file."),
        _text("--query", "SELECT", "For an SQLite file."),
    ),
    "The output": (
        _text("--out", "PATH", "Stem of study and page, or a folder for them.  [default: that of FILE, here]",
              type=click.Path()),
        click.option("--json", is_flag=True, help="The same facts for a machine, on stdout."),
        click.option("--quiet", "-q", is_flag=True, help="No progress, no advice."),
        click.option("--no-settings", is_flag=True, help="Pass by heldout.toml and [tool.heldout]."),
    ),
}  # fmt: skip


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """All options of `heldout run`, as a decorator.

    function: that takes them

    >>> @click.command()
    ... @run_options
    ... def example(**options): ...
    >>> len(example.params) > 25
    True
    """
    for option in reversed([each for listed in OPTIONS.values() for each in listed]):
        function = option(function)
    return function


def sections() -> dict[str, list[str]]:
    """For each heading of the help the names of its options.

    >>> sections()["The plan"][:2]
    ['contenders', 'metric']
    """
    return {heading: [_name(option) for option in listed] for heading, listed in OPTIONS.items()}


def _name(option: Callable[[Any], Any]) -> str:
    """The name of the parameter that a decorator adds."""
    return str(click.command()(option(lambda: None)).params[0].name)
