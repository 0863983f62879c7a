// The storages of one method as the picture shows them.
#ifndef PTEPROOF_PROPERTIES_PICTURE_METHOD_STORAGES_H_
#define PTEPROOF_PROPERTIES_PICTURE_METHOD_STORAGES_H_

#include <set>
#include <vector>

#include "properties/picture/picture.h"
#include "properties/picture/sharing.h"
#include "properties/vocabulary.h"

namespace pteproof::picture {

struct MethodStorages {
  bool complete = true;  // false: the control flow is beyond the limit on work; no storages
  std::vector<std::vector<Storage>> by_bank;  // by memory id; each by first byte, then first use
};

// O(n log n) for straight-line code.
[[nodiscard]] MethodStorages StoragesOfMethod(const checks::MethodMeaning& meant,
                                              const std::set<ValuePair>& quarrels);

}  // namespace pteproof::picture

#endif  // PTEPROOF_PROPERTIES_PICTURE_METHOD_STORAGES_H_
