#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "forest/bag.hpp"
#include "tree/problem.hpp"

namespace heldout {

// The codes of a problem's rows in one array of one width: row by row, so that small nodes find the columns
// of a row together, or column by column where there are many columns.
class CodeMatrix {
  public:
    explicit CodeMatrix(const Problem& problem);

    std::size_t width() const { return width_; }
    std::size_t row_stride() const { return row_stride_; }

    // Whether the position of every code, counted in codes, fits into 31 bits.
    bool is_small() const { return bytes_.size() / width_ < std::size_t{1} << 31; }

    // A code may be read as 32 bits, whatever its width.
    static constexpr std::size_t kReadAhead = 4;

    // Calls visitor with a typed pointer to the column's code of row 0; rows stand row_stride() apart.
    template <class Visitor>
    decltype(auto) visit(std::size_t column, Visitor&& visitor) const {
        const std::uint8_t* first = bytes_.data() + column * column_stride_ * width_;
        if (width_ == 1) return visitor(first);
        if (width_ == 2) return visitor(reinterpret_cast<const std::uint16_t*>(first));
        return visitor(reinterpret_cast<const std::uint32_t*>(first));
    }

  private:
    void fill(const Problem& problem);

    std::size_t width_ = 1;
    std::size_t row_stride_ = 1;
    std::size_t column_stride_ = 1;
    std::vector<std::uint8_t> bytes_;
};

// The codes of one numeric column in at most 256 bins that keep their order, each with about as many rows;
// a frequent value has a bin of its own. With few codes a bin is a code.
struct Bins {
    std::vector<std::uint8_t> of_row;
    std::vector<std::uint32_t> last_code;  // of each bin

    std::size_t size() const { return last_code.size(); }
    bool is_exact(std::uint32_t n_codes) const { return last_code.size() == n_codes; }
};

// For a column without missing values.
Bins bins_of_column(const Problem& problem, std::size_t column);

// What a forest has beside the options of its trees, which are those of the Problem.
struct ForestOptions {
    BagOptions bag;
    std::size_t max_features = 1;  // how many columns are drawn for a node
    std::uint64_t first_tree = 0;  // the number of the first tree: a forest may grow in parts
    std::size_t n_trees = 0;
};

// What a word of a bag holds beside the row, in its low bits: how often the row is in the bag, and its class.
// Where the two don't fit beside the row, or a row counts with a weight, the word is the row alone.
struct WordBits {
    unsigned class_bits = 0;
    unsigned stat_bits = 0;

    static constexpr unsigned kTimesBits = 5;
    static constexpr std::uint32_t kMostTimes = (1U << kTimesBits) - 1;

    std::uint32_t stat(std::uint32_t times, std::uint32_t class_) const {
        return times << class_bits | class_;
    }
    std::uint32_t stat_mask() const { return (1U << stat_bits) - 1; }
    std::uint32_t class_mask() const { return (1U << class_bits) - 1; }
    std::uint32_t row(std::uint32_t word) const { return word >> stat_bits; }
    std::uint32_t class_of(std::uint32_t word) const { return word & class_mask(); }
    std::uint32_t times(std::uint32_t word) const { return (word & stat_mask()) >> class_bits; }
};

// What all trees of a forest share: the codes of the rows in the forms in which they are read.
class ForestData {
  public:
    ForestData(const Problem& problem, const ForestOptions& options);

    const Problem& problem() const { return problem_; }
    const ForestOptions& options() const { return options_; }
    const CodeMatrix& codes() const { return codes_; }
    const Bins& bins(std::size_t column) const { return bins_[column]; }
    bool has_missing(std::size_t column) const { return has_missing_[column] != 0; }

    // Whether rows may be counted: classes without weights whose words have room for them.
    bool can_count() const { return can_count_; }
    WordBits counted_bits() const { return bits_; }

    // The number that a code of a numeric column stands for.
    double number(std::size_t column, std::uint32_t code) const { return number_of_code_[column][code]; }

  private:
    void look_at(std::size_t column);

    const Problem& problem_;
    ForestOptions options_;
    CodeMatrix codes_;
    std::vector<Bins> bins_;
    std::vector<std::uint8_t> has_missing_;
    std::vector<std::vector<double>> number_of_code_;
    WordBits bits_;
    bool can_count_ = false;
};

}  // namespace heldout
