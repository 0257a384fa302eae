#include <algorithm>
#include <memory>
#include <optional>
#include <queue>

#include "tree/fragment_search.hpp"
#include "tree/fragments.hpp"
#include "tree/group_sums.hpp"
#include "tree/grow.hpp"
#include "tree/level_search.hpp"
#include "tree/split_search.hpp"
#include "tree/tree.hpp"

namespace heldout {
namespace {

struct Choice {
    std::size_t column;
    ColumnSplit split;
};

template <class Word>
class FragmentGrower {
  public:
    using OpenNode = FragmentNode<Word>;

    FragmentGrower(const Problem& problem, const Orders<Word>& orders, Team& team,
                   std::vector<FragmentSearch<Word>*> searches)
        : problem_(problem), orders_(orders), team_(team), searches_(std::move(searches)) {
        tree_.n_outputs = problem.is_regression() ? 1 : problem.n_classes;
        splits_.resize(problem.columns.size());
    }

    void start_at_root(OpenNode root) {
        GroupSums sums(problem_);
        for (std::size_t i = 0; i < root.size(); ++i) sums.add(root.rows[i], root.weights[i]);
        sums.append_to(tree_, Node{});
        if (is_open(sums, 0)) stack_.push_back(std::move(root));
    }

    void start_at(const Tree& tree, OpenNode open) {
        const auto values = tree.values.begin() + static_cast<std::ptrdiff_t>(open.node * tree.n_outputs);
        tree_.nodes.assign(1, tree.nodes[open.node]);
        tree_.values.assign(values, values + static_cast<std::ptrdiff_t>(tree.n_outputs));
        open.node = 0;
        stack_.push_back(std::move(open));
    }

    // Depth first; nodes of at most `set_aside` fragments are left to others.
    void grow_depth_first(std::size_t set_aside) {
        while (!stack_.empty()) {
            OpenNode open = std::move(stack_.back());
            stack_.pop_back();
            if (open.size() <= set_aside) {
                set_aside_.push_back(std::move(open));
                continue;
            }
            const auto choice = find_split(open);
            if (!choice) continue;
            for (auto& child : split(open, *choice)) stack_.push_back(std::move(child));
        }
    }

    // The node that gains most is split next, until there are max_leaves.
    void grow_best_first(std::size_t max_leaves) {
        struct Entry {
            double total_gain;
            std::shared_ptr<OpenNode> open;
            Choice choice;
            bool operator<(const Entry& other) const {
                return total_gain != other.total_gain ? total_gain < other.total_gain
                                                      : open->node > other.open->node;
            }
        };
        std::priority_queue<Entry> queue;
        const auto offer = [&](OpenNode open) {
            if (const auto choice = find_split(open)) {
                const double total_gain = choice->split.gain * tree_.nodes[open.node].weight;
                queue.push({total_gain, std::make_shared<OpenNode>(std::move(open)), *choice});
            }
        };
        for (auto& open : stack_) offer(std::move(open));
        stack_.clear();
        std::size_t n_leaves = 1;
        while (!queue.empty() && n_leaves < max_leaves) {
            const Entry entry = queue.top();
            queue.pop();
            if (n_leaves - 1 + n_branches(*entry.open, entry.choice) > max_leaves) continue;
            auto children = split(*entry.open, entry.choice);
            n_leaves += static_cast<std::size_t>(tree_.nodes[entry.open->node].n_children) - 1;
            for (auto& child : children) offer(std::move(child));
        }
    }

    Tree& tree() { return tree_; }
    std::vector<OpenNode>& set_aside() { return set_aside_; }

  private:
    NodeView view(const OpenNode& open) const {
        const Node& node = tree_.nodes[open.node];
        const auto first = static_cast<std::size_t>(open.node) * tree_.n_outputs;
        NodeView made{0, open.size(), node.weight, node.impurity,
                      std::span(tree_.values).subspan(first, tree_.n_outputs)};
        if (problem_.is_regression()) made.mean_rest = rest_of_mean(open, made);
        return made;
    }

    double rest_of_mean(const OpenNode& open, const NodeView& node) const {
        double sum = 0;
        for (std::size_t i = 0; i < open.size(); ++i)
            sum += open.weights[i] * node.centre().around(problem_.targets[open.rows[i]]);
        return sum / node.weight;
    }

    bool is_open(const GroupSums& sums, std::int64_t depth) const {
        const auto& options = problem_.options;
        return sums.n_rows() >= 2 && (options.max_depth < 0 || depth < options.max_depth) &&
               sums.weight() >= 2 * options.min_leaf && !sums.is_pure();
    }

