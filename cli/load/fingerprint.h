// What stays of a finding while its cause stays: a name for it that a later export of the same
// model still has, with other numbers of values and instructions, other offsets and other words.
#ifndef PTEPROOF_CLI_LOAD_FINGERPRINT_H_
#define PTEPROOF_CLI_LOAD_FINGERPRINT_H_

#include <string>

#include "pteproof/finding.h"
#include "pteproof/program.h"

namespace pteproof {

// 32 hexadecimal digits, made of the rule, the severity, the methods, the bank, the operator, and
// the name or the type of each value. Findings of one program may have the same.
[[nodiscard]] std::string FingerprintOf(const Finding& finding, const Program& program);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_FINGERPRINT_H_
