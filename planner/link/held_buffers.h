// The buffers of a decoded method by name: in which values it holds them, and with which initial
// value.
#ifndef PTEPROOF_PLANNER_LINK_HELD_BUFFERS_H_
#define PTEPROOF_PLANNER_LINK_HELD_BUFFERS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/lift/byte_owners.h"
#include "pteproof/program.h"

namespace pteproof::planner {

struct HeldBuffer {
  std::vector<int32_t> values;  // ascending; views of a buffer carry its name too
  bool constant = false;        // they are constants of the method
  bool planned = false;         // they have a place
};

using HeldBuffers = std::map<std::string, HeldBuffer>;

// By the names in the file, and by those of `values`, which win.
[[nodiscard]] HeldBuffers HeldBuffersOf(const Method& method,
                                        const std::map<int32_t, std::string>& values);

// What two methods that share a buffer have to agree on.
struct BufferForm {
  ScalarType dtype = ScalarType::kUInt8;
  std::vector<int32_t> sizes;
  std::vector<int32_t> dim_order;
  uint64_t nbytes = 0;
  Bytes initial;  // empty: zeros
};

// Of a tensor, with the bytes that the file stores for it.
[[nodiscard]] BufferForm FormOf(const Program& program, const Method& method, int32_t value);

// "float32 [2, 8]".
[[nodiscard]] std::string TypeWords(const BufferForm& form);

// Gives the value's tensor that name.
void SetName(Method& method, int32_t value, const std::string& name);

// Whether all bytes are zero; an empty range is.
[[nodiscard]] bool AreZero(Bytes bytes);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LINK_HELD_BUFFERS_H_
