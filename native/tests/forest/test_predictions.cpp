#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "../check.hpp"
#include "forest/forest.hpp"
#include "forest/out_of_bag.hpp"
#include "forest/pack.hpp"
#include "forest/predict.hpp"
#include "forest/walk.hpp"

using namespace heldout;

namespace {

constexpr std::size_t kRows = 300, kNumbers = 3, kLevels = 2, kColumns = kNumbers + kLevels;

struct Table {
    std::vector<double> numbers;
    std::vector<std::int32_t> levels;
    std::vector<std::int32_t> column_of{0, -1, 1, -2, 2};

    explicit Table(std::mt19937_64& random, bool has_missing) {
        for (std::size_t i = 0; i < kRows * kNumbers; ++i)
            numbers.push_back(has_missing && random() % 5 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                               : static_cast<double>(random() % 64) / 8);
        for (std::size_t i = 0; i < kRows * kLevels; ++i)
            levels.push_back(static_cast<std::int32_t>(random() % 40) - (has_missing ? 2 : 0));
    }

    Rows rows(std::size_t n) const {
        return {numbers.data(), kNumbers, 1, kNumbers, levels.data(), kLevels, 1, kLevels, n, column_of};
    }
};

void add_leaf(Forest& forest, std::mt19937_64& random, std::int32_t level) {
    forest.feature.push_back(-1);
    forest.kind.push_back(SplitKind::kLeaf);
    forest.threshold.push_back(std::numeric_limits<double>::quiet_NaN());
    for (auto* column :
         {&forest.first_child, &forest.n_children, &forest.default_child, &forest.set_begin, &forest.set_end})
        column->push_back(0);
    forest.branch_level.push_back(level);
    forest.weight.push_back(1);
    forest.value.push_back(static_cast<double>(1 + random() % 9));
    forest.value.push_back(static_cast<double>(random() % 9));
}

void split(Forest& forest, std::mt19937_64& random, std::size_t first, std::size_t at, bool has_many) {
    const auto feature = random() % kColumns;
    const bool is_number = feature % 2 == 0;
    forest.feature[at] = static_cast<std::int32_t>(feature);
    forest.first_child[at] = static_cast<std::int32_t>(forest.n_nodes() - first);
    forest.n_children[at] = 2;
    if (is_number) {
        forest.kind[at] = SplitKind::kThreshold;
        forest.threshold[at] = static_cast<double>(random() % 64) / (random() % 2 ? 8 : 9);
    } else if (has_many && random() % 2) {
        forest.kind[at] = SplitKind::kMultiway;
        forest.n_children[at] = 4;
    } else {
        forest.kind[at] = SplitKind::kLevelSet;
        forest.set_begin[at] = static_cast<std::int32_t>(forest.set_levels.size());
        for (std::int32_t level = 0; level < (has_many ? 40 : 31); ++level)
            if (random() % 2) forest.set_levels.push_back(level);
        forest.set_end[at] = static_cast<std::int32_t>(forest.set_levels.size());
    }
    forest.default_child[at] = static_cast<std::int32_t>(random() % forest.n_children[at]);
    for (std::int32_t child = 0; child < forest.n_children[at]; ++child)
        add_leaf(forest, random, is_number ? -1 : 5 * child);
}

// Trees of random shape; with has_many some splits have many branches, and levels are high.
Forest random_forest(std::mt19937_64& random, std::size_t n_trees, bool has_many) {
    Forest forest;
    forest.n_outputs = 2;
    forest.n_columns = kColumns;
    forest.tree_begin.push_back(0);
    for (std::size_t tree = 0; tree < n_trees; ++tree) {
        const std::size_t first = forest.n_nodes();
        add_leaf(forest, random, -1);
        for (std::size_t at = first; at < forest.n_nodes() && forest.n_nodes() - first < 60; ++at)
            if (at + 1 == forest.n_nodes() || random() % 4) split(forest, random, first, at, has_many);
        forest.tree_begin.push_back(static_cast<std::int64_t>(forest.n_nodes()));
    }
    forest.importance.assign(n_trees * kColumns, 0.0);
    return forest;
}

std::vector<double> predictions_of(const Forest& forest, const Rows& rows, std::size_t n_threads) {
    const std::vector<std::size_t> prefixes{1, forest.n_trees()};
    std::vector<double> predictions(prefixes.size() * rows.n_rows * forest.n_outputs);
    predict_forest(view_of(forest), rows, {prefixes, PredictionKind::kShares, n_threads}, predictions.data());
    return predictions;
}

// Everything that a forest can predict; what comes out is not looked at.
void predict_everything(const Forest& forest, const Table& table, std::size_t n) {
    const Rows rows = table.rows(n);
    predictions_of(forest, rows, 1);
    std::vector<std::int32_t> reached(n * forest.n_trees()), counts(n);
    apply_forest(view_of(forest), rows, 1, reached.data());
    std::vector<double> sums(n * forest.n_outputs), losses(forest.n_trees() * kColumns);
    predict_out_of_bag(view_of(forest), rows, {{1, true, n}, {}, PredictionKind::kVote, 1}, sums.data(),
                       counts.data());
    const std::vector<std::uint32_t> classes(n, 1);
    permuted_losses(view_of(forest), rows, {classes, {}, {}}, {{1, true, n}}, losses.data());
    cut_forest(view_of(forest), 2);
}

// Writes one wrong number somewhere into a forest.
void damage(Forest& forest, std::mt19937_64& random) {
    std::vector<std::int32_t>* columns[] = {&forest.feature,   &forest.first_child, &forest.n_children,
                                            &forest.set_begin, &forest.set_end,     &forest.default_child};
    constexpr std::int32_t kWrong[] = {-2147483647 - 1, -1000, -1, 0, 1, 2, 30, 1000, 2147483647};
    const std::size_t at = random() % forest.n_nodes();
    const auto which = random() % 9;
    if (which < 6) (*columns[which])[at] = kWrong[random() % std::size(kWrong)];
    if (which == 6) forest.kind[at] = static_cast<SplitKind>(random() % 6);
    if (which == 7) forest.threshold[at] = std::numeric_limits<double>::quiet_NaN();
    if (which == 8)
        forest.tree_begin[random() % forest.tree_begin.size()] = kWrong[random() % std::size(kWrong)];
}

}  // namespace

