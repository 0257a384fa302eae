#include <cmath>
#include <random>

#include "../check.hpp"
#include "base/log2.hpp"

using heldout::log2_of;

TEST("the logarithm is the library's, to a few units in the last place") {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(-300, 300), near(0.9, 1.1);
    for (int i = 0; i < 200'000; ++i) {
        const double x = std::exp2(exponent(random)), y = near(random);
        CHECK(std::abs(log2_of(x) - std::log2(x)) <= 4e-16 * std::abs(std::log2(x)) + 2e-16);
        CHECK(std::abs(log2_of(y) - std::log2(y)) <= 4e-16 * std::abs(std::log2(y)) + 2e-16);
    }
}

TEST("powers of two have whole logarithms") {
    for (int exponent = -1000; exponent <= 1000; ++exponent)
        CHECK(log2_of(std::ldexp(1.0, exponent)) == exponent);
}
