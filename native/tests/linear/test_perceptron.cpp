#include <algorithm>
#include <cmath>
#include <random>

#include "../check.hpp"
#include "linear/perceptron.hpp"
#include "linear/scores.hpp"

using namespace heldout;

namespace {

// A matrix with many zeros, as it is and without them.
struct Problem {
    std::vector<double> dense;
    std::vector<double> values;
    std::vector<std::int32_t> columns;
    std::vector<std::int64_t> ends{0};
    std::vector<std::uint32_t> classes;
    std::size_t n_rows, n_columns;

    DenseRows dense_rows() const { return {dense.data(), n_rows, n_columns}; }
    SparseRows sparse_rows() const { return {values, columns, ends, n_rows, n_columns}; }
};

Problem random_problem(std::size_t n_rows, std::size_t n_columns, std::size_t n_classes, bool is_whole,
                       std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Problem problem;
    problem.n_rows = n_rows;
    problem.n_columns = n_columns;
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t column = 0; column < n_columns; ++column) {
            double value = random() % 3 ? 0 : normal(random);
            if (is_whole) value = std::round(2 * value);
            problem.dense.push_back(value);
            if (value == 0) continue;
            problem.values.push_back(value);
            problem.columns.push_back(static_cast<std::int32_t>(column));
        }
        problem.ends.push_back(static_cast<std::int64_t>(problem.values.size()));
        problem.classes.push_back(static_cast<std::uint32_t>(random() % n_classes));
    }
    return problem;
}

void check_same(const PerceptronRun& a, const PerceptronRun& b) {
    CHECK(a.weights == b.weights);
    CHECK(a.sums == b.sums);
    CHECK(a.n_mistakes == b.n_mistakes);
    CHECK(a.update_row == b.update_row);
    CHECK(a.update_lowered == b.update_lowered);
    CHECK(a.update_step == b.update_step);
}

// The same by hand for two classes: scores in the order of the columns, rows in the order of the matrix.
std::vector<double> plain_weights(const Problem& problem, std::size_t n_epochs) {
    std::vector<double> w(problem.n_columns + 1);
    for (std::size_t step = 0; step < n_epochs * problem.n_rows; ++step) {
        const std::size_t i = step % problem.n_rows;
        const double* x = problem.dense.data() + i * problem.n_columns;
        double score = w.back();
        for (std::size_t column = 0; column < problem.n_columns; ++column) score += w[column] * x[column];
        const double sign = problem.classes[i] == 1 ? 1 : -1;
        if (sign * score > 0) continue;
        for (std::size_t column = 0; column < problem.n_columns; ++column) w[column] += sign * x[column];
        w.back() += sign;
    }
    return w;
}

}  // namespace

TEST("zeros that are stored and zeros that are not give the same perceptron, bit for bit") {
    for (const std::size_t n_classes : {2, 3, 7})
        for (const bool is_whole : {true, false})
            for (const std::size_t n_columns : {1, 5, 40}) {
                const auto problem = random_problem(120, n_columns, n_classes, is_whole, n_columns);
                PerceptronOptions options;
                options.snapshots = {1, 3, 8};
                options.seed = 5;
                check_same(train_perceptron(problem.dense_rows(), problem.classes, n_classes, options),
                           train_perceptron(problem.sparse_rows(), problem.classes, n_classes, options));
            }
}

TEST("the weights of two classes are those of the plain loop, bit for bit") {
    for (const std::size_t n_columns : {1, 16, 50, 333}) {
        const auto problem = random_problem(90, n_columns, 2, false, 3 + n_columns);
        PerceptronOptions options;
        options.snapshots = {4};
        options.shuffles = false;
        const auto run = train_perceptron(problem.dense_rows(), problem.classes, 2, options);
        CHECK(run.weights == plain_weights(problem, run.n_mistakes.size()));
    }
}

TEST("numbers whose squares overflow are still judged in the order of the columns") {
    auto problem = random_problem(40, 20, 2, true, 8);
    for (auto& value : problem.dense) value *= 1e200;
    PerceptronOptions options;
    options.snapshots = {3};
    options.shuffles = false;
    const auto run = train_perceptron(problem.dense_rows(), problem.classes, 2, options);
    CHECK(run.weights == plain_weights(problem, 3));
}

TEST("an epoch without a mistake is the last, and its weights stand for all later snapshots") {
    const std::vector<double> x{-2, -1, 1, 2};
    const std::vector<std::uint32_t> classes{0, 0, 1, 1};
    PerceptronOptions options;
    options.snapshots = {1, 50, 100};
    const auto run = train_perceptron(DenseRows{x.data(), 4, 1}, classes, 2, options);
    CHECK(run.n_mistakes.back() == 0);
    CHECK(run.n_mistakes.size() < 50);
    CHECK(run.n_snapshots == 2);
    CHECK(run.weights.size() == 2 * 2);
}

