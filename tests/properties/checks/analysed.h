// A built method with everything that the checks derive from it, for their tests.
#ifndef PTEPROOF_TESTS_PROPERTIES_CHECKS_ANALYSED_H_
#define PTEPROOF_TESTS_PROPERTIES_CHECKS_ANALYSED_H_

#include <cstdint>
#include <ostream>
#include <vector>

#include "properties/checks/clobbers.h"
#include "properties/checks/in_place.h"
#include "properties/vocabulary.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {

struct Analysed {
  explicit Analysed(const MethodBuilder& builder, const Manifest* manifest = nullptr)
      : method(builder.Build()), check{MeaningOf(method, manifest), {}} {
    check.walk = WalkBackwards(check.flow(), check.live);
  }
  Analysed(const Analysed&) = delete;
  Analysed& operator=(const Analysed&) = delete;

  struct Check : MethodMeaning {
    Walk walk;
  };

  Method method;
  Check check;
};

// A clobber without its bytes: `instruction` writes `writer` over `victim`, which `reader` wants.
struct Hit {
  int32_t victim = 0;
  int32_t writer = 0;
  int32_t instruction = 0;
  int32_t reader = 0;
  bool operator==(const Hit&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Hit& hit) {
    return out << 'v' << hit.victim << " under v" << hit.writer << " at " << hit.instruction
               << ", read at " << hit.reader;
  }
};

inline std::vector<Hit> HitsOf(const Walk& walk) {
  std::vector<Hit> hits;
  for (const Clobber& c : walk.clobbers)
    hits.push_back({c.victim, c.writer, c.instruction, c.reader});
  return hits;
}

inline std::vector<Hit> HitsOf(const MethodBuilder& builder) {
  return HitsOf(Analysed(builder).check.walk);
}

// Whether the plan is found sound within the method: no clobber, nothing unmade, no operand
// overwritten.
inline bool IsSound(const MethodBuilder& builder) {
  const Analysed a(builder);
  return a.check.walk.complete && a.check.walk.clobbers.empty() && a.check.unmade.empty() &&
         CheckOperands(a.check).empty();
}

}  // namespace pteproof::checks

#endif  // PTEPROOF_TESTS_PROPERTIES_CHECKS_ANALYSED_H_
