#include "linear/perceptron.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "base/require.hpp"
#include "linear/many_class_weights.hpp"
#include "linear/shuffle.hpp"
#include "linear/two_class_weights.hpp"

namespace heldout {
namespace {

// Rows come in random order from a matrix that no cache holds: so they are asked for ahead of time.
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
                rows_.prefetch_place(order_[i + 2 * kAhead]);
                rows_.prefetch(order_[i + kAhead], n_ahead);
            }
            const std::uint32_t place = order_[i];
            const auto row = rows_.row(place);
            const Mistake mistake = weights_.judge(row, classes_[place]);
            if (!mistake.is_one) continue;
            ++n_mistakes;
            weights_.update(row, classes_[place], mistake.rival, static_cast<double>(first_step + i));
            if (options_.keeps_updates) keep(place, mistake.rival, first_step + i);
        }
        return n_mistakes;
    }

    void keep(std::uint32_t place, std::uint32_t rival, std::uint64_t step) {
        run_.update_row.push_back(place);
        run_.update_raised.push_back(classes_[place]);
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

}  // namespace heldout
