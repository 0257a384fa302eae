#include "forest/pack.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/require.hpp"
#include "forest/walk.hpp"

namespace heldout {
namespace {

// What the splits of some trees need before they can be packed.
struct Needs {
    std::vector<std::uint8_t> is_used, is_inexact;  // by feature
    std::vector<std::int32_t> highest_level;
    std::size_t most_nodes = 1;
    bool fits = true;

    explicit Needs(std::size_t n_columns)
        : is_used(n_columns, 0), is_inexact(n_columns, 0), highest_level(n_columns, kHighestLevel) {}

    bool is_narrow(std::size_t feature) const { return highest_level[feature] <= kHighestLevel; }

    void add(const Needs& other) {
        for (std::size_t i = 0; i < is_used.size(); ++i) {
            is_used[i] |= other.is_used[i];
            is_inexact[i] |= other.is_inexact[i];
            highest_level[i] = std::max(highest_level[i], other.highest_level[i]);
        }
        most_nodes = std::max(most_nodes, other.most_nodes);
        fits = fits && other.fits;
    }
};

// The nodes of a tree by what they are. Whether a node is a leaf is a coin toss that no processor foresees,
// so they are told apart without a branch, and then looked at one kind after the other.
class NodesByKind {
  public:
    void sort(const ForestView& forest, std::size_t tree) {
        const std::size_t first = forest.first_node(tree), n_nodes = forest.n_nodes_of(tree);
        splits_.resize(std::max(splits_.size(), n_nodes));
        leaves_.resize(std::max(leaves_.size(), n_nodes));
        n_splits_ = n_leaves_ = 0;
        for (std::size_t node = 0; node < n_nodes; ++node) {
            const bool is_leaf = forest.kind[first + node] == SplitKind::kLeaf;
            splits_[n_splits_] = leaves_[n_leaves_] = static_cast<std::uint32_t>(node);
            n_leaves_ += is_leaf;
            n_splits_ += !is_leaf;
        }
    }

    std::span<const std::uint32_t> splits() const { return {splits_.data(), n_splits_}; }
    std::span<const std::uint32_t> leaves() const { return {leaves_.data(), n_leaves_}; }

  private:
    std::vector<std::uint32_t> splits_, leaves_;
    std::size_t n_splits_ = 0, n_leaves_ = 0;
};

constexpr std::int32_t kMostLevels = 1 << 30;

bool is_float(double number) {
    return static_cast<double>(static_cast<float>(number)) == number;
}

void look_at_levels(const ForestView& forest, std::size_t at, Needs& needs) {
    needs.fits = needs.fits && forest.kind[at] == SplitKind::kLevelSet;
    std::int32_t& highest = needs.highest_level[static_cast<std::size_t>(forest.feature[at])];
    for (std::int32_t i = forest.set_begin[at]; i < forest.set_end[at]; ++i) {
        needs.fits = needs.fits && forest.set_levels[i] >= 0 && forest.set_levels[i] < kMostLevels;
        highest = std::max(highest, std::min(forest.set_levels[i], kMostLevels));
    }
}

void look_at_tree(const ForestView& forest, const Rows& rows, std::size_t tree, NodesByKind& nodes,
                  Needs& needs) {
    const std::size_t first = forest.first_node(tree);
    needs.most_nodes = std::max(needs.most_nodes, forest.n_nodes_of(tree));
    nodes.sort(forest, tree);
    for (const auto node : nodes.splits()) {
        check_step(forest, rows, tree, node);
        const std::size_t at = first + node;
        const auto feature = static_cast<std::size_t>(forest.feature[at]);
        needs.is_used[feature] = 1;
        if (forest.kind[at] == SplitKind::kThreshold)
            needs.is_inexact[feature] |= static_cast<std::uint8_t>(!is_float(forest.threshold[at]));
        else
            look_at_levels(forest, at, needs);
    }
}

// Checks every node of the forest on the way. `nodes` has one entry for each member of the team.
Needs look_at_forest(const ForestView& forest, const Rows& rows, std::vector<NodesByKind>& nodes,
                     Team& team) {
    std::vector<Needs> of_member(team.size(), Needs(forest.n_columns));
    team.run(forest.n_trees(), [&](std::size_t tree, std::size_t member) {
        look_at_tree(forest, rows, tree, nodes[member], of_member[member]);
    });
    for (std::size_t i = 1; i < of_member.size(); ++i) of_member[0].add(of_member[i]);
    return std::move(of_member[0]);
}

constexpr std::size_t kMostWords = std::size_t{1} << 30;

// Packs tree after tree, each into its own part of the arrays.
class Packer {
  public:
    Packer(const ForestView& forest, const Rows& rows, PredictionKind kind, const Needs& needs,
           PackedForest& packed)
        : forest_(forest), kind_(kind), packed_(packed), column_of_(forest.n_columns, 0) {
        const auto add_columns = [&](bool is_number, bool is_narrow) {
            for (std::size_t feature = 0; feature < forest.n_columns; ++feature)
                if (needs.is_used[feature] && (rows.column_of[feature] >= 0) == is_number &&
                    needs.is_narrow(feature) == is_narrow)
                    add_column(feature, rows.column_of[feature], needs);
            return packed.columns.size();
        };
        packed.n_number_columns = add_columns(true, true);
        packed.n_narrow_columns = add_columns(false, true);
        add_columns(false, false);
        packed.bits.n_child_bits = static_cast<std::uint32_t>(std::bit_width(needs.most_nodes));
    }

