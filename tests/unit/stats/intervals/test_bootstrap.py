"""The bootstrap of any function of rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.bootstrap import bootstrap
from heldout.stats.bootstrap_ends import resample_plan

SEED = np.random.default_rng(11)
NUMBERS = SEED.gamma(2.0, size=40)
OTHERS = NUMBERS + SEED.normal(size=40)


def seen(statistic, *arrays, **options):
    """The interval, and the values of the statistic in its resamples."""
    values = []

    def recorded(*resample):
        values.append(statistic(*resample))
        return values[-1]

    found = bootstrap(recorded, *arrays, **options)
    n_resamples = options.get("n_resamples", 2000)
    return found, np.array(values[1 : n_resamples + 1])


def by_scipy(values, data, statistic, method, paired=False, confidence=0.95):
    """SciPy's interval from the same resamples."""
    given = stats.bootstrap(
        data, statistic, n_resamples=2, paired=paired, vectorized=False, method="percentile"
    )
    given.bootstrap_distribution = values
    found = stats.bootstrap(
        data,
        statistic,
        n_resamples=0,
        bootstrap_result=given,
        method=method,
        paired=paired,
        vectorized=False,
        confidence_level=confidence,
    )
    return tuple(map(float, found.confidence_interval))


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_one_array_as_by_scipy(method, theirs, confidence):
    """From the same resamples SciPy makes the same interval of a skewed statistic."""
    found, values = seen(np.var, NUMBERS, method=method, n_resamples=500, confidence=confidence)
    wanted = by_scipy(values, (NUMBERS,), np.var, theirs, confidence=confidence)
    assert (found.low, found.high) == pytest.approx(wanted, rel=1e-12)
    assert found.estimate == np.var(NUMBERS)
    assert found.n_rows == 40


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
def test_paired_arrays_as_by_scipy(method, theirs):
    """Several arrays are drawn together, as SciPy's paired=True does."""

    def correlation(a, b):
        return float(np.corrcoef(a, b)[0, 1])

    found, values = seen(correlation, NUMBERS, OTHERS, method=method, n_resamples=500)
    wanted = by_scipy(values, (NUMBERS, OTHERS), correlation, theirs, paired=True)
    assert (found.low, found.high) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
def test_strata_as_samples_by_scipy(method, theirs):
    """Strata are what SciPy calls several samples, BCa's acceleration included."""
    is_second = np.repeat([False, True], [15, 25])

    def ratio(numbers, chosen):
        return float(numbers[chosen].mean() / numbers[~chosen].mean())

    found, values = seen(ratio, NUMBERS, is_second, stratify=is_second, method=method, n_resamples=500)
    wanted = by_scipy(values, (NUMBERS[:15], NUMBERS[15:]), lambda a, b: b.mean() / a.mean(), theirs)
    assert (found.low, found.high) == pytest.approx(wanted, rel=1e-12)
    assert "2 strata" in str(found)


def test_groups_of_one_row_are_rows():
    """With every row a group of its own the intervals are those of rows, for both methods."""
    for method in ("percentile", "bca"):
        by_group = bootstrap(np.var, NUMBERS, groups=np.arange(40), method=method, n_resamples=300)
        by_row = bootstrap(np.var, NUMBERS, method=method, n_resamples=300)
        assert (by_group.low, by_group.high) == pytest.approx((by_row.low, by_row.high), rel=1e-12)
        assert by_group.unit == "group"


