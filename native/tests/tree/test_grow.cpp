#include <random>
#include <stdexcept>
#include <vector>

#include "../check.hpp"
#include "codes/rank.hpp"
#include "tree/apply.hpp"
#include "tree/grow.hpp"

using namespace heldout;

namespace {

CodeView view_of(const RankedColumn& column) {
    return std::visit([&](const auto& codes) { return CodeView(std::span(codes), column.n_codes); },
                      column.codes);
}

// Random numbers with gaps, one category with gaps, classes that depend on both.
struct Sample {
    std::size_t n, n_numbers = 4;
    std::vector<double> numbers;
    std::vector<std::uint8_t> levels;
    std::vector<std::uint32_t> classes;
    std::vector<double> targets;
    std::vector<RankedColumn> ranked;

    Sample(std::size_t rows, std::uint64_t seed, bool has_gaps) : n(rows) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        for (std::size_t i = 0; i < n * n_numbers; ++i)
            numbers.push_back(has_gaps && random() % 10 == 0 ? std::nan("") : normal(random));
        for (std::size_t row = 0; row < n; ++row) {
            levels.push_back(static_cast<std::uint8_t>(has_gaps && random() % 10 == 0 ? 6 : random() % 6));
            const double x = std::isnan(numbers[row * n_numbers]) ? 0 : numbers[row * n_numbers];
            targets.push_back(x + (levels[row] % 3) + 0.5 * normal(random));
            classes.push_back(targets.back() > 1.5 ? 2U : targets.back() > 0.5 ? 1U : 0U);
        }
        rank();
    }

    void rank() {
        ranked = rank_columns({numbers.data(), n, n_numbers, static_cast<std::ptrdiff_t>(n_numbers), 1}, 1);
    }

    Problem problem(Criterion criterion, LevelSplits splits) const {
        Problem made;
        for (std::size_t j = 0; j < n_numbers; ++j)
            made.columns.push_back(
                {view_of(ranked[j]), numbers.data() + j, static_cast<std::ptrdiff_t>(n_numbers)});
        made.columns.push_back({CodeView(std::span(levels), 6)});
        made.n_rows = n;
        made.options.criterion = criterion;
        made.options.level_splits = splits;
        if (criterion == Criterion::kSquaredError) {
            made.targets = targets;
        } else {
            made.classes = classes;
            made.n_classes = 3;
        }
        return made;
    }
};

bool same(const Tree& a, const Tree& b) {
    if (a.nodes.size() != b.nodes.size() || a.values != b.values || a.set_levels != b.set_levels)
        return false;
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        const Node &x = a.nodes[i], &y = b.nodes[i];
        const bool same_threshold =
            x.threshold == y.threshold || (std::isnan(x.threshold) && std::isnan(y.threshold));
        if (!same_threshold || x.feature != y.feature || x.first_child != y.first_child || x.kind != y.kind ||
            x.gain != y.gain || x.default_child != y.default_child || x.branch_level != y.branch_level)
            return false;
    }
    return true;
}

std::vector<std::int32_t> reached(const Tree& tree, const Sample& sample) {
    std::vector<std::int32_t> levels(sample.n), nodes(sample.n);
    for (std::size_t row = 0; row < sample.n; ++row)
        levels[row] = sample.levels[row] == 6 ? -1 : sample.levels[row];
    const std::vector<std::int32_t> column_of{0, 1, 2, 3, -1};
    const Rows rows{sample.numbers.data(), 4, 1, 4, levels.data(), 1, 0, 1, sample.n, column_of};
    apply_tree(tree, rows, 2, nodes.data());
    return nodes;
}

constexpr Criterion kCriteria[] = {Criterion::kGainRatio, Criterion::kEntropy, Criterion::kGini,
                                   Criterion::kError, Criterion::kSquaredError};
constexpr LevelSplits kSplits[] = {LevelSplits::kMultiway, LevelSplits::kSubset, LevelSplits::kOneVsRest};

}  // namespace

