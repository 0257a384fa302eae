#include "forest/two_classes.hpp"

#include <algorithm>
#include <bit>

#include "base/processor.hpp"
#include "forest/words.hpp"

namespace heldout {
namespace {

constexpr std::size_t kMostSortedPlain = 36;
constexpr std::size_t kRowsPerBin = 4;
constexpr std::size_t kFewestBins = 16;
// A bound may be rounded: bins that are short of the best by this much are looked into as well.
constexpr double kSlack = 1 - 1e-12;

}  // namespace

void scan_two_classes_plain(const KeyRun& run, const CountedNode& node, WordBits bits, ColumnCut& best) {
    const double total = node.total, ones = node.ones;
    std::uint32_t left = run.left, left_ones = run.left_ones;
    for (std::size_t i = 0; i + 1 < run.n; ++i) {
        const std::uint32_t times = bits.times(run.keys[i]);
        left += times;
        left_ones += times & -(run.keys[i] & 1U);
        const std::uint32_t code = bits.row(run.keys[i]);
        if (code == bits.row(run.keys[i + 1])) continue;
        if (left < node.smallest || node.total - left < node.smallest) continue;
        best.improve(two_class_quality(left, left_ones, total, ones), code);
    }
}

void judge_bins_plain(BinTable& table, const CountedNode& node) {
    judge_bins(table, node);
}

TwoClassSearch::TwoClassSearch(const ForestData& data)
    : data_(data),
      bits_(data.counted_bits()),
      is_avx512_(has_avx512()),
      keys_(data.problem().n_rows + kSortRoom),
      scratch_(data.problem().n_rows + kSortRoom),
      opened_(data.problem().n_rows + 1),
      bin_of_word_(data.problem().n_rows) {
    for (std::uint32_t stat = 0; stat < addend_.size(); ++stat) {
        const std::uint64_t times = bits_.times(stat);
        addend_[stat] = times | (stat & 1U ? times << 32 : 0);
    }
}

ColumnCut TwoClassSearch::best_cut(std::size_t column, const CountedNode& node, double floor) {
    const std::size_t most_sorted = is_avx512_ ? kMostInRegisters : kMostSortedPlain;
    const double worst = quality(floor, node) * kSlack;
    return node.words.size() <= most_sorted ? by_sorting(column, node, worst)
                                            : by_counting(column, node, worst);
}

ColumnCut TwoClassSearch::by_sorting(std::size_t column, const CountedNode& node, double floor) {
    const std::size_t n = node.words.size();
    make_keys(data_.codes(), column, node.words, bits_, keys_.data(), is_avx512_);
    sort_keys(keys_.data(), n, scratch_.data(), is_avx512_);
    ColumnCut best;
    const KeyRun run{keys_.data(), n};
    if constexpr (kCompilesAvx512)
        if (is_avx512_) {
            keys_[n] = 0xffffffffU;
            scan_two_classes_avx512(run, node, bits_, floor, best);
            return best;
        }
    scan_two_classes_plain(run, node, bits_, best);
    return best;
}

void TwoClassSearch::count_bins(const Bins& bins, const CountedNode& node) {
    const std::size_t n = node.words.size();
    const std::size_t wanted = std::clamp(std::bit_floor(n / kRowsPerBin), kFewestBins, BinTable::kMost);
    shift_ = 0;
    while (bins.size() > wanted << shift_) ++shift_;
    table_.n_bins = ((bins.size() - 1) >> shift_) + 1;
    std::fill_n(counts_.begin(), table_.n_bins, 0);
    const std::uint8_t* of_row = bins.of_row.data();
    const std::uint32_t mask = bits_.stat_mask();
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t word = node.words[i];
        const auto bin = static_cast<std::uint8_t>(of_row[word >> bits_.stat_bits] >> shift_);
        bin_of_word_[i] = bin;
        counts_[bin] += addend_[word & mask];
    }
}

void TwoClassSearch::score_bins(const CountedNode& node) {
    if constexpr (kCompilesAvx512)
        if (is_avx512_) return judge_bins_avx512(table_, node);
    judge_bins_plain(table_, node);
}

void TwoClassSearch::add_up_bins() {
    std::uint64_t sum = 0;
    for (std::size_t bin = 0; bin < table_.n_bins; ++bin) {
        sum += counts_[bin];
        table_.left[bin] = static_cast<double>(sum & 0xffffffffU);
        table_.left_ones[bin] = static_cast<double>(sum >> 32);
    }
}

ColumnCut TwoClassSearch::by_counting(std::size_t column, const CountedNode& node, double floor) {
    const Bins& bins = data_.bins(column);
    if (bins.size() < 2) return {};
    count_bins(bins, node);
    add_up_bins();
    score_bins(node);
    ColumnCut best;
    for (std::size_t bin = 0; bin < table_.n_bins; ++bin) {
        if (!(table_.quality[bin] > best.quality) || table_.quality[bin] < 0) continue;
        best.quality = table_.quality[bin];
        const std::size_t last = std::min(((bin + 1) << shift_) - 1, bins.size() - 1);
        best.code = bins.last_code[last];
    }
    const bool is_exact = shift_ == 0 && bins.is_exact(data_.problem().columns[column].codes.n_codes());
    if (!is_exact) open_bins(column, node, std::max(floor, best.quality * kSlack), best);
    return best;
}

void TwoClassSearch::open_bins(std::size_t column, const CountedNode& node, double floor, ColumnCut& best) {
    bool is_any = false;
    for (std::size_t bin = 0; bin < table_.n_bins; ++bin) {
        is_opened_[bin] = table_.bound[bin] >= 0 && table_.bound[bin] >= floor;
        is_any |= is_opened_[bin] != 0;
    }
    if (!is_any) return;
    const std::size_t n_opened =
        keep_opened(node.words, bin_of_word_.data(), is_opened_.data(), opened_.data());
    make_keys(data_.codes(), column, {opened_.data(), n_opened}, bits_, keys_.data(), is_avx512_);
    sort_keys(keys_.data(), n_opened, scratch_.data(), is_avx512_);
    // The keys of the opened bins stand one after the other.
    const Bins& bins = data_.bins(column);
    std::size_t begin = 0;
    for (std::size_t bin = 0; bin < table_.n_bins; ++bin) {
        if (!is_opened_[bin]) continue;
        const std::size_t last = std::min(((bin + 1) << shift_) - 1, bins.size() - 1);
        const std::uint32_t beyond = (bins.last_code[last] + 1) << bits_.stat_bits;
        std::size_t end = begin;
        while (end < n_opened && keys_[end] < beyond) ++end;
        const auto before = bin == 0 ? 0.0 : table_.left[bin - 1];
        const auto before_ones = bin == 0 ? 0.0 : table_.left_ones[bin - 1];
        const KeyRun run{keys_.data() + begin, end - begin, static_cast<std::uint32_t>(before),
                         static_cast<std::uint32_t>(before_ones)};
        scan_two_classes_plain(run, node, bits_, best);
        begin = end;
    }
}

}  // namespace heldout
