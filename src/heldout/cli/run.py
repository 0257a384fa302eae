"""`heldout run`: a table and a question go in; a study, a verdict and a page come out."""

from __future__ import annotations

import csv
import gzip
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from heldout.cli.settings import CommandWithSettings, setting_origins
from heldout.errors import HeldoutError

KINDS = ("number", "category", "boolean", "date", "text", "identifier")
_TEXT = {".csv", ".tsv", ".txt", ".tab", ".data", ".dat"}
_ARROW = {".parquet", ".pq", ".feather", ".arrow", ".ipc"}


def complete_columns(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The columns of FILE that begin like this; after a comma of --drop, those that are left."""
    names = column_names(named_file(ctx))
    if param.name != "drop":
        return [name for name in names if name.startswith(incomplete)]
    *before, last = incomplete.split(",")
    return [",".join([*before, name]) for name in names if name.startswith(last) and name not in before]


def complete_kinds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """COLUMN= for every column; after the sign the kinds."""
    name, sign, kind = incomplete.partition("=")
    if sign:
        return [f"{name}={known}" for known in KINDS if known.startswith(kind)]
    return [f"{column}=" for column in column_names(named_file(ctx)) if column.startswith(name)]


def named_file(ctx: click.Context) -> str:
    """The file that the line names so far; else that of the settings; else nothing."""
    if ctx.params.get("file"):
        return str(ctx.params["file"])
    from click.shell_completion import split_arg_string

    # An option that still waits for its value keeps click from looking at the rest of the line.
    for word in split_arg_string(os.environ.get("COMP_WORDS", ""))[2:]:
        if not word.startswith("-") and Path(word).expanduser().is_file():
            return word
    from heldout.cli.settings import find_settings
    from heldout.errors import HeldoutError

    try:
        settings = find_settings(Path.cwd())
    except HeldoutError:
        return ""
    return str(settings.path.parent / str(settings.values.get("file", ""))) if settings is not None else ""


def column_names(path: str) -> list[str]:
    """The names in the head of a file; none where they are not to be had at once."""
    file = Path(path).expanduser()
    suffixes = [suffix.lower() for suffix in file.suffixes]
    try:
        if suffixes and suffixes[-1] in _ARROW:
            return _names_of_arrow(file)
        if _TEXT & set(suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:]):
            return _names_of_text(file)
    except Exception:  # whatever is wrong with the file, Tab stays quiet; the command reports it
        return []
    return []


def _names_of_text(file: Path) -> list[str]:
    with file.open("rb") as opened:
        head = opened.read(2)
        opened.seek(0)
        stream = gzip.GzipFile(fileobj=opened) if head == b"\x1f\x8b" else opened
        line = stream.readline(1 << 16).decode("utf-8-sig", errors="replace")
    delimiter = max("\t;,|", key=line.count)
    return [name.strip() for name in next(csv.reader([line], delimiter=delimiter), []) if name.strip()]


def _names_of_arrow(file: Path) -> list[str]:
    import pyarrow.feather
    import pyarrow.parquet

    if file.suffix.lower() in (".parquet", ".pq"):
        return list(pyarrow.parquet.read_schema(file).names)
    return list(pyarrow.feather.read_table(file, memory_map=True).schema.names)


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
        _column("--weights", "Sample weights: how much each row counts."),
        _text("--held", "SHARE", "Of the rows to seal; 0 for none.  [default: 0.2]", type=float, default=0.2),
        _text("--positive", "CLASS", "The positive class of two.  [default: the rarer]"),
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
    """All options of `heldout run`, as a decorator."""
    for option in reversed([option for listed in OPTIONS.values() for option in listed]):
        function = option(function)
    return function


def sections() -> dict[str, list[str]]:
    """For each heading of the help the names of its options."""
    return {heading: [_name(option) for option in listed] for heading, listed in OPTIONS.items()}


def _name(option: Callable[[Any], Any]) -> str:
    """The name of the parameter that a decorator adds."""
    return str(click.command()(option(lambda: None)).params[0].name)


class SectionedHelp(click.Command):
    """A command that lists its options by sections."""

    # For each heading the names of its parameters; what stands in none, as --help, comes last
    sections: Mapping[str, Sequence[str]] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """As click does it, once for each heading."""
        rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in self.sections or ("Options",)}
        last = list(rows)[-1]
        home = {name: heading for heading, names in self.sections.items() for name in names}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                rows[home.get(param.name or "", last)].append(record)
        for heading, listed in rows.items():
            if listed:
                with formatter.section(heading):
                    formatter.write_dl(listed)


class RunCommand(SectionedHelp, CommandWithSettings):
    """`heldout run`: many options, under headings, that may also stand in a settings file."""

    sections = sections()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it; a column that stands bare behind the file is taken for what it is."""
        typed = list(args)
        super().parse_args(ctx, args)
        if ctx.args and not ctx.resilient_parsing:
            plural = "s" if len(ctx.args) > 1 else ""
            message = f"Got unexpected extra argument{plural} ({' '.join(ctx.args)})"
            has_bare_column = len(typed) > 1 and not any(word.startswith("-") for word in typed[:2])
            if has_bare_column and "--target" not in typed:
                message += f"; to predict a column, say --target {shlex.quote(typed[1])}"
            raise click.UsageError(message, ctx)
        return ctx.args


# Extra arguments are allowed so that `parse_args` can suggest what they were meant for.
@click.command(cls=RunCommand, context_settings={"allow_extra_args": True})
@run_options
@click.pass_context
def run(ctx: click.Context, /, **options: Any) -> None:
    """Learn from a table: seal rows away, compare contenders, print the verdict, write the page.

    The sealed rows stay sealed; `heldout unseal` opens them, once. The same line again goes on where
    it was, or shows the recorded results. Options may also stand in heldout.toml or in [tool.heldout] of
    pyproject.toml; the line wins.

    \b
      heldout run churn.csv --target churned
      heldout run churn.csv --target churned --groups customer --drop id --contenders tree,rules
    """
    from heldout.cli.run_steps import check_request, read_question, run_study
    from heldout.cli.study_files import open_or_create, prepare_folder, study_paths

    file = _file(options)
    _say_settings(ctx, options["quiet"])
    table, question = read_question(file, options)
    paths = study_paths(file, options["out"])
    if not paths.study.exists():
        check_request(table, question, options)
    elif not options["quiet"]:
        click.echo(f"heldout: going on with {paths.study}", err=True)
    is_new = not paths.study.exists()
    with open_or_create(prepare_folder(paths).study, table, question) as study:
        try:
            run_study(ctx, study, table, paths)
        except HeldoutError:
            is_refused = is_new and not study.plans
            if is_refused:  # what could not be run leaves nothing behind
                study.close()
                paths.study.unlink()
            raise


def _file(options: dict[str, Any]) -> str:
    if not options["file"]:
        raise click.UsageError("which table? Name its file: heldout run churn.csv --target churned")
    return str(options["file"])


def _say_settings(ctx: click.Context, is_quiet: bool) -> None:
    """Which settings come from a file, before they do anything."""
    file = ctx.meta.get("heldout.settings_file")
    if file is None or is_quiet:
        return
    names = [
        name.replace("_", "-") for name, origin in setting_origins(ctx).items() if origin == str(file.path)
    ]
    if names:
        click.echo(f"heldout: {', '.join(names)} from {file.path}", err=True)
