// The program's state: which buffers of which methods are one. By fully qualified name if there is
// one, else by placement, unless the manifest or the exporter's numbers say that they are different
// ones.
#ifndef PTEPROOF_MEANING_STATE_TABLE_H_
#define PTEPROOF_MEANING_STATE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "meaning/call_order.h"
#include "meaning/method_meaning.h"

namespace pteproof::meaning {

// One buffer in one method.
struct StateInstance {
  int32_t method = 0;  // index in the program
  int32_t state = 0;   // index in the method's Roles::states
  int32_t value = 0;
  Place place;
  ScalarType dtype = ScalarType::kUInt8;
  uint32_t initial = 0;   // index of its stored initial value, 0: none
  bool external = false;  // its initial value comes from a .ptd
  bool reads = false;     // the method uses its value at entry
  bool writes = false;
  bool stores_all = false;                     // each call stores all of it, and does not read it
  bool touched = false;                        // some instruction or output names it
  std::span<const std::string_view> possible;  // without a name: the buffers that it may be

  // Each load of the method copies an initial value to its place.
  [[nodiscard]] bool initialised() const { return initial > 0 || external; }
  // Same bytes of the same bank, as the same type.
  [[nodiscard]] bool SameLayout(const StateInstance& other) const {
    return place == other.place && dtype == other.dtype;
  }
};

struct StateKey {
  std::string_view name;                 // empty: known by its placement only
  std::vector<StateInstance> instances;  // by method
  bool read_somewhere = false;
  bool written_somewhere = false;
};

// Who reads the value that a call of a method leaves in a buffer.
struct LaterReads {
  bool by_itself = false;  // a later call of the method
  bool by_any = false;     // a later call of any method
};

struct StateTable {
  std::vector<StateKey> keys;
  std::vector<std::vector<int32_t>> key_of;  // per method and state; empty when no method has state
  std::vector<std::vector<LaterReads>> later;  // likewise
};

// O(n log n) in states; with a protocol, times the methods of each buffer.
[[nodiscard]] StateTable StateTableOf(std::span<const MethodMeaning> methods,
                                      const CallOrder& calls);

// The methods of which each call stores all of the buffer at that place: a value that was lost
// there before is not wanted any more.
[[nodiscard]] std::vector<int32_t> RenewersOf(const StateKey& key, const Place& place);

// Whether the result of a reading instruction of method `index` is ever used. A store to state that
// no method reads, this one included, is harmless whatever it stores.
[[nodiscard]] bool IsObserved(const MethodMeaning& method, const StateTable& states, size_t index,
                              int32_t reader);

// The policies under which the loss of a state's value at the method's end matters: all when a
// later call of the method itself reads it, else those that share its bank with a reader.
[[nodiscard]] PolicySet PoliciesWanting(const MethodMeaning& method, const StateTable& states,
                                        size_t index, int32_t state);

// Whether a policy makes a bank one for all methods.
[[nodiscard]] constexpr bool IsShared(Policy policy, uint32_t bank) {
  return policy == Policy::kShareAll || (policy == Policy::kShare12 && (bank == 1 || bank == 2));
}

// The policies that share a bank.
[[nodiscard]] constexpr PolicySet PoliciesSharing(uint32_t bank) {
  PolicySet set = PolicySet::None();
  for (const Policy p : {Policy::kShare12, Policy::kShareAll}) {
    if (IsShared(p, bank)) set.Add(p);
  }
  return set;
}

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_STATE_TABLE_H_
