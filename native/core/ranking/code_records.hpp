#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heldout {

// Codes of records, from 0 in the order in which they first appear, and where each first appears.
struct RecordCodes {
    std::vector<std::uint32_t> codes, first_rows;
};

// Records are pieces of so many bytes, and equal if all their bytes are.
RecordCodes code_records(std::span<const std::uint8_t> bytes, std::size_t bytes_per_record);

}  // namespace heldout
