#include "ranking/bootstrap_auc.hpp"

#include <limits>

#include "ranking/draw_counts.hpp"
#include "ranking/exact_arithmetic.hpp"

namespace heldout {
namespace {

// A cell costs as much as so many rows that are drawn one by one.
constexpr std::size_t kRowsPerCell = 128;

// The ranked rows of one class. What is counted are rows, or cells of equal scores where these are few.
struct Urn {
    std::vector<std::uint64_t> keys;  // of the cells
    std::vector<std::uint32_t> ends;  // of the cells, in rows
    std::size_t n_rows = 0;
    bool counts_cells = false;

    explicit Urn(std::span<const std::uint64_t> ranked) : n_rows(ranked.size()) {
        for (std::size_t row = 0; row < n_rows; ++row)
            if (row + 1 == n_rows || ranked[row + 1] != ranked[row]) {
                keys.push_back(ranked[row]);
                ends.push_back(static_cast<std::uint32_t>(row + 1));
            }
        counts_cells = keys.size() * kRowsPerCell <= n_rows;
    }

    std::size_t n_units() const { return counts_cells ? keys.size() : n_rows; }

    // Where the first units end that lie in so many cells.
    std::uint32_t unit(std::size_t n_cells) const {
        if (counts_cells || n_cells == 0) return static_cast<std::uint32_t>(n_cells);
        return ends[n_cells - 1];
    }

    template <class Put>
    void draw(Stream& stream, std::uint64_t n_draws, RowDraw& rows, Put put) const {
        if (!counts_cells) {
            rows.run(stream, n_draws, n_rows, put);
            return;
        }
        draw_cells(stream, n_draws, ends, [&](std::size_t cell, std::uint64_t count) {
            put(cell, std::span<const std::uint64_t>(&count, 1));
        });
    }
};

// For each unit of the positives: up to which unit the negatives lie below it, and up to which not above it.
struct Meetings {
    std::vector<std::uint32_t> below, not_above;
    bool has_ties = false;

    Meetings(const Urn& high, const Urn& low) : below(high.n_units()), not_above(high.n_units()) {
        std::size_t n_below = 0, first_row = 0;
        for (std::size_t cell = 0; cell < high.keys.size(); ++cell) {
            while (n_below < low.keys.size() && low.keys[n_below] < high.keys[cell]) ++n_below;
            const bool is_tied = n_below < low.keys.size() && low.keys[n_below] == high.keys[cell];
            has_ties |= is_tied;
            const std::size_t begin = high.counts_cells ? cell : first_row;
            const std::size_t end = high.counts_cells ? cell + 1 : high.ends[cell];
            std::fill(below.begin() + begin, below.begin() + end, low.unit(n_below));
            std::fill(not_above.begin() + begin, not_above.begin() + end, low.unit(n_below + is_tied));
            first_row = high.ends[cell];
        }
    }
};

struct Memory {
    RowDraw rows;
    std::vector<std::uint32_t> n_drawn_before;
};

class Bootstrap {
  public:
    Bootstrap(const RankedClasses<std::uint64_t>& ranked, const BootstrapOptions& options)
        : high_(ranked.positives()), low_(ranked.negatives()), meetings_(high_, low_), options_(options) {}

    double area(std::size_t resample, Memory& memory) const {
        Stream stream(key_of_part(key_of_part(options_.seed, 0xa0c), resample));
        const std::uint64_t n_rows = high_.n_rows + low_.n_rows;
        std::uint64_t n_high = high_.n_rows;
        if (!options_.is_stratified && n_rows > 0) n_high = binomial(stream, n_rows, {n_high, n_rows});
        const std::uint64_t n_low = n_rows - n_high;
        if (n_high == 0 || n_low == 0) return std::numeric_limits<double>::quiet_NaN();
        count_negatives(stream, n_low, memory);
        return exact_ratio(won_twice(stream, n_high, memory), 2 * n_high * n_low);
    }

  private:
    void count_negatives(Stream& stream, std::uint64_t n_draws, Memory& memory) const {
        memory.n_drawn_before.resize(low_.n_units() + 1);
        std::uint32_t n_before = 0;
        low_.draw(stream, n_draws, memory.rows, [&](std::size_t first, auto counts) {
            std::uint32_t* const before = memory.n_drawn_before.data() + first + 1;
            for (std::size_t i = 0; i < counts.size(); ++i)
                before[i] = n_before += static_cast<std::uint32_t>(counts[i]);
        });
    }

    // Twice the number of pairs that the positives win, ties counted half.
    std::uint64_t won_twice(Stream& stream, std::uint64_t n_draws, Memory& memory) const {
        const std::uint32_t* const before = memory.n_drawn_before.data();
        std::uint64_t won = 0, not_lost = 0;
        high_.draw(stream, n_draws, memory.rows, [&](std::size_t first, auto counts) {
            const std::uint32_t* const below = meetings_.below.data() + first;
            for (std::size_t i = 0; i < counts.size(); ++i)
                won += std::uint64_t{counts[i]} * before[below[i]];
            if (!meetings_.has_ties) return;
            const std::uint32_t* const not_above = meetings_.not_above.data() + first;
            for (std::size_t i = 0; i < counts.size(); ++i)
                not_lost += std::uint64_t{counts[i]} * before[not_above[i]];
        });
        return won + (meetings_.has_ties ? not_lost : won);
    }

    Urn high_, low_;
    Meetings meetings_;
    BootstrapOptions options_;
};

}  // namespace

std::vector<double> bootstrap_auc(const ScoredRows& rows, const BootstrapOptions& options) {
    check_rows(rows);
    require(rows.weights.empty(), "resamples are drawn without weights");
    const Bootstrap bootstrap(ranked_keys(rows, options.n_threads), options);
    std::vector<double> areas(options.n_resamples);
    Team team(std::min(options.n_threads, options.n_resamples));
    std::vector<Memory> memory(team.size());
    team.run(areas.size(), [&](std::size_t resample, std::size_t member) {
        areas[resample] = bootstrap.area(resample, memory[member]);
    });
    return areas;
}

}  // namespace heldout
