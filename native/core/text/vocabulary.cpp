#include "text/vocabulary.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/require.hpp"
#include "text/terms.hpp"

namespace heldout {
namespace {

using Counts = std::vector<std::uint32_t>;
using Marks = std::vector<std::vector<bool>>;

// In how many documents each term of one length is.
Counts document_counts(std::span<const std::uint32_t> stream, std::span<const std::size_t> ends,
                       std::size_t n_terms) {
    struct Seen {
        std::uint32_t n_documents = 0;
        std::uint32_t last = kNoTerm;
    };
    std::vector<Seen> seen(n_terms);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        for (std::size_t at = ends[i]; at < ends[i + 1]; ++at) {
            if (stream[at] == kNoTerm) continue;
            Seen& term = seen[stream[at]];
            if (term.last == i) continue;
            term.last = static_cast<std::uint32_t>(i);
            ++term.n_documents;
        }
    Counts counts(n_terms);
    std::transform(seen.begin(), seen.end(), counts.begin(),
                   [](const Seen& each) { return each.n_documents; });
    return counts;
}

// Everything that is known of the terms before it is decided which stay.
class Vocabulary {
  public:
    Vocabulary(const Documents& documents, const TermRules& rules) : rules_(rules) {
        require(rules.n_least >= 1 && rules.n_least <= rules.n_most && rules.n_most <= kMostWords,
                "a run has 1 to 20 words, and n_least is at most n_most");
        require(documents.ends.size() < kNoTerm, "too many documents: at most 2^32 - 2");
        stream_ = read_words(documents, rules, terms_.words);
        for (std::size_t length = 1; length < rules.n_most; ++length) {
            terms_.runs.emplace_back();
            runs_.push_back(add_runs(stream_, terms_at(length - 1), length + 1, terms_.runs.back()));
        }
        for (std::size_t length = 0; length < rules.n_most; ++length)
            counts_.push_back(document_counts(terms_at(length), stream_.ends, terms_.size(length)));
    }

    LearnedWords learned(const KeepRules& keep, const Weighing& weighing) const {
        LearnedWords learned;
        auto sorted = sorted_terms(terms_, within_limits(keep, learned));
        learned.n_stop_words = static_cast<std::uint64_t>(
            std::count(stream_.is_stopped.begin(), stream_.is_stopped.end(), true));
        if (sorted.size() > keep.max_terms) {
            learned.n_beyond = sorted.size() - keep.max_terms;
            sorted = most_frequent(sorted, static_cast<std::size_t>(keep.max_terms));
        }
        require(sorted.size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
                "too many words: at most 2^31 - 1");
        for (const Term term : sorted) {
            terms_.spell(term, learned.terms);
            learned.terms += '\n';
            learned.document_counts.push_back(counts_[term.length][term.number]);
        }
        learned.rows = rows_of(sorted, weighing);
        return learned;
    }

  private:
    // By position the number of the term of this length that ends there.
    std::span<const std::uint32_t> terms_at(std::size_t length) const {
        return length == 0 ? stream_.words : runs_[length - 1];
    }

    Marks within_limits(const KeepRules& keep, LearnedWords& learned) const {
        Marks marks(terms_.n_lengths());
        for (std::size_t length = 0; length < marks.size(); ++length) {
            marks[length].resize(terms_.size(length));
            if (length + 1 < rules_.n_least) continue;
            for (std::size_t number = 0; number < marks[length].size(); ++number) {
                const auto count = counts_[length][number];
                const bool is_rare = count < keep.min_documents;
                const bool is_common = count > keep.max_documents;
                learned.n_too_rare += is_rare;
                learned.n_too_common += !is_rare && is_common;
                marks[length][number] = !is_rare && !is_common;
            }
        }
        return marks;
    }

    // Those in the most documents, of equals the first; in the same order.
    std::vector<Term> most_frequent(const std::vector<Term>& sorted, std::size_t n) const {
        std::vector<std::uint32_t> positions(sorted.size());
        for (std::uint32_t position = 0; position < positions.size(); ++position)
            positions[position] = position;
        const auto count_at = [&](auto position) {
            return counts_[sorted[position].length][sorted[position].number];
        };
        const auto middle = positions.begin() + static_cast<std::ptrdiff_t>(n);
        std::nth_element(positions.begin(), middle, positions.end(), [&](auto a, auto b) {
            return count_at(a) != count_at(b) ? count_at(a) > count_at(b) : a < b;
        });
        std::sort(positions.begin(), middle);
        std::vector<Term> chosen;
        std::transform(positions.begin(), middle, std::back_inserter(chosen),
                       [&](auto position) { return sorted[position]; });
        return chosen;
    }

