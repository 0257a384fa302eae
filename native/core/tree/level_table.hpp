#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heldout {

// The sums of a node's rows for each level of one category that occurs there, levels ascending, and those
// of the rows whose level is unknown. Reused from node to node; it costs what the node has, not what the
// category has.
class LevelTable {
  public:
    void start(std::size_t n_levels, std::size_t width);

    // The sums of a level (or of the unknown), to be added to.
    double* sums_of(std::uint32_t level);
    double* unknown() { return unknown_.data(); }
    void mark_unknown() { has_unknown_ = true; }

    // Sums that were counted with a place for each level, the unknown ones last; weights are above 0.
    void take_dense(const std::vector<double>& sums);

    // Ends the counting: brings levels into order.
    void finish();

    std::size_t size() const { return levels_.size(); }
    bool has_unknown() const { return has_unknown_; }
    std::uint32_t level(std::size_t index) const { return levels_[index]; }
    const double* sums(std::size_t index) const { return sums_.data() + slot_[index] * width_; }
    const double* unknown_sums() const { return unknown_.data(); }

    // Position of a level among those present; call only for levels that are.
    std::size_t index_of(std::uint32_t level) const { return slot_of_level_[level]; }

  private:
    static constexpr std::uint32_t kAbsent = 0xffffffffU;

    std::size_t width_ = 0;
    bool has_unknown_ = false;
    std::vector<std::uint32_t> slot_of_level_;  // while counting: slot; afterwards: index
    std::vector<std::uint32_t> levels_;
    std::vector<std::size_t> slot_;
    std::vector<double> sums_;
    std::vector<double> unknown_;
};

}  // namespace heldout
