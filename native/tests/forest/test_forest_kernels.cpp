#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "../check.hpp"
#include "base/processor.hpp"
#include "forest/bag.hpp"
#include "forest/forest_data.hpp"
#include "forest/grow.hpp"
#include "forest/sort_keys.hpp"
#include "forest/two_classes.hpp"
#include "forest/words.hpp"

using namespace heldout;

namespace {

// A problem of random codes; columns differ in how many distinct ones they have.
struct Codes {
    std::vector<std::vector<std::uint16_t>> codes;
    std::vector<std::vector<double>> numbers;
    std::vector<std::uint32_t> classes;
    Problem problem;

    Codes(std::size_t n_rows, const std::vector<std::uint32_t>& n_codes, std::size_t n_classes,
          std::mt19937& random) {
        classes.resize(n_rows);
        for (auto& class_ : classes) class_ = static_cast<std::uint32_t>(random() % n_classes);
        for (const auto n : n_codes) {
            auto& column = codes.emplace_back(n_rows);
            for (std::size_t row = 0; row < n_rows; ++row)
                column[row] = static_cast<std::uint16_t>(row < n ? row : random() % n);
            auto& number = numbers.emplace_back(n);
            std::iota(number.begin(), number.end(), 0.0);
        }
        for (std::size_t column = 0; column < n_codes.size(); ++column)
            problem.columns.push_back(
                {CodeView(std::span<const std::uint16_t>(codes[column]), n_codes[column]),
                 numbers[column].data(), 1, true});
        problem.n_rows = n_rows;
        problem.classes = classes;
        problem.n_classes = n_classes;
    }
};

ForestOptions options_of(std::size_t n_rows, std::size_t max_features) {
    return {{7, true, n_rows}, max_features, 0, 3};
}

}  // namespace

TEST("keys come out sorted, however many there are") {
    std::mt19937 random(1);
    for (std::size_t n = 1; n <= 700; n += n < 300 ? 1 : 57) {
        std::vector<std::uint32_t> keys(n + kSortRoom), scratch(n + kSortRoom);
        for (std::size_t i = 0; i < n; ++i)
            keys[i] = static_cast<std::uint32_t>(random() % (n % 2 ? 50U : 0x7fffffffU));
        auto wanted = std::vector(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(n));
        std::ranges::sort(wanted);
        sort_keys(keys.data(), n, scratch.data(), has_avx512());
        CHECK(std::equal(wanted.begin(), wanted.end(), keys.begin()));
        std::vector<std::uint64_t> long_keys(n + kSortRoom), long_scratch(n + kSortRoom);
        for (std::size_t i = 0; i < n; ++i) long_keys[i] = std::uint64_t{random() % 100U} << 32 | i;
        auto long_wanted = std::vector(long_keys.begin(), long_keys.begin() + static_cast<std::ptrdiff_t>(n));
        std::ranges::sort(long_wanted);
        sort_keys(long_keys.data(), n, long_scratch.data());
        CHECK(std::equal(long_wanted.begin(), long_wanted.end(), long_keys.begin()));
    }
}

TEST("bins keep the order of the codes, and a frequent code has its own") {
    std::mt19937 random(2);
    const Codes source(5000, {3, 256, 257, 4000}, 2, random);
    for (std::size_t column = 0; column < 4; ++column) {
        const Bins bins = bins_of_column(source.problem, column);
        CHECK(bins.size() <= 256);
        CHECK(bins.last_code.back() + 1 == source.problem.columns[column].codes.n_codes());
        CHECK(std::ranges::is_sorted(bins.last_code));
        for (std::size_t row = 0; row < 5000; ++row) {
            const std::uint32_t code = source.codes[column][row];
            const std::size_t bin = bins.of_row[row];
            CHECK(code <= bins.last_code[bin]);
            CHECK(bin == 0 || code > bins.last_code[bin - 1]);
        }
    }
    Codes heavy(5000, {1000}, 2, random);
    for (std::size_t row = 1000; row < 5000; ++row) heavy.codes[0][row] = 500;
    const Bins bins = bins_of_column(heavy.problem, 0);
    const std::size_t own = bins.of_row[4999];
    CHECK(bins.last_code[own] == 500);
    CHECK(bins.last_code[own - 1] == 499);
}

