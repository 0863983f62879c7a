// The operators new and delete, as the C++ standard describes those of a library. zig's linker
// takes no list of what a library exports, and the compiler declares these operators visible, so
// that those of a linked libc++ would be exported, and could stand in for another library's. These
// are compiled as hidden. They are all of them: if one were missing, libc++'s would be linked, and
// would make each of that name visible again.
#include <stdlib.h>

#include <algorithm>
#include <new>

namespace {

constexpr size_t kUsual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

void* TryAllocate(size_t size, size_t alignment) {
  if (alignment <= kUsual) return malloc(std::max<size_t>(size, 1));
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, std::max<size_t>(size, 1)) == 0 ? memory : nullptr;
}

void* Allocate(size_t size, size_t alignment) {
  for (;;) {
    void* const memory = TryAllocate(size, alignment);
    if (memory != nullptr) return memory;
    const std::new_handler make_room = std::get_new_handler();
    if (make_room == nullptr) throw std::bad_alloc();
    make_room();
  }
}

void* AllocateOrNull(size_t size, size_t alignment) noexcept {
  try {
    return Allocate(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

void* operator new(size_t size) {
  return Allocate(size, kUsual);
}
void* operator new[](size_t size) {
  return Allocate(size, kUsual);
}
void* operator new(size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<size_t>(alignment));
}

void* operator new(size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return AllocateOrNull(size, kUsual);
}
void* operator new[](size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return AllocateOrNull(size, kUsual);
}
void* operator new(size_t size, std::align_val_t alignment,
                   const std::nothrow_t& /*tag*/) noexcept {
  return AllocateOrNull(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment,
                     const std::nothrow_t& /*tag*/) noexcept {
  return AllocateOrNull(size, static_cast<size_t>(alignment));
}

void operator delete(void* memory) noexcept {
  free(memory);
}
void operator delete[](void* memory) noexcept {
  free(memory);
}
void operator delete(void* memory, size_t /*size*/) noexcept {
  free(memory);
}
void operator delete[](void* memory, size_t /*size*/) noexcept {
  free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  free(memory);
}
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept {
  free(memory);
}
void operator delete(void* memory, size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  free(memory);
}
void operator delete[](void* memory, size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  free(memory);
}
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept {
  free(memory);
}
void operator delete[](void* memory, const std::nothrow_t& /*tag*/) noexcept {
  free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/,
                     const std::nothrow_t& /*tag*/) noexcept {
  free(memory);
}
void operator delete[](void* memory, std::align_val_t /*alignment*/,
                       const std::nothrow_t& /*tag*/) noexcept {
  free(memory);
}
