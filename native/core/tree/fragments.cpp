#include "tree/fragments.hpp"

#include <algorithm>
#include <numeric>

namespace heldout {

template <class Word>
FragmentNode<Word> whole_rows(const Problem& problem, Orders<Word>& orders) {
    const auto n_numeric = static_cast<std::size_t>(std::ranges::count_if(
        problem.columns, [](const TreeColumn& column) { return !column.is_category(); }));
    FragmentNode<Word> root;
    root.rows.resize(problem.n_rows);
    std::iota(root.rows.begin(), root.rows.end(), 0U);
    root.weights.resize(problem.n_rows);
    for (std::size_t row = 0; row < problem.n_rows; ++row) root.weights[row] = problem.weight(row);
    root.words = std::make_unique_for_overwrite<Word[]>(n_numeric * root.stride());
    for (std::size_t index = 0; index < n_numeric; ++index)
        std::copy_n(orders.order(index), problem.n_rows, root.order(index));
    root.n_known.resize(n_numeric);
    for (std::size_t column = 0; column < problem.columns.size(); ++column) {
        const auto& source = problem.columns[column];
        if (source.is_category()) continue;
        const std::size_t index = orders.index_of(column);
        const auto is_known = [&](Word word) {
            return source.codes[problem.table_row(orders.layout().row(word))] != source.codes.missing();
        };
        const Word* words = orders.order(index);
        root.n_known[index] =
            static_cast<std::size_t>(std::partition_point(words, words + root.size(), is_known) - words);
    }
    return root;
}

template <class Word>
FragmentPartition<Word>::FragmentPartition(const FragmentNode<Word>& node, const WordLayout<Word>& layout,
                                           const Branching& branching, const std::vector<std::size_t>& sizes)
    : node_(node), layout_(layout), branching_(branching) {
    for (std::size_t branch = 0; branch < sizes.size(); ++branch) {
        if (sizes[branch] == 0) continue;
        open_.push_back(static_cast<std::uint32_t>(branch));
        FragmentNode<Word>& child = children_.emplace_back();
        child.rows.reserve(sizes[branch]);
        child.weights.reserve(sizes[branch]);
    }
    place_fragments();
    if (open_.size() <= 2) place_in_two();
    for (auto& child : children_) {
        child.words = std::make_unique_for_overwrite<Word[]>(node.n_known.size() * child.stride());
        child.n_known.resize(node.n_known.size());
    }
}

template <class Word>
void FragmentPartition<Word>::place_fragments() {
    std::vector<std::uint32_t> child_of(branching_.shares.size(), kNowhere);
    for (std::size_t i = 0; i < open_.size(); ++i) child_of[open_[i]] = static_cast<std::uint32_t>(i);
    const auto n_all = static_cast<std::size_t>(std::ranges::count(branching_.branch_of, Branching::kAll));
    goal_.resize(node_.size());
    missing_position_.resize(n_all * open_.size());
    const auto add = [&](FragmentNode<Word>& child, std::size_t fragment, double share) {
        child.rows.push_back(node_.rows[fragment]);
        child.weights.push_back(node_.weights[fragment] * share);
        return static_cast<std::uint32_t>(child.size() - 1);
    };
    for (std::size_t fragment = 0; fragment < node_.size(); ++fragment) {
        const std::uint32_t branch = branching_.branch_of[fragment];
        if (branch == Branching::kAll) {
            for (std::size_t i = 0; i < open_.size(); ++i)
                missing_position_[n_missing_ * open_.size() + i] =
                    add(children_[i], fragment, branching_.shares[open_[i]]);
            goal_[fragment] = std::uint64_t{Branching::kAll} << 32 | n_missing_++;
            continue;
        }
        const std::uint32_t child = child_of[branch];
        const std::uint32_t position = child == kNowhere ? 0 : add(children_[child], fragment, 1.0);
        goal_[fragment] = std::uint64_t{child} << 32 | position;
    }
}

template <class Word>
void FragmentPartition<Word>::place_in_two() {
    for (auto& goal : goal_) {
        const auto child = static_cast<std::uint32_t>(goal >> 32),
                   position = static_cast<std::uint32_t>(goal);
        std::uint32_t positions[2] = {kNowhere, kNowhere};
        for (std::uint32_t i = 0; i < open_.size(); ++i) {
            if (child == Branching::kAll) positions[i] = missing_position_[position * open_.size() + i];
            if (child == i) positions[i] = position;
        }
        goal = std::uint64_t{positions[1]} << 32 | positions[0];
    }
}

template <class Word>
void FragmentPartition<Word>::partition_order(std::size_t index) {
    if (open_.size() <= 2)
        partition_in_two(index);
    else
        partition_in_many(index);
}

// A value starts in a child where its number differs from that of the child's entry before. Every entry is
// written to both children, and counts where it belongs.
template <class Word>
void FragmentPartition<Word>::partition_in_two(std::size_t index) {
    const Word* words = node_.order(index);
    const Word class_mask = static_cast<Word>(~(layout_.row_mask | WordLayout<Word>::kStartsValue));
    struct Output {
        Word* next;
        std::size_t value = 0;

        void emit(Word word, std::uint32_t position, std::size_t value_now) {
            const bool is_here = position != kNowhere;
            const Word start = value != value_now ? WordLayout<Word>::kStartsValue : Word{0};
            *next = static_cast<Word>(word | position | start);
            next += is_here;
            value = is_here ? value_now : value;
        }
    };
    std::vector<Word> nowhere(open_.size() == 2 ? 0 : 1);
    Output first{children_[0].order(index)};
    Output second{open_.size() == 2 ? children_[1].order(index) : nowhere.data()};
    std::size_t value = 0;
    for (std::size_t i = 0; i < node_.n_known[index]; ++i) {
        value += WordLayout<Word>::starts_value(words[i]);
        const std::uint64_t positions = goal_[layout_.row(words[i])];
        const Word class_ = words[i] & class_mask;
        first.emit(class_, static_cast<std::uint32_t>(positions), value);
        second.emit(class_, static_cast<std::uint32_t>(positions >> 32), value);
    }
    children_[0].n_known[index] = static_cast<std::size_t>(first.next - children_[0].order(index));
    if (open_.size() == 2)
        children_[1].n_known[index] = static_cast<std::size_t>(second.next - children_[1].order(index));
}

template <class Word>
void FragmentPartition<Word>::partition_in_many(std::size_t index) {
    const Word* words = node_.order(index);
    const Word class_mask = static_cast<Word>(~(layout_.row_mask | WordLayout<Word>::kStartsValue));
    struct Output {
        Word* next;
        std::size_t value;
    };
    std::vector<Output> outputs;
    for (auto& child : children_) outputs.push_back({child.order(index), 0});
    std::size_t value = 0;
    const auto emit = [&](std::uint32_t child, Word word, std::uint32_t position) {
        Output& output = outputs[child];
        const Word start = output.value != value ? WordLayout<Word>::kStartsValue : Word{0};
        *output.next++ = static_cast<Word>((word & class_mask) | position | start);
        output.value = value;
    };
    for (std::size_t i = 0; i < node_.n_known[index]; ++i) {
        const Word word = words[i];
        value += WordLayout<Word>::starts_value(word);
        const std::uint64_t goal = goal_[layout_.row(word)];
        const auto child = static_cast<std::uint32_t>(goal >> 32),
                   position = static_cast<std::uint32_t>(goal);
        if (child < kNowhere) {
            emit(child, word, position);
        } else if (child == Branching::kAll) {
            const std::uint32_t* positions = missing_position_.data() + position * outputs.size();
            for (std::uint32_t each = 0; each < outputs.size(); ++each) emit(each, word, positions[each]);
        }
    }
    for (std::size_t child = 0; child < outputs.size(); ++child)
        children_[child].n_known[index] =
            static_cast<std::size_t>(outputs[child].next - children_[child].order(index));
}

template <class Word>
std::vector<FragmentNode<Word>> FragmentPartition<Word>::take() {
    return std::move(children_);
}

template FragmentNode<std::uint32_t> whole_rows(const Problem&, Orders<std::uint32_t>&);
template FragmentNode<std::uint64_t> whole_rows(const Problem&, Orders<std::uint64_t>&);
template class FragmentPartition<std::uint32_t>;
template class FragmentPartition<std::uint64_t>;

}  // namespace heldout
