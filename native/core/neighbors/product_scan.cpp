#include "neighbors/product_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heldout {
namespace {

constexpr std::size_t kMostGroupsPerTask = 16;
constexpr std::size_t kMostSurvivorBytes = std::size_t{4} << 20;
constexpr std::size_t kFirstPanels = 1;
constexpr std::size_t kBlockBytes = std::size_t{128} << 10;
constexpr int kHalvings = 24;

// A value such that at least m of the scores are not above it, and hardly more where they can be told apart:
// halving an interval is faster than ordering, and what is chosen by it need not be the very m-th.
template <class F>
F value_reached_by(const F* scores, std::size_t n, std::size_t m) {
    F low = scores[0], high = scores[0];
    for (std::size_t i = 0; i < n; ++i) {
        low = scores[i] < low ? scores[i] : low;
        high = scores[i] > high ? scores[i] : high;
    }
    if (m == 1) return low;
    for (int step = 0; step < kHalvings; ++step) {
        const F middle = std::midpoint(low, high);
        std::uint32_t n_reached = 0;
        for (std::size_t i = 0; i < n; ++i) n_reached += scores[i] <= middle ? 1U : 0U;
        (n_reached >= m ? high : low) = middle;
        if (n_reached == m) break;
    }
    return high;
}

}  // namespace

template <class T, class F>
std::size_t GroupScan<T, F>::groups_per_task(std::size_t k) {
    const std::size_t bytes = kQueries * capacity_of(k) * (sizeof(F) + sizeof(std::uint32_t));
    return std::clamp<std::size_t>(kMostSurvivorBytes / bytes, 1, kMostGroupsPerTask);
}

template <class T, class F>
GroupScan<T, F>::GroupScan(const SearchTask<T>& task, const Shadow<F>& shadow, std::size_t n_groups)
    : task_(task),
      shadow_(shadow),
      k_(task.search.k),
      n_wanted_(task.search.k + (task.search.leaves_own_out ? 1 : 0)),
      capacity_(capacity_of(k_)),
      groups_(n_groups),
      slots_(n_groups * kQueries, Slot{kNoRow, false, {}, BestList(k_)}),
      packed_(n_groups * kQueries * task.references.n_columns),
      scores_(n_groups * kQueries * capacity_),
      positions_(n_groups * kQueries * capacity_) {}

template <class T, class F>
void GroupScan<T, F>::begin(std::span<const std::size_t> queries) {
    const std::size_t n_columns = task_.references.n_columns;
    std::fill(packed_.begin(), packed_.end(), F{0});
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        QueryGroup<F>& group = groups_[slot / kQueries];
        F* packed = packed_.data() + slot / kQueries * kQueries * n_columns;
        group.packed = packed;
        group.n_most = n_most_of(k_);
        group.survivors[slot % kQueries] = {scores_.data() + slot * capacity_,
                                            positions_.data() + slot * capacity_, 0};
        Slot& state = slots_[slot];
        state.query = slot < queries.size() ? queries[slot] : kNoRow;
        state.best.clear();
        state.is_open = state.query != kNoRow && shadow_.pack_query(task_.queries.row(state.query),
                                                                    packed + slot % kQueries, state.bounds);
        constexpr F kInfinity = std::numeric_limits<F>::infinity();
        group.thresholds[slot % kQueries] = state.is_open ? kInfinity : -kInfinity;
    }
    current_ = 0;
    lower_limit();
}

template <class T, class F>
void GroupScan<T, F>::lower_limit() {
    limit_ = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < kQueries; ++i)
        if (slots_[i].is_open)
            limit_ = std::max(limit_, shadow_.distance_within(groups_[0].thresholds[i], slots_[i].bounds));
}

template <class T, class F>
void GroupScan<T, F>::visit(std::size_t begin, std::size_t end) {
    scan_panels(shadow_.panels(), begin / kPanelRows, (end + kPanelRows - 1) / kPanelRows, groups_[0], *this);
    for (std::size_t i = 0; i < kQueries; ++i)
        if (groups_[0].survivors[i].n > n_wanted_ + n_wanted_ / 4) select_by_score(i);
    lower_limit();
}

