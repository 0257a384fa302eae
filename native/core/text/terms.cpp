#include "text/terms.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "text/word_reader.hpp"

namespace heldout {
namespace {

template <class NumberOf>
WordStream stream_of(const Documents& documents, const TermRules& rules, NumberOf&& number_of) {
    check_documents(documents);
    WordStream stream;
    stream.is_stopped.resize(rules.stop_words ? rules.stop_words->size() : 0);
    stream.ends.reserve(documents.size() + 1);
    // As many as there can be, with one character between two words; what is not written takes no memory.
    stream.words.reserve((documents.bytes.size() + documents.size()) / 2);
    WordReader reader(rules.lowers);
    for (std::size_t i = 0; i < documents.size(); ++i) {
        reader.each_word(documents[i], [&](std::string_view word) {
            if (rules.stop_words) {
                const std::uint32_t stop = rules.stop_words->find(word);
                if (stop != kNoTerm) {
                    stream.is_stopped[stop] = true;
                    return;
                }
            }
            stream.words.push_back(number_of(word));
        });
        stream.ends.push_back(stream.words.size());
    }
    return stream;
}

template <class NumberOf>
std::vector<std::uint32_t> runs_of(const WordStream& stream, std::span<const std::uint32_t> shorter,
                                   std::size_t n_words, NumberOf&& number_of) {
    require(n_words >= 2, "a run has two words at least");
    require(shorter.size() == stream.words.size(), "every word needs the run that ends there");
    std::vector<std::uint32_t> runs(stream.words.size(), kNoTerm);
    for (std::size_t i = 0; i + 1 < stream.ends.size(); ++i)
        for (std::size_t at = stream.ends[i] + n_words - 1; at < stream.ends[i + 1]; ++at)
            if (shorter[at - 1] != kNoTerm && stream.words[at] != kNoTerm)
                runs[at] = number_of(PairTable::pair(shorter[at - 1], stream.words[at]));
    return runs;
}

}  // namespace

WordStream read_words(const Documents& documents, const TermRules& rules, WordTable& table) {
    return stream_of(documents, rules, [&](std::string_view word) { return table.add(word); });
}

WordStream find_words(const Documents& documents, const TermRules& rules, const WordTable& table) {
    return stream_of(documents, rules, [&](std::string_view word) { return table.find(word); });
}

std::vector<std::uint32_t> add_runs(const WordStream& stream, std::span<const std::uint32_t> shorter,
                                    std::size_t n_words, PairTable& table) {
    return runs_of(stream, shorter, n_words, [&](std::uint64_t pair) { return table.add(pair); });
}

std::vector<std::uint32_t> find_runs(const WordStream& stream, std::span<const std::uint32_t> shorter,
                                     std::size_t n_words, const PairTable& table) {
    return runs_of(stream, shorter, n_words, [&](std::uint64_t pair) { return table.find(pair); });
}

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
