#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "tree/impurity.hpp"
#include "tree/presort.hpp"

namespace heldout {

// The best cut of one order: rows before `position` go left. No admissible cut: gain is -infinity.
struct Cut {
    double gain = -std::numeric_limits<double>::infinity();
    std::size_t position = 0;
};

// Cuts are tried at positions first..last, both included, where a new value starts.
struct CutRange {
    std::size_t first;
    std::size_t last;
};

// The lean paths: every row counts once and no value is missing. With a floor, a cut that gains less need
// not be found; with -infinity the best cut is found whatever it gains.
template <class Word>
Cut scan_two_classes(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                     double floor, std::size_t n_second_class);

template <class Word>
Cut scan_two_classes(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                     double floor, std::size_t n_second_class, const EntropyTable& entropies);

// The mean of a node in two parts: what rounding took from the first is in the second.
struct Centre {
    double mean;
    double rest;

    double around(double target) const { return target - mean - rest; }
};

// Gains that differ by at most `slack` are one gain; the first of them is taken.
template <class Word>
Cut scan_targets(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range, double floor,
                 double slack, const double* targets, Centre centre);

template <class Word>
Cut scan_many_classes(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                      double slack, std::span<const double> class_weights);

template <class Word>
Cut scan_many_classes(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                      double slack, std::span<const double> class_weights, const EntropyTable& entropies);

}  // namespace heldout
