// How a call ends that asks for what it must not: a kernel throws, and the method's run says which
// instruction it was. Kernels own nothing that would have to be freed.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_CALL_FAULT_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_CALL_FAULT_H_

#include <array>
#include <cstddef>
#include <span>

#include "base/unwind.h"

namespace pteproof {

// Known by their addresses.
inline constexpr char kOutside[] =
    "the call would read or write outside of its operands and results";
inline constexpr char kTooMuchWork[] = "the call takes more work than the limit allows";
inline constexpr char kNoMemory[] = "there is not enough memory";

struct CallFault {
  const char* why;
};

[[noreturn]] inline void ThrowOutside() {
  GiveUp(CallFault{kOutside});
}

// Lists that know where they end, in all builds.
template <class T, size_t kCount>
struct CheckedArray : std::array<T, kCount> {
  [[nodiscard]] constexpr T& operator[](size_t i) {
    if (i >= kCount) ThrowOutside();
    return std::array<T, kCount>::operator[](i);
  }
  [[nodiscard]] constexpr const T& operator[](size_t i) const {
    if (i >= kCount) ThrowOutside();
    return std::array<T, kCount>::operator[](i);
  }
};

template <class T>
struct CheckedSpan : std::span<T> {
  using std::span<T>::span;
  CheckedSpan(std::span<T> list) : std::span<T>(list) {}  // NOLINT: the same list

  [[nodiscard]] constexpr T& operator[](size_t i) const {
    if (i >= this->size()) ThrowOutside();
    return std::span<T>::operator[](i);
  }
  [[nodiscard]] constexpr T& front() const { return (*this)[0]; }
  [[nodiscard]] constexpr T& back() const { return (*this)[this->size() - 1]; }
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_CALL_FAULT_H_