    std::optional<Choice> find_split(const OpenNode& open) {
        const NodeView node = view(open);
        team_.run(splits_.size(), [&](std::size_t column, std::size_t member) {
            splits_[column] = searches_[member]->search(column, open, node);
        });
        const auto column = choose_column(problem_, node.impurity, splits_);
        if (!column) return std::nullopt;
        return Choice{*column, splits_[*column]};
    }

    std::size_t n_branches(const OpenNode& open, const Choice& choice) {
        if (!problem_.columns[choice.column].is_category() || !problem_.has_multiway()) return 2;
        searches_.front()->level_split(choice.column, open, view(open));
        return searches_.front()->levels().size();
    }

    std::vector<OpenNode> split(const OpenNode& open, const Choice& choice) {
        Branching branching;
        branching.branch_of.assign(open.size(), Branching::kAll);
        if (!problem_.columns[choice.column].is_category())
            cut_numbers(open, choice, branching);
        else if (problem_.has_multiway())
            branch_by_level(open, choice.column, branching);
        else
            cut_levels(open, choice.column, branching);
        Node& node = tree_.nodes[open.node];
        node.feature = static_cast<std::int32_t>(choice.column);
        node.gain = choice.split.gain;
        share_out(open, branching);
        return add_children(open, branching);
    }

    void cut_numbers(const OpenNode& open, const Choice& choice, Branching& branching) {
        const auto& layout = orders_.layout();
        const std::size_t index = orders_.index_of(choice.column);
        const Word* words = open.order(index);
        for (std::size_t i = 0; i < open.n_known[index]; ++i)
            branching.branch_of[layout.row(words[i])] = i < choice.split.position ? 0 : 1;
        const auto number_at = [&](std::size_t i) {
            return problem_.columns[choice.column].number(
                problem_.table_row(open.rows[layout.row(words[i])]));
        };
        Node& node = tree_.nodes[open.node];
        node.kind = SplitKind::kThreshold;
        node.gap_below = number_at(choice.split.position - 1);
        node.gap_above = number_at(choice.split.position);
        node.threshold = threshold_between(node.gap_below, node.gap_above);
        branch_levels_.assign(2, -1);
    }

    void cut_levels(const OpenNode& open, std::size_t column, Branching& branching) {
        auto& search = *searches_.front();
        const LevelSplit level_split = search.level_split(column, open, view(open));
        const LevelTable& table = search.levels();
        const auto side_of = write_level_set(tree_, tree_.nodes[open.node], level_split, table);
        for_each_known(open, column, [&](std::size_t i, std::uint32_t level) {
            branching.branch_of[i] = side_of[table.index_of(level)];
        });
        branch_levels_.assign(2, -1);
    }

    void branch_by_level(const OpenNode& open, std::size_t column, Branching& branching) {
        auto& search = *searches_.front();
        search.level_split(column, open, view(open));
        const LevelTable& table = search.levels();
        tree_.nodes[open.node].kind = SplitKind::kMultiway;
        branch_levels_.resize(table.size());
        for (std::size_t index = 0; index < table.size(); ++index)
            branch_levels_[index] = static_cast<std::int32_t>(table.level(index));
        for_each_known(open, column, [&](std::size_t i, std::uint32_t level) {
            branching.branch_of[i] = static_cast<std::uint32_t>(table.index_of(level));
        });
    }

    // A weight that underflowed to 0 counts nowhere, and its level may not be in the table.
    template <class Visit>
    void for_each_known(const OpenNode& open, std::size_t column, Visit visit) const {
        const auto& codes = problem_.columns[column].codes;
        for (std::size_t i = 0; i < open.size(); ++i) {
            const std::uint32_t level = codes[problem_.table_row(open.rows[i])];
            if (level != codes.missing() && open.weights[i] > 0) visit(i, level);
        }
    }

    // A branch's share is that of the known weight; the default child has the largest.
    void share_out(const OpenNode& open, Branching& branching) {
        branching.shares.assign(branch_levels_.size(), 0.0);
        double known_weight = 0;
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (branching.branch_of[i] == Branching::kAll) continue;
            branching.shares[branching.branch_of[i]] += open.weights[i];
            known_weight += open.weights[i];
        }
        std::size_t heaviest = 0;
        for (std::size_t branch = 1; branch < branching.shares.size(); ++branch)
            if (is_heavier(branching.shares[branch], branching.shares[heaviest])) heaviest = branch;
        const auto n_branches = static_cast<double>(branching.shares.size());
        for (auto& share : branching.shares) share = known_weight > 0 ? share / known_weight : 1 / n_branches;
        tree_.nodes[open.node].default_child = static_cast<std::int32_t>(heaviest);
    }

