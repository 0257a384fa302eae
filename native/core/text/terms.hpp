#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/word_reader.hpp"
#include "text/word_table.hpp"

namespace heldout {

inline constexpr std::size_t kMostWords = 20;  // in a run

// Which words and runs of words are looked at.
struct TermRules {
    bool lowers = true;                     // A-Z become a-z
    std::size_t n_least = 1;                // words in a run, from here
    std::size_t n_most = 1;                 // to here
    const WordTable* stop_words = nullptr;  // left out before runs are made
};

// The words of all documents as numbers, in their order; those of document i from ends[i] to ends[i + 1].
struct WordStream {
    std::vector<std::uint32_t> words;
    std::vector<std::size_t> ends{0};
    std::vector<bool> is_stopped;  // for each stop word whether it occurred
};

// The words of the documents; new ones are added to the table.
WordStream read_words(const Documents& documents, const TermRules& rules, WordTable& table);
// The words of the documents, kNoTerm for those that the table has not.
WordStream find_words(const Documents& documents, const TermRules& rules, const WordTable& table);

// For each position the number of the run that ends there: the run one shorter that ends before it, and the
// word. kNoTerm where one of them is not known, or where the document has fewer words before. n_words: in the
// run, at least 2
std::vector<std::uint32_t> add_runs(const WordStream& stream, std::span<const std::uint32_t> shorter,
                                    std::size_t n_words, PairTable& table);
std::vector<std::uint32_t> find_runs(const WordStream& stream, std::span<const std::uint32_t> shorter,
                                     std::size_t n_words, const PairTable& table);

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
