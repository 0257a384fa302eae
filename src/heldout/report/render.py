"""Plain facts become a page: one HTML file that needs no other and runs no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from heldout.charts.scales import NumberScale
from heldout.charts.small_charts import small_bar
from heldout.charts.theme import CARD, CLASS_COLOURS, EDGE, INK, LINE, MUTED, OTHER_COLOUR, PAPER, Colour
from heldout.report.chosen_settings import taken_words
from heldout.report.data.data_page import data_page
from heldout.report.length_figure import length_figure
from heldout.report.markup import drawn, environment, markup
from heldout.report.recorded_curve import curve_figure
from heldout.report.standing_rows import all_scores_figure, compared_words, with_interval
from heldout.report.strips import near_scale, strip_axis, strip_scale, strip_svg
from heldout.report.tuning.tuning_figure import tuning_figure
from heldout.text.numbers import number_text, number_texts, percent_text

_ACCENT = CLASS_COLOURS[0]
_COLOURS = (PAPER, CARD, INK, MUTED, LINE, EDGE, *CLASS_COLOURS, OTHER_COLOUR)


def render(summary: Mapping[str, Any]) -> str:
    """The page of a study as one HTML document.

    summary: as `summarize` gives it; keys that an older version did not know may be missing

    The page fetches nothing and runs nothing, whatever a column or a contender is called: names are escaped,
    and its Content-Security-Policy allows inline style and embedded pictures alone.
    """
    page = dict(summary)
    page["card"] = verdict_card(summary)
    page["looks"] = [
        look | {"shown": with_interval(look["score"]), "shown_fixed": with_interval(look["fixed"])}
        for look in summary["seal"]["looks"]
    ]
    page["rows_bar"] = _rows_bar(summary["seal"])
    page |= _contenders(summary)
    page["models"] = _models(summary.get("models") or ())
    page["answers"] = _predictions(summary.get("answers") or {})
    page["curves"] = [drawn(curve_figure(curve)) for curve in summary["curves"]]
    page["tuned"] = [_tuned(each) for each in summary["tuned"]]
    page["data"] = data_page(summary.get("data") or {})
    page["contents"] = contents(page)
    style = markup(_sheet())
    return environment().get_template("page.html").render(style=style, **page)


def _sheet() -> str:
    """The style sheet, behind the colours of the charts: a page and its pictures look alike."""
    rules = files("heldout.report").joinpath("templates", "page.css").read_text(encoding="utf-8")
    light, dark = (_properties(side) for side in ("light", "dark"))
    filled = "".join(f".f-{each.name}{{fill:var(--{each.name})}}" for each in (*CLASS_COLOURS, OTHER_COLOUR))
    # Paper is white, whatever the screen prefers.
    printed = f"@media print{{:root{{{light}}}}}"
    dark_rule = f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return f":root{{{light}}}\n{dark_rule}\n{printed}\n{filled}\n{rules}"


def _properties(side: str) -> str:
    def value(colour: Colour) -> str:
        return colour.dark if side == "dark" else colour.light

    named = {colour.name: value(colour) for colour in _COLOURS} | {"accent": value(_ACCENT)}
    return ";".join(f"--{name}:{colour}" for name, colour in named.items())


def _rows_bar(seal: Mapping[str, Any]) -> Any:
    """How many rows are open and how many held, as a bar; empty where nothing was held or is known."""
    n_open, n_held = seal.get("n_open"), seal.get("n_held")
    if not n_open or not n_held:
        return ""
    return markup(small_bar([n_open, n_held], n_open + n_held, f"{n_open:,} rows open, {n_held:,} held"))


def _contenders(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Contenders and comparisons with their strips, the axes below them, and the figure of lengths."""
    standings, comparisons = summary["standings"], summary["comparisons"]
    guesses = {row["name"] for row in standings if row["is_baseline"]}
    near, far = _split_parts(standings, [row["name"] in guesses for row in standings], "estimate")
    scale = near_scale(near, far)
    shown = [row for row in comparisons if row["is_of_winner"]]
    near, far = _split_parts(shown, [row.get("second") in guesses for row in shown], "interval")
    differences = near_scale(near, far, 0.0)
    verdict = summary["verdict"] or {}
    metric, is_quick = str(verdict.get("metric", "")), verdict.get("rigor") == "quick"
    lengths = length_figure(standings, metric)
    return {
        "standings": [
            row | {"strip": markup(strip_svg(row["estimate"], scale, row["shown"], row["is_winner"]))}
            for row in standings
        ],
        "axis": markup(strip_axis(scale)) if standings else "",
        "comparisons": [row | {"strip": _difference_strip(row, differences)} for row in comparisons],
        "compared": compared_words(comparisons),
        "difference_axis": markup(strip_axis(differences)) if comparisons else "",
        "lengths": None if lengths is None else drawn(lengths),
        "all_scores": all_scores_figure(standings, metric, is_quick),
    }


