"""The figure of length against score: what a longer model buys."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from heldout.charts.tradeoff_picture import TradeoffPoint, tradeoff_svg
from heldout.report.markup import Figure
from heldout.report.standing_rows import shown_bits, with_interval
from heldout.report.strips import near_scale
from heldout.text.numbers import number_texts


def length_figure(standings: Sequence[Mapping[str, Any]], metric: str) -> Figure | None:
    """Each contender by the length of its model and by its score; None where fewer than two are known.

    standings: as `standing_rows` gives them, the best first
    metric:    by which they are compared
    """
    known = [row for row in standings if row["estimate"].get("estimate") is not None and row.get("bits")]
    if len(known) < 2:
        return None
    title, takeaway = "Length and score", length_words(known, metric)
    inside, outside = _near(known)
    points = [_point(row, metric) for row in inside]
    axes = ("length of the model in bits", metric)
    return Figure(
        title=title,
        takeaway=takeaway,
        picture=tradeoff_svg(points, title, takeaway, *axes),
        narrow=tradeoff_svg(points, title, takeaway, *axes, is_narrow=True),
        headings=("contender", f"{metric} (interval)", "behind the best", "bits", "seconds"),
        rows=tuple(_row(row) for row in standings),
        caption="All contenders, the best estimate first",
        notes=(
            *(f"{row['name']} ({row['shown']}, {row['shown_bits']} bits) lies outside." for row in outside),
            "Bits are the length of the model written down, the median over folds: the fewer, the simpler."
            " Seconds are those of tuning, fitting and predicting in all folds.",
        ),
    )


def _near(known: Sequence[Mapping[str, Any]]) -> tuple[list[Any], list[Any]]:
    """Those that are drawn, and the baseline where it is so far off that the others would stick together."""
    models = [row for row in known if not row["is_baseline"]]
    guesses = [row for row in known if row["is_baseline"]]
    scale = near_scale([row["estimate"] for row in models], [row["estimate"] for row in guesses])
    inside = [row for row in guesses if scale.low <= row["estimate"]["estimate"] <= scale.high]
    if len(models) < 2:
        return list(known), []
    return [*models, *inside], [row for row in guesses if row not in inside]


def length_words(known: Sequence[Mapping[str, Any]], metric: str) -> str:
    """What the length of models buys, in one line.

    known: contenders whose score and bits are known, the best first
    """
    best = known[0]
    winner = next((row for row in known if row["is_winner"]), best)
    if winner["is_baseline"]:
        return f"No model was shown to beat {winner['name']}, whatever its length."
    models = [row for row in known if not row["is_baseline"]]
    shortest = min(models, key=lambda row: float(row["bits"]))
    if winner is best and winner is shortest:
        return f"{winner['name']} scores best and is the shortest model too."
    if winner is best:
        return (
            f"{winner['name']} scores best; the shortest model, {shortest['name']}, has"
            f" {_times(winner, shortest)}."
        )
    scores = best["estimate"]["estimate"], winner["estimate"]["estimate"]
    # With as many decimals as the scores themselves have.
    gap = number_texts([abs(scores[0] - scores[1]), *scores])[0]
    is_nothing = not any(digit in gap for digit in "123456789")
    behind = "scores as well as" if is_nothing else f"is {gap} of {metric} behind"
    if float(winner["bits"]) < float(best["bits"]):
        return f"{winner['name']} {behind} {best['name']}, the best, with {_times(best, winner)}."
    return f"{winner['name']} {behind} {best['name']}, the best."


def _times(longer: Mapping[str, Any], shorter: Mapping[str, Any]) -> str:
    """How the lengths compare."""
    ratio = float(longer["bits"]) / float(shorter["bits"])
    if ratio < 1.5:
        return "nearly as many bits"
    if ratio < 4.5:
        return f"{('half', 'a third', 'a quarter')[max(round(ratio), 2) - 2]} of its bits"
    return f"1/{round(ratio) if ratio < 100 else int(float(f'{ratio:.1g}')):,} of its bits"


def _point(row: Mapping[str, Any], metric: str) -> TradeoffPoint:
    def end(name: str) -> float:
        found = row["estimate"].get(name)
        return math.nan if found is None else float(found)

    words = f"{row['name']}: {metric} {with_interval(row['estimate'])}, {shown_bits(row['bits'])} bits"
    return TradeoffPoint(
        row["name"], float(row["bits"]), end("estimate"), end("low"), end("high"), words, row["is_winner"]
    )


def _row(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (row["name"], row["shown"], row["behind"], row["shown_bits"], row["shown_seconds"])
