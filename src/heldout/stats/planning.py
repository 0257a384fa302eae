"""How many test rows a question needs, before any is spent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.checks.values import check_choice, check_confidence, check_count, check_share
from heldout.errors import RequestError
from heldout.stats.interval import Result
from heldout.stats.power import power_of_same_rows, power_of_separate_rows, rows_by_formula
from heldout.stats.rate_interval import clopper_pearson_ends, normal_ends, wilson_ends
from heldout.text.numbers import number_text, percent_text
from heldout.text.words import plural

MOST_ROWS = 10**9
WIDTHS = {"clopper_pearson": "Clopper-Pearson", "wilson": "Wilson", "normal": "normal approximation"}
NOT_SAID = "Finding none does not show that there is none."


@dataclass(frozen=True)
class RowsNeeded(Result):
    """How many rows it takes to tell two shares apart.

    Attributes
    ----------
    n_rows
        the answer: rows for each of two models with rows of their own, or, with `differing`, rows that
        both are tested on
    share_a, share_b
        what is to be told apart
    power
        how often the test should find the difference
    level
        how often it may find one where there is none
    differing
        share of the rows on which just one of the two is right; None where it is not known
    reached
        the exact power with so many rows
    least, most
        rows that both are tested on, if they differ on as few rows as can be, and as many

    Examples
    --------
    >>> print(rows_needed(0.80, 0.82))
    To tell 0.8 from 0.82 in 80% of cases at the level 0.05 takes 6,038 rows for each of two models with \