TEST("a snapshot does not depend on those that follow it") {
    const auto problem = random_problem(100, 6, 4, false, 11);
    PerceptronOptions one, many;
    one.snapshots = {3};
    many.snapshots = {1, 3, 5};
    const auto a = train_perceptron(problem.dense_rows(), problem.classes, 4, one);
    const auto b = train_perceptron(problem.dense_rows(), problem.classes, 4, many);
    const std::size_t n = a.weights.size();
    CHECK(std::equal(a.weights.begin(), a.weights.end(), b.weights.begin() + static_cast<long>(n)));
    CHECK(std::equal(a.sums.begin(), a.sums.end(), b.sums.begin() + static_cast<long>(n)));
}

TEST("scores of dense and of sparse rows are equal, by one function and by many") {
    const auto problem = random_problem(45, 30, 2, false, 21);
    const auto functions = random_problem(5, 30, 2, false, 22);
    const std::vector<double> intercepts{0.5, -1, 2, 0, 1e-3};
    const auto all = linear_scores(problem.dense_rows(), functions.dense, intercepts);
    CHECK(all == linear_scores(problem.sparse_rows(), functions.dense, intercepts));
    for (std::size_t k = 0; k < 5; ++k) {
        const auto one =
            linear_scores(problem.dense_rows(), {functions.dense.data() + k * 30, 30}, {&intercepts[k], 1});
        CHECK(one == linear_scores(problem.sparse_rows(), {functions.dense.data() + k * 30, 30},
                                   {&intercepts[k], 1}));
        for (std::size_t i = 0; i < problem.n_rows; ++i) CHECK(one[i] == all[i * 5 + k]);
    }
}

TEST("the votes of all weights are those that each weight gives by itself") {
    for (const std::size_t n_classes : {2, 4}) {
        const auto problem = random_problem(60, 7, n_classes, true, 30 + n_classes);
        PerceptronOptions options;
        options.snapshots = {2};
        const auto run = train_perceptron(problem.dense_rows(), problem.classes, n_classes, options);
        std::vector<double> votes(run.update_row.size());
        for (std::size_t i = 0; i < votes.size(); ++i) votes[i] = static_cast<double>(1 + i % 5);
        const VotedUpdates updates{problem.sparse_rows(),
                                   run.update_row,
                                   run.update_raised,
                                   run.update_lowered,
                                   votes,
                                   n_classes,
                                   true};
        const auto counted = count_votes(updates, problem.dense_rows());
        CHECK(counted == count_votes(updates, problem.sparse_rows()));
        std::vector<double> w(8 * n_classes), expected(60 * n_classes);
        for (std::size_t u = 0; u < votes.size(); ++u) {
            const double* added = problem.dense.data() + run.update_row[u] * 7;
            for (std::size_t column = 0; column < 8; ++column) {
                const double value = column < 7 ? added[column] : 1;
                w[run.update_raised[u] * 8 + column] += value;
                w[run.update_lowered[u] * 8 + column] -= value;
            }
            for (std::size_t i = 0; i < 60; ++i) {
                std::size_t best = 0;
                double highest = -1e300;
                for (std::size_t k = 0; k < n_classes; ++k) {
                    double score = w[k * 8 + 7];
                    for (std::size_t column = 0; column < 7; ++column)
                        score += w[k * 8 + column] * problem.dense[i * 7 + column];
                    if (score > highest) best = k, highest = score;
                }
                expected[i * n_classes + best] += votes[u];
            }
        }
        CHECK(counted == expected);
    }
}

TEST("an order is a permutation that depends on seed and epoch") {
    std::vector<std::uint32_t> a(50), b(50), c(50);
    shuffle_epoch(1, 2, a);
    shuffle_epoch(1, 2, b);
    shuffle_epoch(1, 3, c);
    CHECK(a == b);
    CHECK(a != c);
    std::sort(a.begin(), a.end());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == i);
}

TEST("shapes that do not fit are refused") {
    const auto problem = random_problem(10, 3, 2, true, 40);
    PerceptronOptions options;
    options.snapshots = {1};
    const auto train = [&](const Problem& p, std::size_t n_classes) {
        return train_perceptron(p.sparse_rows(), p.classes, n_classes, options);
    };
    auto wrong = problem;
    wrong.classes[3] = 2;
    CHECK_THROWS(std::invalid_argument, train(wrong, 2));
    CHECK_THROWS(std::invalid_argument, train(problem, 1));
    wrong = problem;
    wrong.classes.pop_back();
    CHECK_THROWS(std::invalid_argument, train(wrong, 2));
    wrong = problem;
    wrong.columns[0] = 3;
    CHECK_THROWS(std::invalid_argument, train(wrong, 2));
    wrong = problem;
    wrong.ends[1] = 1000;
    CHECK_THROWS(std::invalid_argument, train(wrong, 2));
    options.snapshots = {2, 2};
    CHECK_THROWS(std::invalid_argument, train(problem, 2));
    options.snapshots = {};
    CHECK_THROWS(std::invalid_argument, train(problem, 2));
    CHECK_THROWS(std::invalid_argument, linear_scores(problem.dense_rows(), problem.values, {}));
}
