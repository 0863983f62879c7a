// The rules over several methods: state, the loader's policies, the manifest; and how well banks
// are used.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_PROGRAM_RULES_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_PROGRAM_RULES_H_

#include <span>
#include <vector>

#include "properties/checks/flow/method_check.h"
#include "properties/checks/rules/shared_state.h"
#include "pteproof/finding.h"
#include "pteproof/report.h"

namespace pteproof::checks {

// All findings that concern more than one method, or the manifest.
[[nodiscard]] std::vector<Finding> CheckProgram(const ProgramFacts& facts);

// Bank use with phantom-slot and plan-waste, and overlays of unplanned inputs and outputs.
void Measure(std::span<const MethodCheck> methods, Report& report);

// The standing assumptions of the verdict, and not-provable notes about the questions that they
// settle.
void NoteAssumptions(const ProgramFacts& facts, Report& report);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_PROGRAM_RULES_H_
