#include <nanobind/stl/pair.h>

#include "arrays.hpp"
#include "text/characters.hpp"
#include "text/vocabulary.hpp"

namespace heldout::bind {
namespace {

using Given = In<std::uint8_t>;
using TextEnds = In<std::int64_t>;
using Arrays = nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy>>;

std::string_view text_of(const nb::bytes& bytes) {
    return {static_cast<const char*>(bytes.data()), bytes.size()};
}

nb::bytes bytes_of(const std::string& text) {
    return nb::bytes(text.data(), text.size());
}

void put_rows(Arrays& result, CountedRows&& rows) {
    result["values"] = give(std::move(rows.values));
    result["columns"] = give(std::move(rows.columns));
    result["ends"] = give(std::move(rows.ends));
}

std::pair<nb::bytes, Arrays> learn(const Given& text, const TextEnds& ends, bool lowers, std::size_t n_least,
                                   std::size_t n_most, const nb::bytes& stop_words,
                                   std::uint64_t min_documents, std::uint64_t max_documents,
                                   std::uint64_t max_terms, bool is_binary, bool is_log,
                                   bool is_unit_length) {
    const Documents documents{view(text), view(ends)};
    LearnedWords learned;
    {
        const std::string_view stopped = text_of(stop_words);
        nb::gil_scoped_release release;
        const WordTable stops = table_of_words(stopped);
        const TermRules rules{lowers, n_least, n_most, stops.size() > 0 ? &stops : nullptr};
        learned = learn_words(documents, rules, {min_documents, max_documents, max_terms},
                              {is_binary, is_log, is_unit_length});
    }
    Arrays result;
    result["document_counts"] = give(std::move(learned.document_counts));
    result["dropped"] = give(std::vector<std::uint64_t>{learned.n_too_rare, learned.n_too_common,
                                                        learned.n_stop_words, learned.n_beyond});
    put_rows(result, std::move(learned.rows));
    return {bytes_of(learned.terms), result};
}

Arrays count_words(const WordIndex& index, const Given& text, const TextEnds& ends, bool lowers,
                   const nb::bytes& stop_words, bool is_binary, bool is_log, bool is_unit_length) {
    const Documents documents{view(text), view(ends)};
    CountedRows rows;
    {
        const std::string_view stopped = text_of(stop_words);
        nb::gil_scoped_release release;
        const WordTable stops = table_of_words(stopped);
        const TermRules rules{lowers, 1, 1, stops.size() > 0 ? &stops : nullptr};
        rows = index.count(documents, rules, {is_binary, is_log, is_unit_length});
    }
    Arrays result;
    put_rows(result, std::move(rows));
    return result;
}

nb::bytes distinct(const Given& text, const TextEnds& ends, bool lowers) {
    const Documents documents{view(text), view(ends)};
    std::string words;
    {
        nb::gil_scoped_release release;
        words = distinct_words(documents, lowers);
    }
    return bytes_of(words);
}

}  // namespace

void bind_text(nb::module_& module) {
    module.attr("unicode_version") = nb::str(kUnicodeVersion);
    nb::class_<WordIndex>(module, "WordIndex", "Finds the columns of the words of a vocabulary.")
        .def(
            "__init__",
            [](WordIndex* index, const nb::bytes& terms) {
                const std::string_view given = text_of(terms);
                nb::gil_scoped_release release;
                new (index) WordIndex(given);
            },
            nb::arg("terms"))
        .def("__len__", &WordIndex::size);
    module.def("learn_words", &learn, nb::arg("text"), nb::arg("ends"), nb::arg("lowers"), nb::arg("n_least"),
               nb::arg("n_most"), nb::arg("stop_words"), nb::arg("min_documents"), nb::arg("max_documents"),
               nb::arg("max_terms"), nb::arg("is_binary"), nb::arg("is_log"), nb::arg("is_unit_length"),
               "The vocabulary of documents, each word ended by a line feed, and the counts by row.");
    module.def("count_words", &count_words, nb::arg("index"), nb::arg("text"), nb::arg("ends"),
               nb::arg("lowers"), nb::arg("stop_words"), nb::arg("is_binary"), nb::arg("is_log"),
               nb::arg("is_unit_length"), "How often each document has each word of a vocabulary.");
    module.def("distinct_words", &distinct, nb::arg("text"), nb::arg("ends"), nb::arg("lowers"),
               "The distinct words of documents, sorted, each ended by a line feed.");
}

}  // namespace heldout::bind
