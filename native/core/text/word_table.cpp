#include "text/word_table.hpp"

#include <bit>
#include <cstring>
#include <random>

#include "base/require.hpp"

namespace heldout {

HashKey draw_hash_key() {
    std::random_device device;
    const auto draw = [&] { return std::uint64_t{device()} << 32 | device(); };
    const std::uint64_t start = draw();
    return {start, draw() | 1};
}

const HashKey& hash_key() {
    static const HashKey key = draw_hash_key();
    return key;
}

namespace {

constexpr std::size_t kFirstWordSlots = 1024;
constexpr std::size_t kBlock = 8;
// The first bytes of a number are its lowest ones.
static_assert(std::endian::native == std::endian::little);

// Eight bytes of the word as a number, with zeros for what lies behind it.
std::uint64_t block_at(std::string_view word, std::size_t at) {
    std::uint64_t block;
    std::memcpy(&block, word.data() + at, kBlock);
    const std::size_t n_left = word.size() - at;
    return n_left >= kBlock ? block : block & ((std::uint64_t{1} << (8 * n_left)) - 1);
}

}  // namespace

std::uint64_t hash_of(std::string_view word, const HashKey& key) {
    std::uint64_t hash = key.start;
    for (std::size_t at = 0; at < word.size(); at += kBlock) hash = key.folded(hash, block_at(word, at));
    return key.folded(hash, word.size());
}

WordTable::WordTable(const HashKey& key)
    : key_(key), slots_(kFirstWordSlots, kEmpty), bytes_(kBlock, '\0'), ends_{0} {}

std::uint32_t WordTable::find(std::string_view word) const {
    return slots_[slot_of(word)].word;
}

std::uint32_t WordTable::add(std::string_view word) {
    std::size_t slot = slot_of(word);
    if (slots_[slot].word != kNoTerm) return slots_[slot].word;
    require(size() < kNoTerm, "too many distinct words: at most 2^32 - 1");
    require(word.size() < kNoTerm, "a word is too long: at most 2^32 - 2 bytes");
    if (2 * (size() + 1) > slots_.size()) {
        grow();
        slot = slot_of(word);
    }
    const auto number = static_cast<std::uint32_t>(size());
    slots_[slot] = {block_at(word, 0), static_cast<std::uint32_t>(word.size()), number};
    bytes_.insert(bytes_.end() - kBlock, word.begin(), word.end());
    ends_.push_back(bytes_.size() - kBlock);
    return number;
}

std::size_t WordTable::slot_of(std::string_view word) const {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t first_bytes = block_at(word, 0);
    std::size_t slot = hash_of(word, key_) & mask;
    for (;; slot = (slot + 1) & mask) {
        const Slot& here = slots_[slot];
        if (here.word == kNoTerm) break;
        if (here.first_bytes != first_bytes || here.n_bytes != word.size()) continue;
        if (word.size() <= kBlock || (*this)[here.word] == word) break;
    }
    return slot;
}

void WordTable::grow() {
    slots_.assign(2 * slots_.size(), kEmpty);
    for (std::uint32_t word = 0; word < size(); ++word) {
        const std::string_view spelled = (*this)[word];
        slots_[slot_of(spelled)] = {block_at(spelled, 0), static_cast<std::uint32_t>(spelled.size()), word};
    }
}

namespace {

constexpr std::size_t kFirstPairSlots = 1024;

}  // namespace

PairTable::PairTable(const HashKey& key) : key_(key), slots_(kFirstPairSlots, Slot{0, kNoTerm}) {}

std::uint32_t PairTable::find(std::uint64_t pair) const {
    return slots_[slot_of(pair)].number;
}

std::uint32_t PairTable::add(std::uint64_t pair) {
    std::size_t slot = slot_of(pair);
    if (slots_[slot].number != kNoTerm) return slots_[slot].number;
    require(size() < kNoTerm, "too many distinct runs of words: at most 2^32 - 1");
    if (2 * (size() + 1) > slots_.size()) {
        grow();
        slot = slot_of(pair);
    }
    const auto number = static_cast<std::uint32_t>(size());
    slots_[slot] = {pair, number};
    pairs_.push_back(pair);
    return number;
}

std::size_t PairTable::slot_of(std::uint64_t pair) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = key_.folded(key_.folded(key_.start, left(pair)), last(pair)) & mask;
    while (slots_[slot].number != kNoTerm && slots_[slot].pair != pair) slot = (slot + 1) & mask;
    return slot;
}

void PairTable::grow() {
    slots_.assign(2 * slots_.size(), Slot{0, kNoTerm});
    for (std::uint32_t number = 0; number < pairs_.size(); ++number)
        slots_[slot_of(pairs_[number])] = {pairs_[number], number};
}

}  // namespace heldout
