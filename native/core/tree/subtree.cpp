#include "tree/subtree.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "tree/level_search.hpp"
#include "tree/partition.hpp"
#include "tree/split_search.hpp"
#include "tree/tree.hpp"

namespace heldout {
namespace {

constexpr double kNoFloor = -std::numeric_limits<double>::infinity();

bool uses_entropy(const Problem& problem) {
    return problem.options.criterion == Criterion::kEntropy ||
           problem.options.criterion == Criterion::kGainRatio;
}

}  // namespace

template <class Word>
TreeData<Word>::TreeData(const Problem& p, Orders<Word> sorted)
    : problem(p),
      orders(std::move(sorted)),
      entropies(uses_entropy(p) && p.weights.empty() ? p.n_rows : 0),
      marks(p.n_rows + kReadAhead),
      branch(p.has_multiway() ? p.n_rows : 0) {}

template <class Word>
SubtreeGrower<Word>::SubtreeGrower(TreeData<Word>& data, Team& team, std::vector<Workspace<Word>*> workspaces)
    : data_(data), problem_(data.problem), team_(team), workspaces_(std::move(workspaces)) {
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
    const Word* words = data_.orders.order(0) + open.begin;
    double sum = 0;
    for (std::size_t i = 0; i < open.n_rows; ++i) {
        const std::size_t row = data_.orders.layout().row(words[i]);
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

// How a node is split, once it is known on what.
template <class Word>
double SubtreeGrower<Word>::number_at(std::size_t column, Word word) const {
    return problem_.columns[column].number(problem_.table_row(data_.orders.layout().row(word)));
}

template <class Word>
auto SubtreeGrower<Word>::split(const OpenNode& open, const Choice& choice) -> std::vector<OpenNode> {
    const bool is_category = problem_.columns[choice.column].is_category();
    const auto groups = !is_category              ? cut_numbers(open, choice)
                        : problem_.has_multiway() ? branch_by_level(open, choice)
                                                  : cut_levels(open, choice);
    Node& node = tree_.nodes[open.node];
    node.feature = static_cast<std::int32_t>(choice.column);
    node.gain = choice.split.gain;
    return add_children(open, groups);
}

template <class Word>
auto SubtreeGrower<Word>::cut_numbers(const OpenNode& open, const Choice& choice) -> std::vector<GroupSums> {
    auto& search = workspaces_.front()->search;
    const NodeView node_view = view(open, choice.mean_rest);
    const auto& layout = data_.orders.layout();
    const Word* words = data_.orders.order(data_.orders.index_of(choice.column)) + open.begin;
    const std::size_t n_known = search.count_known(choice.column, node_view);
    const std::size_t position = choice.split.position;
    const bool missing_left = choice.split.missing_left;

    std::vector<GroupSums> groups(2, GroupSums(problem_));
    const std::span<const Word> left(words, position), right(words + position, n_known - position);
    const std::span<const Word> missing(words + n_known, open.n_rows - n_known);
    // The lighter side is marked: with many rows on the other one, that is nearly no work.
    marked_child_ = left.size() < right.size() ? 0 : 1;
    const std::size_t other = 1 - marked_child_;
    mark(marked_child_ == 0 ? left : right, groups[marked_child_]);
    if (missing_left == (marked_child_ == 0)) mark(missing, groups[marked_child_]);
    if (GroupSums::is_exact(problem_)) {
        groups[other] = groups[marked_child_].rest_of(tree_.nodes[open.node], node_view.values);
    } else {
        for (const Word word : other == 0 ? left : right) groups[other].add(layout.row(word));
        if (missing_left == (other == 0))
            for (const Word word : missing) groups[other].add(layout.row(word));
    }
    Node& node = tree_.nodes[open.node];
    node.kind = SplitKind::kThreshold;
    node.gap_below = number_at(choice.column, words[position - 1]);
    node.gap_above = number_at(choice.column, words[position]);
    node.threshold = threshold_between(node.gap_below, node.gap_above);
    node.default_child = missing_left ? 0 : 1;
    branch_levels_.assign(2, -1);
    return groups;
}

template <class Word>
auto SubtreeGrower<Word>::cut_levels(const OpenNode& open, const Choice& choice) -> std::vector<GroupSums> {
    auto& search = workspaces_.front()->search;
    const NodeView node_view = view(open, choice.mean_rest);
    const LevelSplit level_split = search.level_split(choice.column, node_view);
    const LevelTable& table = search.levels();

    Node& node = tree_.nodes[open.node];
    const auto side_of = write_level_set(tree_, node, level_split, table);
    node.default_child = level_split.missing_first ? 0 : 1;

    std::vector<GroupSums> groups(2, GroupSums(problem_));
    const auto by_default = static_cast<std::uint8_t>(node.default_child);
    for_each_level(open, choice.column, [&](Word word, bool is_known, std::uint32_t level) {
        if ((is_known ? side_of[table.index_of(level)] : by_default) == 1)
            mark({&word, 1}, groups[1]);
        else
            groups[0].add(data_.orders.layout().row(word));
    });
    marked_child_ = 1;
    branch_levels_.assign(2, -1);
    return groups;
}

template <class Word>
auto SubtreeGrower<Word>::branch_by_level(const OpenNode& open, const Choice& choice)
    -> std::vector<GroupSums> {
    auto& search = workspaces_.front()->search;
    const NodeView node_view = view(open, choice.mean_rest);
    search.level_split(choice.column, node_view);
    const LevelTable& table = search.levels();

    Node& node = tree_.nodes[open.node];
    node.kind = SplitKind::kMultiway;
    node.default_child = static_cast<std::int32_t>(search.heaviest_level());
    branch_levels_.resize(table.size());
    for (std::size_t index = 0; index < table.size(); ++index)
        branch_levels_[index] = static_cast<std::int32_t>(table.level(index));

    std::vector<GroupSums> groups(table.size(), GroupSums(problem_));
    const auto by_default = static_cast<std::size_t>(node.default_child);
    for_each_level(open, choice.column, [&](Word word, bool is_known, std::uint32_t level) {
        const std::size_t row = data_.orders.layout().row(word);
        const std::size_t branch = is_known ? table.index_of(level) : by_default;
        data_.branch[row] = static_cast<std::uint32_t>(branch);
        groups[branch].add(row);
    });
    return groups;
}

template <class Word>
auto SubtreeGrower<Word>::add_children(const OpenNode& open, const std::vector<GroupSums>& groups)
    -> std::vector<OpenNode> {
    const auto first_child = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes[open.node].first_child = first_child;
    tree_.nodes[open.node].n_children = static_cast<std::int32_t>(groups.size());
    tree_.nodes[open.node].default_child += first_child;
    std::vector<OpenNode> children;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Node child;
        child.parent = open.node;
        child.branch_level = branch_levels_[i];
        groups[i].append_to(tree_, child);
        if (is_open(groups[i], open.depth + 1))
            children.push_back(
                {first_child + static_cast<std::int32_t>(i), 0, groups[i].n_rows(), open.depth + 1});
    }
    if (!children.empty()) partition_orders(open, groups.size(), children);
    for (const auto row : marked_rows_) data_.marks[row] = 0;
    marked_rows_.clear();
    return children;
}

template <class Word>
void SubtreeGrower<Word>::mark(std::span<const Word> words, GroupSums& sums) {
    for (const Word word : words) {
        const std::size_t row = data_.orders.layout().row(word);
        data_.marks[row] = 1;
        marked_rows_.push_back(row);
        sums.add(row);
    }
}

// Only open children keep their rows; they share the front of the parent's range, the marked one last.
template <class Word>
void SubtreeGrower<Word>::partition_orders(const OpenNode& open, std::size_t n_groups,
                                           std::vector<OpenNode>& children) {
    const Node& node = tree_.nodes[open.node];
    const bool is_binary = node.kind != SplitKind::kMultiway;
    if (is_binary && children.size() == 2 && marked_child_ == 0) std::swap(children[0], children[1]);
    std::vector<std::size_t> starts(n_groups, kDropped);
    std::size_t n_kept = 0;
    for (auto& child : children) {
        starts[child.node - node.first_child] = n_kept;
        child.begin = open.begin + n_kept;
        n_kept += child.n_rows;
    }
    const auto& layout = data_.orders.layout();
    const auto kept_mark = static_cast<std::uint8_t>(children[0].node - node.first_child == marked_child_);
    team_.run(data_.orders.n_orders(), [&](std::size_t index, std::size_t member) {
        auto& workspace = *workspaces_[member];
        const std::span<Word> words(data_.orders.order(index) + open.begin, open.n_rows);
        if (is_binary && children.size() == 2) {
            partition_in_two(words, layout, data_.marks.data(), workspace.scratch.data());
        } else if (is_binary) {
            keep_marked(words, layout, data_.marks.data(), kept_mark);
        } else {
            workspace.ends = starts;
            workspace.carried.resize(n_groups);
            partition_in_many(words, layout, data_.branch.data(), std::span(workspace.ends),
                              std::span(workspace.carried), workspace.scratch.data(), n_kept);
        }
    });
}

template struct TreeData<std::uint32_t>;
template struct TreeData<std::uint64_t>;
template class SubtreeGrower<std::uint32_t>;
template class SubtreeGrower<std::uint64_t>;

}  // namespace heldout
