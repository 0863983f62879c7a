// The requests that ExecuTorch 1.5.1 makes to a method's allocator when it loads the method, in
// order, from the program alone: sizes and alignments. Those of a delegate's backend are its own,
// and are not among them.
#ifndef PTEPROOF_PROPERTIES_MEMORY_METHOD_ALLOCATOR_H_
#define PTEPROOF_PROPERTIES_MEMORY_METHOD_ALLOCATOR_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::memory {

// Processors for which the sizes of the runtime's objects are known.
enum class Abi : uint8_t {
  kX64,    // 64-bit x86, as the wheel for Linux has it: measured
  kArm32,  // 32-bit Arm: computed from the same source, never measured
};

[[nodiscard]] std::string_view Name(Abi abi);  // "x86-64", "arm32"

enum class RequestKind : uint8_t {
  kRequest,
  kBackend,  // no request: here a delegate's backend makes its own, if it has any
  kLookup,   // while kernels are looked up: of the temporary allocator, if that is large enough
};

struct Request {
  RequestKind kind = RequestKind::kRequest;
  uint64_t size = 0;
  uint32_t alignment = 1;

  bool operator==(const Request&) const = default;
};

struct LoadContext {
  bool has_data = false;        // a data file is given
  bool has_named_data = false;  // the program has named data
};

[[nodiscard]] LoadContext ContextOf(const Program& program, bool has_data);

// With a temporary allocator that has a size of 0, as ExecuTorch's own loaders have it: lookups
// go to the method's allocator. O(values + instructions and their arguments).
[[nodiscard]] std::vector<Request> RequestsOf(const Method& method, const LoadContext& context,
                                              Abi abi);

struct AllocatorUse {
  uint64_t requested = 0;  // bytes, lookups too
  uint64_t lookups = 0;    // of these
  uint64_t requests = 0;   // their number
  uint64_t end = 0;        // of an allocator that goes up from a base at a multiple of 64
  uint64_t end_arm32 = 0;  // the same on 32-bit Arm: computed, never measured
};

[[nodiscard]] AllocatorUse AllocatorUseOf(const Method& method, const LoadContext& context);

// Where such an allocator ends.
[[nodiscard]] uint64_t EndOf(const std::vector<Request>& requests);

}  // namespace pteproof::memory

#endif  // PTEPROOF_PROPERTIES_MEMORY_METHOD_ALLOCATOR_H_
