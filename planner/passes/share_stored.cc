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
