#include "forest/make_keys.hpp"

namespace heldout {

void make_keys(const CodeMatrix& codes, std::size_t column, std::span<const std::uint32_t> words,
               WordBits bits, std::uint32_t* keys, bool is_wide) {
    if (is_wide && codes.is_small()) {
        make_keys_wide(codes, column, words, bits, keys);
        return;
    }
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

}  // namespace heldout
