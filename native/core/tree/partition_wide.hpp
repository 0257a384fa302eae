#pragma once

#include <cstddef>
#include <cstdint>

namespace heldout {

// The partitions of partition.hpp, sixteen words at a time. `marks` must be readable three bytes past the
// last row. Call only where has_wide_vectors().
#if defined(__x86_64__) && defined(__GNUC__)
void partition_in_two_wide(std::uint32_t* words, std::size_t n, std::uint32_t row_mask,
                           const std::uint8_t* marks, std::uint32_t* scratch);
void keep_marked_wide(std::uint32_t* words, std::size_t n, std::uint32_t row_mask, const std::uint8_t* marks,
                      std::uint8_t kept_mark);
#endif

}  // namespace heldout
