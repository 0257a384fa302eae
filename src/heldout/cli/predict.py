"""`heldout predict`: predictions for the rows of a file, beside the rows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from heldout.cli.predicting.predict_file import Predicted, PredictRequest


@click.command()
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "-o",
    "--out",
    metavar="OUT",
    type=click.Path(allow_dash=True),
    help="A .csv, .csv.gz or .parquet file; - for stdout.  [default: NAME.predicted.csv, here]",
)
@click.option("--raw", is_flag=True, help="Leave cells that a spreadsheet would run as they are.")
@click.option("--absent", metavar="COLUMN", multiple=True, help="FILE lacks it: unknown in every row.")
@click.option(
    "--missing", metavar="TEXT", multiple=True, help="What stands for missing; COLUMN=TEXT in one column."
)
@click.option("--delimiter", metavar="SIGN", help=r"What separates fields; \t for a tab.")
@click.option("--decimal", type=click.Choice([".", ","]), help="The mark in numbers.")
@click.option("--day-first/--month-first", default=None, help="How 03/04/2024 is read.")
@click.option("--encoding", metavar="NAME", help="Of a text file, such as latin-1.")
@click.option("--header/--no-header", default=None, help="Whether the first line holds names.")
@click.option("--names", metavar="NAMES", help="Of the columns: a,b,c; with --header or --no-header.")
@click.option("--comment", metavar="SIGN", help="What comment lines begin with; '' for none.")
@click.option("--skip-lines", type=click.IntRange(0), metavar="N", help="Lines above the header.")
@click.option("--sheet", metavar="NAME", help="Of an Excel file: its name, or its position from 0.")
@click.option("--json", "as_json", is_flag=True, help="What was done, for a machine, on stdout.")
@click.option("--quiet", "-q", is_flag=True, help="No progress, no advice.")
def predict(model: str, file: str, out: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Predict every row of FILE with MODEL: prediction and probabilities are added to it.

    Rows and columns stay as they are and where they are. FILE is a CSV (also .gz), Parquet, Feather or Excel
    file, or - for stdin; of CSV, Parquet and Feather only a part is in memory at a time. Columns are found by
    name, and read as in training.
    """
    from heldout.cli.predicting.byte_streams import STANDARD, byte_source
    from heldout.cli.predicting.input_chunks import reading_options_of
    from heldout.cli.predicting.predict_file import predict_file
    from heldout.cli.study_files import refuse_overwriting
    from heldout.models.model_file import load_with_provenance

    output = out or (STANDARD if file == STANDARD else _beside(file))
    if output == STANDARD and as_json:
        raise click.UsageError("The rows go to stdout, and so would the JSON: name a file with -o.")
    _refuse_study(model, file)
    loaded, provenance = load_with_provenance(model)
    refuse_overwriting(output, {"FILE": file, "MODEL": model})
    request = _request(output, options, reading_options_of(provenance))
    with byte_source(file) as source:
        predicted = predict_file(loaded, source, request, None if quiet else _progress())
    if as_json:
        _print_facts(predicted, model, file, output)
    else:
        _print_words(predicted, output, quiet)


def _beside(file: str) -> str:
    from heldout.cli.study_files import stem_of

    return f"{stem_of(file)}.predicted.csv"


def _request(output: str, options: dict[str, Any], recorded: dict[str, Any]) -> PredictRequest:
    """Options of the line come first, then how the training table was read."""
    from heldout.cli.predicting.predict_file import FileOptions, PredictRequest
    from heldout.cli.read_file import reading_options

    reading = reading_options(options)
    return PredictRequest(
        output,
        FileOptions(
            reading.pop("delimiter", None),
            reading.pop("encoding", None),
            options["sheet"],
            reading.pop("header", None),
            tuple(reading.pop("names")) if "names" in reading else None,
            reading.pop("comment", None),
            reading.pop("skip_lines", None),
        ),
        reading=recorded | reading,
        absent=options["absent"],
        is_raw=options["raw"],
    )


def _refuse_study(model: str, file: str) -> None:
    import shlex

    from heldout.cli.output import near_path
    from heldout.cli.study_files import is_study
    from heldout.errors import RequestError

    if is_study(model):
        raise RequestError(
            "predictions come from a model file, and this is a study",
            where=f"'{near_path(model)}'",
            fix=f"ship its winner first: heldout ship {shlex.quote(near_path(model))}",
        )
    if is_study(file):
        raise RequestError(
            "FILE holds the rows to predict, and this is a study",
            where=f"'{near_path(file)}'",
            fix="name the file of rows: heldout predict MODEL FILE",
        )


def _progress() -> Any:
    """A line on stderr that is written over and over, where somebody watches."""
    if not sys.stderr.isatty():
        return None

    def show(n_rows: int, n_all: int) -> None:
        is_done = n_rows >= n_all
        click.echo(f"\r{n_rows:,} of {n_all:,} rows" + ("\r\033[K" if is_done else ""), err=True, nl=False)

    return show


def _print_words(predicted: Predicted, output: str, is_quiet: bool) -> None:
    from heldout.cli.predicting.byte_streams import STANDARD
    from heldout.cli.screen.terminal import printable, terminal_of
    from heldout.text.words import plural

    if output != STANDARD:
        line = f"{output}: {plural(predicted.n_rows, 'row')}, with {_named(predicted.added)} added"
        click.echo(terminal_of(sys.stdout).render(printable(line)))
    if is_quiet:
        return
    for sentence in _sentences(predicted):
        click.echo(terminal_of(sys.stderr).render(printable(f"note: {sentence}")), err=True)


def _named(names: list[str]) -> str:
    shown = [f"'{name}'" for name in names[:4]]
    if len(names) > 4:
        return f"{', '.join(shown[:2])} and {len(names) - 2} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _sentences(predicted: Predicted) -> list[str]:
    """What a reader of the predictions should know."""
    from heldout.text.words import plural

    sentences = list(predicted.unseen.sentences())
    if predicted.n_guarded:
        cells = plural(predicted.n_guarded, "cell")
        sentences.append(
            f"{cells} that a spreadsheet would run as a formula got a leading apostrophe; --raw leaves them"
        )
    for name, plain in predicted.renamed.items():
        sentences.append(f"the file has a column '{plain}': the new one is '{name}'")
    if not predicted.n_rows:
        sentences.append("the file has a header and no rows")
    return [*sentences, *predicted.notes]


def _print_facts(predicted: Predicted, model: str, file: str, output: str) -> None:
    from heldout.cli.output import print_json

    facts = {name: value for name, value in vars(predicted).items() if name != "unseen"}
    files = {"model": str(Path(model)), "file": file, "output": output}
    print_json(files | facts | predicted.unseen.to_dict())
