#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/counted_rows.hpp"
#include "text/terms.hpp"
#include "text/word_reader.hpp"

namespace heldout {

// Which terms stay: those in so many documents, and of these so many that are in the most.
struct KeepRules {
    std::uint64_t min_documents = 1;
    std::uint64_t max_documents = UINT64_MAX;
    std::uint64_t max_terms = UINT64_MAX;
};

struct LearnedWords {
    std::string terms;  // in the order of code points, each ended by a line feed, words parted by a space
    std::vector<std::int64_t> document_counts;
    std::uint64_t n_too_rare = 0;
    std::uint64_t n_too_common = 0;
    std::uint64_t n_beyond = 0;  // more than max_terms
    std::uint64_t n_stop_words = 0;
    CountedRows rows;
};

// The vocabulary of the documents, and how often each of them has each term.
LearnedWords learn_words(const Documents& documents, const TermRules& rules, const KeepRules& keep,
                         const Weighing& weighing);

// Finds the columns of the terms of a vocabulary.
class WordIndex {
  public:
    // terms: each ended by a line feed, words parted by a space; the first has column 0
    explicit WordIndex(std::string_view terms);

    std::size_t size() const { return n_columns_; }
    // How often each document has each term; other terms are left out.
    CountedRows count(const Documents& documents, const TermRules& rules, const Weighing& weighing) const;

  private:
    void add(std::string_view term);

    Terms terms_;
    std::vector<std::vector<std::int32_t>> column_of_;
    std::string word_;
    std::size_t n_columns_ = 0;
};

// The distinct words of documents, sorted, each ended by a line feed.
std::string distinct_words(const Documents& documents, bool lowers);

// A table of words that are each ended by a line feed.
WordTable table_of_words(std::string_view words);

}  // namespace heldout