test rows of their own. On the same rows (McNemar's exact test) it takes 394 if they differ on 2% of them, \
the fewest possible, and 7,550 if on 38%, the most: say on how many. Finding none does not show that there \
is none.
    """

    n_rows: int
    share_a: float
    share_b: float
    power: float
    level: float
    differing: float | None
    reached: float
    least: int
    most: int

    def __str__(self) -> str:
        stated = (
            f"To tell {self.share_a:g} from {self.share_b:g} in {percent_text(self.power)} of cases"
            f" at the level {self.level:g} takes {plural(self.n_rows, 'row')}"
        )
        fewest, most = (percent_text(round(end, 12)) for end in _possible(self.share_a, self.share_b))
        if self.differing is not None:
            differ = f"if just one of them is right on {percent_text(self.differing)}"
            return f"{stated} that both are tested on, {differ} (McNemar's exact test). {NOT_SAID}"
        return (
            f"{stated} for each of two models with test rows of their own. On the same rows (McNemar's exact"
            f" test) it takes {self.least:,} if they differ on {fewest} of them, the fewest possible, and"
            f" {self.most:,} if on {most}, the most: say on how many. {NOT_SAID}"
        )

    def to_svg(self) -> str:
        """The rows as lines from 0."""
        numbers = [("rows", self.n_rows)]
        if self.differing is None:
            numbers = [
                ("each on rows of its own", self.n_rows),
                ("same rows, fewest differ", self.least),
                ("same rows, most differ", self.most),
            ]
        lines = [
            PictureInterval(label, number, 0.0, number, f"{label}: {number:,}", index)
            for index, (label, number) in enumerate(numbers)
        ]
        caption = f"{self.share_a:g} against {self.share_b:g}"
        return interval_svg(lines, title="rows needed", caption=caption)


@dataclass(frozen=True)
class Power(Result):
    """How often a test would find a difference that is there.

    Attributes
    ----------
    power
        how often
    n_rows, share_a, share_b, level, differing
        as in RowsNeeded

    Examples
    --------
    >>> print(power_of(500, 0.80, 0.82, paired=0.1))
    With 500 rows that both are tested on, 10% of which they differ on, McNemar's exact test would tell 0.8 \
from 0.82 in 25% of cases at the level 0.05. Finding none does not show that there is none.
    """

    power: float
    n_rows: int
    share_a: float
    share_b: float
    level: float
    differing: float | None

    def __str__(self) -> str:
        rows = plural(self.n_rows, "row")
        if self.differing is None:
            about = f"With {rows} for each of two models, the z-test"
        else:
            differ = percent_text(self.differing)
            about = (
                f"With {rows} that both are tested on, {differ} of which they differ on, McNemar's exact test"
            )
        often = f"in {100 * self.power:.3g}% of cases at the level {self.level:g}"
        if self.share_a == self.share_b:
            return f"{about} would find a difference where there is none {often}."
        return f"{about} would tell {self.share_a:g} from {self.share_b:g} {often}. {NOT_SAID}"

    def to_svg(self) -> str:
        """The power on a scale from 0 to 1."""
        line = PictureInterval("power", self.power, 0.0, self.power, str(self))
        return interval_svg([line], title="power", caption=plural(self.n_rows, "row"), ends=(0.0, 1.0))


@dataclass(frozen=True)
class RowsForWidth(Result):
    """How many rows it takes for an interval of this width.

    Attributes
    ----------
    n_rows
        the answer
    share
        around which it lies
    width, confidence, method
        of the interval

    Examples
    --------
    >>> print(rows_for_width(0.9, 0.04))
    A 95% interval (Clopper-Pearson) around 0.900 is at most 0.040 wide with 917 rows.
    """

    n_rows: int
    share: float
    width: float
    confidence: float
    method: str

    def __str__(self) -> str:
        what = f"A {percent_text(self.confidence)} interval ({self.method}) around {number_text(self.share)}"
        return f"{what} is at most {number_text(self.width)} wide with {plural(self.n_rows, 'row')}."

    def to_svg(self) -> str:
        """The interval."""
        ends = self.share - self.width / 2, self.share + self.width / 2
        line = PictureInterval("share", self.share, *ends, str(self))
        return interval_svg([line], title="share", caption=f"{self.method}, {plural(self.n_rows, 'row')}")


def rows_needed(
    share_a: float, share_b: float, power: float = 0.8, level: float = 0.05, paired: float | None = None
) -> RowsNeeded:
    """How many test rows are needed to tell one share, such as an accuracy of 80%, from another.

    Parameters
    ----------
    share_a, share_b
        the shares
    power
        how often the difference should be found
    level
        how often one may be found where there is none (two-sided)
    paired
        if both models are tested on the same rows, on which share of them just one is right. Left out,
        each has rows of its own; the fewest and most that pairs can take stand beside

    Notes
    -----
    The power is exact: of the z-test of two shares for separate rows, of McNemar's exact test for pairs. It
    rises in small steps with falls between them; with n_rows it is reached, with one row less it is not.

    Examples
    --------
    >>> found = rows_needed(0.80, 0.82, paired=0.1)
    >>> found.n_rows, round(found.reached, 4)
    (2043, 0.8002)
    """
    share_a, share_b = check_share("share_a", share_a), check_share("share_b", share_b)
    power = check_share("power", power, is_open=True)
    level = check_share("level", level, is_open=True)
    if share_a == share_b:
        raise RequestError(
            "no number of rows tells a share from itself",
            where=f"share_a=share_b={share_a:g}",
            fix="say which difference would matter, such as 0.8 and 0.82",
        )
    if power <= level:
        raise RequestError(
            "a test finds a difference at least as often as its level",
            where=f"power={power:g}, level={level:g}",
            fix="ask for more power, such as 0.8",
        )
    differing = _checked_pairs(share_a, share_b, paired)
    n_rows, reached = _fewest_rows(share_a, share_b, power, level, differing)
    least, most = (
        _fewest_rows(share_a, share_b, power, level, end)[0] for end in _possible(share_a, share_b)
    )
    return RowsNeeded(n_rows, share_a, share_b, power, level, differing, reached, least, most)


def power_of(
    n_rows: int, share_a: float, share_b: float, level: float = 0.05, paired: float | None = None
) -> Power:
    """How often a difference would be found with so many test rows: what `rows_needed` turns around.

    Parameters
    ----------
    n_rows
        for each of two models, or, with `paired`, for both together
    share_a, share_b, level, paired
        as for `rows_needed`

    Examples
    --------
    >>> round(power_of(2043, 0.80, 0.82, paired=0.1).power, 4)
    0.8002
    """
    n_rows = check_count("n_rows", n_rows)
    share_a, share_b = check_share("share_a", share_a), check_share("share_b", share_b)
    level = check_share("level", level, is_open=True)
    differing = _checked_pairs(share_a, share_b, paired)
    found = _exact_power(share_a, share_b, level, differing)(n_rows)
    return Power(found, n_rows, share_a, share_b, level, differing)


def rows_for_width(
    share: float, width: float, confidence: float = 0.95, method: str = "clopper_pearson"
) -> RowsForWidth:
    """With how many rows the interval of a share is at most so wide.

    Parameters
    ----------
    share
        that is expected
    width
        from end to end
    method
        of the interval, as for `rate_interval`

    Examples
    --------
    >>> rows_for_width(0.9, 0.04).n_rows, rows_for_width(0.9, 0.04, method="normal").n_rows
    (917, 865)
    """
    share, width = check_share("share", share), check_share("width", width, is_open=True)
    confidence = check_confidence(confidence)
    check_choice("method", method, tuple(WIDTHS), {"exact": "clopper_pearson", "wald": "normal"})

    if method == "normal" and share in (0, 1):
        raise RequestError(
            "the normal approximation has no width at 0 and 1",
            where=f"share={share:g}, method='normal'",
            fix="use method='wilson' or 'clopper_pearson'",
        )

    def is_enough(n_rows: int) -> bool:
        if method == "clopper_pearson":
            # It counts whole hits: both neighbors of the share have to do.
            hits = {math.floor(share * n_rows), math.ceil(share * n_rows)}
            found = [clopper_pearson_ends(n_hits, n_rows, confidence) for n_hits in hits]
        else:
            found = [(wilson_ends if method == "wilson" else normal_ends)(share, n_rows, confidence)]
        return all(high - low <= width for low, high in found)

    return RowsForWidth(_first(is_enough, 1), share, width, confidence, WIDTHS[method])


def _fewest_rows(
    share_a: float, share_b: float, power: float, level: float, differing: float | None
) -> tuple[int, float]:
    """Rows with which the power is reached, and with one less not; and the power."""
    exact = _exact_power(share_a, share_b, level, differing)
    start = rows_by_formula(share_a, share_b, power, level, differing)
    if start > MOST_ROWS:
        raise RequestError(
            "it would take more than a billion rows",
            where=f"share_a={share_a:g}, share_b={share_b:g}",
            fix="ask for a larger difference",
        )
    n_rows = _first(lambda rows: exact(rows) >= power, max(math.floor(start), 1))
    return n_rows, exact(n_rows)


def _exact_power(
    share_a: float, share_b: float, level: float, differing: float | None
) -> Callable[[int], float]:
    if differing is None:
        return lambda n_rows: power_of_separate_rows(n_rows, share_a, share_b, level)
    return lambda n_rows: power_of_same_rows(n_rows, abs(share_a - share_b), differing, level)


def _first(is_enough: Callable[[int], bool], start: int) -> int:
    """A number that is enough while the one before it is not, near the start; 0 never is."""
    low = high = start
    step = 1
    if is_enough(start):
        while low > 0 and is_enough(low):
            low, high, step = max(low - step, 0), low, 2 * step
    else:
        while not is_enough(high):
            low, high, step = high, high + step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        if is_enough(middle):
            high = middle
        else:
            low = middle
    return high


def _possible(share_a: float, share_b: float) -> tuple[float, float]:
    """On how few and how many rows two models of these shares can differ."""
    return abs(share_a - share_b), min(share_a + share_b, 2 - share_a - share_b)


def _checked_pairs(share_a: float, share_b: float, paired: float | None) -> float | None:
    if paired is None:
        return None
    differing = check_share("paired", paired)
    least, most = _possible(share_a, share_b)
    if least - 1e-12 <= differing <= most + 1e-12:
        return min(max(differing, least), most)
    raise RequestError(
        f"models with shares of {share_a:g} and {share_b:g} cannot differ on such a share of the rows",
        where=f"paired={paired:g}",
        fix=f"it lies between {least:.4g} and {most:.4g}",
    )
