#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace heldout {

// Numbers, zero at first, that begin where a cache line does.
template <class F>
class AlignedBuffer {
  public:
    AlignedBuffer() = default;
    explicit AlignedBuffer(std::size_t n)
        : numbers_(static_cast<F*>(::operator new(n * sizeof(F), std::align_val_t{kLine}))), size_(n) {
        std::memset(numbers_.get(), 0, n * sizeof(F));
    }

    F* data() { return numbers_.get(); }
    const F* data() const { return numbers_.get(); }
    std::size_t size() const { return size_; }

  private:
    static constexpr std::size_t kLine = 64;
    struct Free {
        void operator()(F* numbers) const { ::operator delete(numbers, std::align_val_t{kLine}); }
    };
    std::unique_ptr<F[], Free> numbers_;
    std::size_t size_ = 0;
};

}  // namespace heldout
