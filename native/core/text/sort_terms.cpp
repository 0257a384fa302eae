#include "text/sort_terms.hpp"

#include <algorithm>

namespace heldout {
namespace {

using Marks = std::vector<std::vector<bool>>;
using Numbers = std::vector<std::uint32_t>;

// What the wanted terms are made of, and they themselves.
Marks with_parts(const Terms& terms, Marks marks) {
    for (std::size_t length = terms.n_lengths() - 1; length > 0; --length) {
        const auto& pairs = terms.runs[length - 1].pairs();
        for (std::size_t number = 0; number < pairs.size(); ++number) {
            if (!marks[length][number]) continue;
            marks[length - 1][PairTable::left(pairs[number])] = true;
            marks[0][PairTable::last(pairs[number])] = true;
        }
    }
    return marks;
}

// The first eight bytes, so that most words are compared as numbers.
std::uint64_t first_bytes(std::string_view word) {
    std::uint64_t bytes = 0;
    for (std::size_t k = 0; k < 8; ++k)
        bytes = bytes << 8 | (k < word.size() ? static_cast<std::uint8_t>(word[k]) : 0U);
    return bytes;
}

struct Keyed {
    std::uint64_t key;
    std::uint32_t number;
};

// The marked words by their bytes, whose order is that of code points.
Numbers sorted_words(const WordTable& words, const std::vector<bool>& is_marked) {
    std::vector<Keyed> keyed;
    for (std::uint32_t word = 0; word < words.size(); ++word)
        if (is_marked[word]) keyed.push_back({first_bytes(words[word]), word});
    std::sort(keyed.begin(), keyed.end(), [&](const Keyed& a, const Keyed& b) {
        return a.key != b.key ? a.key < b.key : words[a.number] < words[b.number];
    });
    Numbers sorted(keyed.size());
    std::transform(keyed.begin(), keyed.end(), sorted.begin(), [](const Keyed& each) { return each.number; });
    return sorted;
}

Numbers ranks_of(const Numbers& sorted, std::size_t n) {
    Numbers ranks(n, kNoTerm);
    for (std::uint32_t rank = 0; rank < sorted.size(); ++rank) ranks[sorted[rank]] = rank;
    return ranks;
}

// The marked runs by the rank of the run without its last word, then by that of the word.
Numbers sorted_runs(const PairTable& runs, const std::vector<bool>& is_marked, const Numbers& shorter_ranks,
                    const Numbers& word_ranks) {
    std::vector<Keyed> keyed;
    for (std::uint32_t number = 0; number < runs.size(); ++number) {
        if (!is_marked[number]) continue;
        const std::uint64_t pair = runs.pairs()[number];
        const auto left = shorter_ranks[PairTable::left(pair)];
        keyed.push_back({PairTable::pair(left, word_ranks[PairTable::last(pair)]), number});
    }
    std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    Numbers sorted(keyed.size());
    std::transform(keyed.begin(), keyed.end(), sorted.begin(), [](const Keyed& each) { return each.number; });
    return sorted;
}

// Brings terms of all lengths into one order. A space comes before every character of a word, so a term
// stands before those that begin with it, and these before the next of its length.
class Merger {
  public:
    Merger(const Terms& terms, const Marks& is_wanted, const std::vector<Numbers>& sorted)
        : terms_(terms), is_wanted_(is_wanted), sorted_(sorted), next_(sorted.size(), 0) {}

    std::vector<Term> merged() {
        for (const std::uint32_t word : sorted_[0]) add(Term{0, word});
        return std::move(merged_);
    }

  private:
    void add(Term term) {
        if (is_wanted_[term.length][term.number]) merged_.push_back(term);
        const std::uint32_t longer = term.length + 1;
        if (longer == sorted_.size()) return;
        const auto& pairs = terms_.runs[term.length].pairs();
        std::size_t& next = next_[longer];
        while (next < sorted_[longer].size() && PairTable::left(pairs[sorted_[longer][next]]) == term.number)
            add(Term{longer, sorted_[longer][next++]});
    }

    const Terms& terms_;
    const Marks& is_wanted_;
    const std::vector<Numbers>& sorted_;
    std::vector<std::size_t> next_;
    std::vector<Term> merged_;
};

}  // namespace

void Terms::spell(Term term, std::string& text) const {
    if (term.length > 0) {
        const std::uint64_t pair = runs[term.length - 1].pairs()[term.number];
        spell({term.length - 1, PairTable::left(pair)}, text);
        text += ' ';
        term.number = PairTable::last(pair);
    }
    text += words[term.number];
}

std::vector<Term> sorted_terms(const Terms& terms, const std::vector<std::vector<bool>>& is_wanted) {
    const Marks is_marked = with_parts(terms, is_wanted);
    std::vector<Numbers> sorted{sorted_words(terms.words, is_marked[0])};
    const Numbers word_ranks = ranks_of(sorted[0], terms.words.size());
    Numbers shorter_ranks = word_ranks;
    for (std::size_t length = 1; length < terms.n_lengths(); ++length) {
        const auto& runs = terms.runs[length - 1];
        sorted.push_back(sorted_runs(runs, is_marked[length], shorter_ranks, word_ranks));
        shorter_ranks = ranks_of(sorted[length], runs.size());
    }
    return Merger(terms, is_wanted, sorted).merged();
}

}  // namespace heldout
