#include <map>
#include <random>
#include <string>

#include "../check.hpp"
#include "text/characters.hpp"
#include "text/vocabulary.hpp"
#include "text/word_reader.hpp"

using namespace heldout;

namespace {

using Texts = std::vector<std::string>;

// Documents with the memory that they lie in.
struct OwnDocuments {
    explicit OwnDocuments(const Texts& texts) {
        for (const auto& text : texts) {
            bytes.insert(bytes.end(), text.begin(), text.end());
            ends.push_back(static_cast<std::int64_t>(bytes.size()));
        }
    }
    operator Documents() const { return {bytes, ends}; }

    std::vector<std::uint8_t> bytes;
    std::vector<std::int64_t> ends{0};
};

Texts words_of(const std::string& text, bool lowers = true) {
    const OwnDocuments documents({text});
    Texts words;
    WordReader reader(lowers);
    reader.each_word(Documents(documents)[0], [&](std::string_view word) { words.emplace_back(word); });
    return words;
}

Texts lines(const std::string& text) {
    Texts parts;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
        end = text.find('\n', at);
        parts.push_back(text.substr(at, end - at));
    }
    return parts;
}

// Word by word, as GCC 12 warns of literals that are joined with a number's text.
void add_word(std::string& text, const char* letter, std::size_t number, const char* end) {
    text.append(letter).append(std::to_string(number)).append(end);
}

TermRules runs(std::size_t n_least, std::size_t n_most) {
    TermRules rules;
    rules.n_least = n_least;
    rules.n_most = n_most;
    return rules;
}

bool are_equal(const CountedRows& a, const CountedRows& b) {
    return a.values == b.values && a.columns == b.columns && a.ends == b.ends;
}

}  // namespace

TEST("words are runs of letters, numbers and connectors, with apostrophes between letters") {
    CHECK(words_of("Don't stop, 'believing'!") == (Texts{"don't", "stop", "believing"}));
    CHECK(words_of("Don\u2019t") == (Texts{"don't"}));
    CHECK(words_of("snake_case 90's a''b it' 'n") == (Texts{"snake_case", "90", "s", "a", "b", "it", "n"}));
    CHECK(words_of("A b", false) == (Texts{"A", "b"}));
    CHECK(words_of("") == Texts{});
    CHECK(words_of("... '' \u2019") == Texts{});
}

TEST("marks continue a word, and a mark behind a picture makes none") {
    CHECK(words_of("\u0939\u093f\u0928\u094d\u0926\u0940 x\u0302'a") ==
          (Texts{"\u0939\u093f\u0928\u094d\u0926\u0940", "x\u0302'a"}));
    CHECK(words_of("\u2764\ufe0f love") == (Texts{"love"}));
    CHECK(words_of("\u2764\ufe0flove") == (Texts{"love"}));
}

TEST("bytes that are no UTF-8 part words and are never read beyond") {
    CHECK(words_of("ab\xff"
                   "cd") == (Texts{"ab", "cd"}));
    CHECK(words_of("ab\xe2\x80") == (Texts{"ab"}));
    CHECK(words_of("ab\xc3") == (Texts{"ab"}));
    CHECK(words_of("\xed\xa0\x80"
                   "a") == (Texts{"a"}));
    CHECK(words_of("\xc0\x80"
                   "a\xf8"
                   "b\xf4\x90\x80\x80") == (Texts{"a", "b"}));
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::string text(random() % 24, ' ');
        const char alphabet[] = "a'\xe2\x80\x99\xc3\xa9\xf0\x90\x8c\xb0\xcc ";
        for (auto& byte : text)
            byte = round % 2 ? static_cast<char>(random() % 256) : alphabet[random() % (sizeof alphabet - 1)];
        std::size_t n_bytes = 0;
        for (const auto& word : words_of(text)) {
            CHECK(!word.empty() && word.front() != '\'' && word.back() != '\'');
            n_bytes += word.size();
        }
        CHECK(n_bytes <= text.size());
    }
}

TEST("every valid character is read back, and the kinds are those of the ranges") {
    const auto& kinds = character_kinds();
    CHECK(kinds('a') == CharacterKind::kLetter && kinds('_') == CharacterKind::kNumber);
    CHECK(kinds('7') == CharacterKind::kNumber && kinds('\'') == CharacterKind::kOther);
    CHECK(kinds(0x301) == CharacterKind::kMark && kinds(0x4e2d) == CharacterKind::kLetter);
    CHECK(kinds(0x10ffff) == CharacterKind::kOther && kinds(0x110000) == CharacterKind::kOther);
    const std::vector<std::uint8_t> bytes{0xf0, 0x90, 0x8c, 0xb0};
    CHECK(character_at(bytes.data(), bytes.data() + 4).code_point == 0x10330);
    CHECK(character_at(bytes.data(), bytes.data() + 3).n_bytes == 1);
}

TEST("the vocabulary is sorted by code point, runs of all lengths together") {
    const OwnDocuments documents({"b a", "ab a b", "a"});
    const auto learned = learn_words(documents, runs(1, 3), {}, {});
    CHECK(lines(learned.terms) == (Texts{"a", "a b", "ab", "ab a", "ab a b", "b", "b a"}));
    CHECK(learned.document_counts == (std::vector<std::int64_t>{3, 1, 1, 1, 1, 2, 1}));
    CHECK(learned.rows.ends == (std::vector<std::int64_t>{0, 3, 9, 10}));
    CHECK(learned.rows.columns == (std::vector<std::int32_t>{0, 5, 6, 0, 1, 2, 3, 4, 5, 0}));
}