def _split_parts(
    rows: Sequence[Mapping[str, Any]], is_far: Sequence[bool], name: str
) -> tuple[list[Any], list[Any]]:
    intervals = [row.get(name) or {} for row in rows]
    near = [each for each, far in zip(intervals, is_far, strict=True) if not far]
    return near, [each for each, far in zip(intervals, is_far, strict=True) if far]


def _difference_strip(row: Mapping[str, Any], scale: NumberScale) -> Any:
    return markup(strip_svg(row.get("interval") or {}, scale, row["effect"], reference=0.0))


def _models(models: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The models with their pictures; none in a study file of an older version."""
    if not models:
        return []
    from heldout.report.models.model_figures import model_figures

    shown = model_figures(models)
    return [dict(model) | {"figures": [drawn(each) for each in found]} for model, found in shown]


def _predictions(predictions: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Pictures of the answers on rows that were not learned from; none where no answers are kept."""
    if not predictions:
        return []
    from heldout.report.predictions.prediction_figures import prediction_figures

    return [drawn(each) for each in prediction_figures(predictions)]


def _tuned(tuned: Mapping[str, Any]) -> dict[str, Any]:
    """What a contender took, in words, and the figure of its settings where their scores are known."""
    flat, words = tuned.get("flat"), taken_words(tuned)
    figure = tuning_figure(tuned["name"], flat) if flat else None
    if figure is not None:
        figure = replace(figure, notes=(*figure.notes, f"{tuned['name']} took {words}."))
    return dict(tuned) | {"words": words, "figure": None if figure is None else drawn(figure)}


def contents(page: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Pairs of an id and a name, of the sections that have something to show.

    page: what the templates get
    """
    sections = [
        ("verdict", "Verdict", True),
        ("seal", "The seal", True),
        ("contenders", "Contenders", page["standings"]),
        ("model", "The model", page["models"]),
        ("answers", "Predictions", page["answers"]),
        ("curves", "Curves", page["curves"]),
        ("tuned", "Tuning", page["tuned"]),
        ("data", "The data", page["data"]),
        ("method", "Method", True),
        ("limits", "Limits", page["limits"]),
    ]
    return [(name, title) for name, title, is_there in sections if is_there]


def verdict_card(summary: Mapping[str, Any]) -> dict[str, Any]:
    """What the card shows; empty before the first verdict and where nobody won.

    summary: as `summarize` gives it
    """
    verdict = summary["verdict"] or {}
    number = verdict.get("number") or {}
    if not verdict.get("winner"):
        return {}
    baseline: Mapping[str, Any] = next((row for row in summary["standings"] if row["is_baseline"]), {})
    is_baseline = bool(baseline.get("is_winner"))
    guessing = None if is_baseline else baseline.get("estimate", {}).get("estimate")
    card = {
        "winner": verdict["winner"],
        "metric": verdict["metric"],
        "estimate": "unknown" if number.get("estimate") is None else number_texts(_known(number))[0],
        "interval": _interval(number),
        "beside": _beside(summary, verdict["winner"]),
        "guessing": "" if guessing is None else f"guessing ({baseline['name']}) {number_text(guessing)}",
        "strip": "",
        "axis": "",
    }
    if number.get("estimate") is None:
        return card
    scale = strip_scale([number], *([] if guessing is None else [guessing]))
    words = f"{verdict['metric']} {with_interval(number)}"
    strip = strip_svg(number, scale, words, True, guessing)
    return card | {"strip": markup(strip), "axis": markup(strip_axis(scale))}


def _beside(summary: Mapping[str, Any], winner: str) -> list[str]:
    """Of a predicted number what people ask next: how much is explained, and how far half of them miss."""
    row: Mapping[str, Any] = next((row for row in summary["standings"] if row["name"] == winner), {})
    r2, miss = (row.get("scores") or {}).get("r2"), row.get("median_miss")
    note = ", not corrected for choosing" if summary["verdict"].get("rigor") == "quick" else ""
    texts = [] if r2 is None else [f"R² {number_text(r2)}{note}"]
    if miss is not None:
        texts.append(f"half of the predictions miss by at most {number_text(miss)}{note}")
    return texts


def _known(number: Mapping[str, Any]) -> list[float]:
    return [float(number[name]) for name in ("estimate", "low", "high") if number.get(name) is not None]


def _interval(number: Mapping[str, Any]) -> str:
    """The ends of the interval in words."""
    if number.get("low") is None or number.get("high") is None:
        return "no interval"
    share = percent_text(float(number.get("confidence") or 0.95))
    _, low, high = number_texts(_known(number)) if number.get("estimate") is not None else ("", "", "")
    return f"{share} interval {low} to {high}"
