"""The pictures of scores: ROC with its hull, precision over recall with what can be achieved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.charts.curve_picture import CurveBand, CurveDot, CurvePlane, PictureCurve, curve_svg
from heldout.metrics.curve_pictures import PRECISION_PLANE, ROC_PLANE
from heldout.report.markup import Figure
from heldout.report.predictions.prediction_words import band_words, percent, spread_words, word
from heldout.report.predictions.short_numbers import numbers_of
from heldout.text.numbers import number_text

# Areas that differ by less look the same.
APART = 0.005


def roc_figure(predictions: Mapping[str, Any]) -> Figure:
    """True over false positives, with the hull, the band of the folds, and where the answers stand.

    answers: as `predictions_summary` gives them, of two classes
    """
    found, positive = predictions["roc"], word(predictions["positive"])
    hull = found["hull"]
    curves = [
        _curve(predictions["contender"], found, 0, _predicted_dots(predictions)),
        _curve("hull", hull, 1, is_dashed=True),
        *_beside(predictions, "roc", 2),
    ]
    takeaway = (
        f"AUC {number_text(found['area'])}{spread_words(found['areas'])}: of a row that is {positive} and one"
        f" that is not, the first has the higher score in {percent(found['area'])} of pairs."
    )
    pictures = _pictures(ROC_PLANE, curves, "ROC out of fold", takeaway, _band(found, predictions))
    return Figure(
        title="ROC: rows found against false alarms",
        takeaway=takeaway,
        picture=pictures[0],
        narrow=pictures[1],
        headings=("threshold", "false positive rate", "recall", "precision"),
        rows=tuple(_corner(each) for each in hull["corners"]),
        caption=f"Corners of the hull: rows that score at least the threshold are called {positive}",
        notes=(band_words(found["band"], predictions), *_roc_notes(predictions)),
    )


def _roc_notes(predictions: Mapping[str, Any]) -> list[str]:
    found = predictions["roc"]
    notes = [
        f"The hull, with an area of {number_text(found['hull']['area'])}, is the best that these thresholds"
        " allow; its corners were chosen by these rows, so on others it rather lies lower."
    ]
    if "confusion" in predictions:
        notes.append("The dot stands for the predicted classes: its rates are those of the confusion matrix.")
    if "roc" in (predictions.get("beside") or {}):
        notes.append(f"{word(predictions['beside']['contender'])} is the best readable alternative.")
    return notes + _pooling(predictions)


def _pooling(predictions: Mapping[str, Any]) -> list[str]:
    """What was ranked with what, where it shows."""
    found = predictions["roc"]
    within, together, area = found["mean_of_folds"], found["ranked_together"], found["area"]
    if within is not None and abs(within - area) >= APART:
        return [
            f"Ranked fold by fold, the mean AUC is {number_text(within)}. The line and the AUC above rank the"
            " scores of all folds together, as the comparison of contenders does, and the models of several"
            " folds need not agree on what a score means."
        ]
    if abs(together - area) >= APART:
        return [
            f"The line ranks all {predictions['n_repeats']} repeats together (area {number_text(together)}); "
            "the AUC above ranks each repeat by itself, as the comparison of contenders does."
        ]
    return []


def precision_figure(predictions: Mapping[str, Any]) -> Figure:
    """Precision over recall, with the achievable curve and the band of the folds.

    answers: as `predictions_summary` gives them, of two classes
    """
    found, positive = predictions["precision_recall"], word(predictions["positive"])
    best = found["achievable"]
    curves = [
        _curve(predictions["contender"], found, 0),
        _curve("achievable", best, 1, is_dashed=True),
        *_beside(predictions, "precision_recall", 2),
    ]
    precision = dict(zip(found["recalls"], found["precisions"], strict=True))[0.75]
    takeaway = (
        f"Where three of four {positive} rows are found, {percent(precision)} of the rows called {positive}"
        f" are right; of guesses it would be {percent(found['base_rate'])}."
    )
    level = found["base_rate"]
    band = _band(found, predictions)
    pictures = _pictures(PRECISION_PLANE, curves, "Precision and recall out of fold", takeaway, band, level)
    return Figure(
        title="Precision against recall",
        takeaway=takeaway,
        picture=pictures[0],
        narrow=pictures[1],
        headings=("recall", "precision", "middle 80% of folds"),
        rows=_recall_rows(found),
        caption=f"Precision where so much of {positive} is found, interpolated by counts",
        notes=(
            f"Area {number_text(found['area'])}{spread_words(found['areas'])}, average precision"
            f" {number_text(found['average_precision'])}; achievable by the hull of the ROC curve:"
            f" {number_text(best['area'])}. All of them depend on the share of {positive} rows,"
            f" {percent(found['base_rate'])} here.",
        ),
    )


def _recall_rows(found: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    band = found["recall_band"]
    n_rows = len(found["recalls"])
    lows, highs = (band[name] or [None] * n_rows for name in ("low", "high"))
    ends = [
        "" if low is None or high is None else f"{number_text(low)} to {number_text(high)}"
        for low, high in zip(lows, highs, strict=True)
    ]
    pairs = zip(found["recalls"], found["precisions"], ends, strict=True)
    return tuple((f"{recall:g}", number_text(precision), words) for recall, precision, words in pairs)


def _corner(each: Mapping[str, Any]) -> tuple[str, ...]:
    threshold = each["threshold"]
    rates = (each["false_positive_rate"], each["recall"], each["precision"])
    return ("" if threshold is None else f"{threshold:.4g}", *(number_text(rate) for rate in rates))


def _curve(
    label: str, found: Mapping[str, Any], index: int, dots: tuple[CurveDot, ...] = (), is_dashed: bool = False
) -> PictureCurve:
    points = numbers_of(found["across"]), numbers_of(found["upwards"])
    area = number_text(found["area"])
    return PictureCurve(label, *points, index, area, f"{label}, area {area}", is_dashed, dots)


def _beside(predictions: Mapping[str, Any], name: str, index: int) -> list[PictureCurve]:
    """The readable contender beside the winner."""
    beside = predictions.get("beside") or {}
    return [_curve(str(beside["contender"]), beside[name], index)] if name in beside else []


def _predicted_dots(predictions: Mapping[str, Any]) -> tuple[CurveDot, ...]:
    """Where the answers stand that were given: recall of the positive class, false alarms of the other."""
    if "confusion" not in predictions:
        return ()
    recalls = {each["label"]: each["recall"] for each in predictions["confusion"]["classes"]}
    hit = recalls[predictions["positive"]]
    other = next(recall for label, recall in recalls.items() if label != predictions["positive"])
    if hit is None or other is None:
        return ()
    return (
        CurveDot(
            1 - other, hit, f"as predicted: recall {number_text(hit)}, false alarms {number_text(1 - other)}"
        ),
    )


def _band(found: Mapping[str, Any], predictions: Mapping[str, Any]) -> CurveBand | None:
    band = found["band"]
    if not band["low"]:
        return None
    across, low, high = (numbers_of(band[name]) for name in ("across", "low", "high"))
    return CurveBand(across, low, high, 0, band_words(band, predictions))


def _pictures(
    plane: CurvePlane,
    curves: list[PictureCurve],
    title: str,
    description: str,
    band: CurveBand | None,
    level: float | None = None,
) -> list[str]:
    """For a wide page and for a telephone."""
    caption = "numbers: areas below the lines"
    if band is not None:
        caption += "; band: the middle 80% of folds"
    return [
        curve_svg(plane, curves, title, caption, description, level, band, is_narrow)
        for is_narrow in (False, True)
    ]
