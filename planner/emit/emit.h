// Code whose storages have places, as a method of a Program.
#ifndef PTEPROOF_PLANNER_EMIT_EMIT_H_
#define PTEPROOF_PLANNER_EMIT_EMIT_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "planner/code/code.h"
#include "planner/emit/elided_name.h"
#include "planner/passes/sharing.h"
#include "pteproof/program.h"
#include "reference/tensor_value.h"

namespace pteproof::planner {

// Where a storage lies.
struct Place {
  int32_t bank = 0;  // memory id; 0: nowhere, the caller sets its memory or it is a constant
  int64_t offset = 0;
};

// What the file says of a buffer.
struct BufferInFile {
  std::string name;             // fully qualified
  bool several = false;         // each method has one of its own
  uint32_t constant_index = 0;  // in Program::constants; 0: no method has it as a constant
  uint32_t initial_index = 0;   // in Program::initial_values; 0: none, it starts as zeros
};

struct EmitInput {
  const Code& code;
  const Sharing& sharing;
  std::span<const Sizes> bounds;          // by ValueId: sizes at the bound, of tensors
  std::span<const Place> places;          // by storage
  std::span<const BufferInFile> buffers;  // by index in Module::buffers
  std::string_view method;                // its name
  const std::map<int32_t, std::string>& store_operators;  // PlanOptions::store_operators
};

// Appends values and instructions to `method`, whose banks' devices are known. Values are numbered
// as an exporter does: buffers and constants, then inputs, then in the order of the steps. Gives
// the names that no instruction makes, as they come.
std::vector<ElidedName> Emit(const EmitInput& input, Method& method);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_EMIT_EMIT_H_
