#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "../check.hpp"
#include "codes/rank.hpp"

using namespace heldout;

namespace {

RankedColumn ranked(const std::vector<double>& column) {
    return rank_columns({column.data(), column.size(), 1, 1, 1}, 1).front();
}

std::vector<std::uint32_t> codes_of(const RankedColumn& column) {
    return std::visit(
        [](const auto& codes) { return std::vector<std::uint32_t>(codes.begin(), codes.end()); },
        column.codes);
}

void check_against_sorting(const std::vector<double>& column) {
    const auto ranks = ranked(column);
    const auto codes = codes_of(ranks);
    std::set<double> distinct;
    for (const double number : column)
        if (!std::isnan(number)) distinct.insert(number);
    const std::vector<double> values(distinct.begin(), distinct.end());
    CHECK(ranks.n_codes == values.size());
    for (std::size_t row = 0; row < column.size(); ++row) {
        if (std::isnan(column[row]))
            CHECK(codes[row] == ranks.n_codes);
        else
            CHECK(values.at(codes[row]) == column[row]);
    }
}

}  // namespace

TEST("ranks of random numbers equal those found by sorting") {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (const std::size_t n : {1, 2, 255, 256, 257, 5000, 70000}) {
        std::vector<double> column(n);
        for (auto& number : column) number = normal(random);
        check_against_sorting(column);
        for (auto& number : column) number = std::round(3 * number);
        check_against_sorting(column);
    }
}

TEST("numbers that share their upper bits are told apart by the lower ones") {
    std::mt19937_64 random(2);
    std::vector<double> column(4000);
    for (auto& number : column)
        number = 1 + static_cast<double>(random() % 97) * std::numeric_limits<double>::epsilon();
    check_against_sorting(column);
}

TEST("missing, infinite, tiny and negative numbers have their places") {
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    check_against_sorting({nan, -inf, inf, -1e-308, 5e-324, -5e-324, 0, 1, nan, -1, 1e308});
    check_against_sorting({nan, nan});
}

TEST("both zeros are one value") {
    const auto column = ranked({0.0, -0.0, 1.0});
    CHECK(column.n_codes == 2);
    CHECK(codes_of(column) == (std::vector<std::uint32_t>{0, 0, 1}));
}

TEST("codes are as narrow as the reserved code allows") {
    std::vector<double> column(256);
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = static_cast<double>(i);
    CHECK(ranked({column.begin(), column.end() - 1}).codes.index() == 0);
    CHECK(ranked(column).codes.index() == 1);
}

TEST("the layout of the matrix and the number of threads do not matter") {
    std::mt19937_64 random(3);
    const std::size_t n = 300, d = 19;
    std::vector<double> by_row(n * d), by_column(n * d);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < d; ++j)
            by_row[i * d + j] = by_column[j * n + i] = static_cast<double>(random() % 1000);
    const auto a = rank_columns({by_row.data(), n, d, static_cast<std::ptrdiff_t>(d), 1}, 1);
    const auto b = rank_columns({by_column.data(), n, d, 1, static_cast<std::ptrdiff_t>(n)}, 2);
    for (std::size_t j = 0; j < d; ++j) CHECK(a[j].n_codes == b[j].n_codes && a[j].codes == b[j].codes);
}
