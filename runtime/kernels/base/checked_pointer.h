// The memory of one operand, and pointers into it. A kernel computes with them as with others, also
// beyond the ends; bytes come only of the functions here, which know where the memory ends. So a
// kernel's mistake ends the call (call_fault.h), and touches nothing that is not the call's.
//
// Cost: a comparison for each row or block, and for each element that is touched alone.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_CHECKED_POINTER_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_CHECKED_POINTER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/kernels/base/call_fault.h"
#include "runtime/kernels/base/call_work.h"

namespace pteproof {

// Bytes that places may lie in. Whoever has places keeps it where it is.
class MemoryExtent {
 public:
  MemoryExtent() = default;
  MemoryExtent(std::span<std::byte> bytes, CallWork* work)
      : bytes_(bytes), work_(work), there_(true), writable_(true) {}
  MemoryExtent(std::span<const std::byte> bytes, CallWork* work)
      : bytes_(const_cast<std::byte*>(bytes.data()), bytes.size()), work_(work), there_(true) {}

  [[nodiscard]] uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] bool writable() const { return writable_; }
  // Whether there is memory, be it of no bytes.
  [[nodiscard]] bool there() const { return there_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] std::span<std::byte> writable_bytes() const {
    return writable_ ? bytes_ : std::span<std::byte>();
  }
  // The first bytes of it, or all where it has no more.
  [[nodiscard]] MemoryExtent First(uint64_t bytes) const {
    MemoryExtent part = *this;
    part.bytes_ = bytes_.first(static_cast<size_t>(std::min<uint64_t>(bytes, bytes_.size())));
    return part;
  }

 private:
  friend class CheckedPointer;

  std::span<std::byte> bytes_;
  CallWork* work_ = nullptr;
  bool there_ = false;
  bool writable_ = false;
};

class CheckedPointer {
 public:
  CheckedPointer() = default;
  explicit CheckedPointer(const MemoryExtent& within) : within_(&within) {}

  // Whether it is one.
  [[nodiscard]] bool given() const { return within_ != nullptr; }
  [[nodiscard]] CallWork* work() const { return within_ == nullptr ? nullptr : within_->work_; }

  CheckedPointer& operator+=(int64_t bytes) {
    offset_ += static_cast<uint64_t>(bytes);  // modulo 2^64, as the test below takes it
    return *this;
  }
  CheckedPointer& operator-=(int64_t bytes) {
    offset_ -= static_cast<uint64_t>(bytes);
    return *this;
  }
  [[nodiscard]] CheckedPointer operator+(int64_t bytes) const {
    CheckedPointer place = *this;
    return place += bytes;
  }

  // `count` elements of so many bytes that lie `stride` bytes apart, the first of them here.
  // Null for none.
  [[nodiscard]] const std::byte* Read(size_t size, int64_t stride = 0, int64_t count = 1) const {
    return Checked(size, stride, count);
  }
  [[nodiscard]] std::byte* Write(size_t size, int64_t stride = 0, int64_t count = 1) const {
    RequireWritable();
    return Checked(size, stride, count);
  }
  // `rows` rows of those, which are `row_stride` bytes apart.
  [[nodiscard]] const std::byte* ReadRows(size_t size, int64_t stride, int64_t count,
                                          int64_t row_stride, int64_t rows) const {
    if (rows <= 0 || count <= 0) return nullptr;
    if (CallWork* told = work()) told->TakeProduct(count, rows);
    (void)Read(size, stride, count);
    int64_t last = 0;
    if (__builtin_mul_overflow(row_stride, rows - 1, &last)) ThrowOutside();
    (void)(*this + last).Read(size, stride, count);
    return within_->bytes_.data() + offset_;
  }
  [[nodiscard]] std::byte* WriteRows(size_t size, int64_t stride, int64_t count, int64_t row_stride,
                                     int64_t rows) const {
    RequireWritable();
    return const_cast<std::byte*>(ReadRows(size, stride, count, row_stride, rows));
  }

  // Where it lies, to compare it with others.
  [[nodiscard]] uintptr_t address() const {
    return within_ == nullptr ? 0 : reinterpret_cast<uintptr_t>(within_->bytes_.data()) + offset_;
  }

 private:
  void RequireWritable() const {
    // Of no memory nothing is written but no bytes, as of a tensor that is empty.
    if (within_ != nullptr && within_->there_ && !within_->writable_) ThrowOutside();
  }
  [[nodiscard]] std::byte* Checked(size_t size, int64_t stride, int64_t count) const {
    if (count <= 0) return nullptr;
    if (within_ == nullptr) ThrowOutside();
    if (within_->work_ != nullptr) within_->work_->Take(count);
    int64_t reach = 0;
    if (count > 1 && __builtin_mul_overflow(stride, count - 1, &reach)) ThrowOutside();
    const auto forward = static_cast<uint64_t>(reach);
    const uint64_t first = reach < 0 ? offset_ + forward : offset_;
    const uint64_t span = (reach < 0 ? 0 - forward : forward) + size;
    const uint64_t all = within_->bytes_.size();
    if (first > all || span > all - first) ThrowOutside();
    return within_->bytes_.data() + offset_;
  }

  const MemoryExtent* within_ = nullptr;
  uint64_t offset_ = 0;
};

// A number that is an operand: one element in memory of its own.
class LoneElement {
 public:
  LoneElement() = default;
  LoneElement(const LoneElement&) = delete;
  LoneElement& operator=(const LoneElement&) = delete;

  [[nodiscard]] std::byte* bytes() { return bytes_.data(); }
  [[nodiscard]] CheckedPointer pointer() const { return CheckedPointer(extent_); }

 private:
  std::array<std::byte, 16> bytes_ = {};
  MemoryExtent extent_ = {std::span<const std::byte>(bytes_), nullptr};
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_CHECKED_POINTER_H_