def test_groups_as_by_scipy_on_group_means():
    """Of equal groups the bootstrap of the mean is SciPy's bootstrap of the means of the groups."""
    groups = np.repeat(np.arange(10), 4)
    means = NUMBERS.reshape(10, 4).mean(axis=1)
    found, values = seen(np.mean, NUMBERS, groups=groups, method="bca", n_resamples=500)
    wanted = by_scipy(values, (means,), np.mean, "BCa")
    assert (found.low, found.high) == pytest.approx(wanted, rel=1e-9)
    assert found.n_rows == 10
    narrow = bootstrap(np.mean, means[groups], n_resamples=500)
    wide = bootstrap(np.mean, means[groups], groups=groups, n_resamples=500)
    assert wide.width > 1.5 * narrow.width


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30), st.integers(0, 5))
def test_draws_keep_what_they_promise(labels, seed):
    """Strata keep their sizes, groups come whole, and blocks are runs of time on a circle."""
    labels = np.array(labels)
    n_rows = len(labels)
    generator = np.random.default_rng(seed)
    rows = next(resample_plan(n_rows, stratify=labels).draws(generator, 1))
    assert sorted(labels[rows]) == sorted(labels)
    rows = next(resample_plan(n_rows, groups=labels).draws(generator, 1))
    sizes, drawn = np.bincount(labels, minlength=5), np.bincount(labels[rows], minlength=5)
    assert all(n % max(size, 1) == 0 for n, size in zip(drawn, sizes, strict=True))
    assert sum(n // max(size, 1) for n, size in zip(drawn, sizes, strict=True)) == np.count_nonzero(sizes)
    time = generator.permutation(n_rows)
    plan = resample_plan(n_rows, time=time)
    rows = next(plan.draws(generator, 1))
    assert len(rows) == n_rows
    runs = [time[rows[start : start + plan.block]] for start in range(0, n_rows, plan.block)]
    assert all(((np.diff(run) - 1) % n_rows == 0).all() for run in runs)
    together = np.sort(np.concatenate(plan.left_out()))
    assert together.tolist() == list(range(n_rows))


def test_groups_within_strata():
    """Whole groups are drawn from each stratum by itself; a group in two strata is refused."""
    groups, strata = np.repeat(np.arange(6), 3), np.repeat(["a", "b"], 9)
    plan = resample_plan(18, stratify=strata, groups=groups)
    for rows in plan.draws(np.random.default_rng(0), 20):
        assert sorted(strata[rows].tolist()) == sorted(strata.tolist())
    with pytest.raises(DataError, match="several strata"):
        resample_plan(18, stratify=np.arange(18) % 2, groups=groups)


def test_blocks_are_wider_where_neighbors_are_alike():
    """In a series whose neighbors are alike the block bootstrap is wider than that of single rows."""
    noise = np.random.default_rng(4).normal(size=400)
    series = np.convolve(noise, np.ones(20) / 20, mode="valid")
    plain = bootstrap(np.mean, series, n_resamples=400)
    blocks = bootstrap(np.mean, series, block=40, n_resamples=400)
    assert blocks.width > 2.5 * plain.width
    shuffled = np.random.default_rng(1).permutation(len(series))
    by_time = bootstrap(np.mean, series[shuffled], time=shuffled, block=40, n_resamples=400)
    assert (by_time.low, by_time.high) == pytest.approx((blocks.low, blocks.high), rel=1e-12)
    assert (blocks.unit, blocks.n_rows) == ("block", math.ceil(len(series) / 40))
    assert math.isfinite(
        bootstrap(np.var, series, time=np.arange(len(series)), method="bca", n_resamples=300).low
    )


def test_the_same_seed_gives_the_same_answer():
    """A seed fixes the answer, and another gives another."""
    first, again, other = (bootstrap(np.mean, NUMBERS, seed=seed, n_resamples=300) for seed in (5, 5, 6))
    assert first == again
    assert first.low != other.low


def test_acceleration_of_many_rows_by_parts():
    """With more rows than are left out one by one BCa leaves out parts, and agrees with SciPy nearly."""
    numbers = np.random.default_rng(2).exponential(size=5000)
    found, values = seen(np.mean, numbers, method="bca", n_resamples=1000)
    given = stats.bootstrap((numbers,), np.mean, n_resamples=2, method="percentile")
    given.bootstrap_distribution = values
    wanted = stats.bootstrap(
        (numbers,), np.mean, n_resamples=0, bootstrap_result=given, method="BCa", batch=200
    )
    wanted = tuple(map(float, wanted.confidence_interval))
    assert (found.low, found.high) == pytest.approx(wanted, abs=0.03 * found.width)


def test_a_constant_statistic_has_no_interval():
    """Where every resample gives the same value there is no interval, and the sentence says why."""
    for method in ("percentile", "bca"):
        found = bootstrap(np.mean, np.ones(12), method=method, n_resamples=50)
        assert found.estimate == 1.0
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        assert "Every resample gave the same value" in str(found)


def test_resamples_without_a_value_are_counted():
    """NaN in some resamples is counted and left aside; in more than half there is no interval."""
    y = np.repeat([0, 1], [10, 2])

    def share(numbers, labels):
        return numbers[labels == 1].mean() if (labels == 1).any() else math.nan

    found, values = seen(share, np.arange(12.0), y, n_resamples=1000)
    n_without = int(np.isnan(values).sum())
    assert 50 < n_without < 300
    assert f"{n_without} of 1,000 resamples gave no value" in str(found)
    assert (found.low, found.high) == pytest.approx(np.nanquantile(values, [0.025, 0.975]).tolist())
    stratified = bootstrap(share, np.arange(12.0), y, stratify=y, n_resamples=1000)
    assert "gave no value" not in str(stratified)
    rare = bootstrap(
        lambda n: n.max() if len(np.unique(n)) == len(n) else math.nan, np.arange(5.0), n_resamples=99
    )
    assert math.isnan(rare.low)
    assert "more than half" in str(rare)


def test_degenerate_rows():
    """Of no row there is no value, of one no interval, and infinite values leave infinite ends."""
    none = bootstrap(np.sum, np.array([]), n_resamples=10)
    assert math.isnan(none.estimate)
    assert math.isnan(none.low)
    assert bootstrap(np.mean, [3.0], n_resamples=10).estimate == 3.0
    assert math.isnan(bootstrap(lambda n: math.nan, [1.0, 2.0], n_resamples=10).estimate)
    ratio = bootstrap(
        lambda n: 1 / n.min() if n.min() else math.inf, np.array([0.0, 1.0, 2.0, 3.0]), n_resamples=400
    )
    assert ratio.high == math.inf
    assert "fewer than 10 rows" in str(ratio)


def test_bca_without_an_answer_takes_percentiles():
    """With all resamples on one side BCa has no answer: percentiles stand in, and a note says so."""
    found = bootstrap(np.max, NUMBERS, method="bca", n_resamples=300)
    plain = bootstrap(np.max, NUMBERS, n_resamples=300)
    # Half of the ties count as below, so the share is below 1 unless the maximum is drawn always.
    assert found.high == plain.high
    low = bootstrap(
        lambda n: -1.0 if len(np.unique(n)) == 12 else n.mean(), np.arange(12.0), method="bca", n_resamples=99
    )
    assert "one side of the estimate" in str(low)
    flat = bootstrap(lambda n: float(len(np.unique(n)) >= 8), np.arange(12.0), method="bca", n_resamples=300)
    assert "acceleration" in str(flat)


def test_too_few_resamples_are_told():
    """For 99.9% it takes 10,000 resamples to have five beyond each end."""
    found = bootstrap(np.mean, NUMBERS, n_resamples=500, confidence=0.999)
    assert "at least 10,000 resamples" in str(found)
    assert "at least" not in str(bootstrap(np.mean, NUMBERS, n_resamples=200))


def test_matrices_are_drawn_by_rows():
    """An array of two dimensions keeps its rows together."""
    matrix = np.column_stack([NUMBERS, NUMBERS])
    found = bootstrap(lambda m: float(np.abs(m[:, 0] - m[:, 1]).max() + m.mean()), matrix, n_resamples=200)
    assert found.low == pytest.approx(bootstrap(np.mean, NUMBERS, n_resamples=200).low, rel=1e-13)


def failing(numbers):
    """Fails as soon as a number was drawn twice."""
    if len(np.unique(numbers)) < len(numbers):
        raise ValueError("only one class")
    return 1.0


@pytest.mark.parametrize(
    ("arguments", "options", "error", "word"),
    [
        ((np.mean,), {}, RequestError, "at least one array"),
        ((NUMBERS, np.mean), {}, InputTypeError, "must be a function"),
        ((np.mean, 3.0), {}, InputTypeError, "has no rows"),
        ((np.mean, [1, 2], [1, 2, 3]), {}, DataError, "rows: 2, 3"),
        ((np.mean, [1, 2]), {"groups": [1]}, DataError, "groups does not fit"),
        ((np.mean, [1, 2]), {"groups": [1, None]}, DataError, "groups has missing labels"),
        ((np.mean, [1, 2]), {"stratify": [1, "a"]}, DataError, "several types"),
        ((np.mean, [1, 2, 3]), {"time": [1, 2]}, DataError, "time does not fit"),
        ((np.mean, [1, 2]), {"block": 2}, RequestError, "more than half"),
        ((np.mean, [1, 2]), {"block": 0}, RequestError, "at least 1"),
        ((np.mean, [1, 2]), {"time": [1, 2], "groups": [1, 2]}, RequestError, "within strata or groups"),
        ((np.mean, [1, 2]), {"method": "BCA "}, RequestError, "did you mean 'bca'"),
        ((np.mean, [1, 2]), {"n_resamples": 0}, RequestError, "at least 1"),
        ((np.mean, [1, 2]), {"seed": None}, InputTypeError, "seed"),
        ((lambda n: n, [1.0, 2.0]), {}, InputTypeError, "one number"),
        ((lambda n: "many", [1.0, 2.0]), {}, InputTypeError, "one number"),
        ((failing, [1.0, 2.0, 3.0]), {}, RequestError, "ValueError: only one class"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, options, error, word):
    """Every wrong argument gets a three-part error."""
    with pytest.raises(error) as caught:
        bootstrap(*arguments, **options)
    assert word in str(caught.value)
    assert caught.value.where
    assert caught.value.fix
