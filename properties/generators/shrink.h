// Smaller drafts than a given one, to reduce a failing case to its essential parts: first whole
// features, buffers, methods and calls, which others refer to, then every contiguous range of nodes
// and the like, then single numbers.
#ifndef PTEPROOF_PROPERTIES_GENERATORS_SHRINK_H_
#define PTEPROOF_PROPERTIES_GENERATORS_SHRINK_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "properties/generators/draft.h"

namespace pteproof::generators {

// One way to make a draft smaller; cheap to list, applied when it is tried.
struct Cut {
  enum class What : uint8_t {
    kFeature,
    kBuffers,
    kMethods,
    kCalls,
    kNodes,
    kInputs,
    kUses,
    kStores,
    kOutputs,
    kBufferField,
    kCallField,
    kNodeField,
    kInputField,
    kUseField,
    kStoreField,
    kOutputField,
  };
  What what = What::kFeature;
  uint8_t method = 0;
  uint8_t at = 0;     // first element
  uint8_t count = 0;  // elements to leave out; fields: which byte
  // Fields: the byte loses old >> by; from 8 on it becomes by - 8. Nodes, uses, inputs: references
  // after the range reach over it to the values that they used, if each element of the range made
  // so many values.
  uint8_t by = 0;
};

// In the order in which they should be tried. O(elements^2).
[[nodiscard]] std::vector<Cut> CutsOf(const CaseDraft& draft);

// Uses of, stores to and calls of the cut elements go with them; the other references are
// renumbered.
[[nodiscard]] CaseDraft Applied(const CaseDraft& draft, const Cut& cut);

// The draft cut down as far as it still fails: no single cut of the result does. `fails` must hold
// for `draft`.
[[nodiscard]] CaseDraft Shrunk(CaseDraft draft, const std::function<bool(const CaseDraft&)>& fails);

}  // namespace pteproof::generators

#endif  // PTEPROOF_PROPERTIES_GENERATORS_SHRINK_H_
