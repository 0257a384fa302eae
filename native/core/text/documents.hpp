#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heldout {

// Texts in UTF-8, one after the other: document i lies from ends[i] to ends[i + 1].
struct Documents {
    std::span<const std::uint8_t> bytes;
    std::span<const std::int64_t> ends;

    std::size_t size() const { return ends.size() - 1; }
    std::span<const std::uint8_t> operator[](std::size_t i) const {
        return bytes.subspan(static_cast<std::size_t>(ends[i]),
                             static_cast<std::size_t>(ends[i + 1] - ends[i]));
    }
};

// Throws unless every document lies within the bytes.
void check_documents(const Documents& documents);

}  // namespace heldout
