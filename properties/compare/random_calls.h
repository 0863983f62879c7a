// Two sides on the same random calls, where operators mix their operands' bytes: for what terms
// leave open, and to confirm what they refute.
#ifndef PTEPROOF_PROPERTIES_COMPARE_RANDOM_CALLS_H_
#define PTEPROOF_PROPERTIES_COMPARE_RANDOM_CALLS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "properties/compare/call_count.h"
#include "properties/compare/computation.h"
#include "reference/graph/module.h"

namespace pteproof::compare {

struct RandomCallsOptions {
  Policy policy = Policy::kPrivate;
  std::string method;                  // whose calls are compared; others come between
  std::vector<std::string> same = {};  // other methods that were proved to be the same
  uint64_t seed = 0;
  CallCount calls = 100;  // of that method
  int64_t fuel = 20'000;  // instructions of a call beyond one pass
};

struct RandomCallsResult {
  int64_t compared = 0;
  int64_t work = 0;        // elements that all calls read and wrote
  std::string difference;  // empty: none
  bool one_sided = false;  // `difference`: one program makes the call, and the other does not
  std::string not_made;    // why a call could not be made, of one; empty: all were
};

// Ends at the first difference. Methods that both have are called. If one that is proved to be the
// same gives something else, the other methods before it left something else in a buffer: this is a
// difference of the method, if no other was called.
[[nodiscard]] RandomCallsResult CompareRandomCalls(const ComparedSide& old_side,
                                                   const ComparedSide& new_side,
                                                   const RandomCallsOptions& options);

// The same for a Module without views and mutation.
[[nodiscard]] RandomCallsResult CompareRandomCalls(const graph::Module& functional,
                                                   const ComparedSide& side,
                                                   const RandomCallsOptions& options);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RANDOM_CALLS_H_
