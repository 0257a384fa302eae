#include "neighbors/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/require.hpp"
#include "base/team.hpp"
#include "neighbors/best_list.hpp"

namespace heldout {
namespace {

// The references by columns: which rows store one, and what. A query meets only the columns that it stores,
// and what it has in common with each reference adds up to a score, with a bound of its error.
//
// With terms t(a, b), the distance is what the query has alone, plus what the reference has alone, less what
// they have in common: a² + b² - 2ab for L2 (halved), |a| + |b| - c for L1, where c is twice the smaller of
// two numbers of the same sign, and 1 - ab for rows of length 1. A score leaves the query's part out.
class SparseIndex {
  public:
    SparseIndex(const SparseRowsView& references, const SparseRowsView& queries, const SearchOptions& search,
                const SparseDistance& distance);

    // Scores of all references, each low enough by its own error, and the error that the query adds. Where no
    // bound holds all scores are 0, so that nothing is ruled out.
    double score(const SparseEntries& query, double query_length, std::vector<double>& scores) const;

    std::span<const double> errors() const { return errors_; }

  private:
    bool is_tame(const SparseEntries& row, double length) const;
    double alone(const SparseEntries& row) const;
    double weight(std::int32_t column) const {
        return weights_.empty() ? 1.0 : weights_[static_cast<std::size_t>(column)];
    }

    Metric metric_;
    std::span<const double> weights_;
    std::size_t n_rows_;
    double relative_error_ = 0.0;
    bool is_usable_ = true;
    std::vector<std::size_t> begin_;
    std::vector<std::uint32_t> rows_;
    std::vector<double> numbers_;
    std::vector<double> starts_;
    std::vector<double> errors_;
};

// Sifts the references of one query by scores that come with a bound of their error: a reference's distance,
// in units of the score and less what belongs to the query, lies between its score and its score plus twice
// its error plus `query_error`, both rounded. What cannot be ruled out is measured exactly.
class ScoreSieve {
  public:
    ScoreSieve(std::size_t k, bool leaves_own_out)
        : n_wanted_(k + (leaves_own_out ? 1 : 0)), n_most_(2 * n_wanted_ + 64), best_(k) {}

    // `errors` holds the error of every reference; `own` is no neighbor.
    template <class Measure>
    void sift(std::span<const double> scores, std::span<const double> errors, double query_error,
              std::size_t own, const Measure& measure) {
        best_.clear();
        survivors_.clear();
        threshold_ = std::numeric_limits<double>::infinity();
        const auto measure_all = [&] {
            for (const auto& [score, row] : survivors_)
                if (row != own) best_.offer(measure(row), row);
            survivors_.clear();
        };
        for (std::size_t row = 0; row < scores.size(); ++row) {
            if (!(scores[row] <= threshold_)) continue;
            survivors_.push_back({scores[row], static_cast<std::uint32_t>(row)});
            if (survivors_.size() < n_most_) continue;
            select(errors, query_error);
            if (survivors_.size() > n_most_ * 3 / 4) measure_all();
        }
        select(errors, query_error);
        measure_all();
    }

    void write(std::int32_t* indices, double* distances) { best_.write(indices, distances); }

  private:
    // Lowers the threshold by what the best scores tell, and drops what is above it.
    void select(std::span<const double> errors, double query_error) {
        if (survivors_.size() <= n_wanted_) return;
        const auto last = survivors_.begin() + static_cast<std::ptrdiff_t>(n_wanted_);
        std::nth_element(survivors_.begin(), last - 1, survivors_.end());
        double highest = -std::numeric_limits<double>::infinity();
        for (auto it = survivors_.begin(); it != last; ++it)
            highest = std::max(highest, it->first + 2 * errors[it->second]);
        threshold_ = std::min(threshold_, highest + 2 * query_error);
        std::erase_if(survivors_, [this](const auto& survivor) { return survivor.first > threshold_; });
    }

    std::size_t n_wanted_;
    std::size_t n_most_;
    BestList best_;
    double threshold_ = 0.0;
    std::vector<std::pair<double, std::uint32_t>> survivors_;
};

constexpr double kSparseError = 0x1p-900;  // beside which no product that is lost matters

std::size_t most_entries(const SparseRowsView& rows) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < rows.n_rows(); ++i) most = std::max(most, entries_of(rows, i).n);
    return most;
}

