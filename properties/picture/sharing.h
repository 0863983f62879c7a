// Values of a method that share bytes on purpose. Unlike properties/storages.h, which joins all
// values that meet so that they can be moved as one, this keeps values apart that a plan mixes up
// by mistake.
#ifndef PTEPROOF_PROPERTIES_PICTURE_SHARING_H_
#define PTEPROOF_PROPERTIES_PICTURE_SHARING_H_

#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/picture/picture.h"
#include "properties/value_uses.h"
#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::picture {

// Two values, the smaller first.
using ValuePair = std::pair<int32_t, int32_t>;

// The values of a method that findings set against each other.
[[nodiscard]] std::set<ValuePair> QuarrelsIn(std::string_view method,
                                             std::span<const Finding> findings);

struct Sharing {
  std::vector<int32_t> storage_of;  // per value: the smallest value of its storage
  std::vector<How> how;             // per value
};

// Views, in-place results and branches' results join their storage; operands and results that
// quarrel do not. O(n log n) in accesses.
[[nodiscard]] Sharing SharingOf(const checks::MethodMeaning& meant, const checks::ValueUses& uses,
                                const std::set<ValuePair>& quarrels);

}  // namespace pteproof::picture

#endif  // PTEPROOF_PROPERTIES_PICTURE_SHARING_H_
