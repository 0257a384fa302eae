#include "tree/subtree.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "tree/choose.hpp"

namespace heldout {
namespace {

constexpr double kNoFloor = -std::numeric_limits<double>::infinity();

bool uses_entropy(const Problem& problem) {
    return problem.options.criterion == Criterion::kEntropy ||
           problem.options.criterion == Criterion::kGainRatio;
}

}  // namespace

template <class Word>
Ground<Word>::Ground(const Problem& p, Orders<Word> sorted)
    : problem(p),
      orders(std::move(sorted)),
      entropies(uses_entropy(p) && p.weights.empty() ? p.n_rows : 0),
      marks(p.n_rows + kReadAhead),
      branch(p.has_multiway() ? p.n_rows : 0) {}

template <class Word>
SubtreeGrower<Word>::SubtreeGrower(Ground<Word>& ground, Team& team, std::vector<Workspace<Word>*> workspaces)
    : ground_(ground), problem_(ground.problem), team_(team), workspaces_(std::move(workspaces)) {
    tree_.n_outputs = problem_.is_regression() ? 1 : problem_.n_classes;
    splits_.resize(problem_.columns.size());
}

template <class Word>
void SubtreeGrower<Word>::start_at_root() {
    GroupSums sums(problem_);
    for (std::size_t row = 0; row < problem_.n_rows; ++row) sums.add(row);
    sums.append_to(tree_, Node{});
    if (is_open(sums, 0)) stack_.push_back({0, 0, problem_.n_rows, 0});
}

template <class Word>
void SubtreeGrower<Word>::start_at(const Tree& tree, const OpenNode& open) {
    const auto values = tree.values.begin() + static_cast<std::ptrdiff_t>(open.node * tree.n_outputs);
    tree_.nodes.assign(1, tree.nodes[open.node]);
    tree_.values.assign(values, values + static_cast<std::ptrdiff_t>(tree.n_outputs));
    stack_.assign(1, {0, open.begin, open.n_rows, open.depth});
}

template <class Word>
void SubtreeGrower<Word>::grow_depth_first(std::size_t set_aside) {
    while (!stack_.empty()) {
        const OpenNode open = stack_.back();
        stack_.pop_back();
        if (open.n_rows <= set_aside) {
            set_aside_.push_back(open);
            continue;
        }
        const auto choice = find_split(open);
        if (!choice) continue;
        for (const auto& child : split(open, *choice)) stack_.push_back(child);
    }
}

template <class Word>
void SubtreeGrower<Word>::grow_best_first(std::size_t max_leaves) {
    struct Entry {
        double total_gain;
        OpenNode open;
        Choice choice;
        bool operator<(const Entry& other) const {
            return total_gain != other.total_gain ? total_gain < other.total_gain
                                                  : open.node > other.open.node;
        }
    };
    std::priority_queue<Entry> queue;
    const auto offer = [&](const OpenNode& open) {
        if (const auto choice = find_split(open))
            queue.push({choice->split.gain * tree_.nodes[open.node].weight, open, *choice});
    };
    for (const auto& open : stack_) offer(open);
    stack_.clear();
    std::size_t n_leaves = 1;
    while (!queue.empty() && n_leaves < max_leaves) {
        const Entry entry = queue.top();
        queue.pop();
        if (problem_.columns[entry.choice.column].is_category() && problem_.has_multiway()) {
            auto& search = workspaces_.front()->search;
            search.level_split(entry.choice.column, view(entry.open, entry.choice.mean_rest));
            if (n_leaves - 1 + search.levels().size() > max_leaves) continue;
        }
        const auto children = split(entry.open, entry.choice);
        n_leaves += static_cast<std::size_t>(tree_.nodes[entry.open.node].n_children) - 1;
        for (const auto& child : children) offer(child);
    }
}

template <class Word>
NodeView SubtreeGrower<Word>::view(const OpenNode& open, double mean_rest) const {
    const Node& node = tree_.nodes[open.node];
    return {open.begin,
            open.n_rows,
            node.weight,
            node.impurity,
            {tree_.values.data() + open.node * tree_.n_outputs, tree_.n_outputs},
            mean_rest};
}

// Where the largest gain wins, a column need not be searched for less than the best has found.
template <class Word>
bool SubtreeGrower<Word>::compares_gains() const {
    const auto& options = problem_.options;
    return options.criterion != Criterion::kGainRatio && options.cost_rule == CostRule::kNone;
}

template <class Word>
std::size_t SubtreeGrower<Word>::search_by_team(const NodeView& node) {
    team_.run(splits_.size(), [&](std::size_t column, std::size_t member) {
        splits_[column] = workspaces_[member]->search.search(column, node, kNoFloor);
    });
    return splits_.size();
}

// Gives the number of columns that had to be searched: none can beat a split that leaves nothing impure.
template <class Word>
std::size_t SubtreeGrower<Word>::search_in_turn(const NodeView& node) {
    const bool has_floor = compares_gains();
    const double perfect = node.impurity - gain_slack(problem_, node.impurity);
    double floor = kNoFloor;
    for (std::size_t column = 0; column < splits_.size(); ++column) {
        splits_[column] = workspaces_.front()->search.search(column, node, floor);
        if (!has_floor) continue;
        if (splits_[column].gain >= perfect) return column + 1;
        floor = std::max(floor, splits_[column].gain * (1 - 1e-9));
    }
    return splits_.size();
}

template <class Word>
double SubtreeGrower<Word>::rest_of_mean(const OpenNode& open) {
    const NodeView node = view(open, 0.0);
    const Word* words = ground_.orders.order(0) + open.begin;
    double sum = 0;
    for (std::size_t i = 0; i < open.n_rows; ++i) {
        const std::size_t row = ground_.orders.layout().row(words[i]);
        sum += problem_.weight(row) * node.centre().around(problem_.targets[row]);
    }
    return sum / node.weight;
}

template <class Word>
auto SubtreeGrower<Word>::find_split(const OpenNode& open) -> std::optional<Choice> {
    const double mean_rest = problem_.is_regression() ? rest_of_mean(open) : 0.0;
    const NodeView node = view(open, mean_rest);
    const std::size_t n_searched = team_.size() > 1 ? search_by_team(node) : search_in_turn(node);
    const auto column = choose_column(problem_, node.impurity, {splits_.data(), n_searched});
    if (!column) return std::nullopt;
    return Choice{*column, splits_[*column], mean_rest};
}

template <class Word>
bool SubtreeGrower<Word>::is_open(const GroupSums& sums, std::int64_t depth) const {
    const auto& options = problem_.options;
    return sums.n_rows() >= 2 && (options.max_depth < 0 || depth < options.max_depth) &&
           sums.weight() >= 2 * options.min_leaf && !sums.is_pure();
}

template struct Ground<std::uint32_t>;
template struct Ground<std::uint64_t>;
template class SubtreeGrower<std::uint32_t>;
template class SubtreeGrower<std::uint64_t>;

}  // namespace heldout
