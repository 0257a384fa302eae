#include <random>
#include <vector>

#include "../check.hpp"
#include "codes/rank.hpp"
#include "tree/fragments.hpp"

using namespace heldout;
using heldout::tests::is_near;

namespace {

void check_child(const FragmentNode<std::uint32_t>& child, std::uint32_t branch, const Branching& branching,
                 const std::vector<double>& numbers, const std::vector<std::uint32_t>& classes,
                 const WordLayout<std::uint32_t>& layout) {
    double expected = 0, weight = 0;
    std::size_t n_members = 0;
    for (const auto of : branching.branch_of) {
        if (of != branch && of != Branching::kAll) continue;
        ++n_members;
        expected += of == branch ? 1.0 : branching.shares[branch];
    }
    for (const double w : child.weights) weight += w;
    CHECK(child.size() == n_members && is_near(weight, expected));
    double before = -1;
    std::size_t n_known = 0;
    for (const auto row : child.rows) n_known += !std::isnan(numbers[row]);
    CHECK(child.n_known[0] == n_known);
    for (std::size_t i = 0; i < n_known; ++i) {
        const auto word = child.order(0)[i];
        const std::size_t row = child.rows[layout.row(word)];
        CHECK(layout.class_of(word) == classes[row]);
        CHECK(!std::isnan(numbers[row]));
        CHECK(WordLayout<std::uint32_t>::starts_value(word) == (numbers[row] != before));
        CHECK(numbers[row] >= before);
        before = numbers[row];
    }
}

}  // namespace

TEST("fragments fall into their branches with their order, their ties and their weight") {
    constexpr std::size_t kRows = 300;
    std::mt19937_64 random(3);
    std::vector<double> numbers(kRows);
    for (auto& number : numbers)
        number = random() % 8 == 0 ? std::nan("") : static_cast<double>(random() % 20);
    const auto ranked = rank_columns({numbers.data(), kRows, 1, 1, 1}, 1);
    Problem problem;
    std::visit(
        [&](const auto& codes) {
            problem.columns.push_back({CodeView(std::span(codes), ranked[0].n_codes), numbers.data()});
        },
        ranked[0].codes);
    std::vector<std::uint32_t> classes(kRows);
    for (auto& class_ : classes) class_ = static_cast<std::uint32_t>(random() % 3);
    problem.classes = classes;
    problem.n_classes = 3;
    problem.n_rows = kRows;
    Team team(1);
    Orders<std::uint32_t> orders(problem, team);
    const auto root = whole_rows(problem, orders);
    CHECK(root.size() == kRows);

    Branching branching;
    branching.shares = {0.5, 0.2, 0.3};
    for (std::size_t i = 0; i < kRows; ++i)
        branching.branch_of.push_back(random() % 4 == 0 ? Branching::kAll
                                                        : static_cast<std::uint32_t>(random() % 3));
    for (const auto& branches : {std::vector<std::uint32_t>{1}, {0, 2}, {0, 1, 2}}) {
        std::vector<std::size_t> sizes(3, 0);
        for (const auto branch : branches) sizes[branch] = kRows;
        FragmentPartition<std::uint32_t> partition(root, orders.layout(), branching, sizes);
        partition.partition_order(0);
        const auto children = partition.take();
        CHECK(children.size() == branches.size());
        for (std::size_t c = 0; c < branches.size(); ++c)
            check_child(children[c], branches[c], branching, numbers, classes, orders.layout());
    }
}
