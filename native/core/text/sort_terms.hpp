#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/pair_table.hpp"
#include "text/word_table.hpp"

namespace heldout {

// A word or a run of words: how many words it has, less 1, and its number among those.
struct Term {
    std::uint32_t length;
    std::uint32_t number;
};

// All words, and all runs of two words, three, ….
struct Terms {
    WordTable words;
    std::vector<PairTable> runs;

    std::size_t n_lengths() const { return runs.size() + 1; }
    std::size_t size(std::size_t length) const {
        return length == 0 ? words.size() : runs[length - 1].size();
    }
    // Appends the words with a space between them.
    void spell(Term term, std::string& text) const;
};

// The wanted terms in the order of the code points of their spelling.
// is_wanted: by length and number; what wanted terms are made of is marked too
std::vector<Term> sorted_terms(const Terms& terms, const std::vector<std::vector<bool>>& is_wanted);

}  // namespace heldout
