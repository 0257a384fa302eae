#include "../check.hpp"
#include "tree/impurity.hpp"

using namespace heldout;
using heldout::tests::is_near;

TEST("entropy, Gini and error of [9+,5-] are the textbook's") {
    const double sums[] = {9, 5};
    CHECK(std::abs(Impurity(Criterion::kEntropy, 2).of(sums) - 0.940286) < 5e-7);
    CHECK(is_near(Impurity(Criterion::kGini, 2).of(sums), 1 - (81.0 + 25.0) / 196.0));
    CHECK(is_near(Impurity(Criterion::kError, 2).of(sums), 5.0 / 14.0));
}

TEST("gain from qualities equals the decrease of impurity") {
    const double left[] = {3, 1, 4}, right[] = {2, 6, 0}, whole[] = {5, 7, 4};
    for (const auto criterion : {Criterion::kEntropy, Criterion::kGini, Criterion::kError}) {
        const Impurity impurity(criterion, 3);
        const double by_quality =
            (impurity.quality(left) + impurity.quality(right) - impurity.quality(whole)) / 16;
        const double by_impurity = impurity.of(whole) - 0.5 * impurity.of(left) - 0.5 * impurity.of(right);
        CHECK(is_near(by_quality, by_impurity));
    }
}

TEST("the fixed-point table is as good as doubles, and a floor is rounded down") {
    const EntropyTable table(100000);
    for (const std::size_t count : {0, 1, 2, 3, 14, 1000, 99999, 100000})
        CHECK(is_near(table.to_double(table[count]), x_log2_x(static_cast<double>(count))));
    CHECK(table[0] == 0 && table[1] == 0);
    CHECK(table.to_double(table.to_fixed(3.25)) <= 3.25 &&
          3.25 - table.to_double(table.to_fixed(3.25)) < 1e-9);
}
