"""What docs/methods/prunings.md says of the prunings is found again with fewer sets."""

from __future__ import annotations

from .populations import GAUSSIAN, NORMAL_NOISE, TREE_RULE
from .pruning_errors import GROWN_BY_C45, GROWN_TO_THE_END, NOISE, OF_NUMBERS, PrunedTrees, pruned_trees

N_SETS = 80


def by_way(found: list[PrunedTrees]) -> dict[str, PrunedTrees]:
    return {each.way: each for each in found}


def test_what_c45_grew_needs_little_pruning() -> None:
    """Pessimistic pruning changes the error of C4.5's trees by less than a point, and takes leaves away."""
    for population in (GAUSSIAN, TREE_RULE):
        found = by_way(pruned_trees(population, 200, N_SETS, GROWN_BY_C45))
        none, pruned = found["none"], found["pessimistic"]
        assert abs(pruned.error - none.error) < 0.01
        assert 0.6 * none.mean_leaves < pruned.mean_leaves < none.mean_leaves


def test_a_small_truth_is_found_by_folds() -> None:
    """Of trees grown to the end, alpha by folds finds a rule of few leaves best, and pruning pays."""
    found = by_way(pruned_trees(TREE_RULE, 200, N_SETS, GROWN_TO_THE_END))
    assert found["cost and complexity, by folds"].error < found["reduced error"].error
    assert found["reduced error"].error < found["pessimistic"].error < found["none"].error - 0.02
    assert found["cost and complexity, by folds"].mean_leaves < 6


def test_a_border_that_no_small_tree_draws_wants_leaves() -> None:
    """For two Gaussian classes and 50 rows, small trees err by points more than gently pruned ones."""
    found = by_way(pruned_trees(GAUSSIAN, 50, 2 * N_SETS, GROWN_TO_THE_END))
    for way in ("cost and complexity, by folds", "reduced error"):
        assert found[way].error > found["pessimistic"].error + 0.015


def test_what_is_left_of_noise() -> None:
    """Training rows alone do not tell noise: only rows kept apart take most splits away."""
    found = by_way(pruned_trees(NOISE, 200, N_SETS, GROWN_TO_THE_END))
    share = {way: each.n_with_splits / N_SETS for way, each in found.items()}
    assert share["chi-square"] == share["pessimistic"] == share["none"] == 1.0
    assert 0.1 < share["cost and complexity, by folds"] < 0.45 < share["reduced error"] < 0.9
    assert found["pessimistic"].mean_leaves > 0.7 * found["none"].mean_leaves


def test_a_fixed_alpha_hardly_prunes_a_noisy_regression() -> None:
    """An alpha of .001 leaves nearly all leaves; by folds few are left, and the error is far less."""
    found = by_way(pruned_trees(NORMAL_NOISE, 200, N_SETS, OF_NUMBERS))
    fixed, chosen = found["alpha .001"], found["alpha by folds (default)"]
    assert fixed.mean_leaves > 0.9 * found["none"].mean_leaves
    assert chosen.mean_leaves < 5
    assert chosen.error < fixed.error - 0.4
