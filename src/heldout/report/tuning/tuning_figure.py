"""The figure of a tuned contender: what its settings scored, and how flat the optimum is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heldout.charts.axes import PictureAxis
from heldout.charts.line_picture import PictureLine, PictureLines, line_svg
from heldout.charts.scales import NumberScale, spanning_scale
from heldout.charts.spread_picture import positions_across
from heldout.report.chosen_settings import setting_words
from heldout.report.markup import Figure
from heldout.text.numbers import number_text, number_texts
from heldout.text.words import plural

PLANE_HEIGHT = 260.0


def tuning_figure(name: str, scored: Mapping[str, Any]) -> Figure:
    """What the settings of a contender scored.

    name:   of the contender
    scored: as `setting_scores` gives it
    """
    best, n_cells = scored["best"], scored["n_cells"]
    where = "inside the training parts of" if scored["is_nested"] else "in"
    caption = (
        f"mean {scored['metric']} {where} {plural(n_cells, 'fold')}; the dashed line is the best setting"
    )
    return Figure(
        title=f"The settings of {name}",
        takeaway=flat_words(scored),
        picture=_picture(name, scored, caption, is_narrow=False),
        narrow=_picture(name, scored, caption, is_narrow=True),
        headings=("setting", f"mean {scored['metric']}", "below the best by", "within noise", "chosen in"),
        rows=tuple(_row(each, best["mean"], scored) for each in scored["listed"]),
        caption=_table_caption(scored),
        notes=_notes(scored, caption),
    )


def _notes(scored: Mapping[str, Any], caption: str) -> tuple[str, ...]:
    lines = scored.get("lines")
    if not lines:
        return ()
    messages = (
        f"The best {lines['parameter']} is the last one tried on its side: others beyond it may be better."
    )
    is_open = lines["is_at_end"] and scored["n_within"] < scored["n_settings"]
    return (_what_noise_is(scored, caption), *((messages,) if is_open else ()))


def _what_noise_is(scored: Mapping[str, Any], caption: str) -> str:
    spread = "standard deviation of that difference over the folds, each of which chose for itself"
    if not scored["is_nested"]:
        spread = "standard error of that difference, corrected for folds that share their rows"
    messages = (
        f"A full dot is a setting whose difference to the best is within one {spread}; a ring is one beyond."
    )
    return f"{caption[0].upper()}{caption[1:]}. {messages}"


def flat_words(scored: Mapping[str, Any]) -> str:
    """In one line how many settings the noise cannot tell from the best."""
    n_settings, n_within = scored["n_settings"], scored["n_within"]
    best = setting_words(scored["best"]["setting"])
    others = "the other" if n_settings == 2 else f"each of the other {n_settings - 1:,}"
    if n_within == 1:
        return f"The optimum is sharp: {best} is better than {others} by more than noise."
    if n_within == n_settings:
        every = "both" if n_settings == 2 else f"all {n_settings:,}"
        return f"Tuning made no difference that shows: {every} settings are within noise of the best, {best}."
    kind = "flat" if n_within >= max(3, n_settings / 4) else "narrow"
    within = f"{n_within:,} of {n_settings:,} settings are within noise of the best, {best}"
    lines = scored.get("lines") or {}
    low, high = lines.get("range") or (None, None)
    around = f"; around it {lines['parameter']} from {_number(low)} to {_number(high)}" if low != high else ""
    return f"The optimum is {kind}: {within}{around}."


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _table_caption(scored: Mapping[str, Any]) -> str:
    n_listed, n_settings = len(scored["listed"]), scored["n_settings"]
    which = "All settings" if n_listed == n_settings else f"The best {n_listed} of {n_settings:,} settings"
    return f"{which}, the best mean first"


def _row(each: Mapping[str, Any], best: float | None, scored: Mapping[str, Any]) -> tuple[str, ...]:
    mean = each["mean"]
    words = setting_words(each["setting"])
    if mean is None or best is None:
        return (words, "unknown", "", "", _chosen(each, scored))
    gap = number_texts([abs(best - mean), each["noise"] if each["noise"] is not None else float("nan")])
    return (
        words,
        number_text(mean),
        "" if mean == best else f"{gap[0]} ± {gap[1]}",
        "yes" if each["is_within"] else "no",
        _chosen(each, scored),
    )


def _chosen(each: Mapping[str, Any], scored: Mapping[str, Any]) -> str:
    return f"{each['n_chosen']} of {scored['n_cells']}" if scored["is_nested"] else ""


def _picture(name: str, scored: Mapping[str, Any], caption: str, is_narrow: bool) -> str:
    lines = scored.get("lines")
    if not lines or scored["best"]["mean"] is None:
        return ""
    means = [mean for line in lines["lines"] for mean in line["means"] if mean is not None]
    scale = spanning_scale(means)
    across, ticks = positions_across(lines["places"])
    drawn = [_line(line, index, across, scale, lines) for index, line in enumerate(lines["lines"])]
    return line_svg(
        PictureLines(
            title=f"mean {scored['metric']} of {name} by {lines['parameter']}",
            caption="",
            height=PLANE_HEIGHT,
            description=f"{flat_words(scored)} {caption}.",
            x=PictureAxis(lines["parameter"], ticks),
            y=PictureAxis(f"mean {scored['metric']}", scale.ticks),
            lines=[line for line in drawn if line.points],
            zero=_height(scored["best"]["mean"], scale),
            is_narrow=is_narrow,
        )
    )


def _line(
    line: Mapping[str, Any], index: int, across: Sequence[float], scale: NumberScale, lines: Mapping[str, Any]
) -> PictureLine:
    kept = [n for n, mean in enumerate(line["means"]) if mean is not None]
    label = line["label"] if len(lines["lines"]) > 1 else ""
    words = [f"{lines['parameter']} {lines['places'][n]}: {line['means'][n]:.4g}" for n in kept]
    return PictureLine(
        label=label,
        title=line["label"] or lines["parameter"],
        points=[(across[n], _height(line["means"][n], scale)) for n in kept],
        index=index,
        dots=[f"{label}, {each}" if label else each for each in words],
        is_hollow=[not line["is_within"][n] for n in kept],
    )


def _height(number: float, scale: NumberScale) -> float:
    return float(scale.positions(np.array([number]))[0])