TEST("keys of numbers lie on the side of a float on which the numbers lie") {
    std::mt19937_64 random(1);
    std::vector<float> floats{0.0F, -0.0F, 1.0F, -1.0F, 3.4028234e38F, -3.4028234e38F, 1e-45F, -1e-45F};
    for (int i = 0; i < 2000; ++i) {
        const auto bits = static_cast<std::uint32_t>(random());
        const auto any = std::bit_cast<float>(bits);
        if (!std::isnan(any)) floats.push_back(any);
    }
    for (const float threshold : floats) {
        const double middle = threshold;
        const double near = std::nextafter(middle, 1e308), below = std::nextafter(middle, -1e308);
        for (const double number : {middle, near, below, middle * (1 + 1e-9), -middle, 0.0, -0.0, 1e300,
                                    -1e300, std::numeric_limits<double>::infinity()})
            CHECK((key_of_number(number) > key_of_float(threshold)) == (number > middle));
    }
    CHECK(key_of_number(std::numeric_limits<double>::quiet_NaN()) == kMissingKey);
    CHECK(key_of_number(std::numeric_limits<double>::infinity()) < kMissingKey);
}

TEST("rows end packed where they end unpacked, one by one or in blocks") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        std::mt19937_64 random(seed);
        const Table table(random, seed % 3 == 0);
        const Forest forest = random_forest(random, 7, seed % 2 == 0);
        const Rows rows = table.rows(kRows);
        std::vector<std::int32_t> reached(kRows * 7), alone(7);
        apply_forest(view_of(forest), rows, 1 + seed % 2, reached.data());
        for (std::size_t row = 0; row < kRows; ++row) {
            walk_row(view_of(forest), rows, row, 0, 7, alone.data());
            CHECK(std::equal(alone.begin(), alone.end(),
                             reached.begin() + static_cast<std::ptrdiff_t>(row * 7)));
            for (std::size_t tree = 0; tree < 7; ++tree)
                CHECK(alone[tree] == end_of_way(view_of(forest), rows, tree, [&](auto) { return row; }));
        }
    }
}

TEST("the predictions for a row do not depend on the rows beside it, nor on threads") {
    std::mt19937_64 random(3);
    const Table table(random, true);
    const Forest forest = random_forest(random, 5, false);
    const auto all = predictions_of(forest, table.rows(kRows), 2),
               few = predictions_of(forest, table.rows(2), 1);
    CHECK(all == predictions_of(forest, table.rows(kRows), 1));
    CHECK(std::equal(few.begin(), few.begin() + 4, all.begin()));
    CHECK(std::equal(few.begin() + 4, few.end(), all.begin() + 2 * kRows));
}

TEST("a damaged forest is refused or predicts, and never leaves its arrays") {
    std::mt19937_64 random(4);
    const Table table(random, true);
    std::size_t n_refused = 0;
    for (int round = 0; round < 600; ++round) {
        Forest forest = random_forest(random, 3, round % 2 == 0);
        damage(forest, random);
        try {
            predict_everything(forest, table, round % 3 == 0 ? 2 : 60);
        } catch (const std::invalid_argument&) {
            ++n_refused;
        }
    }
    CHECK(n_refused > 100 && n_refused < 600);
}

TEST("a forest whose arrays differ in length is refused") {
    std::mt19937_64 random(5);
    const Table table(random, false);
    const Forest whole = random_forest(random, 3, false);
    const auto check_refused = [&](auto change) {
        Forest forest = whole;
        change(forest);
        CHECK_THROWS(std::invalid_argument, predict_everything(forest, table, 2));
    };
    check_refused([](Forest& forest) { forest.kind.pop_back(); });
    check_refused([](Forest& forest) { forest.value.pop_back(); });
    check_refused([](Forest& forest) { forest.default_child.pop_back(); });
    check_refused([](Forest& forest) { forest.tree_begin.pop_back(); });
    check_refused([](Forest& forest) { forest.tree_begin.clear(); });
    check_refused([](Forest& forest) { forest.importance.pop_back(); });
    check_refused([](Forest& forest) { forest.n_columns = 2; });
    check_refused([](Forest& forest) { forest.n_outputs = 0; });
}

TEST("a forest cut at its root predicts what the roots hold") {
    std::mt19937_64 random(6);
    const Table table(random, false);
    const Forest forest = random_forest(random, 4, true), cut = cut_forest(view_of(forest), 0);
    CHECK(cut.n_nodes() == 4 && cut.importance.empty());
    std::vector<std::int32_t> reached(4 * kRows);
    apply_forest(view_of(cut), table.rows(kRows), 1, reached.data());
    CHECK(std::ranges::all_of(reached, [](std::int32_t node) { return node == 0; }));
    for (std::size_t tree = 0; tree < 4; ++tree)
        CHECK(cut.value[2 * tree] == forest.value[2 * static_cast<std::size_t>(forest.tree_begin[tree])]);
}
