// Which parts of a failing case do not matter: those that may be anything, and the failure stays.
#ifndef PTEPROOF_PROPERTIES_EXPLAIN_EXPLAIN_H_
#define PTEPROOF_PROPERTIES_EXPLAIN_EXPLAIN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "properties/explain/parts.h"
#include "properties/generators/build_module.h"

namespace pteproof::explain {

enum class Standing : uint8_t {
  kMatters,   // with something else in its place there is another failure, or none
  kAnything,  // whatever was put in its place, the failure stayed
  kUntried,   // nothing else fits there, or the time was up
};

struct PartStanding {
  Part part;
  Standing standing = Standing::kUntried;
  bool other_operators = false;  // kNode: another operator was tried, not only other numbers
  std::string not_with = {};     // kNode that matters: an operator with which the failure goes
};

// The result for all parts that may be anything, replaced all at once.
enum class Together : uint8_t { kNotTried, kStays, kGoes };

struct Explanation {
  std::string kind;  // of the failure
  std::vector<PartStanding> parts;
  Together together = Together::kNotTried;
  bool cut_short = false;  // the time was up before all parts had been tried
  uint64_t tried = 0;      // cases
};

struct Effort {
  int tries = 5;               // for each part, and for all together
  double seconds = 3;          // for everything
  int64_t most_elements = 16;  // contents that matter are tried element by element up to here
};

// The kind of failure of a case, as RunCase or another oracle gives it; empty: none.
using KindOf = std::function<std::string(const generators::RandomCase&)>;

// A failure stays where it is one of the same kind. Equal cases have equal explanations, unless the
// time is up. Without a fault there is nothing to explain: no parts.
[[nodiscard]] Explanation Explain(const generators::RandomCase& failing, const KindOf& kind_of,
                                  const Effort& effort = {});

}  // namespace pteproof::explain

#endif  // PTEPROOF_PROPERTIES_EXPLAIN_EXPLAIN_H_
