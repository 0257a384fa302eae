#include "text/term_stream.hpp"

#include "base/require.hpp"
#include "text/each_word.hpp"

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

}  // namespace heldout