TEST("rare and common terms are dropped, and of the others the most frequent stay") {
    const OwnDocuments documents({"a b c", "a b d", "a e d e"});
    const auto learned = learn_words(documents, runs(1, 1), {2, 2, 1}, {});
    CHECK(lines(learned.terms) == Texts{"b"});
    CHECK(learned.n_too_rare == 2 && learned.n_too_common == 1 && learned.n_beyond == 1);
}

TEST("stop words are left out before runs are made") {
    const OwnDocuments documents({"cat and dog", "and"});
    const WordTable stops = table_of_words("and\nor\n");
    TermRules rules = runs(2, 2);
    rules.stop_words = &stops;
    const auto learned = learn_words(documents, rules, {}, {});
    CHECK(lines(learned.terms) == Texts{"cat dog"});
    CHECK(learned.n_stop_words == 1);
    const WordIndex index(learned.terms);
    CHECK(are_equal(index.count(documents, rules, {}), learned.rows));
}

TEST("counts become what the weighing says") {
    const OwnDocuments documents({"a a a b", ""});
    const auto values = [&](Weighing weighing) {
        return learn_words(documents, runs(1, 1), {}, weighing).rows.values;
    };
    CHECK(values({}) == (std::vector<double>{3, 1}));
    CHECK(values({true, false, false}) == (std::vector<double>{1, 1}));
    CHECK(values({false, true, false}) == (std::vector<double>{2, 1}));
    const auto unit = values({false, false, true});
    CHECK(tests::is_near(unit[0], 3 / std::sqrt(10)) && tests::is_near(unit[1], 1 / std::sqrt(10)));
}

TEST("an index counts what was counted while learning, on random texts with all lengths of rows") {
    std::mt19937 random(2);
    for (const std::size_t n_words : {1, 5, 80, 3000}) {
        Texts texts;
        for (int i = 0; i < 20; ++i) {
            std::string text;
            for (std::size_t k = 0; k < n_words; ++k)
                add_word(text, "w", random() % (1 + random() % 2000), random() % 9 ? " " : ". ");
            texts.push_back(text);
        }
        const OwnDocuments documents(texts);
        for (const std::size_t n_most : {1, 2, 4}) {
            const auto rules = runs(1 + random() % n_most, n_most);
            const auto learned = learn_words(documents, rules, {}, {});
            const WordIndex index(learned.terms);
            CHECK(index.size() == learned.document_counts.size());
            CHECK(are_equal(index.count(documents, rules, {}), learned.rows));
            const auto terms = lines(learned.terms);
            CHECK(std::is_sorted(terms.begin(), terms.end()));
            for (std::size_t i = 0; i < texts.size(); ++i)
                for (auto at = learned.rows.ends[i] + 1; at < learned.rows.ends[i + 1]; ++at)
                    CHECK(learned.rows.columns[static_cast<std::size_t>(at - 1)] <
                          learned.rows.columns[static_cast<std::size_t>(at)]);
        }
    }
}

TEST("counts equal those of a map of the words") {
    std::mt19937 random(3);
    std::string text;
    for (int k = 0; k < 500; ++k) add_word(text, "W", random() % 60, ", ");
    std::map<std::string, double> counts;
    for (const auto& word : words_of(text)) ++counts[word];
    const auto learned = learn_words(OwnDocuments({text}), runs(1, 1), {}, {});
    const auto terms = lines(learned.terms);
    CHECK(terms.size() == counts.size());
    for (std::size_t column = 0; column < terms.size(); ++column)
        CHECK(learned.rows.values[column] == counts.at(terms[column]));
}

TEST("a vocabulary may be empty, or hold words that no text has") {
    const OwnDocuments documents({"a b", "", "a"});
    CHECK(WordIndex("").count(documents, runs(1, 1), {}).ends == (std::vector<std::int64_t>{0, 0, 0, 0}));
    const WordIndex index("b\n\na  b\n\xff\na b\na\n a\n");
    CHECK(index.size() == 7);
    const auto rows = index.count(documents, runs(1, 1), {});
    CHECK(rows.columns == (std::vector<std::int32_t>{0, 4, 5, 5}));
    CHECK_THROWS(std::invalid_argument, WordIndex("a b\nb\na b\n"));
    std::string longest = "a";
    for (int k = 1; k < 20; ++k) longest += " a";
    CHECK(WordIndex(longest + "\n").size() == 1);
    CHECK_THROWS(std::invalid_argument, WordIndex(longest + " a\n"));
}

TEST("documents, runs and vocabularies that cannot be are refused") {
    OwnDocuments documents({"a b", "c"});
    CHECK_THROWS(std::invalid_argument, learn_words(documents, runs(2, 1), {}, {}));
    CHECK_THROWS(std::invalid_argument, learn_words(documents, runs(0, 1), {}, {}));
    CHECK_THROWS(std::invalid_argument, learn_words(documents, runs(1, 21), {}, {}));
    CHECK_THROWS(std::invalid_argument, WordIndex("a\na\n"));
    CHECK_THROWS(std::invalid_argument, WordIndex("a"));
    documents.ends = {0, 9};
    CHECK_THROWS(std::invalid_argument, learn_words(documents, runs(1, 1), {}, {}));
    documents.ends = {0, 3, 2};
    CHECK_THROWS(std::invalid_argument, distinct_words(documents, true));
    documents.ends = {-1, 2};
    CHECK_THROWS(std::invalid_argument, WordIndex("a\n").count(documents, runs(1, 1), {}));
    documents.ends = {};
    CHECK_THROWS(std::invalid_argument, distinct_words(documents, true));
}
