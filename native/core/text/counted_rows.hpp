#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heldout {

// What a count becomes, in this order.
struct Weighing {
    bool is_binary = false;       // 1 for any count
    bool is_log = false;          // log2(count + 1)
    bool is_unit_length = false;  // divided by the Euclidean length of the row
};

// Numbers by row: those of row i from ends[i] to ends[i + 1], their columns ascending, each once.
struct CountedRows {
    std::vector<double> values;
    std::vector<std::int32_t> columns;
    std::vector<std::int64_t> ends{0};
};

// Terms of one length: their numbers by position, as a stream has them, and the column of each, -1 for none.
struct TermColumns {
    std::span<const std::uint32_t> terms;
    std::span<const std::int32_t> column_of;
};

// Counts the columns of each document.
// ends: where the documents end in every one of the streams, and a begin
CountedRows fill_rows(std::span<const TermColumns> lengths, std::span<const std::size_t> ends,
                      const Weighing& weighing);

}  // namespace heldout