    // Whether a column and a child have room beside each other, and sets do not take much more memory than
    // the forest itself.
    bool fits() const {
        const auto n_columns = std::max<std::size_t>(packed_.columns.size(), 1);
        const std::size_t n_words = wide_begin_.back();
        return n_words < kMostWords && n_words <= 8 * forest_.n_nodes() + forest_.set_levels.size() &&
               packed_.bits.column_shift() + static_cast<std::uint32_t>(std::bit_width(n_columns - 1)) <= 31;
    }

    // Finds the thresholds of columns where numbers are known by their rank among them.
    void rank_thresholds(Team& team) {
        const auto& columns = packed_.columns;
        if (std::ranges::all_of(columns, &KeyColumn::is_exact)) return;
        for (std::size_t at = 0; at < forest_.n_nodes(); ++at) {
            if (forest_.kind[at] != SplitKind::kThreshold) continue;
            KeyColumn& column = packed_.columns[column_of_[static_cast<std::size_t>(forest_.feature[at])]];
            if (!column.is_exact) column.thresholds.push_back(forest_.threshold[at]);
        }
        team.run(columns.size(), [&](std::size_t column, std::size_t) {
            auto& thresholds = packed_.columns[column].thresholds;
            std::ranges::sort(thresholds);
            thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
        });
    }

    // Finds where the sets of each tree begin that do not fit into a node. The first one holds every level.
    void place_wide_sets() {
        std::size_t n_words = 0;
        for (const auto& column : std::span(packed_.columns).subspan(packed_.n_narrow_columns))
            n_words = std::max(n_words, column.words_per_set());
        wide_begin_.assign(1, n_words);
        for (std::size_t tree = 0; tree < forest_.n_trees(); ++tree) {
            const std::size_t first = forest_.first_node(tree);
            for (std::size_t at = first; n_words > 0 && at < first + forest_.n_nodes_of(tree); ++at)
                if (is_wide(at)) n_words += column_at(at).words_per_set();
            wide_begin_.push_back(n_words);
        }
    }

    void make_room() {
        packed_.wide_sets.assign(wide_begin_.back(), 0);
        std::fill_n(packed_.wide_sets.begin(), wide_begin_.front(), ~0U);
        packed_.nodes = std::make_unique_for_overwrite<std::uint64_t[]>(forest_.n_nodes());
        packed_.leaf_of = std::make_unique_for_overwrite<std::uint32_t[]>(forest_.n_nodes());
        packed_.depth.resize(forest_.n_trees());
        packed_.leaf_begin.assign(forest_.n_trees() + 1, 0);
        // Every split has two children, so that there is one leaf more than splits.
        for (std::size_t tree = 0; tree < forest_.n_trees(); ++tree)
            packed_.leaf_begin[tree + 1] = packed_.leaf_begin[tree] + forest_.n_nodes_of(tree) / 2 + 1;
        const std::size_t n_predictions =
            kind_ == PredictionKind::kNone ? 0 : packed_.leaf_begin.back() * forest_.n_outputs;
        packed_.predictions = std::make_unique_for_overwrite<double[]>(n_predictions);
    }

