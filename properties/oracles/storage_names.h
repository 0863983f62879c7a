// Which values of a method stand for a storage of their own, and which for bytes that another value
// has: the buffers, the views and the concatenations that the exporter elided. Read off the
// instructions and placements alone, and shared with no check. Judges nothing: where a plan is
// wrong it says what the program means.
#ifndef PTEPROOF_PROPERTIES_ORACLES_STORAGE_NAMES_H_
#define PTEPROOF_PROPERTIES_ORACLES_STORAGE_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

enum class NameKind : uint8_t {
  kOwn,     // what an instruction makes, an input, a constant, or no tensor
  kState,   // a buffer: lives from call to call
  kView,    // what `base` holds, with other sizes
  kConcat,  // what `tiles` hold, one behind the other
  kPart,    // some of an older input's or buffer's bytes; how they are read, nothing says
};

struct StorageName {
  NameKind kind = NameKind::kOwn;
  int32_t base = -1;           // kView
  std::vector<int32_t> tiles;  // kConcat
  // kView, kConcat: the exporter made it before this instruction, so that later stores to what it
  // names are not its own.
  int32_t made_before = 0;
  // No instruction writes it: a loop that comes by there again makes it anew.
  bool remade = false;
  bool same_buffer = false;  // kView of a buffer, by its own name: once written, what it ends with
};

// Whether it is a buffer, by the first of its names or by another.
[[nodiscard]] inline bool IsBuffer(const StorageName& name) {
  return name.kind == NameKind::kState || name.same_buffer;
}

// Per value. O(n log n) in values and arguments, and of values that nothing makes times inputs and
// buffers.
[[nodiscard]] std::vector<StorageName> StorageNamesOf(const Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_STORAGE_NAMES_H_
