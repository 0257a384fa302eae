"""The pictures of the answers, in the order in which a reader asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from heldout.charts.confusion_picture import PictureMatrix, confusion_svg
from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.charts.reliability_picture import PictureBin, reliability_svg
from heldout.report.markup import Figure
from heldout.report.predictions.curve_figures import precision_figure, roc_figure
from heldout.report.predictions.prediction_words import percent, rows_words, spread_cell, spread_words, word
from heldout.report.predictions.residual_figures import (
    distribution_figure,
    predicted_figure,
    residuals_figure,
)
from heldout.text.numbers import number_text, number_texts, percent_text


def prediction_figures(predictions: Mapping[str, Any]) -> list[Figure]:
    """Figures with their words and tables, as far as the answers allow.

    answers: as `predictions_summary` gives them; none of nothing
    """
    if "problem" in predictions:
        return [Figure("Predictions", str(predictions["problem"]))]
    makers = {
        "roc": roc_figure,
        "precision_recall": precision_figure,
        "confusion": confusion_figure,
        "class_areas": areas_figure,
        "reliability": reliability_figure,
    }
    figures = [make(predictions) for name, make in makers.items() if predictions.get(name)]
    if predictions.get("residuals"):
        is_drawn = not predictions["residuals"]["is_constant"]
        residual = [predicted_figure, *([residuals_figure] if is_drawn else []), distribution_figure]
        figures += [make(predictions) for make in residual]
    return figures


# Where all probabilities lie beyond one of these, or below what it leaves of 1, only that part is drawn.
ZOOMED = (0.5, 0.8, 0.9)


def confusion_figure(predictions: Mapping[str, Any]) -> Figure:
    """Counts of one pass over the rows, with recall and precision of each class.

    answers: as `predictions_summary` gives them
    """
    found = predictions["confusion"]
    worst = found["worst"]
    mistake = "it made no mistake"
    if worst:
        mistake = (
            f"its most frequent mistake, {percent(worst['share'])} of the rows, is to take"
            f" {word(worst['true'])} for {word(worst['said'])}"
        )
    takeaway = (
        f"{word(predictions['contender'])} is right in {percent(found['accuracy'])} of the rows (always "
        f"saying the most frequent class: {percent(found['baseline'])}); {mistake}."
    )
    counts = np.array([[0.0 if each is None else each for each in row] for row in found["counts"]])
    is_whole = bool((np.abs(counts - counts.round()) < 1e-6).all())
    shown_counts = counts.round().astype(np.int64) if is_whole else counts.round(1)
    labels, joined = tuple(found["labels"]), found["is_joined"]
    caption = f"accuracy {number_text(found['accuracy'])}{spread_words(found['accuracies'])}"
    pictures = [
        confusion_svg(
            PictureMatrix("Confusion out of fold", caption, takeaway, labels, shown_counts, joined, each)
        )
        for each in (False, True)
    ]
    return Figure(
        title="Confusion: which class was taken for which",
        takeaway=takeaway,
        picture=pictures[0],
        narrow=pictures[1],
        headings=("class", "rows", "recall", "middle 80% of folds", "precision", "middle 80% of folds"),
        rows=tuple(_class_row(each) for each in found["classes"]),
        caption="Recall: share of the class that was found; precision: share of its predictions that hold",
        notes=tuple(_confusion_notes(predictions)),
    )


def _class_row(each: Mapping[str, Any]) -> tuple[str, ...]:
    recall, precision = each["recall"], each["precision"]
    return (
        str(each["label"]),
        rows_words(each["n_rows"]),
        "" if recall is None else number_text(recall),
        spread_cell(each["recalls"]),
        "" if precision is None else number_text(precision),
        spread_cell(each["precisions"]),
    )


def _confusion_notes(predictions: Mapping[str, Any]) -> list[str]:
    found, notes = predictions["confusion"], []
    if predictions["n_repeats"] > 1:
        notes.append(
            f"Counts are means over {predictions['n_repeats']} repeats, so they sum to the "
            f"{predictions['n_rows']:,} rows and need not be whole."
        )
    if found["is_joined"]:
        notes.append(
            f"The {len(found['labels']) - 1} most frequent classes stand alone, the others are joined."
        )
    beside = (predictions.get("beside") or {}).get("confusion")
    if beside:
        name, right = word(predictions["beside"]["contender"]), percent(beside["accuracy"])
        notes.append(f"The readable {name} is right in {right}{spread_words(beside['accuracies'])}.")
    return notes


def areas_figure(predictions: Mapping[str, Any]) -> Figure:
    """How well each of many classes is told from the rest.

    answers: as `predictions_summary` gives them, of many classes
    """
    known = [each for each in predictions["class_areas"] if each["area"] is not None]
    best = max(known, key=lambda each: each["area"])
    least = min(known, key=lambda each: each["area"])
    takeaway = (
        f"Easiest to tell from the rest is {word(best['label'])} (AUC {number_text(best['area'])}),"
        f" hardest {word(least['label'])} (AUC {number_text(least['area'])}); guessing has 0.5."
    )
    beside = (predictions.get("beside") or {}).get("class_areas") or ()
    others = {each["label"]: each["area"] for each in beside}
    headings = ["class", "rows", "AUC", "middle 80% of folds"]
    if others:
        headings.append(f"AUC of the readable {word(predictions['beside']['contender'])}")
    intervals = [_interval(each) for each in known]
    words = ("AUC of each class against the rest", "lines: the middle 80% of folds")
    pictures = [interval_svg(intervals, *words, 0.5, None, "AUC", is_narrow) for is_narrow in (False, True)]
    return Figure(
        title="Each class against the rest",
        takeaway=takeaway,
        picture=pictures[0],
        narrow=pictures[1],
        headings=tuple(headings),
        rows=tuple(_area_row(each, others) for each in predictions["class_areas"]),
        caption="AUC of each class: of a row of the class and another, how often it has the higher score",
        notes=_areas_notes(predictions),
    )


def _areas_notes(predictions: Mapping[str, Any]) -> tuple[str, ...]:
    n_shown, n_classes = len(predictions["class_areas"]), predictions["n_classes"]
    return (f"The {n_shown} most frequent of {n_classes:,} classes.",) if n_shown < n_classes else ()


def _interval(each: Mapping[str, Any]) -> PictureInterval:
    low, high = (
        float("nan") if each["areas"][end] is None else each["areas"][end] for end in ("low", "high")
    )
    title = f"{each['label']}: AUC {number_text(each['area'])}{spread_words(each['areas'])}"
    return PictureInterval(str(each["label"]), each["area"], low, high, title)


def _area_row(each: Mapping[str, Any], others: Mapping[str, Any]) -> tuple[str, ...]:
    area = "" if each["area"] is None else number_text(each["area"])
    row = (str(each["label"]), rows_words(each["n_rows"]), area, spread_cell(each["areas"]))
    if not others:
        return row
    other = others.get(each["label"])
    return (*row, "" if other is None else number_text(other))


def reliability_figure(predictions: Mapping[str, Any]) -> Figure:
    """What was said beside what happened, with counts.

    answers: as `predictions_summary` gives them
    """
    found = predictions["reliability"]
    bins = found["bins"]
    is_two = predictions["kind"] == "two classes"
    of_what = f"of {word(predictions['positive'])}" if is_two else "of the most likely class"
    level, off = percent_text(found["confidence"]), number_texts([found["calibration_error"]], guide=1.0)[0]
    takeaway = (
        f"The predicted probabilities {of_what} are off by {off} on average;"
        f" in {found['n_within']} of {len(bins)} bins the {level} interval contains the predicted one."
    )
    drawn = [
        PictureBin(
            each["said"], each["share"], each["low"], each["high"], each["n_rows"], _bin_words(each, level)
        )
        for each in bins
    ]
    caption = f"bars: rows in each bin; lines: {level} intervals"
    title = f"Reliability of the probabilities {of_what}"
    ends = _ends(bins)
    pictures = [
        reliability_svg(drawn, title, caption, takeaway, is_narrow, ends) for is_narrow in (False, True)
    ]
    return Figure(
        title="Calibration: can you trust the probabilities?",
        takeaway=takeaway,
        picture=pictures[0],
        narrow=pictures[1],
        headings=("predicted", "from", "to", "rows", "happened", f"{level} interval"),
        rows=tuple(_bin_row(each) for each in bins),
        caption="Bins of about as many rows: the mean of what was said, and the share that came true",
        notes=tuple(_reliability_notes(predictions)),
    )


def _ends(bins: list[dict[str, Any]]) -> tuple[float, float]:
    """Between which probabilities something is to be seen."""
    lowest = min(min(each["said"], each["low"]) for each in bins)
    highest = max(max(each["said"], each["high"]) for each in bins)
    if lowest >= ZOOMED[0]:
        return max(start for start in ZOOMED if start <= lowest), 1.0
    if highest <= 1 - ZOOMED[0]:
        return 0.0, min(1 - start for start in ZOOMED if 1 - start >= highest)
    return 0.0, 1.0


def _reliability_notes(predictions: Mapping[str, Any]) -> list[str]:
    unit = predictions["unit"]
    counted = "A row that was asked in several repeats counts once in the intervals (Wilson)."
    if unit != "row":
        counted = f"Rows of one {unit} are not independent, and the intervals (Wilson) account for it."
    return [counted + " Even perfect probabilities lie apart from the shares of few rows."]


def _bin_words(each: Mapping[str, Any], level: str) -> str:
    ends = f"{number_text(each['low'])} to {number_text(each['high'])}"
    predicted = f"predicted {number_text(each['said'])}, happened in {number_text(each['share'])}"
    return f"{predicted} of {rows_words(each['n_rows'])} rows, {level} interval {ends}"


def _bin_row(each: Mapping[str, Any]) -> tuple[str, ...]:
    numbers = [number_text(each[name]) for name in ("said", "from", "to")]
    return (
        *numbers,
        rows_words(each["n_rows"]),
        number_text(each["share"]),
        f"{number_text(each['low'])} to {number_text(each['high'])}",
    )
