#include "forest/words.hpp"

#include <algorithm>

#include "base/processor.hpp"

namespace heldout {

void make_keys(const CodeMatrix& codes, std::size_t column, std::span<const std::uint32_t> words,
               WordBits bits, std::uint32_t* keys, bool is_avx512) {
    if constexpr (kCompilesAvx512)
        if (is_avx512 && codes.is_small()) return make_keys_avx512(codes, column, words, bits, keys);
    const std::size_t stride = codes.row_stride();
    const std::uint32_t mask = bits.stat_mask();
    codes.visit(column, [&](const auto* first) {
        for (std::size_t i = 0; i < words.size(); ++i)
            keys[i] = std::uint32_t{first[(words[i] >> bits.stat_bits) * stride]} << bits.stat_bits |
                      (words[i] & mask);
    });
}

std::size_t keep_opened(std::span<const std::uint32_t> words, const std::uint8_t* bin_of_word,
                        const std::uint8_t* is_opened, std::uint32_t* kept) {
    std::size_t n_kept = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        kept[n_kept] = words[i];
        n_kept += is_opened[bin_of_word[i]];
    }
    return n_kept;
}

WordParts partition_words(std::span<std::uint32_t> words, const WordCut& cut, std::uint32_t* scratch,
                          bool has_missing, bool is_avx512) {
    if constexpr (kCompilesAvx512)
        if (is_avx512 && !has_missing && cut.codes.is_small())
            return partition_words_avx512(words, cut, scratch);
    const std::size_t stride = cut.codes.row_stride();
    return cut.codes.visit(cut.column, [&](const auto* codes) {
        std::uint32_t highest_left = 0, lowest_right = cut.missing, n_missing = 0;
        std::size_t n_left = 0, n_right = 0;
        for (const auto word : words) {
            const std::uint32_t code = codes[cut.bits.row(word) * stride];
            const bool is_missing = code == cut.missing;
            const bool is_left = is_missing ? cut.missing_left : code <= cut.code;
            n_missing += is_missing;
            highest_left = std::max(highest_left, is_left && !is_missing ? code : 0);
            lowest_right = std::min(lowest_right, is_left ? cut.missing : code);
            words[n_left] = word;
            scratch[n_right] = word;
            n_left += is_left;
            n_right += !is_left;
        }
        std::copy_n(scratch, n_right, words.data() + n_left);
        return WordParts{n_left, highest_left, lowest_right, n_missing > 0};
    });
}

}  // namespace heldout
