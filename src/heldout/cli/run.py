"""`heldout run`: a table and a question go in; a study, a verdict and a page come out."""

from __future__ import annotations

import shlex
from typing import Any

import click

from heldout.cli.run_options import run_options, sections
from heldout.cli.sectioned_help import SectionedHelp
from heldout.cli.settings import CommandWithSettings, origins
from heldout.errors import HeldoutError


class RunCommand(SectionedHelp, CommandWithSettings):
    """`heldout run`: many options, under headings, that may also stand in a settings file."""

    sections = sections()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it; a column that stands bare behind the file is taken for what it is."""
        typed = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            column = (
                typed[1] if len(typed) > 1 and not any(word.startswith("-") for word in typed[:2]) else ""
            )
            if not column or "--target" in typed or "unexpected extra argument" not in error.message:
                raise
            raise click.UsageError(
                f"{error.message}; to predict a column, say --target {shlex.quote(typed[1])}", ctx
            ) from None


@click.command(cls=RunCommand)
@run_options
@click.pass_context
def run(ctx: click.Context, /, **options: Any) -> None:
    """Learn from a table: seal rows away, compare contenders, say the verdict, write the page.

    The sealed rows stay sealed; `heldout unseal` opens them, once. The same line again goes on where
    it was, or answers at once. Options may also stand in heldout.toml or in [tool.heldout] of
    pyproject.toml; the line wins.

    \b
      heldout run churn.csv --target churned
      heldout run churn.csv --target churned --groups customer --drop id --contenders tree,rules
    """
    from heldout.cli.run_steps import asked_question, check_first, run_and_tell
    from heldout.cli.same_question import study_of
    from heldout.cli.study_place import prepared, study_place

    file = _file(options)
    _say_settings(ctx, options["quiet"])
    table, question = asked_question(file, options)
    place = study_place(file, options["out"])
    if not place.study.exists():
        check_first(table, question, options)
    elif not options["quiet"]:
        click.echo(f"heldout: going on with {place.study}", err=True)
    is_new = not place.study.exists()
    with study_of(prepared(place).study, table, question) as study:
        try:
            run_and_tell(ctx, study, table, place)
        except HeldoutError:
            is_refused = is_new and not study.plans
            if is_refused:  # what could not be run leaves nothing behind
                study.close()
                place.study.unlink()
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
    names = [name.replace("_", "-") for name, place in origins(ctx).items() if place == str(file.path)]
    if names:
        click.echo(f"heldout: {', '.join(names)} from {file.path}", err=True)
