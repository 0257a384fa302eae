#include "tree/mutable_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/require.hpp"
#include "tree/impurity.hpp"
#include "tree/tree.hpp"

namespace heldout {

MutableTree::MutableTree(const Problem& problem, const Tree& tree, bool splits_missing)
    : problem_(problem),
      splits_missing_(splits_missing),
      branches_(tree.nodes.size()),
      set_levels_(tree.set_levels) {
    for (std::size_t index = 0; index < tree.nodes.size(); ++index) {
        Branch& branch = branches_[index];
        branch.node = tree.nodes[index];
        const double* value = tree.values.data() + index * tree.n_outputs;
        branch.counts.assign(value, value + tree.n_outputs);
        branch.children.resize(static_cast<std::size_t>(branch.node.n_children));
        std::iota(branch.children.begin(), branch.children.end(), branch.node.first_child);
        if (branch.node.kind == SplitKind::kLeaf) continue;
        require(static_cast<std::size_t>(branch.node.feature) < problem.columns.size(),
                "a node splits on a feature that is not there");
        const TreeColumn& column = problem.columns[branch.node.feature];
        require(column.is_category() == (branch.node.kind != SplitKind::kThreshold),
                "a node's kind of split does not fit its feature");
    }
    has_missing_ = find_missing();
    Fragments all(problem.n_rows);
    for (std::size_t row = 0; row < problem.n_rows; ++row)
        all[row] = {static_cast<std::uint32_t>(row), problem.weight(row)};
    std::vector<std::pair<std::int32_t, Fragments>> waiting;
    waiting.emplace_back(0, std::move(all));
    while (!waiting.empty()) {
        auto [index, fragments] = std::move(waiting.back());
        waiting.pop_back();
        if (is_leaf(index)) {
            branches_[index].here = std::move(fragments);
            continue;
        }
        const Branch& branch = branches_[index];
        Fallen fallen = fall(branch, fragments);
        require(fallen.of_new_level.empty(), "a training row has a level that its node never saw");
        for (std::size_t i = 0; i < branch.children.size(); ++i)
            waiting.emplace_back(branch.children[i], std::move(fallen.of_child[i]));
    }
}

// Every row counts, also one that now ends above the split that needs its missing value: it may fall
// there.
bool MutableTree::find_missing() const {
    std::vector<std::uint8_t> is_used(problem_.columns.size(), 0);
    for (const Branch& branch : branches_)
        if (branch.node.feature >= 0) is_used[branch.node.feature] = 1;
    for (std::size_t column = 0; column < is_used.size(); ++column) {
        if (!is_used[column]) continue;
        const auto& codes = problem_.columns[column].codes;
        for (std::size_t row = 0; row < problem_.n_rows; ++row)
            if (codes[problem_.table_row(row)] == codes.missing()) return true;
    }
    return false;
}

std::int32_t MutableTree::heaviest_child(std::int32_t branch) const {
    const auto weight_of = [&](std::int32_t child) {
        return std::accumulate(branches_[child].counts.begin(), branches_[child].counts.end(), 0.0);
    };
    std::int32_t heaviest = branches_[branch].children.front();
    for (const auto child : branches_[branch].children)
        if (is_heavier(weight_of(child), weight_of(heaviest))) heaviest = child;
    return heaviest;
}

std::vector<std::int32_t> MutableTree::breadth_first_from(std::int32_t branch) const {
    std::vector<std::int32_t> order{branch};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto& children = branches_[order[i]].children;
        order.insert(order.end(), children.begin(), children.end());
    }
    return order;
}

auto MutableTree::fragments(std::int32_t branch) const -> Fragments {
    Fragments all;
    for (const auto index : breadth_first_from(branch))
        all.insert(all.end(), branches_[index].here.begin(), branches_[index].here.end());
    return all;
}

auto MutableTree::merge_fragments(Fragments fragments) const -> Fragments {
    if (!has_missing_) return fragments;
    std::ranges::stable_sort(fragments, {}, &RowFragment::row);
    Fragments whole;
    for (const auto& fragment : fragments) {
        if (!whole.empty() && whole.back().row == fragment.row)
            whole.back().weight += fragment.weight;
        else
            whole.push_back(fragment);
    }
    return whole;
}

