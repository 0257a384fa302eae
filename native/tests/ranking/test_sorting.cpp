#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "../check.hpp"
#include "ranking/ranked_classes.hpp"
#include "ranking/sort_by_key.hpp"

using namespace heldout;

namespace {

using Keys = std::vector<std::uint64_t>;

void check_sorted(Keys keys) {
    Keys expected = keys, scratch(keys.size());
    std::sort(expected.begin(), expected.end());
    std::vector<RowKey> rows(keys.size()), row_scratch(keys.size());
    for (std::size_t row = 0; row < keys.size(); ++row) rows[row] = {keys[row], row};
    const auto sorted_rows = sort_by_key<RowKey>(rows, row_scratch);
    std::vector<bool> is_seen(keys.size());
    for (std::size_t place = 0; place < keys.size(); ++place) {
        const auto& [key, row] = sorted_rows[place];
        CHECK(key == expected[place] && keys.at(row) == key && !is_seen[row]);
        is_seen[row] = true;
    }
    const auto sorted = sort_by_key<std::uint64_t>(keys, scratch);
    CHECK(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end()));
}

// Few, as many as are compared, more, and more than one line of places takes.
constexpr std::size_t kSizes[] = {0, 1, 2, 24, 25, 400, 401, 5000, 140000};

}  // namespace

TEST("keys keep the order of numbers, and give them back") {
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> ascending{-inf, -1e308, -1.5, -1, -1e-308, -5e-324, 0, 5e-324, 1, 1.5, inf};
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        CHECK(number_of_key(ordered_key(ascending[i])) == ascending[i]);
        CHECK(ordered_key(ascending[i]) != 0);
        if (i > 0) CHECK(ordered_key(ascending[i - 1]) < ordered_key(ascending[i]));
    }
    CHECK(ordered_key(-0.0) == ordered_key(0.0));
    CHECK(!std::signbit(number_of_key(ordered_key(-0.0))));
}

TEST("random keys are sorted, with what travels along") {
    std::mt19937_64 random(1);
    for (const std::size_t n : kSizes) {
        Keys keys(n);
        for (auto& key : keys) key = random();
        check_sorted(keys);
        for (auto& key : keys) key = ordered_key(static_cast<double>(random() >> 11) * 0x1p-53);
        check_sorted(keys);
    }
}

TEST("keys are sorted that differ only in their lowest, their highest or a few bits") {
    std::mt19937_64 random(2);
    for (const std::size_t n : kSizes)
        for (const std::uint64_t mask :
             {0x0ULL, 0x1ULL, 0xffULL, 0x7ffULL, 0x1ffffffffULL, 0x3ffffffffULL, 1ULL << 63,
              0x8000000000000001ULL, 0xfff00000000000ffULL, 0x00000000fffff000ULL}) {
            Keys keys(n);
            for (auto& key : keys) key = 0x5555555555555555ULL ^ (random() & mask);
            check_sorted(keys);
        }
}

TEST("keys that make every run long are sorted") {
    std::mt19937_64 random(3);
    Keys keys(60000);
    for (auto& key : keys) key = random() % 3 << 62 | random() % 20000;
    check_sorted(keys);
    for (auto& key : keys) key = random() % 3 << 62 | random() % 2 << 30 | random() % 2;
    check_sorted(keys);
}

TEST("sorted, reversed and constant keys stay what they are") {
    Keys keys(5000);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i << 40;
    check_sorted(keys);
    std::reverse(keys.begin(), keys.end());
    check_sorted(keys);
    std::fill(keys.begin(), keys.end(), 7);
    check_sorted(keys);
}
