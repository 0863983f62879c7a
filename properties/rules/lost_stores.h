// The stores to state that the program lost: the model has them, the program does not. Found from
// the file alone and from the manifest; each loss once, with the better evidence. The words are in
// write_back.cc.
#ifndef PTEPROOF_PROPERTIES_RULES_LOST_STORES_H_
#define PTEPROOF_PROPERTIES_RULES_LOST_STORES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "properties/rules/shared_state.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {

// How a loss is known.
enum class LossKind : uint8_t {
  kStated,      // the manifest says that the model's method stores to the buffer
  kUncounted,   // it says that the method stores to more buffers; which, the file does not tell
  kEverywhere,  // the buffer is read, and nothing gives it a value
  kUntouched,   // nothing in the method touches the buffer, and a store went elsewhere
  kAlongside,   // nothing in the program touches the buffer, beside one whose store was dropped
};

struct LostStore {
  LossKind kind = LossKind::kStated;
  int32_t method = 0;
  const StateKey* key = nullptr;
  const StateInstance* state = nullptr;  // the buffer in this method; null: none that is known
  std::string_view buffer{};  // kStated: the manifest's name; kAlongside: that of the dropped store
  size_t missing = 1;         // kUncounted: how many stores
  int32_t store = -1;         // the instruction that stores elsewhere instead; -1: none
  bool onto_itself = false;   // `store` stores the buffer onto itself
  bool doubtful = false;      // `store` is what a model that mutates its input has as well
  bool observed = true;       // false: no method reads the buffer, so no output shows the loss
  bool given_to_delegate = false;  // which may store to it: the file does not say
};

// O(n log n) in states and instructions, but for captured stores (captured_stores.h).
[[nodiscard]] std::vector<LostStore> LostStores(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_LOST_STORES_H_