std::int32_t MutableTree::child_of_row(const Branch& branch, std::size_t row, std::int32_t& level) const {
    const TreeColumn& column = problem_.columns[branch.node.feature];
    const std::size_t table_row = problem_.table_row(row);
    if (branch.node.kind == SplitKind::kThreshold && !column.is_by_code) {
        const double number = column.number(table_row);
        return std::isnan(number) ? kMissingValue : number > branch.node.threshold;
    }
    const std::uint32_t code = column.codes[table_row];
    if (code == column.codes.missing()) return kMissingValue;
    if (branch.node.kind == SplitKind::kThreshold) return column.number(table_row) > branch.node.threshold;
    level = static_cast<std::int32_t>(code);
    if (branch.node.kind == SplitKind::kLevelSet)
        return !std::binary_search(set_levels_.begin() + branch.node.set_begin,
                                   set_levels_.begin() + branch.node.set_end, level);
    const auto level_of = [&](std::int32_t child) { return branches_[child].node.branch_level; };
    const auto child = std::ranges::lower_bound(branch.children, level, {}, level_of);
    if (child == branch.children.end() || level_of(*child) != level) return kNoBranch;
    return static_cast<std::int32_t>(child - branch.children.begin());
}

auto MutableTree::fall(const Branch& branch, const Fragments& fragments) const -> Fallen {
    Fallen fallen;
    fallen.of_child.resize(branch.children.size());
    std::map<std::int32_t, Fragments> of_new_level;
    Fragments missing;
    for (const auto& fragment : fragments) {
        std::int32_t level = -1;
        const std::int32_t child = child_of_row(branch, fragment.row, level);
        if (child >= 0)
            fallen.of_child[child].push_back(fragment);
        else
            (child == kMissingValue ? missing : of_new_level[level]).push_back(fragment);
    }
    for (auto& [level, members] : of_new_level) fallen.of_new_level.emplace_back(level, std::move(members));
    share_missing(missing, fallen);
    return fallen;
}

// Missing values go into every branch with its share of the known weight, or all into the heaviest. Where
// nothing is known, the shares are equal.
void MutableTree::share_missing(const Fragments& missing, Fallen& fallen) const {
    std::vector<Fragments*> groups;
    for (auto& group : fallen.of_child) groups.push_back(&group);
    for (auto& [level, group] : fallen.of_new_level) groups.push_back(&group);
    std::vector<double> weights;
    double known_weight = 0;
    for (const auto* group : groups) {
        double weight = 0;
        for (const auto& fragment : *group) weight += fragment.weight;
        weights.push_back(weight);
        known_weight += weight;
    }
    for (std::size_t i = 1; i < fallen.of_child.size(); ++i)
        if (is_heavier(weights[i], weights[fallen.heaviest])) fallen.heaviest = i;
    for (const auto& fragment : missing) {
        if (!splits_missing_) {
            groups[fallen.heaviest]->push_back(fragment);
            continue;
        }
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const double share =
                known_weight > 0 ? weights[i] / known_weight : 1 / static_cast<double>(groups.size());
            if (share > 0) groups[i]->push_back({fragment.row, fragment.weight * share});
        }
    }
}

std::vector<double> MutableTree::count(const Fragments& fragments) const {
    std::vector<double> counts(problem_.n_classes, 0.0);
    for (const auto& fragment : fragments) counts[problem_.classes[fragment.row]] += fragment.weight;
    return counts;
}

void MutableTree::find_leaves(std::int32_t branch, Block& block, Trial& trial) const {
    std::fill_n(block.leaves.begin(), block.size, branch);
    for (bool has_moved = true; has_moved;) {
        has_moved = false;
        for (std::size_t i = 0; i < block.size; ++i) {
            std::int32_t& index = block.leaves[i];
            if (static_cast<std::size_t>(index) >= size() || is_leaf(index)) continue;
            std::int32_t level = -1;
            const std::int32_t next = child_of_row(branches_[index], block.fragments[i].row, level);
            const auto added = static_cast<std::int32_t>(size() + trial.new_leaves.size());
            index = next >= 0 ? branches_[index].children[next]
                              : trial.new_leaves.try_emplace({index, level}, added).first->second;
            has_moved = true;
        }
    }
}