TEST("one thread and three grow the same tree") {
    for (const bool has_gaps : {false, true})
        for (const auto criterion : kCriteria)
            for (const auto splits : kSplits) {
                const Sample sample(6000, 11, has_gaps);
                auto problem = sample.problem(criterion, splits);
                problem.options.min_leaf = 3;
                const Tree alone = grow_tree(problem);
                problem.options.n_threads = 3;
                CHECK(alone.nodes.size() > 10);
                CHECK(same(alone, grow_tree(problem)));
            }
}

TEST("one thread and three grow the same tree from fragments, and the leaves hold every row") {
    for (const auto criterion : kCriteria)
        for (const auto splits : kSplits)
            for (const std::int64_t max_leaves : {-1, 40}) {
                const Sample sample(6000, 21, true);
                auto problem = sample.problem(criterion, splits);
                problem.options.min_leaf = 3;
                problem.options.missing = Missing::kFractional;
                problem.options.max_leaves = max_leaves;
                const Tree alone = grow_tree(problem);
                problem.options.n_threads = 3;
                CHECK(alone.nodes.size() > 10);
                CHECK(same(alone, grow_tree(problem)));
                double weight = 0;
                for (const Node& node : alone.nodes)
                    if (node.kind == SplitKind::kLeaf) weight += node.weight;
                CHECK(heldout::tests::is_near(weight, 6000));
            }
}

TEST("several min_leaf at once give the tree of each") {
    for (const auto missing : {Missing::kNodeMode, Missing::kFractional}) {
        const Sample sample(900, 22, true);
        auto problem = sample.problem(Criterion::kGini, LevelSplits::kSubset);
        problem.options.missing = missing;
        const std::vector<double> min_leafs{1, 40, 3};
        const auto trees = grow_trees(problem, min_leafs);
        for (std::size_t i = 0; i < min_leafs.size(); ++i) {
            problem.options.min_leaf = min_leafs[i];
            CHECK(same(trees[i], grow_tree(problem)));
        }
    }
}

TEST("training rows end in leaves that counted them") {
    for (const bool has_gaps : {false, true})
        for (const auto criterion : kCriteria)
            for (const auto splits : kSplits) {
                const Sample sample(700, 12, has_gaps);
                const Tree tree = grow_tree(sample.problem(criterion, splits));
                std::vector<std::int64_t> n_rows(tree.nodes.size());
                for (const auto node : reached(tree, sample)) ++n_rows[node];
                for (std::size_t i = 0; i < tree.nodes.size(); ++i)
                    CHECK(n_rows[i] == (tree.nodes[i].kind == SplitKind::kLeaf ? tree.nodes[i].n_rows : 0));
            }
}

TEST("a selection of rows gives the tree that these rows alone would give") {
    const Sample whole(2000, 13, true);
    std::vector<std::uint32_t> rows;
    Sample part(0, 0, false);
    for (std::uint32_t row = 0; row < whole.n; row += 3) {
        rows.push_back(row);
        part.numbers.insert(part.numbers.end(), whole.numbers.begin() + row * 4,
                            whole.numbers.begin() + row * 4 + 4);
        part.levels.push_back(whole.levels[row]);
        part.classes.push_back(whole.classes[row]);
        part.targets.push_back(whole.targets[row]);
    }
    part.n = rows.size();
    part.rank();
    for (const auto criterion : kCriteria)
        for (const auto splits : kSplits) {
            auto selected = whole.problem(criterion, splits);
            const auto alone = part.problem(criterion, splits);
            selected.rows = rows;
            selected.n_rows = rows.size();
            selected.classes = alone.classes;
            selected.targets = alone.targets;
            CHECK(same(grow_tree(selected), grow_tree(alone)));
        }
}

