#include "fuzz/heap_meter.h"

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// What is counted has no owner to keep it: every allocation of the thread passes here.
thread_local int64_t live = 0;
thread_local int64_t peak = 0;

void* Counted(void* memory) {
  if (memory == nullptr) return nullptr;
  live += static_cast<int64_t>(malloc_usable_size(memory));
  peak = std::max(peak, live);
  return memory;
}

void* Allocate(size_t size) {
  return Counted(std::malloc(std::max<size_t>(size, 1)));
}
void* Allocate(size_t size, std::align_val_t alignment) {
  const auto a = static_cast<size_t>(alignment);
  return Counted(std::aligned_alloc(a, (std::max<size_t>(size, 1) + a - 1) / a * a));
}

void* OrThrow(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void Release(void* memory) {
  if (memory != nullptr) live -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

// All forms: sanitizers have each apart from the others, and memory from theirs must not be given
// back to ours.
void* operator new(size_t size) {
  return OrThrow(Allocate(size));
}
void* operator new(size_t size, std::align_val_t alignment) {
  return OrThrow(Allocate(size, alignment));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return Allocate(size);
}
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Allocate(size, alignment);
}
void operator delete(void* memory) noexcept {
  Release(memory);
}
void operator delete(void* memory, size_t) noexcept {
  Release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  Release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  Release(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  Release(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  Release(memory);
}

namespace pteproof::fuzz {

HeapMeter::HeapMeter() : before_(live) {
  peak = live;
}

int64_t HeapMeter::Peak() const {
  return peak - before_;
}

}  // namespace pteproof::fuzz
