// A finding's place in words, for all forms that people read.
#ifndef PTEPROOF_CLI_RENDER_FINDING_TEXT_H_
#define PTEPROOF_CLI_RENDER_FINDING_TEXT_H_

#include <string>

#include "pteproof/finding.h"

namespace pteproof {

// "[private, share-1-2]"; empty where it does not depend on the policy.
[[nodiscard]] std::string PoliciesText(const Finding& finding);

// "method forward, instruction 7, v2, v8, bank 1 [0,32)", with the number of instances if there are
// several; empty for the whole file.
[[nodiscard]] std::string WhereText(const Finding& finding);

// The explanation, of several instances that of the worst too, and the fix on a line of its own.
[[nodiscard]] std::string WithFix(const Finding& finding);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_FINDING_TEXT_H_
