// What `replan` writes, or does not: shared by new plans and repairs.
#ifndef PTEPROOF_CLI_VERBS_REPLAN_OUTPUT_H_
#define PTEPROOF_CLI_VERBS_REPLAN_OUTPUT_H_

#include <cstddef>
#include <span>
#include <string>

#include "cli/io/exit_code.h"
#include "cli/load/program_parts.h"
#include "cli/verbs/replan_command.h"
#include "pteproof/finding.h"

namespace pteproof {

// Whether all methods are loaded before the first call.
[[nodiscard]] bool AllFirst(const ReplanRequest& request, const ProgramParts& parts);

// Rule, explanation and fix, for a complaint: each line begins with a newline.
[[nodiscard]] std::string FindingLines(const Finding& finding);

// A certificate fails by a bug in pteproof: nothing is written but a folder that reproduces it.
[[nodiscard]] ExitCode KeepFailure(const ReplanRequest& request, const ProgramParts& parts,
                                   const std::string& why, std::span<const std::byte> written,
                                   const std::string& certificate);

// A program that is shown right.
struct NewProgram {
  std::span<const std::byte> bytes;
  const Manifest* manifest = nullptr;  // the old one's, with the new numbers of values; null: none
};

// The program with its manifest beside it, and its certificate and a page with both plans if they
// are asked for; and prints the report. `text` is the report as people read it, for the page.
[[nodiscard]] ExitCode WriteReplanned(const ReplanRequest& request, const ProgramParts& parts,
                                      const NewProgram& made, const std::string& text,
                                      const std::string& certificate);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_REPLAN_OUTPUT_H_
