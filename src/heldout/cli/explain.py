"""`heldout explain`: a model in words, as rules, as a picture, or in another language."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from heldout.cli.find_model import StoredModel
    from heldout.cli.screen.terminal import Terminal


@click.command()
@click.argument("model", metavar="MODEL|STUDY", type=click.Path())
@click.argument("contender", required=False)
@click.option("--rules", "forms", flag_value="rules", multiple=True, help="If … then …, of a tree or rules.")
@click.option("--sql", "forms", flag_value="sql", multiple=True, help="A SELECT that gives its predictions.")
@click.option("--python", "forms", flag_value="python", multiple=True, help="A program without imports.")
@click.option("--json", "forms", flag_value="json", multiple=True, help="All of it, for a reader of yours.")
@click.option("--svg", "forms", flag_value="svg", multiple=True, help="A drawing, of a tree.")
@click.option("--onnx", "forms", flag_value="onnx", multiple=True, help="For a runtime of ONNX; with -o.")
@click.option("--table", metavar="NAME", help="With --sql: the name of the table.  [default: data]")
@click.option("--row", type=click.IntRange(1), help="The prediction for one row of --data, and why.")
@click.option("--data", metavar="FILE", type=click.Path(allow_dash=True), help="With --row: its file.")
@click.option("-o", "--out", metavar="FILE", type=click.Path(), help="Where to.  [default: stdout]")
def explain(
    model: str,
    contender: str | None,
    forms: tuple[str, ...],
    table: str | None,
    row: int | None,
    data: str | None,
    out: str | None,
) -> None:
    """Show MODEL: what it is, where it comes from, what to expect of it, and what it has learned.

    Of a STUDY it is the winner, fitted on the open rows, or the best readable CONTENDER beside it.
    """
    from heldout.cli.find_model import find_model

    form = _only_form(forms, table, row, data, out)
    if out is not None:
        from heldout.cli.study_files import refuse_overwriting

        refuse_overwriting(out, {"MODEL": model, "--data": data})
    stored = find_model(model, contender)
    from heldout.cli.screen.terminal import Terminal, terminal_of

    terminal = terminal_of(sys.stdout) if out is None else Terminal()
    if row is not None:
        content: str | bytes = _explain_row(stored, data, row, terminal)
    elif form:
        from heldout.cli.screen.explain_screen import model_form

        content = model_form(stored, form, table)
    else:
        from heldout.cli.screen.explain_screen import model_words

        content = model_words(stored, terminal)
    _write(content, out, is_data=bool(form))


def _only_form(
    forms: tuple[str, ...], table: str | None, row: int | None, data: str | None, out: str | None
) -> str:
    """The one form that is requested, "" for words; options that exclude each other are refused."""
    requested = list(dict.fromkeys(forms))
    if len(requested) > 1:
        raise click.UsageError(f"One form at a time: --{requested[0]} or --{requested[1]}.")
    form = requested[0] if requested else ""
    if row is not None and form:
        raise click.UsageError(f"--row explains one prediction, --{form} shows the whole model: choose one.")
    if (row is None) != (data is None):
        raise click.UsageError("--row and --data belong together: a row, and the file that it is in.")
    if table is not None and form != "sql":
        raise click.UsageError("--table is for --sql.")
    if form == "onnx" and out is None:
        raise click.UsageError("ONNX is no text: name a file with -o.")
    return form


def _explain_row(stored: StoredModel, data: str | None, row: int, terminal: Terminal) -> str:
    from heldout.cli.predicting.input_chunks import reading_options_of
    from heldout.cli.screen.explain_screen import prediction_lines
    from heldout.cli.screen.terminal import printable

    assert data is not None
    words = prediction_lines(stored.loaded("--row"), data, row, reading_options_of(stored.provenance))
    return "".join(f"{terminal.render(printable(line))}\n" for line in words)


def _write(content: str | bytes, out: str | None, is_data: bool) -> None:
    """To a file, or to stdout: words in the letters that it has, what a machine reads as UTF-8."""
    if out is None and not is_data:
        assert isinstance(content, str)
        sys.stdout.write(content)
        return
    from heldout.cli.predicting.byte_streams import STANDARD, whole_file

    with whole_file(STANDARD if out is None else out) as stream:
        stream.write(content.encode("utf-8") if isinstance(content, str) else content)
