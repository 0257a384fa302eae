#include "linear/perceptron.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "base/require.hpp"
#include "base/stream.hpp"
#include "linear/perceptron_weights.hpp"

namespace heldout {

void shuffle_epoch(std::uint64_t seed, std::uint64_t epoch, std::vector<std::uint32_t>& order) {
    std::iota(order.begin(), order.end(), 0U);
    Stream stream(key_of_part(seed, epoch));
    for (std::size_t n_left = order.size(); n_left > 1; --n_left)
        std::swap(order[n_left - 1], order[stream.below(n_left)]);
}

namespace {

// Rows come in random order from a matrix that no cache holds: so they are fetched ahead of time.
constexpr std::size_t kAhead = 8;

void check(std::size_t n_rows, std::span<const std::uint32_t> classes, std::size_t n_classes,
           const PerceptronOptions& options) {
    require(classes.size() == n_rows, "a perceptron needs a class for each row");
    require(n_rows < std::numeric_limits<std::uint32_t>::max(), "a perceptron takes fewer than 2^32 rows");
    require(n_classes >= 2, "a perceptron needs two classes");
    for (const std::uint32_t label : classes) require(label < n_classes, "a class is out of range");
    require(!options.snapshots.empty() && options.snapshots.front() >= 1, "a perceptron needs an epoch");
    require(std::adjacent_find(options.snapshots.begin(), options.snapshots.end(), std::greater_equal<>()) ==
                options.snapshots.end(),
            "the epochs of the snapshots do not ascend");
}

template <class Rows, class Weights>
class Training {
  public:
    Training(const Rows& rows, std::span<const std::uint32_t> classes, std::size_t n_classes,
             const PerceptronOptions& options)
        : rows_(rows),
          classes_(classes),
          options_(options),
          weights_(rows, n_classes, options.fits_intercept, options.keeps_sums),
          order_(rows.n_rows) {
        run_.n_weight_rows = weights_.n_rows();
        std::iota(order_.begin(), order_.end(), 0U);
    }

    PerceptronRun result() {
        std::uint32_t epoch = 0;
        for (const std::uint32_t wanted : options_.snapshots) {
            bool is_separated = false;
            while (epoch < wanted && !is_separated) {
                run_.n_mistakes.push_back(run_epoch(epoch));
                is_separated = run_.n_mistakes.back() == 0;
                ++epoch;
            }
            take_snapshot();
            if (is_separated) break;
        }
        return std::move(run_);
    }

  private:
    std::uint64_t run_epoch(std::uint64_t epoch) {
        if (options_.shuffles) shuffle_epoch(options_.seed, epoch, order_);
        const std::uint64_t first_step = epoch * rows_.n_rows;
        const std::size_t n_ahead = std::min<std::size_t>(rows_.mean_length(), 64);
        std::uint64_t n_mistakes = 0;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (i + 2 * kAhead < order_.size()) {
                rows_.prefetch_ends(order_[i + 2 * kAhead]);
                rows_.prefetch(order_[i + kAhead], n_ahead);
            }
            const std::uint32_t index = order_[i];
            const auto row = rows_.row(index);
            const Mistake mistake = weights_.judge(row, classes_[index]);
            if (!mistake.is_one) continue;
            ++n_mistakes;
            weights_.update(row, classes_[index], mistake.rival, static_cast<double>(first_step + i));
            if (options_.keeps_updates) keep(index, mistake.rival, first_step + i);
        }
        return n_mistakes;
    }

    void keep(std::uint32_t index, std::uint32_t rival, std::uint64_t step) {
        run_.update_row.push_back(index);
        run_.update_raised.push_back(classes_[index]);
        run_.update_lowered.push_back(rival);
        run_.update_step.push_back(step);
    }

    void take_snapshot() {
        ++run_.n_snapshots;
        run_.weights.insert(run_.weights.end(), weights_.weights.begin(), weights_.weights.end());
        run_.sums.insert(run_.sums.end(), weights_.sums.begin(), weights_.sums.end());
    }

    const Rows& rows_;
    std::span<const std::uint32_t> classes_;
    const PerceptronOptions& options_;
    Weights weights_;
    std::vector<std::uint32_t> order_;
    PerceptronRun run_;
};

template <class Rows>
PerceptronRun train(const Rows& rows, std::span<const std::uint32_t> classes, std::size_t n_classes,
                    const PerceptronOptions& options) {
    check(rows.n_rows, classes, n_classes, options);
    check_rows(rows);
    if (n_classes == 2) return Training<Rows, TwoClassWeights>(rows, classes, n_classes, options).result();
    return Training<Rows, ManyClassWeights>(rows, classes, n_classes, options).result();
}

}  // namespace

PerceptronRun train_perceptron(const DenseRows& rows, std::span<const std::uint32_t> classes,
                               std::size_t n_classes, const PerceptronOptions& options) {
    return train(rows, classes, n_classes, options);
}

PerceptronRun train_perceptron(const SparseRows& rows, std::span<const std::uint32_t> classes,
                               std::size_t n_classes, const PerceptronOptions& options) {
    return train(rows, classes, n_classes, options);
}

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
