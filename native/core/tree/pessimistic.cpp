#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/require.hpp"
#include "tree/mutable_tree.hpp"
#include "tree/prune.hpp"
#include "tree/tree.hpp"

namespace heldout {
namespace {

constexpr double kCollapseSlack = 1e-3;  // C4.5's, in errors
constexpr double kPruneSlack = 0.1;
constexpr double kAlmostAll = 0.67;  // the part of the rest that is lost where nearly all is wrong

// Splits that get no more training rows right than a leaf would are leaves.
Tree collapse_splits(const Tree& tree) {
    std::vector<double> errors(tree.nodes.size()), below(tree.nodes.size());
    std::vector<std::uint8_t> is_cut(tree.nodes.size(), 0);
    for (std::size_t index = tree.nodes.size(); index-- > 0;) {
        const double* value = tree.values.data() + index * tree.n_outputs;
        double weight = 0;
        for (std::size_t k = 0; k < tree.n_outputs; ++k) weight += value[k];
        errors[index] = below[index] = weight - *std::max_element(value, value + tree.n_outputs);
        const Node& node = tree.nodes[index];
        if (node.kind == SplitKind::kLeaf) continue;
        below[index] = 0;
        for (std::int32_t i = 0; i < node.n_children; ++i) below[index] += below[node.first_child + i];
        is_cut[index] = below[index] >= errors[index] - kCollapseSlack;
    }
    return cut_tree(tree, is_cut);
}

double leaf_errors(std::span<const double> counts, const PessimisticOptions& options) {
    double weight = 0;
    for (const double count : counts) weight += count;
    const double errors = std::max(weight - *std::ranges::max_element(counts), 0.0);
    return errors + added_errors(weight, errors, options);
}

// Without raising no row moves: the class weights of the nodes are all that is needed.
Tree replace_splits(const Tree& tree, const PessimisticOptions& options) {
    std::vector<double> errors(tree.nodes.size());
    std::vector<std::uint8_t> is_cut(tree.nodes.size(), 0);
    for (std::size_t index = tree.nodes.size(); index-- > 0;) {
        const Node& node = tree.nodes[index];
        errors[index] =
            leaf_errors(std::span(tree.values).subspan(index * tree.n_outputs, tree.n_outputs), options);
        if (node.kind == SplitKind::kLeaf) continue;
        double as_tree = 0;
        for (std::int32_t i = 0; i < node.n_children; ++i) as_tree += errors[node.first_child + i];
        is_cut[index] = errors[index] <= as_tree + kPruneSlack;
        if (!is_cut[index]) errors[index] = as_tree;
    }
    return cut_tree(tree, is_cut);
}

class Raiser {
  public:
    Raiser(MutableTree tree, const PessimisticOptions& options)
        : options_(options), tree_(std::move(tree)), errors_(tree_.size()) {
        for (std::size_t i = 0; i < errors_.size(); ++i) {
            const auto branch = static_cast<std::int32_t>(i);
            if (tree_.is_leaf(branch))
                errors_[i] = errors_of(tree_.counts(branch));
            else
                waiting_.push_back(branch);
        }
    }

    // Splits wait in breadth-first order and are taken from the end: those below come first.
    Tree run() {
        while (!waiting_.empty()) {
            const std::int32_t branch = waiting_.back();
            waiting_.pop_back();
            if (!tree_.is_leaf(branch)) decide(branch);
        }
        return tree_.finish();
    }

  private:
    double errors_of(std::span<const double> counts) const { return leaf_errors(counts, options_); }

    void decide(std::int32_t branch) {
        const double as_leaf = errors_of(tree_.counts(branch));
        double as_tree = 0;
        for (const auto child : tree_.children(branch)) as_tree += errors_[child];
        const std::int32_t heaviest = tree_.heaviest_child(branch);
        const double as_branch = errors_if_raised(branch, heaviest, as_tree + kPruneSlack);
        if (as_leaf <= as_tree + kPruneSlack && as_leaf <= as_branch + kPruneSlack) {
            tree_.make_leaf(branch);
            errors_[branch] = as_leaf;
        } else if (as_branch <= as_tree + kPruneSlack) {
            raise(branch, heaviest);
        } else {
            errors_[branch] = as_tree;
        }
    }

    // What the heaviest branch would promise with all rows of its parent; or a number above `most`, where
    // it is clear that it is more. Whole rows that come to a leaf never make it promise fewer errors; parts
    // of rows may, where nearly all of them are wrong.
    double errors_if_raised(std::int32_t branch, std::int32_t child, double most) {
        if (tree_.has_missing()) {
            double errors = 0;
            tree_.try_all_rows(branch, child, [&](const std::vector<double>& counts) {
                errors += errors_of(counts);
                return errors <= most;
            });
            return errors;
        }
        double errors = errors_[child];
        std::unordered_map<std::int32_t, double> changed;
        tree_.try_further_rows(branch, child, [&](std::int32_t leaf, const std::vector<double>& counts) {
            const bool is_new = static_cast<std::size_t>(leaf) >= errors_.size();
            double& here = changed.try_emplace(leaf, is_new ? 0.0 : errors_[leaf]).first->second;
            const double now = errors_of(counts);
            errors += now - here;
            here = now;
            return errors <= most + kPruneSlack || !tree_.has_whole_rows();
        });
        return errors;
    }

    // The split above is gone, every row falls into the branch, and all of it is decided once more.
    void raise(std::int32_t branch, std::int32_t child) {
        tree_.raise(branch, child);
        errors_.resize(tree_.size());
        const auto below = tree_.breadth_first_from(branch);
        for (const auto here : below) {
            if (tree_.is_leaf(here))
                errors_[here] = errors_of(tree_.counts(here));
            else
                waiting_.push_back(here);
        }
    }

    PessimisticOptions options_;
    MutableTree tree_;
    std::vector<double> errors_;
    std::vector<std::int32_t> waiting_;
};

}  // namespace

double added_errors(double weight, double errors, const PessimisticOptions& options) {
    if (!(weight > 0)) return 0;
    if (errors < 1) {
        const double without = weight * (1 - std::pow(options.confidence, 1 / weight));
        if (errors < 1e-6) return without;
        return without + errors * (added_errors(weight, 1, options) - without);
    }
    if (errors + 0.5 >= weight) return kAlmostAll * std::max(weight - errors, 0.0);
    const double z = options.deviate, rate = (errors + 0.5) / weight;
    const double upper =
        (rate + z * z / (2 * weight) +
         z * std::sqrt(rate / weight - rate * rate / weight + z * z / (4 * weight * weight))) /
        (1 + z * z / weight);
    return upper * weight - errors;
}

std::vector<Tree> prune_pessimistic(const Problem& problem, const Tree& tree,
                                    std::span<const PessimisticOptions> settings) {
    problem.check();
    check_tree(tree);
    require(!problem.is_regression() && tree.n_outputs == problem.n_classes,
            "pessimistic pruning is for classes");
    const Tree smaller = collapse_splits(tree);
    std::optional<MutableTree> with_rows;
    std::vector<Tree> pruned;
    for (const auto& options : settings) {
        require(options.confidence > 0 && options.confidence <= 0.5,
                "confidence must be above 0 and at most 0.5");
        if (!options.raises_subtrees) {
            pruned.push_back(replace_splits(smaller, options));
            continue;
        }
        if (!with_rows) with_rows.emplace(problem, smaller, options.splits_missing);
        pruned.push_back(Raiser(*with_rows, options).run());
    }
    return pruned;
}

}  // namespace heldout
