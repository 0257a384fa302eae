#pragma once

#include "base/team.hpp"
#include "neighbors/best_list.hpp"
#include "neighbors/exact_distance.hpp"
#include "neighbors/shadow.hpp"

namespace heldout {

// The queries without neighbors so far: the bound does not hold for them, or too low a threshold was guessed.
struct Left {
    std::vector<std::size_t> unbounded, guessed_wrong;

    void add(const Left& more) {
        unbounded.insert(unbounded.end(), more.unbounded.begin(), more.unbounded.end());
        guessed_wrong.insert(guessed_wrong.end(), more.guessed_wrong.begin(), more.guessed_wrong.end());
    }
};

// The work of one thread: some groups of queries at a time, in the same memory.
template <class T, class F>
class GroupScan final : public Relief {
  public:
    GroupScan(const SearchTask<T>& task, const Shadow<F>& shadow, std::size_t n_groups);

    // Takes up queries, at most as many as the groups hold.
    void begin(std::span<const std::size_t> queries);

    // Scans all panels. Where guessing is allowed, thresholds may turn out too low.
    void scan(std::size_t n_queries, bool may_guess);

    // Scans the panels of some positions for the first group alone, and lowers its thresholds.
    void visit(std::size_t begin, std::size_t end);

    // What is farther than this from every query of the first group is of no interest.
    double limit() const { return limit_; }

    // Writes the neighbors of the queries that were taken up, but for those that it names as left.
    void finish(std::size_t n_queries, Left& left, bool may_guess);

    void relieve(std::size_t query_in_group) override;

    static std::size_t groups_per_task(std::size_t k);
    std::size_t n_measured() const { return n_measured_; }

  private:
    static constexpr std::size_t kQueries = kGroupQueries<F>;
    static std::size_t n_most_of(std::size_t k) { return 2 * k + 80; }
    static std::size_t capacity_of(std::size_t k) { return n_most_of(k) + kPanelRows + 1; }
    void lower_limit();

    void lower_thresholds(std::size_t n_seen, bool may_guess);
    bool is_complete(std::size_t slot, F threshold) const;
    std::size_t select_by_score(std::size_t slot);
    void measure(std::size_t slot);

    struct Slot {
        std::size_t query = kNoRow;
        bool is_open = false;
        QueryBounds bounds{};
        BestList best;
    };

    const SearchTask<T>& task_;
    const Shadow<F>& shadow_;
    std::size_t k_;
    std::size_t n_wanted_;  // with the row itself, which is told apart only when it is measured
    std::size_t capacity_;
    std::size_t current_ = 0;
    std::size_t n_measured_ = 0;
    double limit_ = 0.0;
    std::vector<QueryGroup<F>> groups_;
    std::vector<Slot> slots_;
    std::vector<F> packed_, scores_;
    std::vector<std::uint32_t> positions_;
    std::vector<std::uint32_t> rows_;
    std::vector<double> distances_;
};

// Finds the neighbors of some queries: all references meet each of them as a product of shadows, and those
// that the bound cannot rule out are measured exactly. Queries for which the bound does not hold are left,
// and named in what is returned. `n_measured` counts the exact distances.
template <class T, class F>
std::vector<std::size_t> scan_products(const SearchTask<T>& task, const Shadow<F>& shadow,
                                       const std::vector<std::size_t>& queries, Team& team,
                                       std::size_t& n_measured);

}  // namespace heldout
