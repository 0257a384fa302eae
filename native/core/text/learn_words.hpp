#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "text/documents.hpp"
#include "text/fill_rows.hpp"
#include "text/term_stream.hpp"

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

}  // namespace heldout
