"""The door of the command line: the table of commands, and nothing that costs time to import."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from heldout.cli.failures import run_and_exit, translate_broken_pipe


@dataclass(frozen=True)
class CommandEntry:
    """Where a command is to be found, and the line that lists it."""

    target: str  # module and name, as "heldout.cli.run:run"
    help: str  # one line for `heldout --help`

    def load(self) -> click.Command:
        """The command, imported now."""
        module, _, name = self.target.partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command


class LazyCommands(click.Group):
    """Commands from a table of places: help and suggestions need the table alone."""

    def __init__(self, *args: Any, entries: Mapping[str, CommandEntry] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.entries = dict(entries or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table: that in which they are used."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now; None where there is none."""
        entry = self.entries.get(cmd_name)
        return None if entry is None else entry.load()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with what may have been meant."""
        if args[0] not in self.entries and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"there is no command {args[0]!r}; {self._meant(args[0])}", ctx)
        return super().resolve_command(ctx, args)

    def _meant(self, word: str) -> str:
        """What may have been meant: a command that is spelled like this, or one for this file."""
        import os

        from heldout.text.words import suggestion

        if not os.path.isfile(word):
            return suggestion(word, list(self.entries))
        ending = os.path.splitext(word)[1].lower()
        line = {".heldout": f"report {word}", ".model": f"explain {word}"}.get(ending)
        return f"did you mean: heldout {line or f'run {word} --target COLUMN'}"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.entries.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Names of commands from the table; then options, as click has them."""
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=entry.help)
            for name, entry in self.entries.items()
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """As click does it; a reader who stops reading `--help` is no failure."""
        with translate_broken_pipe():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """As click does it; a reader who stops reading is no failure."""
        with translate_broken_pipe():
            return super().invoke(ctx)

    def main(  # type: ignore[override]
        self, args: Any = None, prog_name: str | None = None, standalone_mode: bool = True, **extra: Any
    ) -> Any:
        """Run a command line; every failure ends in its words and its exit code."""
        if not standalone_mode:
            return super().main(args, prog_name, standalone_mode=False, **extra)
        return run_and_exit(
            lambda: super(LazyCommands, self).main(args, prog_name, standalone_mode=False, **extra), args
        )


COMMANDS = {
    "run": CommandEntry("heldout.cli.run:run", "Learn from a table: study, verdict, page. The main job."),
    "unseal": CommandEntry("heldout.cli.unseal:unseal", "Score the winner on the sealed rows, once."),
    "ship": CommandEntry("heldout.cli.ship:ship", "Fit the winner on every row and save it as a model file."),
    "predict": CommandEntry("heldout.cli.predict:predict", "Predict new rows with a model file."),
    "explain": CommandEntry("heldout.cli.explain:explain", "Show a model: as text, rules, SQL, Python, SVG."),
    "ledger": CommandEntry("heldout.cli.ledger:ledger", "Every look at the rows; is the chain unbroken?"),
    "report": CommandEntry("heldout.cli.report:report", "Make the page again, from the study file alone."),
    "demo": CommandEntry("heldout.cli.demo:demo", "The whole story on an embedded table."),
    "completion": CommandEntry("heldout.cli.completion:completion", "Print what your shell needs for Tab."),
}

_HELP = """Models you can read, numbers you can believe.

\b
  heldout run churn.csv --target churned      study, verdict, churn.html
  heldout unseal churn.heldout                its score on the sealed rows
  heldout ship churn.heldout -o churn.model   the winner, fitted on every row
  heldout predict churn.model new.csv         new.predicted.csv

New here? Try: heldout demo
"""


def _show_version(ctx: click.Context, option: click.Parameter, is_requested: bool) -> None:
    if is_requested and not ctx.resilient_parsing:
        import heldout

        click.echo(f"heldout {heldout.__version__}")
        ctx.exit()


_VERSION = click.Option(
    ["--version"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)

program = LazyCommands(
    name="heldout",
    entries=COMMANDS,
    help=_HELP,
    params=[_VERSION],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line and leave the process with its exit code."""
    prepare_streams()
    say_warnings_plainly()
    return program.main(arguments, prog_name="heldout")


def prepare_streams() -> None:
    """Streams that take everything: a name that the locale cannot show is no failure, nor is a closed one."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, as long as we live
        elif getattr(stream, "errors", None) == "strict" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def say_warnings_plainly() -> None:
    """A warning is a sentence on stderr, without lines of code; who starts Python with -W has it as usual."""
    if sys.warnoptions:
        return
    import warnings

    # NumPy warns of numbers that are too large; the output shows them as infinite or not known.
    warnings.simplefilter("ignore", RuntimeWarning)
    warnings.showwarning = _say_warning


def _say_warning(message: Warning | str, *position: Any, **more: Any) -> None:
    click.echo(f"heldout: {' '.join(str(message).split())}", err=True)