template <class T, class F>
void GroupScan<T, F>::scan(std::size_t n_queries, bool may_guess) {
    const std::size_t n_groups = (n_queries + kQueries - 1) / kQueries;
    const Panels<F> panels = shadow_.panels();
    const std::size_t panel_bytes = kPanelRows * (panels.n_columns + 1) * sizeof(F);
    const std::size_t n_together = std::max<std::size_t>(1, kBlockBytes / panel_bytes);
    for (std::size_t first = 0, last = 0, next_time = 0; first < shadow_.n_panels(); first = last) {
        last = std::min(first + std::clamp(first, kFirstPanels, n_together), shadow_.n_panels());
        const bool is_time = last >= next_time;
        if (is_time) next_time = last + std::max<std::size_t>(1, last / 2);
        for (current_ = 0; current_ < n_groups; ++current_) {
            scan_panels(panels, first, last, groups_[current_], *this);
            if (is_time) lower_thresholds(last * kPanelRows, may_guess);
        }
    }
}

// Lowers the thresholds of the current group, after so many rows. Panels are samples of all references, so
// the m-th best score of the rows seen so far hardly ever belongs to one of the k best of all, if m is a
// little larger than their share. Where it does, the query is searched again. With few neighbors nothing is
// guessed.
template <class T, class F>
void GroupScan<T, F>::lower_thresholds(std::size_t n_seen, bool may_guess) {
    const double share = static_cast<double>(n_seen) / static_cast<double>(task_.references.n_rows);
    if (share >= 1.0) return;
    const double expected = static_cast<double>(n_wanted_) * share;
    const auto m = static_cast<std::size_t>(expected + 3.3 * std::sqrt(expected * (1 - share)) + 4.0);
    for (std::size_t i = 0; i < kQueries; ++i) {
        const Survivors<F>& survivors = groups_[current_].survivors[i];
        const std::size_t slot = current_ * kQueries + i;
        if (m >= n_wanted_ || !may_guess || !slots_[slot].best.is_empty()) {
            select_by_score(slot);
        } else if (survivors.n > m) {
            F& threshold = groups_[current_].thresholds[i];
            threshold = std::min(threshold, value_reached_by(survivors.scores, survivors.n, m));
        }
    }
}

// Whether no reference can be missing: all whose score is below the threshold were measured.
template <class T, class F>
bool GroupScan<T, F>::is_complete(std::size_t slot, F threshold) const {
    const double limit = slots_[slot].best.limit();
    return !std::isnan(limit) && shadow_.threshold(limit, slots_[slot].bounds) <= threshold;
}

template <class T, class F>
void GroupScan<T, F>::finish(std::size_t n_queries, Left& left, bool may_guess) {
    for (std::size_t slot = 0; slot < n_queries; ++slot) {
        Slot& state = slots_[slot];
        if (!state.is_open) {
            left.unbounded.push_back(state.query);
            continue;
        }
        select_by_score(slot);
        const F threshold = groups_[slot / kQueries].thresholds[slot % kQueries];
        measure(slot);
        if (may_guess && !is_complete(slot, threshold))
            left.guessed_wrong.push_back(state.query);
        else
            state.best.write(task_.indices(state.query), task_.distances(state.query));
    }
}

// Lowers the threshold by what the scores tell, and drops the survivors that are not below it.
template <class T, class F>
std::size_t GroupScan<T, F>::select_by_score(std::size_t slot) {
    QueryGroup<F>& group = groups_[slot / kQueries];
    Survivors<F>& survivors = group.survivors[slot % kQueries];
    if (survivors.n <= n_wanted_) return survivors.n;
    const F reached = value_reached_by(survivors.scores, survivors.n, n_wanted_);
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < survivors.n; ++i)
        if (survivors.scores[i] <= reached)
            highest = std::max(highest, static_cast<double>(survivors.scores[i]) +
                                            2 * shadow_.error_of(survivors.positions[i]));
    F& threshold = group.thresholds[slot % kQueries];
    threshold = std::min(threshold, shadow_.threshold_above(highest + 2 * slots_[slot].bounds.error));
    std::size_t n_kept = 0;
    for (std::size_t i = 0; i < survivors.n; ++i) {
        survivors.scores[n_kept] = survivors.scores[i];
        survivors.positions[n_kept] = survivors.positions[i];
        n_kept += survivors.scores[i] < threshold ? 1 : 0;
    }
    return survivors.n = n_kept;
}

