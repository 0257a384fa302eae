#include "ranking/code_records.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include "base/require.hpp"
#include "base/stream.hpp"

namespace heldout {
namespace {

std::uint64_t hash_of(const std::uint8_t* record, std::size_t n_bytes) {
    constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15U;
    std::uint64_t hash = n_bytes;
    for (; n_bytes >= sizeof hash; n_bytes -= sizeof hash, record += sizeof hash) {
        std::uint64_t word;
        std::memcpy(&word, record, sizeof word);
        hash = (hash ^ word) * kSpread;
        hash ^= hash >> 32;
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, record, n_bytes);
    return mixed(hash ^ rest);
}

// A table of places that are at most half full; a place has a code and one, or nothing.
class RecordTable {
  public:
    RecordTable(const std::uint8_t* records, std::size_t n_bytes)
        : records_(records), n_bytes_(n_bytes), places_(kFirstPlaces) {}

    std::uint32_t code(std::uint32_t row) {
        const std::uint64_t hash = hash_of(record(row), n_bytes_);
        std::size_t place = hash & (places_.size() - 1);
        for (; places_[place].code_and_one != 0; place = (place + 1) & (places_.size() - 1))
            if (places_[place].hash == hash && is_same(places_[place].code_and_one - 1, row))
                return places_[place].code_and_one - 1;
        first_rows_.push_back(row);
        places_[place] = {hash, static_cast<std::uint32_t>(first_rows_.size())};
        if (first_rows_.size() * 2 > places_.size()) grow();
        return static_cast<std::uint32_t>(first_rows_.size() - 1);
    }

    std::vector<std::uint32_t> first_rows() && { return std::move(first_rows_); }

  private:
    static constexpr std::size_t kFirstPlaces = 64;
    struct Place {
        std::uint64_t hash = 0;
        std::uint32_t code_and_one = 0;
    };

    const std::uint8_t* record(std::uint32_t row) const { return records_ + row * n_bytes_; }
    bool is_same(std::uint32_t code, std::uint32_t row) const {
        return std::memcmp(record(first_rows_[code]), record(row), n_bytes_) == 0;
    }
    void grow() {
        std::vector<Place> larger(places_.size() * 4);
        for (const auto& given : places_) {
            if (given.code_and_one == 0) continue;
            std::size_t place = given.hash & (larger.size() - 1);
            while (larger[place].code_and_one != 0) place = (place + 1) & (larger.size() - 1);
            larger[place] = given;
        }
        places_ = std::move(larger);
    }

    const std::uint8_t* records_;
    std::size_t n_bytes_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> first_rows_;
};

}  // namespace

RecordCodes code_records(std::span<const std::uint8_t> bytes, std::size_t bytes_per_record) {
    require(bytes_per_record > 0, "a record has at least one byte");
    require(bytes.size() % bytes_per_record == 0, "the last record is not complete");
    const std::size_t n_records = bytes.size() / bytes_per_record;
    require(n_records < std::numeric_limits<std::uint32_t>::max(), "too many records: at most 2^32 - 2");
    RecordTable table(bytes.data(), bytes_per_record);
    RecordCodes found{std::vector<std::uint32_t>(n_records), {}};
    for (std::size_t row = 0; row < n_records; ++row)
        found.codes[row] = table.code(static_cast<std::uint32_t>(row));
    found.first_rows = std::move(table).first_rows();
    return found;
}

}  // namespace heldout
