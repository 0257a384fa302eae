#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "../check.hpp"
#include "ranking/exact_arithmetic.hpp"
#include "ranking/roc_curve.hpp"

using namespace heldout;

namespace {

struct Rows {
    std::vector<double> scores, weights;
    std::vector<std::uint8_t> is_positive;

    ScoredRows view() const { return {scores, is_positive, weights}; }
    void put(double score, bool positive) {
        scores.push_back(score);
        is_positive.push_back(positive);
    }
};

Rows random_rows(std::mt19937_64& random, std::size_t n, std::uint64_t n_scores) {
    const double inf = std::numeric_limits<double>::infinity();
    Rows rows;
    for (std::size_t row = 0; row < n; ++row) {
        const double score = static_cast<double>(random() % n_scores) - 2;
        rows.put(random() % 20 == 0 ? inf : random() % 20 == 0 ? -inf : score, random() % 3 == 0);
    }
    return rows;
}

// Pair by pair.
double area_by_definition(const Rows& rows) {
    std::uint64_t doubled = 0, n_pairs = 0;
    for (std::size_t a = 0; a < rows.scores.size(); ++a)
        for (std::size_t b = 0; b < rows.scores.size(); ++b)
            if (rows.is_positive[a] && !rows.is_positive[b]) {
                ++n_pairs;
                doubled += 2 * (rows.scores[a] > rows.scores[b]) + (rows.scores[a] == rows.scores[b]);
            }
    return n_pairs == 0 ? std::nan("") : static_cast<double>(doubled) / static_cast<double>(2 * n_pairs);
}

bool is_same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

TEST("steps count what lies at or above each score, and the area counts pairs") {
    std::mt19937_64 random(1);
    for (const std::size_t n : {0, 1, 2, 3, 50, 700})
        for (const std::uint64_t n_scores : {1, 2, 5, 1000000}) {
            const Rows rows = random_rows(random, n, n_scores);
            std::map<double, std::pair<double, double>> at;
            for (std::size_t row = 0; row < n; ++row)
                ++(rows.is_positive[row] ? at[rows.scores[row]].first : at[rows.scores[row]].second);
            for (const std::size_t n_threads : {1, 2}) {
                const Steps found = steps_of(rows.view(), n_threads);
                CHECK(found.n_steps == at.size());
                double high = 0, low = 0;
                std::size_t step = 0;
                for (auto next = at.rbegin(); next != at.rend(); ++next, ++step) {
                    CHECK(found.thresholds.data()[step] == next->first);
                    CHECK(found.positives.data()[step] == (high += next->second.first));
                    CHECK(found.negatives.data()[step] == (low += next->second.second));
                }
                CHECK(is_same(found.area, area_by_definition(rows)));
                CHECK(is_same(area_under_curve(rows.view(), n_threads), area_by_definition(rows)));
            }
        }
}

TEST("whole weights count like rows that are repeated, and weight 0 like no row") {
    std::mt19937_64 random(2);
    for (int trial = 0; trial < 60; ++trial) {
        Rows weighted = random_rows(random, random() % 40, 1 + random() % 8), repeated;
        for (std::size_t row = 0; row < weighted.scores.size(); ++row) {
            const auto times = random() % 4;
            weighted.weights.push_back(static_cast<double>(times));
            for (std::size_t i = 0; i < times; ++i)
                repeated.put(weighted.scores[row], weighted.is_positive[row]);
        }
        const Steps a = steps_of(weighted.view(), 1), b = steps_of(repeated.view(), 1);
        CHECK(a.n_steps == b.n_steps && is_same(a.area, b.area));
        CHECK(is_same(area_under_curve(weighted.view(), 1), b.area));
        for (std::size_t step = 0; step < a.n_steps; ++step) {
            CHECK(a.thresholds.data()[step] == b.thresholds.data()[step]);
            CHECK(a.positives.data()[step] == b.positives.data()[step]);
            CHECK(a.negatives.data()[step] == b.negatives.data()[step]);
        }
    }
}

TEST("tiny and huge weights leave the area a share") {
    for (const double unit : {5e-324, 1e-300, 1e-200, 1.0, 1e200, 1.7e308}) {
        const Rows rows{{0.1, 0.4, 0.35, 0.8}, {unit, unit, unit, unit}, {0, 0, 1, 1}};
        CHECK(area_under_curve(rows.view(), 1) == 0.75);
    }
}

TEST("quotients of whole numbers are rounded once") {
    CHECK(exact_ratio(0, 5) == 0);
    CHECK(exact_ratio(1, 3) == 1.0 / 3.0);
    const std::uint64_t large = std::uint64_t{1} << 62;
    CHECK(exact_ratio(large, large) == 1);
    CHECK(exact_ratio(large - 1, large) == 1);  // nearer to 1 than to the double below
    CHECK(exact_ratio(large - (large >> 53), large) == 1 - 0x1p-53);
    CHECK(exact_ratio(0xffffffffffffffffULL, 0xfffffffffffffffeULL) == 1);
    CHECK(exact_ratio(1, 0xffffffffffffffffULL) == 0x1p-64);
}

TEST("placements are shares of the other class, and their means are the area") {
    std::mt19937_64 random(3);
    for (const std::size_t n : {0, 1, 2, 30, 500}) {
        const Rows rows = random_rows(random, n, 6);
        const Placements found = placements_of(rows.view(), 2);
        std::size_t n_seen[2] = {0, 0};
        for (std::size_t row = 0; row < n; ++row) {
            double below = 0, n_others = 0;
            for (std::size_t other = 0; other < n; ++other)
                if (rows.is_positive[other] != rows.is_positive[row]) {
                    const double a = rows.scores[row], b = rows.scores[other];
                    below += a == b ? 0.5 : (a > b) == (rows.is_positive[row] != 0);
                    ++n_others;
                }
            const bool side = rows.is_positive[row];
            const double placed = (side ? found.of_positives : found.of_negatives).at(n_seen[side]++);
            CHECK(is_same(placed, n_others == 0 ? std::nan("") : below / n_others));
        }
        CHECK(found.of_positives.size() == n_seen[1] && found.of_negatives.size() == n_seen[0]);
    }
}

TEST("what is not a number, does not fit or weighs less than nothing is refused") {
    const double nan = std::nan("");
    const auto area = [](const Rows& rows) { return area_under_curve(rows.view(), 1); };
    CHECK_THROWS(std::invalid_argument, area({{1, nan}, {}, {0, 1}}));
    CHECK_THROWS(std::invalid_argument, area({{1, 2}, {}, {0}}));
    CHECK_THROWS(std::invalid_argument, area({{1, 2}, {1}, {0, 1}}));
    CHECK_THROWS(std::invalid_argument, area({{1, 2}, {1, -1}, {0, 1}}));
    CHECK_THROWS(std::invalid_argument, area({{1, 2}, {1, nan}, {0, 1}}));
}
