#include <random>
#include <vector>

#include "../check.hpp"
#include "tree/partition.hpp"

using namespace heldout;

namespace {

using Layout = WordLayout<std::uint32_t>;

// An order of n rows with random ties, each row's value, and random sides.
struct Case {
    Layout layout;
    std::vector<std::uint32_t> words;
    std::vector<int> value;

    Case(std::size_t n, std::mt19937_64& random) : layout(n), words(n), value(n) {
        int current = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t row = (i * 7919 + 13) % n;
            const bool starts = i == 0 || random() % 3 == 0;
            current += starts;
            value[row] = current;
            words[i] = layout.pack(row, row % 2) | (starts ? Layout::kStartsValue : 0U);
        }
    }
};

// The rows of one side in order, with the starts that their values imply.
std::vector<std::uint32_t> expected(const Case& from, const std::function<bool(std::size_t)>& is_kept) {
    std::vector<std::uint32_t> kept;
    int previous = -1;
    for (const auto word : from.words) {
        const auto row = from.layout.row(word);
        if (!is_kept(row)) continue;
        const bool starts = from.value[row] != previous;
        previous = from.value[row];
        kept.push_back(from.layout.pack(row, row % 2) | (starts ? Layout::kStartsValue : 0U));
    }
    return kept;
}

}  // namespace

TEST("partition in two keeps order and says truly where values start") {
    std::mt19937_64 random(4);
    for (const std::size_t n : {2, 3, 17, 100, 1009}) {
        const Case original(n, random);
        std::vector<std::uint8_t> side(n + 3);
        for (auto& s : side) s = random() % 2;
        auto words = original.words;
        std::vector<std::uint32_t> scratch(n);
        partition_in_two(std::span(words), original.layout, side.data(), scratch.data());
        auto wanted = expected(original, [&](auto row) { return side[row] == 0; });
        const auto right = expected(original, [&](auto row) { return side[row] == 1; });
        wanted.insert(wanted.end(), right.begin(), right.end());
        CHECK(words == wanted);
    }
}

TEST("keeping one side drops the other and nothing else") {
    std::mt19937_64 random(5);
    for (const std::uint8_t kept : {std::uint8_t{0}, std::uint8_t{1}}) {
        const Case original(523, random);
        std::vector<std::uint8_t> side(523 + 3);
        for (auto& s : side) s = random() % 2;
        auto words = original.words;
        keep_marked(std::span(words), original.layout, side.data(), kept);
        const auto wanted = expected(original, [&](auto row) { return side[row] == kept; });
        words.resize(wanted.size());
        CHECK(words == wanted);
    }
}

TEST("partition in many fills the living sides and skips the dropped ones") {
    std::mt19937_64 random(6);
    const std::size_t n = 601, n_sides = 5, dropped = 2;
    const Case original(n, random);
    std::vector<std::uint32_t> branch(n);
    std::vector<std::size_t> sizes(n_sides), ends(n_sides);
    for (auto& b : branch) ++sizes[b = static_cast<std::uint32_t>(random() % n_sides)];
    std::size_t n_kept = 0;
    for (std::size_t side = 0; side < n_sides; ++side) {
        ends[side] = side == dropped ? kDropped : n_kept;
        if (side != dropped) n_kept += sizes[side];
    }
    auto words = original.words;
    std::vector<std::uint32_t> scratch(n), carried(n_sides), wanted;
    partition_in_many(std::span(words), original.layout, branch.data(), std::span(ends), std::span(carried),
                      scratch.data(), n_kept);
    for (std::size_t side = 0; side < n_sides; ++side) {
        if (side == dropped) continue;
        const auto part = expected(original, [&](auto row) { return branch[row] == side; });
        wanted.insert(wanted.end(), part.begin(), part.end());
    }
    words.resize(n_kept);
    CHECK(words == wanted);
}
