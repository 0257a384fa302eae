#include "linear/votes.hpp"

#include <algorithm>

#include "base/require.hpp"

namespace heldout {
namespace {

// So many rows get their votes at once. Their values of one column fill a line of the cache.
constexpr std::size_t kLanes = 8;

void check(const VotedUpdates& updates, std::size_t n_columns) {
    check_rows(updates.rows);
    require(updates.rows.n_columns == n_columns, "the updates have other columns than the rows");
    require(updates.n_classes >= 2, "a vote needs two classes");
    const std::size_t n = updates.row.size();
    require(updates.raised.size() == n && updates.lowered.size() == n && updates.votes.size() == n,
            "every update needs a row, two classes and a number of votes");
    for (std::size_t i = 0; i < n; ++i) {
        require(updates.row[i] < updates.rows.n_rows, "an update names a row that is not there");
        require(updates.raised[i] < updates.n_classes && updates.lowered[i] < updates.n_classes,
                "an update names a class that is not there");
    }
}

class Ballot {
  public:
    explicit Ballot(const VotedUpdates& updates)
        : updates_(updates),
          queries_(updates.rows.n_columns * kLanes),
          products_(updates.rows.n_rows * kLanes),
          scores_(updates.n_classes * kLanes),
          counts_(updates.n_classes * kLanes) {}

    template <class Rows>
    void count(const Rows& rows, std::size_t first, double* votes) {
        const std::size_t n_lanes = std::min(kLanes, rows.n_rows - first);
        for (std::size_t lane = 0; lane < n_lanes; ++lane)
            rows.row(first + lane).visit([&](std::size_t column, double value) {
                queries_[column * kLanes + lane] = value;
            });
        multiply();
        if (updates_.n_classes == 2)
            vote_of_two();
        else
            vote_of_many();
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            for (std::size_t k = 0; k < updates_.n_classes; ++k)
                votes[lane * updates_.n_classes + k] = counts_[k * kLanes + lane];
            rows.row(first + lane).visit([&](std::size_t column, double) {
                queries_[column * kLanes + lane] = 0;
            });
        }
    }

  private:
    void multiply() {
        for (std::size_t i = 0; i < updates_.rows.n_rows; ++i) {
            double sums[kLanes];
            std::fill_n(sums, kLanes, updates_.has_intercept ? 1.0 : 0.0);
            updates_.rows.row(i).visit([&](std::size_t column, double value) {
                const double* of_column = queries_.data() + column * kLanes;
                for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += of_column[lane] * value;
            });
            std::copy_n(sums, kLanes, products_.data() + i * kLanes);
        }
    }

    void vote_of_two() {
        double scores[kLanes] = {}, first[kLanes] = {}, second[kLanes] = {};
        for (std::size_t i = 0; i < updates_.row.size(); ++i) {
            const double* product = products_.data() + updates_.row[i] * kLanes;
            const double sign = updates_.raised[i] == 1 ? 1 : -1, votes = updates_.votes[i];
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                scores[lane] += sign * product[lane];
                second[lane] += scores[lane] > 0 ? votes : 0;
                first[lane] += scores[lane] > 0 ? 0 : votes;
            }
        }
        std::copy_n(first, kLanes, counts_.data());
        std::copy_n(second, kLanes, counts_.data() + kLanes);
    }

    void vote_of_many() {
        std::fill(scores_.begin(), scores_.end(), 0.0);
        std::fill(counts_.begin(), counts_.end(), 0.0);
        for (std::size_t i = 0; i < updates_.row.size(); ++i) {
            const double* product = products_.data() + updates_.row[i] * kLanes;
            double* raised = scores_.data() + updates_.raised[i] * kLanes;
            double* lowered = scores_.data() + updates_.lowered[i] * kLanes;
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                raised[lane] += product[lane];
                lowered[lane] -= product[lane];
            }
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                std::size_t best = 0;
                for (std::size_t k = 1; k < updates_.n_classes; ++k)
                    if (scores_[k * kLanes + lane] > scores_[best * kLanes + lane]) best = k;
                counts_[best * kLanes + lane] += updates_.votes[i];
            }
        }
    }

    const VotedUpdates& updates_;
    std::vector<double> queries_;   // values of the rows, column by column
    std::vector<double> products_;  // of every updating row with them
    std::vector<double> scores_;
    std::vector<double> counts_;
};

template <class Rows>
std::vector<double> all_votes(const VotedUpdates& updates, const Rows& rows) {
    check(updates, rows.n_columns);
    check_rows(rows);
    std::vector<double> votes(rows.n_rows * updates.n_classes);
    Ballot ballot(updates);
    for (std::size_t first = 0; first < rows.n_rows; first += kLanes)
        ballot.count(rows, first, votes.data() + first * updates.n_classes);
    return votes;
}

}  // namespace

std::vector<double> count_votes(const VotedUpdates& updates, const DenseRows& rows) {
    return all_votes(updates, rows);
}

std::vector<double> count_votes(const VotedUpdates& updates, const SparseRows& rows) {
    return all_votes(updates, rows);
}

}  // namespace heldout