SparseIndex::SparseIndex(const SparseRowsView& references, const SparseRowsView& queries,
                         const SearchOptions& search, const SparseDistance& distance)
    : metric_(search.metric),
      weights_(search.column_weights),
      n_rows_(references.n_rows()),
      begin_(references.n_columns + 1),
      rows_(references.columns.size()),
      numbers_(references.columns.size()),
      starts_(n_rows_),
      errors_(n_rows_) {
    constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
    const auto n_terms = static_cast<double>(std::max(most_entries(references), most_entries(queries)));
    relative_error_ = 1.02 * (12 * n_terms + 128) * kUnit;
    for (const double weight : weights_)
        is_usable_ &= weight == 0.0 || (weight >= 1 / kLargestWeight && weight <= kLargestWeight);
    for (const std::int32_t column : references.columns) ++begin_[static_cast<std::size_t>(column) + 1];
    for (std::size_t j = 0; j < references.n_columns; ++j) begin_[j + 1] += begin_[j];
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < n_rows_; ++i) {
        const SparseEntries row = entries_of(references, i);
        const double length = metric_ == Metric::kCosine ? distance.reference_length(i) : 1.0;
        is_usable_ &= is_tame(row, length);
        for (std::size_t j = 0; j < row.n; ++j) {
            const std::size_t at = next[static_cast<std::size_t>(row.columns[j])]++;
            rows_[at] = static_cast<std::uint32_t>(i);
            numbers_[at] = length == 0.0 ? 0.0 : row.numbers[j] / length;
        }
        const double own = alone(row);
        errors_[i] = own * relative_error_ + kSparseError;
        starts_[i] = (metric_ == Metric::kCosine ? 0.0 : own) - errors_[i];
    }
}

// Whether the bound holds for a row: no number too large, and for the cosine a length that is not too small.
bool SparseIndex::is_tame(const SparseEntries& row, double length) const {
    for (std::size_t j = 0; j < row.n; ++j)
        if (!(std::abs(row.numbers[j]) <= kLargestNumber)) return false;
    return metric_ != Metric::kCosine || length == 0.0 ||
           (length >= kSmallestNumber && length <= kLargestNumber);
}

// What a row adds to a distance by itself; for the cosine, the scale of the error.
double SparseIndex::alone(const SparseEntries& row) const {
    if (metric_ == Metric::kCosine) return 1.0;
    double total = 0.0;
    for (std::size_t j = 0; j < row.n; ++j) {
        const double number = row.numbers[j];
        total += weight(row.columns[j]) * (metric_ == Metric::kL1 ? std::abs(number) : number * number / 2);
    }
    return total;
}

double SparseIndex::score(const SparseEntries& query, double query_length,
                          std::vector<double>& scores) const {
    if (!is_usable_ || !is_tame(query, query_length)) {
        scores.assign(n_rows_, 0.0);
        return std::numeric_limits<double>::infinity();
    }
    scores = starts_;
    for (std::size_t j = 0; j < query.n; ++j) {
        const auto column = static_cast<std::size_t>(query.columns[j]);
        const double own = query_length == 0.0 ? 0.0 : query.numbers[j] / query_length;
        const double column_weight = weight(query.columns[j]);
        if (metric_ == Metric::kL1) {
            for (std::size_t at = begin_[column]; at < begin_[column + 1]; ++at)
                if ((numbers_[at] > 0) == (own > 0))
                    scores[rows_[at]] -= column_weight * 2 * std::min(std::abs(numbers_[at]), std::abs(own));
        } else {
            const double factor = column_weight * own;
            for (std::size_t at = begin_[column]; at < begin_[column + 1]; ++at)
                scores[rows_[at]] -= factor * numbers_[at];
        }
    }
    return (metric_ == Metric::kCosine ? 1.0 : alone(query)) * relative_error_ + kSparseError;
}

constexpr std::size_t kSparseQueriesPerTask = 16;

}  // namespace

void find_nearest_sparse(const SparseRowsView& references, const SparseRowsView& queries,
                         const SearchOptions& search, const NeighborArrays& out) {
    require_rows(references);
    require_rows(queries);
    require(references.n_columns == queries.n_columns, "references and queries differ in their columns");
    require(search.column_weights.empty() || search.column_weights.size() == references.n_columns,
            "there must be a weight for each column");
    require(search.metric == Metric::kL1 || search.metric == Metric::kL2 || search.metric == Metric::kCosine,
            "sparse rows have the metrics l1, l2 and cosine");
    require_search(references.n_rows(), queries.n_rows(), search.k, search.leaves_own_out);

    const SparseDistance distance(references, queries, search);
    const SparseIndex index(references, queries, search, distance);
    struct Member {
        ScoreSieve sieve;
        std::vector<double> scores;
    };
    const std::size_t n_tasks = (queries.n_rows() + kSparseQueriesPerTask - 1) / kSparseQueriesPerTask;
    Team team(std::min(search.n_threads, n_tasks));
    std::vector<Member> members(team.size(), {ScoreSieve(search.k, search.leaves_own_out), {}});
    team.run(n_tasks, [&](std::size_t task, std::size_t member) {
        auto& [sieve, scores] = members[member];
        const std::size_t last = std::min((task + 1) * kSparseQueriesPerTask, queries.n_rows());
        for (std::size_t query = task * kSparseQueriesPerTask; query < last; ++query) {
            const double length = search.metric == Metric::kCosine ? distance.query_length(query) : 1.0;
            const double error = index.score(entries_of(queries, query), length, scores);
            sieve.sift(scores, index.errors(), error, search.leaves_own_out ? query : kNoRow,
                       [&](std::size_t reference) { return distance(query, reference); });
            sieve.write(out.indices + query * search.k, out.distances + query * search.k);
        }
    });
}

}  // namespace heldout
