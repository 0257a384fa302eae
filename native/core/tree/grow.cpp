#include "tree/grow.hpp"

#include <algorithm>
#include <memory>

#include "base/require.hpp"
#include "tree/fragments.hpp"
#include "tree/problem.hpp"
#include "tree/subtree.hpp"
#include "tree/tree.hpp"

namespace heldout {
namespace {

// A thread is worth its start if it has at least this many cells of the table.
constexpr std::size_t kCellsPerThread = 16384;

std::size_t n_members(const Problem& problem) {
    return std::min(problem.options.n_threads, 1 + problem.n_rows * problem.columns.size() / kCellsPerThread);
}

template <class Word>
class Grower {
  public:
    Grower(const Problem& problem, Team& team, Orders<Word> orders)
        : team_(team), data_(problem, std::move(orders)) {
        for (std::size_t member = 0; member < team_.size(); ++member)
            workspaces_.push_back(std::make_unique<Workspace<Word>>(data_));
    }

    Tree grow() {
        std::vector<Workspace<Word>*> all;
        for (const auto& workspace : workspaces_) all.push_back(workspace.get());
        SubtreeGrower<Word> top(data_, team_, all);
        top.start_at_root();
        const auto& options = data_.problem.options;
        if (options.max_leaves >= 0) {
            top.grow_best_first(static_cast<std::size_t>(options.max_leaves));
            return breadth_first(top.tree());
        }
        const std::size_t n_rows = data_.problem.n_rows;
        top.grow_depth_first(team_.size() == 1 ? 0 : std::max(n_rows / kHandedOutShare, kHandedOutRows));
        for (const auto& [index, subtree] : grow_set_aside(top)) graft(top.tree(), index, subtree);
        return breadth_first(top.tree());
    }

  private:
    std::vector<std::pair<std::int32_t, Tree>> grow_set_aside(SubtreeGrower<Word>& top) {
        auto open = top.set_aside();
        std::ranges::stable_sort(open, std::greater{}, &OpenNode::n_rows);
        std::vector<std::pair<std::int32_t, Tree>> subtrees(open.size());
        team_.run(open.size(), [&](std::size_t task, std::size_t member) {
            Team alone(1);
            SubtreeGrower<Word> grower(data_, alone, {workspaces_[member].get()});
            grower.start_at(top.tree(), open[task]);
            grower.grow_depth_first(0);
            subtrees[task] = {open[task].node, std::move(grower.tree())};
        });
        return subtrees;
    }

    Team& team_;
    TreeData<Word> data_;
    std::vector<std::unique_ptr<Workspace<Word>>> workspaces_;
};

// Rows are sorted once; every tree but the last one takes a copy of the orders apart.
template <class Word>
std::vector<Tree> grow_sorted(Problem problem, std::span<const double> min_leafs) {
    Team team(n_members(problem));
    Orders<Word> orders(problem, team);
    const bool splits_rows = problem.options.missing == Missing::kFractional && orders.has_missing();
    std::vector<Tree> trees;
    for (std::size_t i = 0; i < min_leafs.size(); ++i) {
        problem.options.min_leaf = min_leafs[i];
        if (splits_rows) {
            trees.push_back(grow_from_fragments(problem, orders, team));
            continue;
        }
        const bool is_last = i + 1 == min_leafs.size();
        Orders<Word> taken = is_last ? std::move(orders) : Orders<Word>(orders);
        trees.push_back(Grower<Word>(problem, team, std::move(taken)).grow());
    }
    return trees;
}

}  // namespace

std::vector<Tree> grow_trees(const Problem& problem, std::span<const double> min_leafs) {
    problem.check();
    const ScaledProblem scaled(problem);
    std::vector<double> scaled_min_leafs;
    for (const double min_leaf : min_leafs) {
        require(min_leaf >= 0, "min_leaf must be a number");
        scaled_min_leafs.push_back(scaled.min_leaf(min_leaf));
    }
    const bool fits = WordLayout<std::uint32_t>::fits(problem.n_rows, problem.n_classes);
    auto trees = fits ? grow_sorted<std::uint32_t>(scaled.problem(), scaled_min_leafs)
                      : grow_sorted<std::uint64_t>(scaled.problem(), scaled_min_leafs);
    for (auto& tree : trees) scaled.restore(tree);
    return trees;
}

Tree grow_tree(const Problem& problem) {
    return std::move(grow_trees(problem, std::span(&problem.options.min_leaf, 1)).front());
}

}  // namespace heldout
