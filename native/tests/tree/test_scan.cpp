#include <random>
#include <vector>

#include "../check.hpp"
#include "tree/scan.hpp"

using namespace heldout;
using heldout::tests::is_near;

namespace {

using Word = std::uint32_t;

struct Order {
    WordLayout<Word> layout;
    std::vector<Word> words;
    std::vector<double> targets;
    std::size_t n_classes;

    // Rows that lean to one class at the front, so that there is something to find.
    Order(std::size_t n, std::size_t classes, unsigned tie_share, std::mt19937_64& random)
        : layout(n), words(n), targets(n), n_classes(classes) {
        for (std::size_t row = 0; row < n; ++row) {
            const std::size_t class_ = (random() % n < row ? random() : random() % 2) % classes;
            const bool starts = row == 0 || random() % 100 >= tie_share;
            words[row] = layout.pack(row, class_) | (starts ? WordLayout<Word>::kStartsValue : Word{0});
            targets[row] = static_cast<double>(class_) + static_cast<double>(random() % 1000) * 1e-4;
        }
    }

    std::vector<double> class_weights(std::size_t begin, std::size_t end) const {
        std::vector<double> weights(n_classes);
        for (std::size_t i = begin; i < end; ++i) weights[layout.class_of(words[i])] += 1;
        return weights;
    }

    double mean() const {
        double sum = 0;
        for (const double target : targets) sum += target;
        return sum / static_cast<double>(targets.size());
    }
};

// The best gain over all admissible cuts, each computed from its definition.
double best_gain(const Order& order, CutRange range, Criterion criterion) {
    const std::size_t n = order.words.size();
    const Impurity impurity(criterion, order.n_classes);
    const auto sums = [&](std::size_t begin, std::size_t end) {
        if (criterion != Criterion::kSquaredError) return order.class_weights(begin, end);
        std::vector<double> both{static_cast<double>(end - begin), 0.0};
        for (std::size_t i = begin; i < end; ++i)
            both[1] += order.targets[order.layout.row(order.words[i])] - order.mean();
        return both;
    };
    double best = -1;
    for (std::size_t cut = range.first; cut <= range.last; ++cut) {
        if (!WordLayout<Word>::starts_value(order.words[cut])) continue;
        const double quality = impurity.quality(sums(0, cut).data()) + impurity.quality(sums(cut, n).data());
        best = std::max(best, (quality - impurity.quality(sums(0, n).data())) / static_cast<double>(n));
    }
    return best;
}

Cut scan(const Order& order, CutRange range, Criterion criterion, double floor, const EntropyTable& table) {
    const std::span<const Word> words(order.words);
    const auto weights = order.class_weights(0, order.words.size());
    const auto n_second = static_cast<std::size_t>(weights.size() > 1 ? weights[1] : 0);
    if (criterion == Criterion::kSquaredError)
        return scan_targets(words, order.layout, range, floor, 0.0, order.targets.data(),
                            Centre{order.mean(), 0.0});
    if (order.n_classes == 2)
        return criterion == Criterion::kGini
                   ? scan_two_classes(words, order.layout, range, floor, n_second)
                   : scan_two_classes(words, order.layout, range, floor, n_second, table);
    return criterion == Criterion::kGini
               ? scan_many_classes(words, order.layout, range, 0.0, std::span<const double>(weights))
               : scan_many_classes(words, order.layout, range, 0.0, std::span<const double>(weights), table);
}

}  // namespace

TEST("no cut is better than the one that a scan finds") {
    std::mt19937_64 random(7);
    const EntropyTable table(700);
    for (int trial = 0; trial < 60; ++trial) {
        const std::size_t n = trial % 2 == 0 ? 2 + random() % 40 : 200 + random() % 300;
        for (const std::size_t n_classes : {2, 3}) {
            const Order order(n, n_classes, trial % 3 == 0 ? 90 : 10, random);
            const std::size_t smallest = 1 + random() % (n / 2);
            const CutRange range{smallest, n - smallest};
            for (const auto criterion : {Criterion::kGini, Criterion::kEntropy, Criterion::kSquaredError}) {
                const Cut cut = scan(order, range, criterion, -INFINITY, table);
                const double wanted = best_gain(order, range, criterion);
                CHECK((cut.position == 0) == (wanted < -0.5));
                if (cut.position != 0) CHECK(std::abs(cut.gain - wanted) < 1e-10);
            }
        }
    }
}

TEST("a floor hides lesser cuts and changes no better one") {
    std::mt19937_64 random(8);
    const EntropyTable table(700);
    for (int trial = 0; trial < 40; ++trial) {
        const Order order(20 + random() % 600, 2, 20, random);
        const CutRange range{1, order.words.size() - 1};
        for (const auto criterion : {Criterion::kGini, Criterion::kEntropy, Criterion::kSquaredError}) {
            const Cut best = scan(order, range, criterion, -INFINITY, table);
            const Cut below = scan(order, range, criterion, best.gain * 0.99, table);
            CHECK(below.position == best.position && is_near(below.gain, best.gain));
            CHECK(scan(order, range, criterion, best.gain * 1.01, table).position == 0);
        }
    }
}

TEST("the first of equal cuts is taken") {
    std::mt19937_64 random(9);
    Order order(200, 2, 0, random);
    for (std::size_t i = 0; i < 200; ++i)
        order.words[i] = order.layout.pack(i, i % 2) | WordLayout<Word>::kStartsValue;
    const EntropyTable table(200);
    CHECK(scan(order, {1, 199}, Criterion::kGini, -INFINITY, table).position == 1);
    CHECK(scan(order, {1, 199}, Criterion::kEntropy, -INFINITY, table).position == 1);
}

TEST("rows that no cut may part from the left count in the margin for rounding") {
    std::mt19937_64 random(10);
    std::normal_distribution<double> normal;
    const EntropyTable table(1);
    for (int trial = 0; trial < 40; ++trial) {
        Order order(4000, 2, 0, random);
        for (std::size_t row = 0; row < order.targets.size(); ++row)
            order.targets[row] = row < 40 ? 1e9 * normal(random) : normal(random);
        const CutRange range{50, order.words.size() - 50};
        const Cut cut = scan(order, range, Criterion::kSquaredError, -INFINITY, table);
        CHECK(cut.position != 0);
        const long double mean = order.mean();
        long double sum = 0, best = 0;
        for (std::size_t position = 1; position <= range.last; ++position) {
            sum += order.targets[position - 1] - mean;
            const auto sizes = static_cast<long double>(position) * static_cast<long double>(4000 - position);
            if (position >= range.first) best = std::max(best, sum * sum / sizes);
        }
        CHECK(is_near(cut.gain, static_cast<double>(best)));
    }
}
