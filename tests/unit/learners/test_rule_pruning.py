"""Rule post-pruning against a plain twin that counts everything anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout.inputs.input_schema import InputColumn
from heldout.learners.rules.condition import Condition, Cut
from heldout.learners.rules.rule_learning import order_rules
from heldout.learners.rules.rule_pruning import PrunedRule, pessimistic_accuracy, plain_accuracy, prune_rule
from heldout.learners.rules.rule_rows import RuleRows

N_COLUMNS = 4
COLUMNS = [InputColumn(f"x{place}") for place in range(N_COLUMNS)]


def random_judges(seed: int, n_rows: int = 60) -> tuple[RuleRows, np.ndarray]:
    draw = np.random.default_rng(seed)
    X = draw.integers(0, 6, (n_rows, N_COLUMNS)).astype(float)
    X[draw.random(X.shape) < 0.1] = np.nan
    classes = ((X[:, 0] > 2) ^ (draw.random(n_rows) < 0.2)).astype(np.uint32)
    weights = draw.integers(1, 4, n_rows).astype(float)
    return RuleRows(lambda position: X[:, position], classes, weights, 2), X


def random_conditions(seed: int) -> list[Condition]:
    draw = np.random.default_rng(seed + 1)
    conditions = []
    for position in draw.permutation(N_COLUMNS)[: draw.integers(1, N_COLUMNS + 1)].tolist():
        ends = np.sort(draw.choice(6, 2, replace=False)) + 0.5
        low, high = (Cut(float(end), end - 0.5, end + 0.5) for end in ends - 1)
        kind = draw.integers(0, 3)
        conditions.append(
            Condition(COLUMNS[position], position, None if kind == 0 else low, None if kind == 1 else high)
        )
    return conditions


def plain_pruning(sides: list[Condition], code: int, rows: RuleRows, estimate) -> list[Condition]:
    """Try every precondition, count all rows again, and take away the best until the estimate falls."""

    def judged(kept: list[Condition]) -> tuple[float, float]:
        inside = np.ones(rows.n_rows, dtype=bool)
        for side in kept:
            inside &= side.is_met(rows.values_of(side.position))
        total = rows.weights[inside].sum()
        right = rows.weights[inside & (rows.classes == code)].sum()
        return round(float(estimate(np.array(total), np.array(right))), 10), total

    while sides:
        tried = [judged(sides[:place] + sides[place + 1 :]) for place in range(len(sides))]
        best = max(tried)
        if best[0] < judged(sides)[0]:
            break
        del sides[tried.index(best)]
    return sides


@given(st.integers(0, 2**20), st.integers(0, 1), st.sampled_from(["pessimistic", "validation"]))
@settings(max_examples=150)
def test_pruning_is_that_of_the_plain_twin(seed, code, how):
    """Counting rows with one unmet precondition gives what counting everything gives."""
    rows, _ = random_judges(seed)
    conditions = random_conditions(seed)
    estimate = plain_accuracy if how == "validation" else pessimistic_accuracy(0.25)
    sides = [side for condition in conditions for side in condition.sides]
    wanted = plain_pruning(list(sides), code, rows, estimate)
    found = prune_rule(conditions, code, rows, estimate)
    kept = {side.key for condition in found.conditions for side in condition.sides}
    assert kept == {side.key for side in wanted}
    inside = np.ones(rows.n_rows, dtype=bool)
    for condition in found.conditions:
        inside &= condition.is_met(rows.values_of(condition.position))
    assert found.covered == pytest.approx(rows.weights[inside].sum())


def test_the_estimate_never_falls():
    """What is left of a rule is judged at least as well as the whole rule."""
    estimate = pessimistic_accuracy(0.25)
    for seed in range(30):
        rows, _ = random_judges(seed)
        conditions = random_conditions(seed)
        inside = np.ones(rows.n_rows, dtype=bool)
        for condition in conditions:
            inside &= condition.is_met(rows.values_of(condition.position))
        total, right = rows.weights[inside].sum(), rows.weights[inside & (rows.classes == 1)].sum()
        before = float(estimate(np.array(total), np.array(right)))
        assert prune_rule(conditions, 1, rows, estimate).estimate >= before - 1e-9


def humidity_and_sunshine(accuracies: dict[tuple[bool, bool], tuple[int, int]]) -> RuleRows:
    """Validation rows, by whether it was sunny and humid: how many did not play, and how many did."""
    cells = [
        (sunny, humid, played)
        for (sunny, humid), counts in accuracies.items()
        for played, count in enumerate(counts)
        for _ in range(count)
    ]
    X = np.array(cells, dtype=float)
    return RuleRows(lambda place: X[:, place], X[:, 2].astype(np.uint32), np.ones(len(X)), 2)


def test_the_precondition_goes_whose_loss_helps_most():
    """Of .68 with both, .65 with Sunny alone and .75 with High alone, the last one is kept.

    The lecture's example: Outlook = Sunny ∧ Humidity = High ⇒ Don't play.
    """
    rows = humidity_and_sunshine({(True, True): (17, 8), (True, False): (9, 6), (False, True): (28, 7)})
    sunny = Condition(InputColumn("sunny"), 0, low=Cut(0.5, 0, 1))
    humid = Condition(InputColumn("humid"), 1, low=Cut(0.5, 0, 1))
    assert plain_accuracy(np.array(25.0), np.array(17.0)) == pytest.approx(0.68)
    assert plain_accuracy(np.array(40.0), np.array(26.0)) == pytest.approx(0.65)
    assert plain_accuracy(np.array(60.0), np.array(45.0)) == pytest.approx(0.75)
    pruned = prune_rule([sunny, humid], 0, rows, plain_accuracy)
    assert [str(condition) for condition in pruned.conditions] == ["humid is above 0.5"]
    assert pruned.estimate == pytest.approx(0.75)


def test_ties_drop_the_precondition():
    """A precondition that changes nothing goes."""
    rows = humidity_and_sunshine({(True, True): (4, 1), (False, False): (0, 5)})
    sunny = Condition(InputColumn("sunny"), 0, low=Cut(0.5, 0, 1))
    humid = Condition(InputColumn("humid"), 1, low=Cut(0.5, 0, 1))
    pruned = prune_rule([sunny, humid], 0, rows, plain_accuracy)
    assert len(pruned.conditions) == 1
    assert pruned.estimate == pytest.approx(0.8)


def test_a_range_may_lose_one_end():
    """Only the lower end of the range tells the classes apart, so only it stays."""
    X = np.arange(20.0)[:, None]
    rows = RuleRows(lambda place: X[:, place], (X[:, 0] > 9).astype(np.uint32), np.ones(20), 2)
    both = Condition(InputColumn("age"), 0, Cut(9.5, 9, 10), Cut(14.5, 14, 15))
    (left,) = prune_rule([both], 1, rows, pessimistic_accuracy(0.25)).conditions
    assert str(left) == "age is above 9.5"


def listed_words(pruned: list[PrunedRule], rows: RuleRows) -> list[str]:
    return [" & ".join(map(str, rule.pruned.conditions)) for rule in order_rules(pruned, rows).rules]


def test_rules_are_ordered_and_duplicates_go():
    """The better estimate comes first, then the larger coverage, then the one that was there first."""
    X = np.arange(12.0)[:, None]
    classes = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1], dtype=np.uint32)
    rows = RuleRows(lambda place: X[:, place], classes, np.ones(12), 2)
    age = InputColumn("age")
    low = Condition(age, 0, high=Cut(2.5, 2, 3))
    high = Condition(age, 0, low=Cut(8.5, 8, 9))
    same = Condition(age, 0, low=Cut(8.5, 7, 9))
    order = [
        PrunedRule((low,), 1, 0.8, 3.0),
        PrunedRule((high,), 1, 0.8, 4.0),
        PrunedRule((same,), 1, 0.8, 4.0),
    ]
    assert listed_words(order, rows) == ["age is above 8.5", "age is at most 2.5"]


def test_rules_that_do_not_help_go():
    """A rule whose rows fare as well without it is left out, and so is one that is mostly wrong."""
    X = np.arange(12.0)[:, None]
    classes = np.array([1] * 4 + [0] * 8, dtype=np.uint32)
    rows = RuleRows(lambda place: X[:, place], classes, np.ones(12), 2)
    age = InputColumn("age")
    young = PrunedRule((Condition(age, 0, high=Cut(3.5, 3, 4)),), 1, 0.7, 4.0)
    younger = PrunedRule((Condition(age, 0, high=Cut(1.5, 1, 2)),), 1, 0.8, 2.0)
    old = PrunedRule((Condition(age, 0, low=Cut(3.5, 3, 4)),), 0, 0.6, 8.0)
    wrong = PrunedRule((Condition(age, 0, low=Cut(6.5, 6, 7)),), 1, 0.9, 5.0)
    order = order_rules([young, younger, old, wrong], rows)
    assert [rule.pruned for rule in order.rules] == [young]
    assert order.left.tolist() == [8.0, 0.0]
    assert sorted(order.left_rows.tolist()) == list(range(4, 12))
