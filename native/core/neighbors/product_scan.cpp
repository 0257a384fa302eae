#include "neighbors/product_scan.hpp"

#include <algorithm>

#include "neighbors/group_scan.hpp"

namespace heldout {
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
