#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "ranking/line_buffer.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace heldout {

// Writes a full cache line past the caches, which have no use for it.
inline void stream_line(void* to, const void* line) {
#if defined(__SSE2__)
    for (std::size_t part = 0; part < LineBuffer<char>::kLine / sizeof(__m128i); ++part)
        _mm_stream_si128(static_cast<__m128i*>(to) + part,
                         _mm_load_si128(static_cast<const __m128i*>(line) + part));
#else
    std::memcpy(to, line, LineBuffer<char>::kLine);
#endif
}

inline void finish_streams() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

// Puts each record to the next place of its digit. The places of a digit lie together, and those of many
// digits are too many for the caches: each digit collects a line of records, which is then written at once.
template <class Record>
class LineScatter {
  public:
    LineScatter(Record* to, std::span<std::uint32_t> places)
        : places_(places),
          first_(places.begin(), places.end()),
          offset_(reinterpret_cast<std::uintptr_t>(to) % kLine / sizeof(Record)),
          base_(to - offset_),
          lines_(places.size() * kPerLine) {}

    void put(std::size_t digit, const Record& record) {
        const std::size_t place = places_[digit]++ + offset_;
        Record* const line = lines_.data() + digit * kPerLine;
        line[place % kPerLine] = record;
        if (place % kPerLine == kPerLine - 1) flush(digit, place + 1 - kPerLine, line);
    }

    void finish() {
        for (std::size_t digit = 0; digit < places_.size(); ++digit) {
            const std::size_t end = places_[digit] + offset_;
            copy(digit, end / kPerLine * kPerLine, end, lines_.data() + digit * kPerLine);
        }
        finish_streams();
    }

  private:
    static constexpr std::size_t kLine = LineBuffer<Record>::kLine, kPerLine = kLine / sizeof(Record);

    void flush(std::size_t digit, std::size_t begin, const Record* line) {
        if (begin >= first_[digit] + offset_)
            stream_line(base_ + begin, line);
        else
            copy(digit, begin, begin + kPerLine, line);
    }

    // The part of a line that belongs to the digit.
    void copy(std::size_t digit, std::size_t begin, std::size_t end, const Record* line) {
        for (std::size_t place = std::max(begin, first_[digit] + offset_); place < end; ++place)
            base_[place] = line[place % kPerLine];
    }

    std::span<std::uint32_t> places_;
    std::vector<std::uint32_t> first_;
    std::size_t offset_;  // of the first place from the beginning of its line
    Record* base_;
    LineBuffer<Record> lines_;
};

}  // namespace heldout