void MutableTree::make_leaf(std::int32_t branch) {
    Fragments all = merge_fragments(fragments(branch));
    branches_[branch].children.clear();
    branches_[branch].here = std::move(all);
    heldout::make_leaf(branches_[branch].node);
}

void MutableTree::raise(std::int32_t branch, std::int32_t child) {
    Fragments all = merge_fragments(fragments(branch));
    Node& node = branches_[branch].node;
    Node raised = branches_[child].node;
    raised.branch_level = node.branch_level;
    raised.n_rows = node.n_rows;
    raised.weight = node.weight;
    raised.impurity = node.impurity;
    node = raised;
    branches_[branch].children = std::move(branches_[child].children);
    branches_[child].children.clear();
    settle(branch, std::move(all));
}

void MutableTree::add_branch_for_level(std::int32_t branch, std::int32_t level) {
    Branch added;
    added.node.branch_level = level;
    const auto level_of = [&](std::int32_t child) { return branches_[child].node.branch_level; };
    const auto index = std::ranges::lower_bound(branches_[branch].children, level, {}, level_of);
    branches_[branch].children.insert(index, static_cast<std::int32_t>(branches_.size()));
    branches_.push_back(std::move(added));
}

// Lets the rows of a node fall and writes down what comes of it, with a new leaf for each new level.
void MutableTree::settle(std::int32_t top, Fragments all) {
    std::vector<std::pair<std::int32_t, Fragments>> waiting;
    waiting.emplace_back(top, std::move(all));
    while (!waiting.empty()) {
        auto [index, members] = std::move(waiting.back());
        waiting.pop_back();
        branches_[index].counts = count(members);
        branches_[index].is_changed = true;
        branches_[index].node.n_rows = static_cast<std::int64_t>(members.size());
        if (is_leaf(index)) {
            branches_[index].here = std::move(members);
            continue;
        }
        for (const auto& [level, group] : fall(branches_[index], members).of_new_level)
            add_branch_for_level(index, level);
        Fallen fallen = fall(branches_[index], members);
        branches_[index].node.default_child = static_cast<std::int32_t>(fallen.heaviest);
        for (std::size_t i = 0; i < fallen.of_child.size(); ++i)
            waiting.emplace_back(branches_[index].children[i], std::move(fallen.of_child[i]));
    }
}

Tree MutableTree::finish() const {
    const auto order = breadth_first_from(0);
    const Impurity impurity(problem_.options.criterion, problem_.n_classes);
    Tree tree;
    tree.n_outputs = problem_.n_classes;
    std::vector<std::int32_t> index_of(branches_.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) index_of[order[i]] = static_cast<std::int32_t>(i);
    for (const auto index : order) {
        const Branch& branch = branches_[index];
        Node node = branch.node;
        if (branch.is_changed) {
            node.weight = std::accumulate(branch.counts.begin(), branch.counts.end(), 0.0);
            node.impurity = impurity.of(branch.counts.data());
        }
        node.n_children = static_cast<std::int32_t>(branch.children.size());
        if (node.n_children > 0) {
            const std::int32_t old_first = branch.node.first_child;
            const std::int32_t position =
                branch.is_changed ? node.default_child : node.default_child - old_first;
            node.first_child = index_of[branch.children.front()];
            node.default_child = node.first_child + position;
        }
        tree.nodes.push_back(node);
        tree.values.insert(tree.values.end(), branch.counts.begin(), branch.counts.end());
    }
    tree.nodes.front().parent = -1;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        for (std::int32_t child = 0; child < tree.nodes[i].n_children; ++child)
            tree.nodes[tree.nodes[i].first_child + child].parent = static_cast<std::int32_t>(i);
    tree.set_levels = set_levels_;
    recompute_gains(tree, order);
    return breadth_first(tree);
}

// Where rows fell anew, a split gains what its children are purer than it is.
void MutableTree::recompute_gains(Tree& tree, std::span<const std::int32_t> order) const {
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        Node& node = tree.nodes[i];
        if (!branches_[order[i]].is_changed || node.n_children == 0) continue;
        double below = 0, weight = 0;
        for (std::int32_t c = 0; c < node.n_children; ++c) {
            const Node& child = tree.nodes[node.first_child + c];
            below += child.weight * child.impurity;
            weight += child.weight;
        }
        node.gain = node.impurity - below / weight;
    }
}

}  // namespace heldout
