// The words of findings: how values, instructions and places are called in an explanation.
#ifndef PTEPROOF_PROPERTIES_RULES_WORDING_H_
#define PTEPROOF_PROPERTIES_RULES_WORDING_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/capital.h"
#include "properties/vocabulary.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"

namespace pteproof::checks {

// "bank 1 [0,32)", or "unplanned memory".
[[nodiscard]] std::string Words(const Place& place);

// "v3 'cache' bank 1 [0,32)".
[[nodiscard, gnu::cold]] std::string ValueWords(const Method& method, int32_t value);

// "instruction 4 (aten::add.out)"; "the caller" for -1; "the output" and "the next call" beyond the
// listing.
[[nodiscard, gnu::cold]] std::string InstructionWords(const Method& method, int32_t instruction);

// Who reads a name; of outputs, which.
[[nodiscard, gnu::cold]] std::string ReaderWords(const MethodFlow& flow, int32_t reader,
                                                 int32_t name);

// Fills in where a finding stands. Cold: where findings are told is kept out of the code that looks
// for them.
[[nodiscard, gnu::cold]] Finding FindingAt(std::string_view rule, Severity severity,
                                           const Method& method, int32_t instruction,
                                           std::vector<int32_t> values, const Place& place);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_WORDING_H_
