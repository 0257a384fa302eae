#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/stream.hpp"

namespace heldout {

// A share of a whole, as a fraction of whole numbers: part <= whole < 2^63, whole > 0.
struct Share {
    std::uint64_t part, whole;
};

// How many of n draws succeed, each with the probability `share`: exact, by comparing random bits with the
// digits of the share. It takes about n / 32 words of the stream, n / 64 for a half, and no arithmetic but
// that of whole numbers, so that every processor finds the same.
std::uint64_t binomial(Stream& stream, std::uint64_t n, Share share);

// How often each row is drawn when rows are drawn with replacement, found block by block: first how many
// draws fall into each half of the blocks, and so on down to the blocks, then the rows within a block, whose
// counters stay in the nearest cache. What is drawn depends on the stream alone.
class RowDraw {
  public:
    static constexpr std::size_t kBlock = std::size_t{1} << 15;

    // Calls put(first row, counts) for block after block; counts is a span of whole numbers.
    template <class Put>
    void run(Stream& stream, std::uint64_t n_draws, std::size_t n_rows, Put put) {
        if (n_rows > 0) halve(stream, n_draws, {0, n_rows}, put);
    }

  private:
    struct Rows {
        std::size_t begin, end;
        std::size_t size() const { return end - begin; }
    };

    template <class Put>
    void halve(Stream& stream, std::uint64_t n_draws, Rows rows, Put& put) {
        if (rows.size() <= kBlock) {
            fill(stream, n_draws, rows, put);
            return;
        }
        const std::size_t n_blocks = (rows.size() + kBlock - 1) / kBlock;
        const std::size_t middle = rows.begin + n_blocks / 2 * kBlock;
        const auto n_left = binomial(stream, n_draws, {middle - rows.begin, rows.size()});
        halve(stream, n_left, {rows.begin, middle}, put);
        halve(stream, n_draws - n_left, {middle, rows.end}, put);
    }

    // Counters of eight bits, which lose draws if one goes round: then the block is drawn again with more.
    template <class Put>
    void fill(Stream& stream, std::uint64_t n_draws, Rows rows, Put& put) {
        const Stream before = stream;
        narrow_.assign(rows.size(), 0);
        draw(stream, n_draws, std::span(narrow_));
        if (n_draws <= 255 || std::accumulate(narrow_.begin(), narrow_.end(), std::uint32_t{0}) == n_draws) {
            put(rows.begin, std::span<const std::uint8_t>(narrow_));
            return;
        }
        stream = before;
        wide_.assign(rows.size(), 0);
        draw(stream, n_draws, std::span(wide_));
        put(rows.begin, std::span<const std::uint32_t>(wide_));
    }

    // Four draws of 16 bits from each word. Of the 2^16 values so many are refused that every row has the
    // same number of them left.
    template <class Count>
    static void draw(Stream& given, std::uint64_t n_draws, std::span<Count> counts) {
        constexpr std::uint32_t kValues = std::uint32_t{1} << 16;
        const auto n_rows = static_cast<std::uint32_t>(counts.size());
        const std::uint32_t n_refused = kValues % n_rows;
        Stream stream = given;
        if (n_rows == kBlock)
            for (; n_draws >= 4; n_draws -= 4) {
                const auto word = stream.next();
                for (unsigned part = 0; part < 4; ++part) ++counts[word >> (16 * part + 1) & (kBlock - 1)];
            }
        const auto draw_one = [&](std::uint64_t bits) {
            const auto product = static_cast<std::uint32_t>(bits & (kValues - 1)) * n_rows;
            const bool is_kept = (product & (kValues - 1)) >= n_refused;
            counts[product >> 16] = static_cast<Count>(counts[product >> 16] + is_kept);
            n_draws -= is_kept;
        };
        while (n_draws >= 4) {
            const auto word = stream.next();
            for (unsigned part = 0; part < 4; ++part) draw_one(word >> 16 * part);
        }
        while (n_draws > 0) {
            auto word = stream.next();
            for (unsigned part = 0; part < 4 && n_draws > 0; ++part) draw_one(word >> 16 * part);
        }
        given = stream;
    }

    std::vector<std::uint8_t> narrow_;
    std::vector<std::uint32_t> wide_;
};

// The same for cells of many rows: how many draws fall into each. `ends` are those of the cells, in rows.
// Calls put(cell, count) for each cell in order.
template <class Put>
void draw_cells(Stream& stream, std::uint64_t n_draws, std::span<const std::uint32_t> ends, Put put,
                std::size_t first_cell = 0, std::uint32_t first_row = 0) {
    if (ends.empty()) return;
    if (ends.size() == 1) {
        put(first_cell, n_draws);
        return;
    }
    const std::size_t middle = ends.size() / 2;
    const std::uint32_t row = ends[middle - 1];
    const auto n_left = binomial(stream, n_draws, {row - first_row, ends.back() - first_row});
    draw_cells(stream, n_left, ends.first(middle), put, first_cell, first_row);
    draw_cells(stream, n_draws - n_left, ends.subspan(middle), put, first_cell + middle, row);
}

}  // namespace heldout