    std::vector<GroupSums> sum_branches(const OpenNode& open, const Branching& branching) const {
        std::vector<GroupSums> groups(branching.shares.size(), GroupSums(problem_));
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (branching.branch_of[i] != Branching::kAll) {
                groups[branching.branch_of[i]].add(open.rows[i], open.weights[i]);
                continue;
            }
            for (std::size_t branch = 0; branch < groups.size(); ++branch)
                groups[branch].add(open.rows[i], open.weights[i] * branching.shares[branch]);
        }
        return groups;
    }

    std::vector<OpenNode> add_children(const OpenNode& open, const Branching& branching) {
        const auto groups = sum_branches(open, branching);
        const auto first_child = static_cast<std::int32_t>(tree_.nodes.size());
        Node& node = tree_.nodes[open.node];
        node.first_child = first_child;
        node.n_children = static_cast<std::int32_t>(groups.size());
        node.default_child += first_child;
        std::vector<std::size_t> sizes(groups.size(), 0);
        std::vector<std::int32_t> indices;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            Node child;
            child.parent = open.node;
            child.branch_level = branch_levels_[i];
            groups[i].append_to(tree_, child);
            if (!is_open(groups[i], open.depth + 1)) continue;
            sizes[i] = groups[i].n_rows();
            indices.push_back(first_child + static_cast<std::int32_t>(i));
        }
        if (indices.empty()) return {};
        FragmentPartition<Word> partition(open, orders_.layout(), branching, sizes);
        team_.run(open.n_known.size(),
                  [&](std::size_t index, std::size_t) { partition.partition_order(index); });
        auto children = partition.take();
        for (std::size_t i = 0; i < children.size(); ++i) {
            children[i].node = indices[i];
            children[i].depth = open.depth + 1;
        }
        return children;
    }

    const Problem& problem_;
    const Orders<Word>& orders_;
    Team& team_;
    std::vector<FragmentSearch<Word>*> searches_;
    Tree tree_;
    std::vector<OpenNode> stack_;
    std::vector<OpenNode> set_aside_;
    std::vector<ColumnSplit> splits_;
    std::vector<std::int32_t> branch_levels_;
};

// Each node by one member of the team, the largest first.
template <class Word>
void grow_what_was_set_aside(FragmentGrower<Word>& top, const Problem& problem, const Orders<Word>& orders,
                             Team& team, const std::vector<FragmentSearch<Word>*>& searches) {
    auto& open = top.set_aside();
    std::ranges::stable_sort(open, std::greater{}, [](const auto& node) { return node.size(); });
    std::vector<std::pair<std::int32_t, Tree>> subtrees(open.size());
    team.run(open.size(), [&](std::size_t task, std::size_t member) {
        Team alone(1);
        FragmentGrower<Word> grower(problem, orders, alone, {searches[member]});
        const std::int32_t index = open[task].node;
        grower.start_at(top.tree(), std::move(open[task]));
        grower.grow_depth_first(0);
        subtrees[task] = {index, std::move(grower.tree())};
    });
    for (const auto& [index, subtree] : subtrees) graft(top.tree(), index, subtree);
}

}  // namespace

template <class Word>
Tree grow_from_fragments(const Problem& problem, Orders<Word>& orders, Team& team) {
    const JointCodes joint_codes(problem);
    std::vector<std::unique_ptr<FragmentSearch<Word>>> owned;
    std::vector<FragmentSearch<Word>*> searches;
    for (std::size_t member = 0; member < team.size(); ++member) {
        owned.push_back(std::make_unique<FragmentSearch<Word>>(problem, orders, joint_codes));
        searches.push_back(owned.back().get());
    }
    FragmentGrower<Word> top(problem, orders, team, searches);
    top.start_at_root(whole_rows(problem, orders));
    if (problem.options.max_leaves >= 0) {
        top.grow_best_first(static_cast<std::size_t>(problem.options.max_leaves));
        return breadth_first(top.tree());
    }
    top.grow_depth_first(team.size() == 1 ? 0 : std::max(problem.n_rows / kHandedOutShare, kHandedOutRows));
    grow_what_was_set_aside(top, problem, orders, team, searches);
    return breadth_first(top.tree());
}

template Tree grow_from_fragments(const Problem&, Orders<std::uint32_t>&, Team&);
template Tree grow_from_fragments(const Problem&, Orders<std::uint64_t>&, Team&);

}  // namespace heldout
