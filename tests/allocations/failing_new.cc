#include "tests/allocations/failing_new.h"

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace pteproof {
namespace {

// Operator new has no other place to keep what it is to do.
struct NewState {
  bool counts = false;
  int64_t seen = 0;
  int64_t first = 0;  // these fail
  int64_t last = 0;
  int64_t in_use = 0;  // bytes
  int64_t peak = 0;
};
NewState g_state;

// No machine has so much: sanitizers take a request like that for a mistake.
constexpr size_t kAbsurd = size_t{1} << 46;

}  // namespace

FailingNew::FailingNew(Fails which, int64_t n) {
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  g_state = {.counts = true, .seen = 0, .first = n, .last = n};
  if (which == Fails::kNone) g_state.first = kNever;
  if (which == Fails::kAllFrom) g_state.last = kNever;
}

FailingNew::~FailingNew() {
  g_state.counts = false;
}

int64_t FailingNew::count() const {
  return g_state.seen;
}

int64_t FailingNew::peak() const {
  return g_state.peak;
}

namespace {

void* AllocateOrNull(size_t size, size_t alignment) noexcept {
  if (g_state.counts) {
    ++g_state.seen;
    if (g_state.seen >= g_state.first && g_state.seen <= g_state.last) return nullptr;
  }
  if (size > kAbsurd) return nullptr;
  size = std::max<size_t>(size, 1);
  void* memory =
      alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
          ? std::malloc(size)
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (g_state.counts && memory != nullptr) {
    g_state.in_use += static_cast<int64_t>(malloc_usable_size(memory));
    g_state.peak = std::max(g_state.peak, g_state.in_use);
  }
  return memory;
}

void Release(void* memory) noexcept {
  if (g_state.counts) g_state.in_use -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

void* AllocateOrThrow(size_t size, size_t alignment) {
  void* memory = AllocateOrNull(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace
}  // namespace pteproof

// NOLINTBEGIN: every form is replaced, so that none goes past the count.
void* operator new(size_t size) {
  return pteproof::AllocateOrThrow(size, 1);
}
void* operator new[](size_t size) {
  return pteproof::AllocateOrThrow(size, 1);
}
void* operator new(size_t size, std::align_val_t alignment) {
  return pteproof::AllocateOrThrow(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  return pteproof::AllocateOrThrow(size, static_cast<size_t>(alignment));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return pteproof::AllocateOrNull(size, 1);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return pteproof::AllocateOrNull(size, 1);
}
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return pteproof::AllocateOrNull(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return pteproof::AllocateOrNull(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  pteproof::Release(memory);
}
void operator delete[](void* memory) noexcept {
  pteproof::Release(memory);
}
void operator delete(void* memory, size_t) noexcept {
  pteproof::Release(memory);
}
void operator delete[](void* memory, size_t) noexcept {
  pteproof::Release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  pteproof::Release(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  pteproof::Release(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  pteproof::Release(memory);
}
void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
  pteproof::Release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  pteproof::Release(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  pteproof::Release(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  pteproof::Release(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  pteproof::Release(memory);
}
// NOLINTEND
