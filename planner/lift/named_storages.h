// Which values of a method share bytes because they are names of one storage, and where each lies
// in it: as the method is meant, not as it is planned.
#ifndef PTEPROOF_PLANNER_LIFT_NAMED_STORAGES_H_
#define PTEPROOF_PLANNER_LIFT_NAMED_STORAGES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "meaning/method_meaning.h"
#include "planner/lift/derived_names.h"
#include "planner/lift/touches.h"
#include "pteproof/program.h"

namespace pteproof::planner {

struct NamedStorages {
  std::vector<int32_t> storage;  // per value: one value of the storage, the same for all of it
  std::vector<int64_t> at;       // per value: bytes from that value's first byte
  // Values that would have to lie at two places of one storage.
  std::vector<int32_t> misfits;

  [[nodiscard]] bool Share(const Method& method, int32_t a, int32_t b) const;
};

// What a view or a return slot made lies with the value that it came from; what a move made, with
// the first of those that it may be. O(n log n).
[[nodiscard]] NamedStorages NamedStoragesOf(const meaning::MethodMeaning& meant,
                                            const MethodTouches& touches,
                                            std::span<const DerivedName> names);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LIFT_NAMED_STORAGES_H_
