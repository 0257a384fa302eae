#include "tree/joint_codes.hpp"

#include <limits>

namespace heldout {

JointCodes::JointCodes(const Problem& problem) : codes_(problem.columns.size()) {
    if (problem.is_regression()) return;
    for (std::size_t column = 0; column < problem.columns.size(); ++column) {
        const auto& source = problem.columns[column];
        const std::size_t n_places = (source.codes.n_codes() + std::size_t{1}) * problem.n_classes;
        if (!source.is_category() || n_places > std::numeric_limits<std::uint16_t>::max()) continue;
        codes_[column].resize(problem.n_rows);
        for (std::size_t row = 0; row < problem.n_rows; ++row)
            codes_[column][row] = static_cast<std::uint16_t>(
                source.codes[problem.table_row(row)] * problem.n_classes + problem.classes[row]);
    }
}

}  // namespace heldout
