"""Ten charts of the same numbers, drawn by Heldout, by matplotlib and by plotly, each as text for a page.

Two curves, a confusion matrix, a calibration curve, two curves with bands, two plots of intervals, points
with error bars, a histogram.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np

RANDOM = np.random.default_rng(0)
RATES = np.linspace(0, 1, 60)
SAID = np.linspace(0.05, 0.95, 10)
HAPPENED = np.clip(SAID + RANDOM.normal(0, 0.03, 10), 0, 1)
CURVES = (
    (RATES, np.sqrt(RATES), "false positive rate", "true positive rate"),
    (RATES, 1 - 0.5 * RATES**2, "recall", "precision"),
    (SAID, HAPPENED, "said", "happened"),
)
COUNTS = np.array([[120, 2, 1], [4, 50, 3], [0, 1, 98]])
SIZES, TEST, TRAIN = [20, 50, 100, 200, 400], [0.7, 0.75, 0.8, 0.83, 0.84], [0.95, 0.93, 0.92, 0.91, 0.9]
KS, BY_K = [1, 3, 5, 7, 9, 15, 21, 31, 51], [0.8, 0.83, 0.85, 0.86, 0.86, 0.87, 0.86, 0.85, 0.82]
SPREADS = (("rows", SIZES, (TEST, TRAIN)), ("k", KS, (BY_K,)))
NAMES = ("tree", "rules", "forest", "neighbors", "perceptron", "baseline")
SCORES, BITS = (0.9, 0.89, 0.93, 0.92, 0.91, 0.5), (45, 68, 8650, 8020, 170, 8)
COLUMNS = tuple(f"column_{number}" for number in range(12))
SHARES = tuple(np.sort(RANDOM.random(12))[::-1].tolist())
INTERVALS = (("accuracy", NAMES, SCORES, 0.03), ("importance", COLUMNS, SHARES, 0.05))
RESIDUALS, EDGES = np.histogram(RANDOM.normal(0, 8, 300), 20)


def by_heldout() -> list[str]:
    """Our own SVG."""
    from heldout.charts.confusion_picture import PictureMatrix, confusion_svg
    from heldout.charts.curve_picture import CurvePlane, PictureCurve, curve_svg
    from heldout.charts.interval_picture import PictureInterval, interval_svg
    from heldout.charts.small_charts import small_histogram
    from heldout.charts.spread_picture import SpreadLine, SpreadPicture, spread_svg
    from heldout.charts.tradeoff_picture import TradeoffPoint, tradeoff_svg

    charts = [
        curve_svg(CurvePlane(x, y, False), [PictureCurve("tree", places, values, 0)], "curve", "", y)
        for places, values, x, y in CURVES
    ]
    charts.append(confusion_svg(PictureMatrix("confusion", "", "", ("a", "b", "c"), COUNTS)))
    for x, places, lines in SPREADS:
        drawn = [SpreadLine("tree", line, _moved(line, -0.02), _moved(line, 0.02)) for line in lines]
        charts.append(spread_svg(SpreadPicture("curve", "", "", places, x, "accuracy", drawn)))
    for what, names, values, half in INTERVALS:
        pairs = zip(names, values, strict=True)
        shown = [PictureInterval(name, value, value - half, value + half, name) for name, value in pairs]
        charts.append(interval_svg(shown, what))
    points = [
        TradeoffPoint(name, bits, score, score - 0.03, score + 0.03, name)
        for name, bits, score in zip(NAMES, BITS, SCORES, strict=True)
    ]
    charts.append(tradeoff_svg(points, "length and score", "", "bits", "accuracy"))
    return [*charts, small_histogram([RESIDUALS.tolist()], "residuals")]


def by_matplotlib() -> list[str]:
    """The same as SVG by matplotlib."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    charts: list[str] = []

    def keep(x: str, y: str) -> None:
        pyplot.xlabel(x)
        pyplot.ylabel(y)
        text = io.StringIO()
        pyplot.savefig(text, format="svg", bbox_inches="tight")
        pyplot.close()
        charts.append(text.getvalue())

    for rates, shares, x, y in CURVES:
        pyplot.plot(rates, shares, label="tree")
        pyplot.legend()
        keep(x, y)
    pyplot.pcolormesh(COUNTS, cmap="Blues")
    for (row, column), count in np.ndenumerate(COUNTS):
        pyplot.text(column + 0.5, row + 0.5, str(count))
    keep("predicted", "true")
    for x, places, lines in SPREADS:
        for line in lines:
            pyplot.plot(places, line, marker="o")
            pyplot.fill_between(places, _moved(line, -0.02), _moved(line, 0.02), alpha=0.2)
        keep(x, "accuracy")
    for what, names, values, half in INTERVALS:
        pyplot.errorbar(values, names, xerr=half, fmt="o", capsize=4)
        keep(what, "")
    pyplot.errorbar(BITS, SCORES, yerr=0.03, fmt="o", capsize=4)
    pyplot.xscale("log")
    keep("bits", "accuracy")
    pyplot.stairs(RESIDUALS, EDGES, fill=True)
    keep("residuals", "")
    return charts


def by_plotly() -> list[str]:
    """The same by plotly, whose library stands once in the page."""
    from plotly import graph_objects as draw
    from plotly import io as written

    def bars(half: float, count: int) -> dict[str, Any]:
        return {"array": [half] * count}

    figures = [draw.Figure(draw.Scatter(x=places, y=values, name="tree")) for places, values, _, _ in CURVES]
    figures.append(draw.Figure(draw.Heatmap(z=COUNTS, text=COUNTS, texttemplate="%{text}")))
    for _, places, lines in SPREADS:
        drawn = [draw.Scatter(x=places, y=line, error_y=bars(0.02, len(line))) for line in lines]
        figures.append(draw.Figure(drawn))
    for _, names, values, half in INTERVALS:
        error = bars(half, len(values))
        figures.append(draw.Figure(draw.Scatter(x=values, y=names, mode="markers", error_x=error)))
    error = bars(0.03, len(BITS))
    figures.append(draw.Figure(draw.Scatter(x=BITS, y=SCORES, text=NAMES, mode="markers", error_y=error)))
    figures.append(draw.Figure(draw.Bar(x=EDGES[:-1], y=RESIDUALS)))
    return [
        written.to_html(figure, full_html=False, include_plotlyjs=place == 0)
        for place, figure in enumerate(figures)
    ]


def _moved(line: Sequence[float], by: float) -> list[float]:
    return [value + by for value in line]
