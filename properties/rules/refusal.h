// What ExecuTorch refuses a call for, and the finding that tells of it.
#ifndef PTEPROOF_PROPERTIES_RULES_REFUSAL_H_
#define PTEPROOF_PROPERTIES_RULES_REFUSAL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

struct Refusal {
  std::vector<int32_t> values;
  std::string has;    // after the instruction's words: what the call does
  std::string takes;  // after "ExecuTorch's kernel of it": what is taken
  std::string fix = {};
  bool aborts = false;  // the kernel ends the process
};

// call-refused, of instruction i.
[[nodiscard, gnu::cold]] Finding FindingOf(const MethodFlow& flow, int32_t i,
                                           const Refusal& refusal);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_REFUSAL_H_
