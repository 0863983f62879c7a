// Items over several banks: each bank holds a layout of its own, no larger than it is.
#ifndef PTEPROOF_PLANNER_PLACEMENT_BANKS_H_
#define PTEPROOF_PLANNER_PLACEMENT_BANKS_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/placement/algorithms.h"
#include "planner/placement/item.h"
#include "pteproof/result.h"

namespace pteproof::placement {

struct Bank {
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

  std::string name;
  int64_t capacity = kUnbounded;  // bytes
  int64_t alignment = 1;          // at least this for whatever lies in it; a power of two
};

// Where an item may go: banks, by index, in order of preference. One bank pins it there.
using Preference = std::vector<int32_t>;

// Any algorithm over the items of one bank.
using Placer = std::function<Layout<int64_t>(std::span<const Item<int64_t>>)>;

[[nodiscard]] Placer PlacerOf(Algorithm algorithm);
[[nodiscard]] Placer PlacerOf(Algorithm algorithm, const Effort& effort);

struct BankedLayout {
  std::vector<int32_t> bank;     // per item: index in the banks
  std::vector<int64_t> offsets;  // per item
  std::vector<int64_t> peaks;    // per bank
};

// The reason for a missing layout.
struct BankError {
  enum class Kind : uint8_t {
    kFull,       // `items` do not fit a bank together; with any one of them less they would
    kNoBank,     // `items` may go nowhere: a storage names an unknown bank, or no such pool
    kBadLayout,  // the placer's layout is none (`why`)
  };
  Kind kind = Kind::kFull;
  std::vector<int32_t> items;  // ascending
  int32_t bank = -1;           // the last bank that was tried
  std::string why;             // one sentence, without names
};

// What a custom pool's name stands for: banks in order of preference; nothing: it is unknown.
using Pools = std::function<std::optional<Preference>(const std::string& pool)>;

// Per item what its pool stands for; an empty name: no preference. kNoBank names all items whose
// pool is unknown.
[[nodiscard]] Result<std::vector<Preference>, BankError> PreferencesOf(
    std::span<const std::string> pool_of_item, const Pools& pools);

// Fills banks: pinned items first, then the others by size, each in the first bank of its
// preference that can still hold it. Items tied together go where the first of them that has a
// preference goes. `preferences` is per item; an empty entry, or a list that ends before, stands
// for all banks in their order. The items must be Placeable (load.h); every layout of the placer
// passes the validator. O((k + 1) log n) calls of it for k items that spill.
[[nodiscard]] Result<BankedLayout, BankError> PlaceInBanks(std::span<const Item<int64_t>> items,
                                                           std::span<const Bank> banks,
                                                           std::span<const Preference> preferences,
                                                           const Placer& placer);

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_BANKS_H_
