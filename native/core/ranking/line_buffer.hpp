#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace heldout {

// Memory for records that begins where a cache line does and is not filled before it is needed.
template <class Record>
class LineBuffer {
  public:
    static constexpr std::size_t kLine = 64;

    LineBuffer() = default;
    explicit LineBuffer(std::size_t n)
        : records_(static_cast<Record*>(::operator new(n * sizeof(Record), std::align_val_t{kLine}))),
          size_(n) {}

    Record* data() { return records_.get(); }
    const Record* data() const { return records_.get(); }
    std::size_t size() const { return size_; }

  private:
    struct Free {
        void operator()(Record* records) const { ::operator delete(records, std::align_val_t{kLine}); }
    };
    std::unique_ptr<Record[], Free> records_;
    std::size_t size_ = 0;
};

}  // namespace heldout