// Measures the survivors exactly; only the best are remembered, and the threshold follows them.
template <class T, class F>
void GroupScan<T, F>::measure(std::size_t slot) {
    QueryGroup<F>& group = groups_[slot / kQueries];
    Survivors<F>& survivors = group.survivors[slot % kQueries];
    Slot& state = slots_[slot];
    rows_.clear();
    for (std::size_t i = 0; i < survivors.n; ++i) {
        const std::size_t row = shadow_.row_of(survivors.positions[i]);
        if (row != task_.own_row(state.query)) rows_.push_back(static_cast<std::uint32_t>(row));
    }
    survivors.n = 0;
    n_measured_ += rows_.size();
    distances_.resize(rows_.size());
    task_.distance.measure(state.query, rows_, distances_.data());
    for (std::size_t i = 0; i < rows_.size(); ++i) state.best.offer(distances_[i], rows_[i]);
    state.best.shrink();
    if (std::isnan(state.best.limit())) return;
    F& threshold = group.thresholds[slot % kQueries];
    threshold = std::min(threshold, shadow_.threshold(state.best.limit(), state.bounds));
}

template <class T, class F>
void GroupScan<T, F>::relieve(std::size_t query_in_group) {
    const std::size_t slot = current_ * kQueries + query_in_group;
    if (select_by_score(slot) > n_most_of(k_) * 3 / 4) measure(slot);
}

template class GroupScan<float, float>;
template class GroupScan<float, double>;
template class GroupScan<double, float>;
template class GroupScan<double, double>;

namespace {

constexpr std::size_t kTasksPerMember = 4;

template <class T, class F>
Left scan_some(const SearchTask<T>& task, const Shadow<F>& shadow, const std::vector<std::size_t>& queries,
               Team& team, std::size_t& n_measured, bool may_guess) {
    constexpr std::size_t kQueries = kGroupQueries<F>;
    const std::size_t n_fair = queries.size() / (team.size() * kTasksPerMember * kQueries);
    const std::size_t n_groups =
        std::clamp<std::size_t>(n_fair, 1, GroupScan<T, F>::groups_per_task(task.search.k));
    const std::size_t n_together = n_groups * kQueries;
    const std::size_t n_tasks = (queries.size() + n_together - 1) / n_together;
    std::vector<GroupScan<T, F>> scans(std::min(team.size(), n_tasks),
                                       GroupScan<T, F>(task, shadow, n_groups));
    std::vector<Left> left(n_tasks);
    team.run(n_tasks, [&](std::size_t i, std::size_t member) {
        const auto some = std::span(queries).subspan(i * n_together);
        const std::size_t n = std::min(n_together, some.size());
        scans[member].begin(some.first(n));
        scans[member].scan(n, may_guess);
        scans[member].finish(n, left[i], may_guess);
    });
    Left all;
    for (const auto& some : left) all.add(some);
    for (const auto& scan : scans) n_measured += scan.n_measured();
    return all;
}

}  // namespace

template <class T, class F>
std::vector<std::size_t> scan_products(const SearchTask<T>& task, const Shadow<F>& shadow,
                                       const std::vector<std::size_t>& queries, Team& team,
                                       std::size_t& n_measured) {
    Left left = scan_some(task, shadow, queries, team, n_measured, true);
    if (!left.guessed_wrong.empty())
        scan_some(task, shadow, std::vector(left.guessed_wrong), team, n_measured, false);
    return left.unbounded;
}

#define HELDOUT_SCAN_PRODUCTS(T, F)                                                         \
    template std::vector<std::size_t> scan_products(const SearchTask<T>&, const Shadow<F>&, \
                                                    const std::vector<std::size_t>&, Team&, std::size_t&);
HELDOUT_SCAN_PRODUCTS(float, float)
HELDOUT_SCAN_PRODUCTS(float, double)
HELDOUT_SCAN_PRODUCTS(double, float)
HELDOUT_SCAN_PRODUCTS(double, double)
#undef HELDOUT_SCAN_PRODUCTS

}  // namespace heldout
