// The names of one storage, by value: buffers, and the views and concatenations that the exporter
// elided; all other values have a storage of their own. Derived from instructions and placements
// alone, and shared with no check. Not a judgement of the plan: for a wrong plan it gives the
// meaning of the program.
#ifndef PTEPROOF_PROPERTIES_ORACLES_STORAGE_NAMES_H_
#define PTEPROOF_PROPERTIES_ORACLES_STORAGE_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pteproof/program.h"
#include "runtime/execute/opaque_call.h"

namespace pteproof {

enum class NameKind : uint8_t {
  kOwn,     // what an instruction makes, an input, a constant, or no tensor
  kState,   // a buffer: lives from call to call
  kView,    // what `base` holds, with other sizes
  kConcat,  // what `tiles` hold, one behind the other
  kSlice,   // the run of bytes at its place within what the one tile holds
  kPart,    // some of an older input's or buffer's bytes; how they are read, nothing says
};

struct StorageName {
  NameKind kind = NameKind::kOwn;
  int32_t base = -1;           // kView
  std::vector<int32_t> tiles;  // kConcat; kSlice: the value around it
  // kView, kConcat, kSlice: the exporter made it before this instruction, so a later store to its
  // base is not a store to it.
  int32_t made_before = 0;
  // No instruction writes it: a loop makes it again in each round.
  bool remade = false;
  bool same_buffer = false;  // kView of a buffer, by its own name: once written, what it ends with
};

// Whether it is a buffer, by the first of its names or by another.
[[nodiscard]] inline bool IsBuffer(const StorageName& name) {
  return name.kind == NameKind::kState || name.same_buffer;
}

// Per value. `opaque`: of the method's calls that nobody can look into, what a run is given.
// O(n log n) in values and arguments, and of values that nothing makes times inputs and buffers.
[[nodiscard]] std::vector<StorageName> StorageNamesOf(const Method& method,
                                                      const OpaqueCalls& opaque);
// As the file tells of these calls, without a manifest.
[[nodiscard]] std::vector<StorageName> StorageNamesOf(const Method& method);

// Per method and value.
using ProgramNames = std::vector<std::vector<StorageName>>;

// Methods whose values are in the exporter's order are evidence for those
// that have too few.
[[nodiscard]] ProgramNames StorageNamesOf(const Program& program,
                                          const std::vector<OpaqueCalls>& opaque);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_STORAGE_NAMES_H_
