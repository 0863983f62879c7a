// Idea. A store leaves its value in the bytes of what it overwrites. So the value of a buffer or
// input at entry and all values stored to it are one storage from the start. The copies were put in
// an order in which nothing is read after it was overwritten (parallel_copy.cc), so no attempt can
// fail. Cost: O(values).
#include <cassert>

#include "planner/passes/passes.h"

namespace pteproof::planner {

void ShareStored(const Code& code, Sharing& sharing) {
  for (size_t v = 0; v < code.values.size(); ++v) {
    const CodeValue& value = code.values[v];
    if (value.origin == Origin::kStep || TensorTypeOf(code, static_cast<ValueId>(v)) == nullptr) {
      continue;
    }
    const auto index = static_cast<size_t>(value.index);
    const ValueId entry = value.origin == Origin::kInput ? code.inputs[index] : code.entry[index];
    [[maybe_unused]] const bool shared = sharing.TryShare(entry, static_cast<ValueId>(v));
    assert(shared);
  }
}

}  // namespace pteproof::planner