    CountedRows rows_of(const std::vector<Term>& sorted, const Weighing& weighing) const {
        std::vector<std::vector<std::int32_t>> column_of(terms_.n_lengths());
        for (std::size_t length = 0; length < column_of.size(); ++length)
            column_of[length].assign(terms_.size(length), -1);
        for (std::size_t column = 0; column < sorted.size(); ++column)
            column_of[sorted[column].length][sorted[column].number] = static_cast<std::int32_t>(column);
        std::vector<TermColumns> lengths;
        for (std::size_t length = rules_.n_least - 1; length < rules_.n_most; ++length)
            lengths.push_back({terms_at(length), column_of[length]});
        return fill_rows(lengths, stream_.ends, weighing);
    }

    TermRules rules_;
    Terms terms_;
    WordStream stream_;
    std::vector<std::vector<std::uint32_t>> runs_;
    std::vector<Counts> counts_;
};

}  // namespace

LearnedWords learn_words(const Documents& documents, const TermRules& rules, const KeepRules& keep,
                         const Weighing& weighing) {
    return Vocabulary(documents, rules).learned(keep, weighing);
}

namespace {

constexpr std::size_t kPadding = 8;

// Calls visit(part) for each part of the text that is ended by the mark.
template <class Visit>
void each_part(std::string_view text, char mark, Visit&& visit) {
    while (!text.empty()) {
        const std::size_t end = text.find(mark);
        require(end != std::string_view::npos, "a word of the vocabulary has no end");
        visit(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
}

// The part in memory that goes on behind it, as a table wants it.
std::string_view pad_word(std::string_view part, std::string& memory) {
    memory.assign(part);
    memory.append(kPadding, '\0');
    return std::string_view(memory).substr(0, part.size());
}

}  // namespace

WordIndex::WordIndex(std::string_view terms) : column_of_(1) {
    each_part(terms, '\n', [&](std::string_view term) { add(term); });
}

void WordIndex::add(std::string_view term) {
    require(n_columns_ < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
            "too many words: at most 2^31 - 1");
    std::uint32_t number = kNoTerm;
    std::size_t n_words = 0;
    std::string spelled(term);
    spelled += ' ';
    each_part(spelled, ' ', [&](std::string_view part) {
        require(n_words < kMostWords, "a run of the vocabulary has more than 20 words");
        const std::uint32_t word = terms_.words.add(pad_word(part, word_));
        if (++n_words == 1) {
            number = word;
            return;
        }
        if (terms_.runs.size() + 1 < n_words) terms_.runs.emplace_back();
        number = terms_.runs[n_words - 2].add(PairTable::pair(number, word));
    });
    column_of_.resize(terms_.n_lengths());
    for (std::size_t length = 0; length < column_of_.size(); ++length)
        column_of_[length].resize(terms_.size(length), -1);
    auto& column = column_of_[n_words - 1][number];
    require(column < 0, "a word of the vocabulary occurs twice");
    column = static_cast<std::int32_t>(n_columns_++);
}

CountedRows WordIndex::count(const Documents& documents, const TermRules& rules,
                             const Weighing& weighing) const {
    const WordStream stream = find_words(documents, rules, terms_.words);
    std::vector<std::vector<std::uint32_t>> runs;
    std::vector<TermColumns> lengths{{stream.words, column_of_[0]}};
    for (std::size_t length = 1; length < terms_.n_lengths(); ++length) {
        runs.push_back(find_runs(stream, lengths.back().terms, length + 1, terms_.runs[length - 1]));
        lengths.push_back({runs.back(), column_of_[length]});
    }
    return fill_rows(lengths, stream.ends, weighing);
}

std::string distinct_words(const Documents& documents, bool lowers) {
    Terms terms;
    TermRules rules;
    rules.lowers = lowers;
    read_words(documents, rules, terms.words);
    std::string text;
    for (const Term term : sorted_terms(terms, {std::vector<bool>(terms.words.size(), true)})) {
        terms.spell(term, text);
        text += '\n';
    }
    return text;
}

WordTable table_of_words(std::string_view words) {
    WordTable table;
    std::string memory;
    each_part(words, '\n', [&](std::string_view word) { table.add(pad_word(word, memory)); });
    return table;
}

}  // namespace heldout
