#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace heldout {

// Memory that begins where a cache line does. It is not filled before it is needed: where much of it stays
// unused, the system never has to provide that part.
template <class T>
class AlignedBuffer {
  public:
    static constexpr std::size_t kLine = 64;

    AlignedBuffer() = default;
    explicit AlignedBuffer(std::size_t n)
        : entries_(static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{kLine}))), size_(n) {}

    // The same, filled with zeros.
    static AlignedBuffer zeros(std::size_t n) {
        AlignedBuffer buffer(n);
        std::memset(buffer.data(), 0, n * sizeof(T));
        return buffer;
    }

    T* data() { return entries_.get(); }
    const T* data() const { return entries_.get(); }
    std::size_t size() const { return size_; }

  private:
    struct Free {
        void operator()(T* entries) const { ::operator delete(entries, std::align_val_t{kLine}); }
    };
    std::unique_ptr<T[], Free> entries_;
    std::size_t size_ = 0;
};

}  // namespace heldout