TEST("whole-number weights grow the tree of repeated rows") {
    const Sample once(300, 14, true);
    std::mt19937_64 random(15);
    std::vector<double> weights;
    std::vector<std::uint32_t> rows;
    Sample repeated(0, 0, false);
    for (std::uint32_t row = 0; row < once.n; ++row) {
        weights.push_back(static_cast<double>(1 + random() % 3));
        for (int copy = 0; copy < weights.back(); ++copy) {
            rows.push_back(row);
            repeated.classes.push_back(once.classes[row]);
            repeated.targets.push_back(once.targets[row]);
        }
    }
    for (const auto criterion :
         {Criterion::kEntropy, Criterion::kGini, Criterion::kError, Criterion::kSquaredError}) {
        auto weighted = once.problem(criterion, LevelSplits::kMultiway);
        weighted.weights = weights;
        weighted.options.min_leaf = 5;
        auto copies = once.problem(criterion, LevelSplits::kMultiway);
        copies.options.min_leaf = 5;
        copies.rows = rows;
        copies.n_rows = rows.size();
        copies.classes = once.problem(criterion, LevelSplits::kMultiway).classes.empty()
                             ? std::span<const std::uint32_t>{}
                             : std::span<const std::uint32_t>(repeated.classes);
        if (criterion == Criterion::kSquaredError) copies.targets = repeated.targets;
        const Tree a = grow_tree(weighted), b = grow_tree(copies);
        CHECK(a.nodes.size() == b.nodes.size());
        for (std::size_t i = 0; i < a.values.size(); ++i)
            CHECK(heldout::tests::is_near(a.values[i], b.values[i]));
    }
}

TEST("far-off and tiny targets are split where ordinary ones are, on any number of threads") {
    for (const double scale : {1e-250, 1e-9, 1.0, 1e9, 1e140})
        for (const double outlier : {0.0, 1e9}) {
            Sample sample(3000, 21, false);
            for (std::size_t row = 0; row < sample.n; ++row)
                sample.targets[row] = scale * (3 * (sample.numbers[row * 4 + 2] > 0.2) +
                                               0.1 * sample.numbers[row * 4 + 1] + outlier * (row % 7 == 0));
            for (std::size_t row = 0; row < sample.n; ++row) sample.numbers[row * 4 + 3] = row % 7 == 0;
            sample.rank();
            auto problem = sample.problem(Criterion::kSquaredError, LevelSplits::kMultiway);
            problem.options.max_depth = 2;
            const Tree alone = grow_tree(problem);
            problem.options.n_threads = 3;
            CHECK(same(alone, grow_tree(problem)));
            CHECK(alone.nodes[0].feature == (outlier > 0 ? 3 : 2));
            if (outlier > 0) CHECK(alone.nodes[1].feature == 2 && alone.nodes[2].feature == 2);
        }
}

TEST("an offset does not move a split") {
    const Sample sample(400, 22, false);
    for (const double offset : {1e6, -1e12, 1e15}) {
        Sample moved = sample;
        std::vector<double> exact(sample.n);
        for (std::size_t row = 0; row < sample.n; ++row) {
            moved.targets[row] = sample.targets[row] + offset;
            exact[row] = moved.targets[row] - offset;
        }
        moved.rank();
        auto far = moved.problem(Criterion::kSquaredError, LevelSplits::kSubset);
        auto near = moved.problem(Criterion::kSquaredError, LevelSplits::kSubset);
        near.targets = exact;
        far.options.max_depth = near.options.max_depth = 3;
        const Tree a = grow_tree(far), b = grow_tree(near);
        CHECK(a.nodes.size() == b.nodes.size());
        for (std::size_t i = 0; i < a.nodes.size(); ++i) {
            CHECK(a.nodes[i].feature == b.nodes[i].feature);
            CHECK(heldout::tests::is_near(a.nodes[i].gain, b.nodes[i].gain));
        }
    }
}

TEST("a cut that gains nothing is still found when it is asked for") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        Sample sample(0, 0, false);
        sample.n = 128;
        sample.n_numbers = 1;
        for (std::size_t row = 0; row < 64; ++row) sample.targets.push_back(normal(random));
        for (std::size_t row = 0; row < 64; ++row) sample.targets.push_back(sample.targets[63 - row]);
        for (std::size_t row = 0; row < 128; ++row) sample.numbers.push_back(row < 64 ? 0.0 : 1.0);
        sample.levels.assign(128, 0);
        sample.rank();
        auto problem = sample.problem(Criterion::kSquaredError, LevelSplits::kSubset);
        problem.options.min_gain = -INFINITY;
        problem.options.max_depth = 1;
        CHECK(grow_tree(problem).nodes.size() == 3);
    }
}

