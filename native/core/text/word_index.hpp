#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/documents.hpp"
#include "text/fill_rows.hpp"
#include "text/sort_terms.hpp"
#include "text/term_stream.hpp"

namespace heldout {

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
