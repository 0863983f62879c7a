// Stores that go to an argument, or onto their own source, where a buffer was meant. Says which of
// them there are and which buffer each was meant for; whether that buffer's store is lost, others
// decide.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_CAPTURED_STORES_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_CAPTURED_STORES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "properties/checks/flow/method_check.h"

namespace pteproof::checks {

// Instructions that can run, ascending: copies of a value onto itself; stores to an input that the
// method does not return, or that it stores to again before anybody reads it. O(n log n).
[[nodiscard]] std::vector<int32_t> CapturedStores(const MethodFlow& flow);

// A state of a method and the captured store that was meant for it.
struct MeantStore {
  int32_t state = 0;  // index in Roles::states
  int32_t store = 0;  // instruction
};

// Gives each of `stores` to at most one of `lost` (states, ascending) of the type and size that is
// stored. Exporters store to buffers in the buffers' order; where that does not settle it, a store
// belongs to the state whose value at entry its source is computed from.
[[nodiscard]] std::vector<MeantStore> MeantStores(const MethodCheck& check,
                                                  std::span<const int32_t> lost,
                                                  std::span<const int32_t> stores);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_CAPTURED_STORES_H_
