#include "tree/partition.hpp"

#include <algorithm>
#include <type_traits>

#include "base/processor.hpp"

namespace heldout {
namespace {

// Below this size a vector is mostly air.
constexpr std::size_t kFewestInVectors = 16;

[[maybe_unused]] bool fills_vectors(std::size_t n) {
    return n >= kFewestInVectors && has_avx512();
}

}  // namespace

template <class Word>
void partition_in_two(std::span<Word> words, const WordLayout<Word>& layout, const std::uint8_t* marks,
                      Word* scratch) {
    if constexpr (kCompilesAvx512 && std::is_same_v<Word, std::uint32_t>)
        if (fills_vectors(words.size()))
            return partition_in_two_avx512(words.data(), words.size(), layout.row_mask, marks, scratch);
    constexpr Word kStarts = WordLayout<Word>::kStartsValue;
    Word* left = words.data();
    Word* right = scratch;
    Word left_starts = 0, right_starts = 0;
    for (const Word word : words) {
        const Word goes_right = marks[layout.row(word)];
        const Word stays = static_cast<Word>(goes_right - 1);  // all ones on the left
        left_starts |= word & kStarts;
        right_starts |= word & kStarts;
        *left = word | left_starts;
        *right = word | right_starts;
        left_starts = static_cast<Word>(left_starts & ~stays);
        right_starts &= stays;
        left += 1 - goes_right;
        right += goes_right;
    }
    std::copy(scratch, right, left);
}

template <class Word>
void keep_marked(std::span<Word> words, const WordLayout<Word>& layout, const std::uint8_t* marks,
                 std::uint8_t kept_mark) {
    if constexpr (kCompilesAvx512 && std::is_same_v<Word, std::uint32_t>)
        if (fills_vectors(words.size()))
            return keep_marked_avx512(words.data(), words.size(), layout.row_mask, marks, kept_mark);
    constexpr Word kStarts = WordLayout<Word>::kStartsValue;
    Word* out = words.data();
    Word starts = 0;
    for (const Word word : words) {
        const Word is_kept = marks[layout.row(word)] == kept_mark;
        starts |= word & kStarts;
        *out = word | starts;
        starts &= static_cast<Word>(is_kept - 1);
        out += is_kept;
    }
}

template <class Word>
void partition_in_many(std::span<Word> words, const WordLayout<Word>& layout, const std::uint32_t* branch,
                       std::span<std::size_t> ends, std::span<Word> carried, Word* scratch,
                       std::size_t n_kept) {
    constexpr Word kStarts = WordLayout<Word>::kStartsValue;
    // A side that got no entry since a value began must see that beginning later: sides remember the last
    // value they have seen, counted from the left.
    Word value = 0;
    std::fill(carried.begin(), carried.end(), Word{0});
    for (const Word word : words) {
        value = static_cast<Word>(value + ((word & kStarts) != 0));
        const auto side = branch[layout.row(word)];
        if (ends[side] == kDropped) continue;
        const Word starts = carried[side] != value ? kStarts : Word{0};
        carried[side] = value;
        scratch[ends[side]++] = static_cast<Word>((word & static_cast<Word>(~kStarts)) | starts);
    }
    std::copy(scratch, scratch + n_kept, words.data());
}

template void partition_in_two(std::span<std::uint32_t>, const WordLayout<std::uint32_t>&,
                               const std::uint8_t*, std::uint32_t*);
template void partition_in_two(std::span<std::uint64_t>, const WordLayout<std::uint64_t>&,
                               const std::uint8_t*, std::uint64_t*);
template void keep_marked(std::span<std::uint32_t>, const WordLayout<std::uint32_t>&, const std::uint8_t*,
                          std::uint8_t);
template void keep_marked(std::span<std::uint64_t>, const WordLayout<std::uint64_t>&, const std::uint8_t*,
                          std::uint8_t);
template void partition_in_many(std::span<std::uint32_t>, const WordLayout<std::uint32_t>&,
                                const std::uint32_t*, std::span<std::size_t>, std::span<std::uint32_t>,
                                std::uint32_t*, std::size_t);
template void partition_in_many(std::span<std::uint64_t>, const WordLayout<std::uint64_t>&,
                                const std::uint32_t*, std::span<std::size_t>, std::span<std::uint64_t>,
                                std::uint64_t*, std::size_t);

}  // namespace heldout
