#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "../check.hpp"
#include "ranking/bootstrap_auc.hpp"
#include "ranking/draw_counts.hpp"
#include "ranking/roc_curve.hpp"

using namespace heldout;

namespace {

std::vector<std::uint64_t> drawn_rows(std::uint64_t key, std::uint64_t n_draws, std::size_t n_rows) {
    Stream stream(key);
    RowDraw draw;
    std::vector<std::uint64_t> counts;
    draw.run(stream, n_draws, n_rows, [&](std::size_t first, auto piece) {
        CHECK(first == counts.size());
        counts.insert(counts.end(), piece.begin(), piece.end());
    });
    return counts;
}

}  // namespace

TEST("binomial numbers have the mean and the spread of their share") {
    Stream stream(1);
    for (const Share share : {Share{1, 2}, Share{1, 3}, Share{7, 8}, Share{999, 1000}, Share{1, 100000}})
        for (const std::uint64_t n : {1, 63, 64, 65, 1000}) {
            const double p = static_cast<double>(share.part) / static_cast<double>(share.whole);
            const double expected = static_cast<double>(n) * p, variance = expected * (1 - p);
            constexpr int kTrials = 4000;
            double sum = 0, squares = 0;
            for (int trial = 0; trial < kTrials; ++trial) {
                const auto drawn = binomial(stream, n, share);
                CHECK(drawn <= n);
                sum += static_cast<double>(drawn) - expected;
                squares += std::pow(static_cast<double>(drawn) - expected, 2);
            }
            CHECK(std::abs(sum) <= 5 * std::sqrt(kTrials * variance) + 1);
            const double fourth = variance * (1 + 3 * variance);
            CHECK(std::abs(squares - kTrials * variance) <= 5 * std::sqrt(kTrials * fourth) + 1);
        }
}

TEST("certain and impossible draws take nothing from the stream") {
    Stream stream(2);
    CHECK(binomial(stream, 1000, {0, 5}) == 0);
    CHECK(binomial(stream, 1000, {5, 5}) == 1000);
    CHECK(binomial(stream, 0, {1, 5}) == 0);
    CHECK(stream.next() == Stream(2).next());
}

TEST("each draw falls on a row, and every row is as likely") {
    for (const std::size_t n_rows : {std::size_t{1}, std::size_t{3}, std::size_t{1000}, RowDraw::kBlock - 1,
                                     RowDraw::kBlock, RowDraw::kBlock + 1, 5 * RowDraw::kBlock / 2}) {
        const std::uint64_t n_draws = 20 * n_rows;
        const auto counts = drawn_rows(n_rows, n_draws, n_rows);
        CHECK(counts.size() == n_rows);
        CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == n_draws);
        double chi_squared = 0;
        for (const auto count : counts) chi_squared += std::pow(static_cast<double>(count) - 20, 2) / 20;
        const double freedom = static_cast<double>(n_rows) - 1;
        CHECK(std::abs(chi_squared - freedom) <= 5 * std::sqrt(2 * freedom + 1) + 5);
    }
}

TEST("counters that are full make room for wider ones") {
    const auto counts = drawn_rows(1, 100000, 3);
    CHECK(counts[0] + counts[1] + counts[2] == 100000);
    for (const auto count : counts) CHECK(std::abs(static_cast<double>(count) - 33333) < 800);
    CHECK(drawn_rows(1, 255, 1)[0] == 255);
    CHECK(drawn_rows(1, 256, 1)[0] == 256);
    CHECK(drawn_rows(1, 65536 + 256, 1)[0] == 65536 + 256);
}

TEST("cells get draws by their size") {
    const std::vector<std::uint32_t> ends{10, 11, 611, 1000};
    Stream stream(5);
    std::vector<std::uint64_t> counts;
    draw_cells(stream, 1000000, ends, [&](std::size_t cell, std::uint64_t count) {
        CHECK(cell == counts.size());
        counts.push_back(count);
    });
    CHECK(counts.size() == 4 && counts[0] + counts[1] + counts[2] + counts[3] == 1000000);
    const double sizes[] = {10, 1, 600, 389};
    for (std::size_t cell = 0; cell < 4; ++cell)
        CHECK(std::abs(static_cast<double>(counts[cell]) - 1000 * sizes[cell]) <
              5 * std::sqrt(1000 * sizes[cell]));
}

TEST("resamples of the area do not depend on threads, and lie around the area with its spread") {
    std::mt19937_64 random(6);
    std::normal_distribution<double> normal;
    for (const double rounding : {0.0, 0.2, 50.0}) {
        std::vector<double> scores(4000);
        std::vector<std::uint8_t> is_positive(scores.size());
        for (std::size_t row = 0; row < scores.size(); ++row) {
            is_positive[row] = random() % 2;
            scores[row] = normal(random) + is_positive[row];
            if (rounding > 0) scores[row] = std::floor(scores[row] / rounding);
        }
        const ScoredRows rows{scores, is_positive, {}};
        for (const bool is_stratified : {false, true}) {
            const auto areas = bootstrap_auc(rows, {300, 1, is_stratified, 1});
            CHECK(areas == bootstrap_auc(rows, {300, 1, is_stratified, 2}));
            const auto fewer = bootstrap_auc(rows, {10, 1, is_stratified, 1});
            CHECK(std::equal(fewer.begin(), fewer.end(), areas.begin()));
            double mean = 0, variance = 0;
            for (const double area : areas) mean += area / 300;
            for (const double area : areas) variance += (area - mean) * (area - mean) / 299;
            const double bound = rounding > 1 ? 0.03 : 0.0015;
            CHECK(std::abs(mean - area_under_curve(rows, 1)) < bound);
            CHECK(std::sqrt(variance) > 0.004 && std::sqrt(variance) < 0.012);
        }
    }
}

TEST("resamples that lack a class have no area") {
    const std::vector<double> scores{1, 2};
    const std::vector<std::uint8_t> is_positive{0, 1}, all{1, 1};
    const auto areas = bootstrap_auc({scores, is_positive, {}}, {400, 3, false, 1});
    int n_missing = 0;
    for (const double area : areas) {
        CHECK(std::isnan(area) || area == 1);
        n_missing += std::isnan(area);
    }
    CHECK(n_missing > 150 && n_missing < 250);  // half of the resamples draw one row twice
    for (const double area : bootstrap_auc({scores, is_positive, {}}, {20, 3, true, 1})) CHECK(area == 1);
    for (const double area : bootstrap_auc({scores, all, {}}, {20, 3, true, 1})) CHECK(std::isnan(area));
    for (const double area : bootstrap_auc({{}, {}, {}}, {20, 3, false, 1})) CHECK(std::isnan(area));
}
