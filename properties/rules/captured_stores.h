// Stores that go to an argument, or onto their own source, where a buffer was meant. Says which of
// them there are and which buffer each was meant for; whether that buffer's store is lost, others
// decide.
#ifndef PTEPROOF_PROPERTIES_RULES_CAPTURED_STORES_H_
#define PTEPROOF_PROPERTIES_RULES_CAPTURED_STORES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "properties/vocabulary.h"

namespace pteproof::checks {

// Instructions that can run, ascending. An exporter returns each input that the model mutates ahead
// of the user's outputs, and emits one store to it.
struct CapturedStores {
  // Copies of a value onto itself, and stores to an input that are not the input's own: it is not
  // returned there, the manifest says that the model does not mutate it, or it is stored to again
  // before anybody reads it.
  std::vector<int32_t> sure;
  // The only store to an input that is returned there: of a model that mutates the input, or of one
  // that stores to a buffer and returns the argument.
  std::vector<int32_t> doubtful;
};

// O(n log n). `stated` may be null.
[[nodiscard]] CapturedStores CapturedStoresOf(const MethodFlow& flow, const ManifestMethod* stated);

// A state of a method and the captured store that was meant for it.
struct MeantStore {
  int32_t state = 0;  // index in Roles::states
  int32_t store = 0;  // instruction
};

// Gives each of `stores` to at most one of `lost` (states, ascending) of the type and size that is
// stored. Exporters store to buffers in the buffers' order; where that does not settle it, a store
// belongs to the state whose value at entry its source is computed from.
[[nodiscard]] std::vector<MeantStore> MeantStores(const MethodMeaning& meant,
                                                  std::span<const int32_t> lost,
                                                  std::span<const int32_t> stores);

// Whether one of `stores` takes a value of the state's type and size.
[[nodiscard]] bool MayBeMeant(const MethodMeaning& meant, int32_t state,
                              std::span<const int32_t> stores);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_CAPTURED_STORES_H_
