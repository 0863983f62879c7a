// Smaller drafts than a given one, so that a failing case is cut down to what it needs: first
// whole features, buffers, methods and calls, which others refer to, then nodes and the like by
// every contiguous range, then single numbers.
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
  // Fields: the byte loses old >> by; from 8 on it becomes by - 8. Nodes, uses, inputs: what comes
  // after the range reaches over it to what it used, if each element of it made so many values.
  uint8_t by = 0;
};

// In the order in which they should be tried. O(elements^2).
[[nodiscard]] std::vector<Cut> CutsOf(const CaseDraft& draft);

// Uses of, stores to and calls of what is cut go with it, those of the rest are renumbered.
[[nodiscard]] CaseDraft Applied(const CaseDraft& draft, const Cut& cut);

// The draft cut down as far as it still fails: no single cut of the result does. `fails` must hold
// for `draft`.
[[nodiscard]] CaseDraft Shrunk(CaseDraft draft, const std::function<bool(const CaseDraft&)>& fails);

}  // namespace pteproof::generators

#endif  // PTEPROOF_PROPERTIES_GENERATORS_SHRINK_H_