    void pack_tree(std::size_t tree, NodesByKind& nodes) {
        const std::size_t first = forest_.first_node(tree), n_nodes = forest_.n_nodes_of(tree);
        nodes.sort(forest_, tree);
        std::size_t wide = wide_begin_[tree];
        for (const auto node : nodes.splits()) packed_.nodes[first + node] = packed_split(first + node, wide);
        require(nodes.leaves().size() <= packed_.leaf_begin[tree + 1] - packed_.leaf_begin[tree],
                "every node but the root is the child of one node");
        // What holds all keys of the first column, which a leaf looks at.
        const std::uint32_t every_key = packed_.n_narrow_columns > 0 ? kMissingKey : 0;
        for (std::uint32_t leaf = 0; leaf < nodes.leaves().size(); ++leaf) {
            const std::uint32_t node = nodes.leaves()[leaf];
            packed_.nodes[first + node] = node_of(every_key, node);
            packed_.leaf_of[first + node] = leaf;
        }
        if (kind_ != PredictionKind::kNone)
            write_predictions(first, nodes.leaves(), packed_.leaf_begin[tree]);
        packed_.depth[tree] = static_cast<std::uint32_t>(std::bit_width(n_nodes));
    }

  private:
    static std::uint64_t node_of(std::uint32_t key, std::uint32_t word) {
        return (std::uint64_t{word} << 32) | key;
    }

    void add_column(std::size_t feature, std::int32_t source_column, const Needs& needs) {
        column_of_[feature] = static_cast<std::uint32_t>(packed_.columns.size());
        packed_.columns.push_back(
            {feature, source_column, !needs.is_inexact[feature], {}, needs.highest_level[feature]});
    }

    void write_predictions(std::size_t first, std::span<const std::uint32_t> leaves, std::size_t first_leaf) {
        double* predictions = packed_.predictions.get() + first_leaf * forest_.n_outputs;
        for (const auto leaf : leaves) {
            write_prediction(forest_, first + leaf, kind_, predictions);
            predictions += forest_.n_outputs;
        }
    }

    const KeyColumn& column_at(std::size_t at) const {
        return packed_.columns[column_of_[static_cast<std::size_t>(forest_.feature[at])]];
    }

    bool is_wide(std::size_t at) const {
        return forest_.kind[at] == SplitKind::kLevelSet && column_at(at).highest_level > kHighestLevel;
    }

    // A split; `wide` is the next free word for a set that does not fit into it.
    std::uint64_t packed_split(std::size_t at, std::size_t& wide) {
        const std::uint32_t column = column_of_[static_cast<std::size_t>(forest_.feature[at])];
        const std::uint32_t word = static_cast<std::uint32_t>(forest_.first_child[at]) |
                                   (column << packed_.bits.column_shift()) |
                                   (forest_.default_child[at] == 1 ? packed_.bits.missing_second() : 0);
        if (forest_.kind[at] == SplitKind::kThreshold)
            return node_of(key_of_threshold(packed_.columns[column], forest_.threshold[at]), word);
        std::uint32_t narrow = 0;
        std::uint32_t* set = is_wide(at) ? packed_.wide_sets.data() + wide : &narrow;
        for (std::int32_t i = forest_.set_begin[at]; i < forest_.set_end[at]; ++i)
            set[forest_.set_levels[i] / 32] |= 1U << (forest_.set_levels[i] % 32);
        if (!is_wide(at)) return node_of(narrow, word);
        const auto position = static_cast<std::uint32_t>(wide);
        wide += column_at(at).words_per_set();
        return node_of(position, word);
    }

    const ForestView& forest_;
    PredictionKind kind_;
    PackedForest& packed_;
    std::vector<std::uint32_t> column_of_;  // by feature
    std::vector<std::size_t> wide_begin_;   // by tree
};

}  // namespace

std::optional<PackedForest> pack_forest(const ForestView& forest, const Rows& rows, PredictionKind kind,
                                        Team& team) {
    check_shapes(forest);
    check_rows(forest, rows);
    std::vector<NodesByKind> nodes(team.size());
    const Needs needs = look_at_forest(forest, rows, nodes, team);
    if (!needs.fits) return std::nullopt;
    PackedForest packed;
    Packer packer(forest, rows, kind, needs, packed);
    packer.place_wide_sets();
    if (!packer.fits()) return std::nullopt;
    packer.rank_thresholds(team);
    packer.make_room();
    team.run(forest.n_trees(),
             [&](std::size_t tree, std::size_t member) { packer.pack_tree(tree, nodes[member]); });
    return packed;
}

}  // namespace heldout
