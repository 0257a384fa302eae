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
    root.words.resize(n_numeric * root.stride());
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
                                           const Branching& branching,
                                           const std::vector<std::uint8_t>& wanted)
    : node_(node), layout_(layout), branching_(branching), child_of_(wanted.size(), kNowhere) {
    for (std::size_t branch = 0; branch < wanted.size(); ++branch) {
        if (!wanted[branch]) continue;
        child_of_[branch] = static_cast<std::uint32_t>(open_.size());
        open_.push_back(static_cast<std::uint32_t>(branch));
    }
    children_.resize(open_.size());
    place_fragments();
    if (open_.size() <= 2) place_in_two();
    for (auto& child : children_) {
        child.words.resize(node.n_known.size() * child.stride());
        child.n_known.resize(node.n_known.size());
    }
}

template <class Word>
void FragmentPartition<Word>::place_fragments() {
    const auto is_unknown = [](std::uint32_t branch) { return branch == Branching::kAll; };
    const auto n_all = static_cast<std::size_t>(std::ranges::count_if(branching_.branch_of, is_unknown));
    place_.resize(node_.size());
    unknown_place_.resize(n_all * open_.size());
    for (std::size_t fragment = 0; fragment < node_.size(); ++fragment) {
        const std::uint32_t branch = branching_.branch_of[fragment];
        if (branch != Branching::kAll) {
            if (child_of_[branch] == kNowhere) continue;
            auto& child = children_[child_of_[branch]];
            place_[fragment] = static_cast<std::uint32_t>(child.size());
            child.rows.push_back(node_.rows[fragment]);
            child.weights.push_back(node_.weights[fragment]);
            continue;
        }
        place_[fragment] = static_cast<std::uint32_t>(n_unknown_);
        for (std::size_t i = 0; i < open_.size(); ++i) {
            auto& child = children_[i];
            unknown_place_[i * n_all + n_unknown_] = static_cast<std::uint32_t>(child.size());
            child.rows.push_back(node_.rows[fragment]);
            child.weights.push_back(node_.weights[fragment] * branching_.shares[open_[i]]);
        }
        ++n_unknown_;
    }
}

template <class Word>
void FragmentPartition<Word>::place_in_two() {
    two_places_.resize(node_.size());
    for (std::size_t fragment = 0; fragment < node_.size(); ++fragment) {
        const std::uint32_t branch = branching_.branch_of[fragment];
        std::uint64_t places = ~std::uint64_t{0};
        for (std::size_t i = 0; i < open_.size(); ++i) {
            if (branch != Branching::kAll && branch != open_[i]) continue;
            const std::uint32_t place = branch == Branching::kAll
                                            ? unknown_place_[i * n_unknown_ + place_[fragment]]
                                            : place_[fragment];
            places &= ~(std::uint64_t{kNowhere} << (32 * i));
            places |= std::uint64_t{place} << (32 * i);
        }
        two_places_[fragment] = places;
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

        void emit(Word word, std::uint32_t place, std::size_t value_now) {
            const bool is_here = place != kNowhere;
            const Word start = value != value_now ? WordLayout<Word>::kStartsValue : Word{0};
            *next = static_cast<Word>(word | place | start);
            next += is_here;
            value = is_here ? value_now : value;
        }
    };
    std::vector<Word> nowhere(open_.size() == 2 ? 0 : 1);
    Output first{children_[0].order(index)};
    Output second{open_.size() == 2 ? children_[1].order(index) : nowhere.data()};
    std::size_t value = 0;
    const auto pass = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            value += WordLayout<Word>::starts_value(words[i]);
            const std::uint64_t places = two_places_[layout_.row(words[i])];
            const Word class_ = words[i] & class_mask;
            first.emit(class_, static_cast<std::uint32_t>(places), value);
            second.emit(class_, static_cast<std::uint32_t>(places >> 32), value);
        }
    };
    pass(0, node_.n_known[index]);
    children_[0].n_known[index] = static_cast<std::size_t>(first.next - children_[0].order(index));
    if (open_.size() == 2)
        children_[1].n_known[index] = static_cast<std::size_t>(second.next - children_[1].order(index));
    pass(node_.n_known[index], node_.size());
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
    const auto emit = [&](std::uint32_t child, Word word, std::uint32_t place) {
        Output& output = outputs[child];
        const Word start = output.value != value ? WordLayout<Word>::kStartsValue : Word{0};
        *output.next++ = static_cast<Word>((word & class_mask) | place | start);
        output.value = value;
    };
    const auto pass = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Word word = words[i];
            value += WordLayout<Word>::starts_value(word);
            const std::size_t fragment = layout_.row(word);
            const std::uint32_t branch = branching_.branch_of[fragment];
            if (branch != Branching::kAll) {
                if (child_of_[branch] != kNowhere) emit(child_of_[branch], word, place_[fragment]);
                continue;
            }
            for (std::uint32_t child = 0; child < outputs.size(); ++child)
                emit(child, word, unknown_place_[child * n_unknown_ + place_[fragment]]);
        }
    };
    pass(0, node_.n_known[index]);
    for (std::size_t child = 0; child < outputs.size(); ++child)
        children_[child].n_known[index] =
            static_cast<std::size_t>(outputs[child].next - children_[child].order(index));
    pass(node_.n_known[index], node_.size());
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
