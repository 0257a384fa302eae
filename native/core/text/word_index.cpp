#include "text/word_index.hpp"

#include <limits>

#include "base/require.hpp"

namespace heldout {
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
std::string_view padded(std::string_view part, std::string& memory) {
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
        const std::uint32_t word = terms_.words.add(padded(part, word_));
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
    each_part(words, '\n', [&](std::string_view word) { table.add(padded(word, memory)); });
    return table;
}

}  // namespace heldout