TEST("words go to their side in their order, and the codes beside the cut are told") {
    std::mt19937 random(3);
    const Codes source(300, {300, 7}, 2, random);
    const CodeMatrix codes(source.problem);
    WordBits bits;
    bits.class_bits = 1;
    bits.stat_bits = 6;
    for (std::uint32_t n : {2U, 15U, 16U, 17U, 100U, 300U}) {
        for (const std::uint32_t cut : {0U, 3U, 5U}) {
            std::vector<std::uint32_t> words(n), scratch(n);
            for (std::uint32_t i = 0; i < n; ++i) words[i] = i << 6 | bits.stat(1 + i % 3, i % 2);
            const auto before = words;
            const auto parts =
                partition_words(words, {codes, bits, 1, cut, 7, false}, scratch.data(), false, has_avx512());
            const auto is_left = [&](auto word) { return source.codes[1][word >> 6] <= cut; };
            auto wanted = before;
            std::ranges::stable_partition(wanted, is_left);
            CHECK(words == wanted);
            CHECK(parts.n_left == static_cast<std::size_t>(std::ranges::count_if(before, is_left)));
        }
    }
}

TEST("sorting and counting find the same cut") {
    std::mt19937 random(4);
    const Codes source(4000, {4000, 300, 20, 2}, 2, random);
    const ForestData data(source.problem, options_of(4000, 1));
    TwoClassSearch search(data);
    const WordBits bits = data.counted_bits();
    for (const std::uint32_t n : {30U, 200U, 300U, 1000U, 4000U}) {
        std::vector<std::uint32_t> words;
        CountedNode node;
        for (std::uint32_t row = 0; row < n; ++row) {
            const auto times = static_cast<std::uint32_t>(1 + random() % 3);
            const bool is_one = source.codes[0][row] * 3 / 4000 == 1 ? random() % 3 == 0 : random() % 2 == 0;
            words.push_back(row << bits.stat_bits | bits.stat(times, is_one));
            node.total += times;
            node.ones += is_one ? times : 0;
        }
        node.words = words;
        for (const std::uint32_t smallest : {1U, 20U}) {
            node.smallest = std::min(smallest, node.total / 2);
            for (std::size_t column = 0; column < 4; ++column) {
                std::vector<std::uint32_t> keys;
                for (const auto word : words)
                    keys.push_back(std::uint32_t{source.codes[column][bits.row(word)]} << bits.stat_bits |
                                   (word & bits.stat_mask()));
                std::ranges::sort(keys);
                ColumnCut wanted;
                scan_two_classes_plain({keys.data(), keys.size()}, node, bits, wanted);
                const ColumnCut best_cut = search.best_cut(column, node, -1e300);
                CHECK(best_cut.quality == wanted.quality);
                const auto side = [&](std::uint32_t cut) {
                    return std::ranges::count_if(keys, [&](auto key) { return bits.row(key) <= cut; });
                };
                CHECK(!wanted.is_found() || side(best_cut.code) == side(wanted.code));
            }
        }
    }
}

TEST("a forest grows from a table of one row, one class or constant columns") {
    std::mt19937 random(5);
    Codes one(1, {1}, 2, random);
    CHECK(grow_forest(one.problem, options_of(1, 1)).n_nodes() == 3);
    Codes constant(50, {1, 1}, 2, random);
    CHECK(grow_forest(constant.problem, options_of(50, 1)).n_nodes() == 3);
    Codes pure(50, {50}, 2, random);
    std::ranges::fill(pure.classes, 1U);
    CHECK(grow_forest(pure.problem, options_of(50, 1)).n_nodes() == 3);
}

TEST("a bag depends on its tree alone") {
    const BagOptions options{3, true, 100};
    CHECK(bag_of_tree(options, 5, 100, {}) == bag_of_tree(options, 5, 100, {}));
    CHECK(bag_of_tree(options, 5, 100, {}) != bag_of_tree(options, 6, 100, {}));
    CHECK_THROWS(std::invalid_argument, bag_of_tree({3, true, 0}, 0, 100, {}));
}

TEST("a group is in a bag as a whole, and its rows count with their weights") {
    const std::vector<std::uint32_t> groups{0, 1, 1, 2, 0, 2, 2};
    const std::vector<double> weights{1, 2, 3, 4, 5, 6, 7};
    for (const bool is_bootstrap : {true, false}) {
        const BagOptions options{3, is_bootstrap, 2, groups};
        for (std::uint64_t tree = 0; tree < 20; ++tree) {
            const auto counts = bag_of_tree(options, tree, groups.size(), weights);
            CHECK(counts[0] == counts[4]);
            CHECK(counts[1] == counts[2]);
            CHECK(counts[3] == counts[5] && counts[5] == counts[6]);
            CHECK(counts[0] + counts[1] + counts[3] == 2);
        }
    }
    CHECK_THROWS(std::invalid_argument, bag_of_tree({3, true, 2, groups}, 0, 5, {}));
}
