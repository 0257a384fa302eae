#include "text/pair_table.hpp"

#include "base/require.hpp"

namespace heldout {
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
