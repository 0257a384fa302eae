"""The pictures of predicted numbers: beside the truth, what is left over, and how that is distributed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.charts.histogram_picture import HistogramPicture, PictureBar, histogram_svg
from heldout.charts.scatter_picture import CloudLine, CloudPicture, cloud_svg
from heldout.report.markup import Figure
from heldout.report.predictions.prediction_words import (
    band_words,
    percent,
    rows_words,
    scaled,
    scaled_levels,
    spread_words,
    word,
)
from heldout.report.predictions.short_numbers import numbers_of
from heldout.text.numbers import number_text

RESIDUAL = "true minus predicted"
MEASURES = {
    "mean absolute miss": "mae",
    "root of the mean squared miss": "rmse",
    "half of the misses are at most": "median",
    "nine of ten are at most": "ninety",
    "largest miss": "largest",
    "mean residual": "bias",
    "R², the share of the spread that is explained": "r2",
}


def predicted_figure(predictions: Mapping[str, Any]) -> Figure:
    """The true number over the predicted one: what was true where so much was said.

    answers: as `predictions_summary` gives them, of a regression
    """
    found = predictions["residuals"]
    errors, target = found["errors"], word(predictions["target"])
    half, ninety = scaled([errors["median"], errors["ninety"]])
    takeaway = f"Half of the predictions of {target} miss by at most {half}, nine of ten by at most {ninety}."
    if found["is_constant"]:
        return _guess_figure(predictions, takeaway)
    line = _line(found, "mean of the truth", is_residual=False)
    predicted, true = numbers_of(found["dots"]["said"]), numbers_of(found["dots"]["true"])
    pictures = _clouds(
        "Truth over prediction, out of fold",
        takeaway,
        f"true {target}",
        (predicted, true),
        line,
        found,
        is_equal=True,
    )
    return Figure(
        title="Predicted and true",
        takeaway=takeaway,
        picture=pictures[0],
        narrow=pictures[1],
        headings=("measure", word(predictions["contender"]), *_beside_heading(predictions)),
        rows=_error_rows(predictions),
        caption="Misses out of fold, means over the repeats",
        notes=(*_dot_notes(found), band_words(found["line"]["band"], predictions), *predictions["notes"]),
    )


def _guess_figure(predictions: Mapping[str, Any], takeaway: str) -> Figure:
    """The misses alone, where every row of a fold is told the same."""
    name = word(predictions["contender"])
    note = f"{name} predicts one number for all rows of a fold, so nothing can be drawn against the truth."
    return Figure(
        title="Predicted and true",
        takeaway=takeaway,
        headings=("measure", name),
        rows=_error_rows(predictions),
        caption="Misses out of fold, means over the repeats",
        notes=(note,),
    )


def residuals_figure(predictions: Mapping[str, Any]) -> Figure:
    """What is left over against what was predicted: is the model off, or less sure, somewhere.

    answers: as `predictions_summary` gives them, of a regression
    """
    found = predictions["residuals"]
    bins = found["line"]["bins"]
    takeaway = _drift_words(bins, found["line"]["band"])
    widths = scaled([each["residual_high"] - each["residual_low"] for each in (bins[0], bins[-1])])
    line = _line(found, "mean residual", is_residual=True)
    predicted, true = numbers_of(found["dots"]["said"]), numbers_of(found["dots"]["true"])
    pictures = _clouds(
        "Residuals out of fold",
        takeaway,
        f"residual: {RESIDUAL}",
        (predicted, true - predicted),
        line,
        found,
        is_equal=False,
    )
    return Figure(
        title="Residuals against predictions",
        takeaway=takeaway,
        picture=pictures[0],
        narrow=pictures[1],
        headings=("predicted", "rows", "true", "mean residual", "middle 80% of residuals"),
        rows=tuple(_bin_row(each) for each in bins),
        caption="Bins of about as many rows, from the lowest predictions to the highest",
        notes=(
            f"A residual is {RESIDUAL}: above 0 the prediction was too low. The middle 80% of them span"
            f" {widths[0]} at the lowest predictions, {widths[1]} at the highest.",
        ),
    )


def distribution_figure(predictions: Mapping[str, Any]) -> Figure:
    """How residuals are distributed.

    answers: as `predictions_summary` gives them, of a regression
    """
    found = predictions["residuals"]
    errors, bars = found["errors"], found["bars"]
    shares, values = errors["quantiles"]["shares"], errors["quantiles"]["values"]
    low, middle, high, largest = scaled([values[0], values[2], values[-1], errors["largest"]])
    takeaway = (
        f"Four of five residuals lie between {low} and {high}, and half are above {middle};"
        f" the largest miss is {largest}."
    )
    drawn = _bars(bars)
    title, caption = "Residuals out of fold", "lines: the middle 80% of folds"
    axes = (f"residual: {RESIDUAL}", "share of rows")
    pictures = [
        histogram_svg(HistogramPicture(title, caption, takeaway, *axes, drawn, 0.0, is_narrow))
        for is_narrow in (False, True)
    ]
    notes = []
    if bars["band"]["low"]:
        notes.append("The line over a bar holds the middle 80% of folds.")
    if bars["beyond"]:
        notes.append(f"The outer bars hold {rows_words(bars['beyond'])} rows that lie beyond them, too.")
    return Figure(
        title="Distribution of residuals",
        takeaway=takeaway,
        picture=pictures[0],
        narrow=pictures[1],
        headings=("share of rows below", "residual"),
        rows=tuple((percent(share), value) for share, value in zip(shares, scaled(values), strict=True)),
        caption="Quantiles of the residuals",
        notes=tuple(notes),
    )


def _drift_words(bins: list[dict[str, Any]], band: Mapping[str, Any]) -> str:
    """Whether predictions are off somewhere, and whether they scatter more somewhere."""
    if len(bins) < 2:
        return "All predictions are alike, so there is no place where they could be off."
    worst = max(bins, key=lambda each: abs(each["residual"]))
    (index,), (off,) = scaled_levels([worst["said"]]), scaled([abs(worst["residual"])])
    side = "low" if worst["residual"] > 0 else "high"
    within = _n_within(band)
    held = f"; in {within[0]} of {within[1]} places the band of folds holds 0" if within[1] else ""
    return f"Predictions around {index} are most off, {off} too {side} on average{held}."


def _n_within(band: Mapping[str, Any]) -> tuple[int, int]:
    pairs = [
        (low, high)
        for low, high in zip(band["low"], band["high"], strict=True)
        if low is not None and high is not None
    ]
    return sum(low <= 0 <= high for low, high in pairs), len(pairs)


def _line(found: Mapping[str, Any], label: str, is_residual: bool) -> CloudLine:
    bins, band = found["line"]["bins"], found["line"]["band"]
    predicted = numbers_of([each["said"] for each in bins])
    nothing = np.full(len(bins), np.nan)
    # The band is one of residuals; beside the truth it stands around what was said.
    base = np.zeros(len(bins)) if is_residual else predicted
    low, high = (base + numbers_of(band[name]) if band[name] else nothing for name in ("low", "high"))
    y = numbers_of([each["residual" if is_residual else "true"] for each in bins])
    levels = [scaled_levels([each["said"], each["true"]]) for each in bins]
    titles = [
        f"predicted about {about}: true {true} on average of {rows_words(each['n_rows'])} rows"
        for each, (about, true) in zip(bins, levels, strict=True)
    ]
    return CloudLine(label, predicted, y, low, high, titles)


def _clouds(
    title: str,
    description: str,
    y: str,
    dots: tuple[Floats, Floats],
    line: CloudLine,
    found: Mapping[str, Any],
    is_equal: bool,
) -> list[str]:
    """For a wide page and for a telephone; `is_equal` where a perfect prediction lies on the diagonal."""
    compared = "predicted is true" if is_equal else "no residual"
    caption = f"dashed: {compared}"
    if found["line"]["band"]["low"]:
        caption += "; band: the middle 80% of folds"
    return [
        cloud_svg(
            CloudPicture(
                title, caption, description, "predicted", y, *dots, "rows", line, is_equal, is_narrow
            )
        )
        for is_narrow in (False, True)
    ]


def _dot_notes(found: Mapping[str, Any]) -> list[str]:
    drawn, n_rows = len(found["dots"]["said"]), found["dots"]["n_rows"]
    if drawn == n_rows:
        return ["One dot for each row, from the first repeat."]
    return [
        f"{drawn} of {n_rows:,} rows are drawn, from the first repeat: the largest misses, and of the"
        " others an even choice. The line and the numbers rest on all."
    ]


def _beside_heading(predictions: Mapping[str, Any]) -> tuple[str, ...]:
    beside = predictions.get("beside") or {}
    return (f"readable: {word(beside['contender'])}",) if "residuals" in beside else ()


def _error_rows(predictions: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    both = [predictions["residuals"]["errors"]]
    beside = (predictions.get("beside") or {}).get("residuals")
    if beside:
        both.append(beside["errors"])
    return tuple((name, *(_error_cell(each, key) for each in both)) for name, key in MEASURES.items())


def _error_cell(errors: Mapping[str, Any], key: str) -> str:
    number = errors[key]
    if number is None:
        return "unknown"
    if key == "r2":
        return number_text(number)
    return f"{scaled([number])[0]}{spread_words(errors['maes']) if key == 'mae' else ''}"


def _bin_row(each: Mapping[str, Any]) -> tuple[str, ...]:
    predicted, true = scaled_levels([each["said"], each["true"]])
    residual, low, high = scaled([each[name] for name in ("residual", "residual_low", "residual_high")])
    return (predicted, rows_words(each["n_rows"]), true, residual, f"{low} to {high}")


def _bars(bars: Mapping[str, Any]) -> list[PictureBar]:
    edges, shares, band = bars["edges"], bars["shares"], bars["band"]
    nothing = [None] * len(shares)
    lows, highs = (numbers_of(band[name] or nothing).tolist() for name in ("low", "high"))
    drawn = []
    for index, share in enumerate(shares):
        low, high = edges[index], edges[index + 1]
        title = f"{percent(share)} of the residuals lie between {number_text(low)} and {number_text(high)}"
        drawn.append(PictureBar(low, high, share, lows[index], highs[index], title))
    return drawn