TEST("sums of fractional weights reach min_leaf") {
    for (const double size : {1.0, 2.0, 3.0}) {
        Sample sample(0, 0, false);
        sample.n = static_cast<std::size_t>(20 * size);
        sample.n_numbers = 1;
        std::vector<double> weights(sample.n, 0.1);
        for (std::size_t row = 0; row < sample.n; ++row) {
            sample.numbers.push_back(row < sample.n / 2 ? 0.0 : 1.0);
            sample.classes.push_back(row < sample.n / 2 ? 0 : 1);
        }
        sample.levels.assign(sample.n, 0);
        sample.rank();
        auto problem = sample.problem(Criterion::kGini, LevelSplits::kSubset);
        problem.weights = weights;
        problem.options.min_leaf = size;
        CHECK(grow_tree(problem).nodes.size() == 3);
    }
}

TEST("codes that are no ranks are refused or sorted, and never trusted") {
    const std::vector<std::uint8_t> codes{0, 0, 1, 1};
    const std::vector<double> numbers{0, 0, 1, 1};
    const std::vector<std::uint32_t> classes{0, 1, 0, 1};
    Problem problem;
    problem.columns.push_back({CodeView(std::span(codes), 4), numbers.data(), 1});
    problem.n_rows = 4;
    problem.classes = classes;
    problem.n_classes = 2;
    problem.options.min_gain = -INFINITY;
    const Tree tree = grow_tree(problem);
    CHECK(tree.nodes[1].n_rows == 2 && tree.nodes[2].n_rows == 2);
    problem.columns[0].codes = CodeView(std::span(codes), 4000000000U);
    CHECK_THROWS(std::invalid_argument, grow_tree(problem));
}

TEST("best-first growth stops at max_leaves and takes the largest gains") {
    const Sample sample(2000, 16, false);
    auto problem = sample.problem(Criterion::kGini, LevelSplits::kSubset);
    problem.options.max_leaves = 17;
    const Tree tree = grow_tree(problem);
    std::size_t n_leaves = 0;
    for (const auto& node : tree.nodes) n_leaves += node.kind == SplitKind::kLeaf;
    CHECK(n_leaves == 17);
}

TEST("what does not fit together is refused") {
    const Sample sample(50, 17, false);
    auto problem = sample.problem(Criterion::kGini, LevelSplits::kSubset);
    const std::vector<std::uint32_t> outside{0, 50};
    problem.rows = outside;
    problem.n_rows = 2;
    CHECK_THROWS(std::invalid_argument, grow_tree(problem));
    problem = sample.problem(Criterion::kGini, LevelSplits::kSubset);
    problem.n_classes = 2;
    CHECK_THROWS(std::invalid_argument, grow_tree(problem));
    problem = sample.problem(Criterion::kGini, LevelSplits::kSubset);
    problem.columns[4].codes = CodeView(std::span(sample.levels), 2);
    CHECK_THROWS(std::invalid_argument, grow_tree(problem));
}

TEST("a tree with a cycle, a stray child or a stray feature is refused, not walked") {
    const Sample sample(400, 18, false);
    const Tree tree = grow_tree(sample.problem(Criterion::kGini, LevelSplits::kMultiway));
    const auto broken = [&](auto change) {
        Tree copy = tree;
        change(copy.nodes[0]);
        CHECK_THROWS(std::invalid_argument, reached(copy, sample));
    };
    CHECK(tree.nodes[0].kind != SplitKind::kLeaf);
    broken([](Node& node) { node.first_child = 0; });
    broken([&](Node& node) { node.first_child = static_cast<std::int32_t>(tree.nodes.size()); });
    broken([](Node& node) { node.default_child = -1; });
    broken([](Node& node) { node.feature = 5; });
    broken([](Node& node) { node.n_children = 1; });
    broken([](Node& node) { node.set_end = 1 << 30; });
    broken([](Node& node) { node.kind = static_cast<SplitKind>(9); });
}
