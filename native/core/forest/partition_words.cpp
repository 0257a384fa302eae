#include "forest/partition_words.hpp"

#include <algorithm>

namespace heldout {

WordParts partition_words(std::span<std::uint32_t> words, const WordCut& cut, std::uint32_t* scratch,
                          bool has_missing, bool is_wide) {
    if (is_wide && !has_missing && cut.codes.is_small()) return partition_words_wide(words, cut, scratch);
    const std::size_t stride = cut.codes.row_stride();
    return cut.codes.visit(cut.column, [&](const auto* codes) {
        std::uint32_t highest_left = 0, lowest_right = cut.missing, n_unknown = 0;
        std::size_t n_left = 0, n_right = 0;
        for (const auto word : words) {
            const std::uint32_t code = codes[cut.bits.row(word) * stride];
            const bool is_unknown = code == cut.missing;
            const bool is_left = is_unknown ? cut.unknown_left : code <= cut.code;
            n_unknown += is_unknown;
            highest_left = std::max(highest_left, is_left && !is_unknown ? code : 0);
            lowest_right = std::min(lowest_right, is_left ? cut.missing : code);
            words[n_left] = word;
            scratch[n_right] = word;
            n_left += is_left;
            n_right += !is_left;
        }
        std::copy_n(scratch, n_right, words.data() + n_left);
        return WordParts{n_left, highest_left, lowest_right, n_unknown > 0};
    });
}

}  // namespace heldout
