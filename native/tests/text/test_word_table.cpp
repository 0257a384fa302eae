#include <set>
#include <string>

#include "../check.hpp"
#include "text/word_table.hpp"

using namespace heldout;

TEST("words that meet in a table under one key do not under another, and their numbers know no key") {
    const HashKey key{0x243f6a8885a308d3U, 0x13198a2e03707345U};
    const HashKey other = draw_hash_key(), next = draw_hash_key();
    CHECK(other.factor % 2 == 1 && (other.start != next.start || other.factor != next.factor));
    CHECK(hash_key().start == hash_key().start);
    const auto place = [](const std::string& word, const HashKey& with) {
        return hash_of(std::string_view(word.c_str(), word.size() - 8), with) % 1024;
    };
    WordTable words(key), same(other);
    std::set<std::uint64_t> places;
    for (std::uint32_t k = 0; words.size() < 100; ++k) {
        const std::string word = std::to_string(k) + "th" + std::string(8, '\0');
        if (place(word, key) != 7) continue;
        places.insert(place(word, other));
        const std::string_view spelled(word.c_str(), word.size() - 8);
        CHECK(words.add(spelled) == same.add(spelled));
    }
    CHECK(places.size() > 50);  // of 100 at random among 1024 places; 95 are expected
    PairTable pairs(key), alike(other);
    for (std::uint32_t k = 0; k < 5000; ++k)
        CHECK(pairs.add(PairTable::pair(k % 70, k)) == alike.add(PairTable::pair(k % 70, k)));
}
