#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

namespace heldout {

// The codes of one column: dense ranks of a numeric column or the levels of a category, in the smallest
// unsigned type that holds n_codes, which itself stands for a missing value.
class CodeView {
  public:
    using Storage = std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>,
                                 std::span<const std::uint32_t>>;

    CodeView(Storage storage, std::uint32_t n_codes) : storage_(storage), n_codes_(n_codes) {}

    std::uint32_t n_codes() const { return n_codes_; }
    std::uint32_t missing() const { return n_codes_; }

    std::size_t size() const {
        return std::visit([](const auto& codes) { return codes.size(); }, storage_);
    }

    std::uint32_t operator[](std::size_t row) const {
        return std::visit([row](const auto& codes) { return std::uint32_t{codes[row]}; }, storage_);
    }

    // Calls visitor with the span of its true type, so that a loop inside pays for the choice only once.
    template <class Visitor>
    decltype(auto) visit(Visitor&& visitor) const {
        return std::visit(visitor, storage_);
    }

  private:
    Storage storage_;
    std::uint32_t n_codes_;
};

}  // namespace heldout
