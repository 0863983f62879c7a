// What an operator had written that returned it under another name: its return slot.
#ifndef PTEPROOF_PROPERTIES_PROOFS_RULES_RETURN_NAMES_H_
#define PTEPROOF_PROPERTIES_PROOFS_RULES_RETURN_NAMES_H_

#include <cstdint>
#include <map>
#include <set>

#include "properties/proofs/facts/method_facts.h"

namespace pteproof::proofs {

class ReturnNames {
 public:
  // O(n log n).
  explicit ReturnNames(const MethodFacts& facts) {
    for (const Take& take : facts.listing.takes) {
      if (take.at.step == Step::kReturn) written_.try_emplace(take.to, take.from.front());
    }
  }

  // The tensor itself, if no operator returned it for another. O(names).
  [[nodiscard]] int32_t WrittenAs(int32_t name) const {
    std::set<int32_t> passed;
    for (auto at = written_.find(name); at != written_.end() && passed.insert(name).second;
         at = written_.find(name)) {
      name = at->second;
    }
    return name;
  }

 private:
  std::map<int32_t, int32_t> written_;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_RULES_RETURN_NAMES_H_
