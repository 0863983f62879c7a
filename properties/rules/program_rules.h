// The rules over several methods: state, the loader's policies, the manifest; and all rules
// together.
#ifndef PTEPROOF_PROPERTIES_RULES_PROGRAM_RULES_H_
#define PTEPROOF_PROPERTIES_RULES_PROGRAM_RULES_H_

#include <vector>

#include "properties/rules/shared_state.h"
#include "properties/vocabulary.h"
#include "pteproof/finding.h"
#include "pteproof/report.h"

namespace pteproof::checks {

// All findings that concern more than one method, or the manifest.
[[nodiscard]] std::vector<Finding> CheckProgram(const ProgramFacts& facts);

// The standing assumptions of the verdict, and not-provable notes about the questions that they
// settle.
void NoteAssumptions(const ProgramFacts& facts, Report& report);

// All findings that the places of values within the banks do not decide, of the methods that are
// loaded, but for those of NoteAssumptions.
[[nodiscard]] std::vector<Finding> CheckRules(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_PROGRAM_RULES_H_
