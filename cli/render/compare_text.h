// A comparison of two programs as people read it. compare_json.h has the machine's form.
#ifndef PTEPROOF_CLI_RENDER_COMPARE_TEXT_H_
#define PTEPROOF_CLI_RENDER_COMPARE_TEXT_H_

#include <string>
#include <vector>

#include "properties/compare/compare_programs.h"

namespace pteproof {

// What the command adds to the comparison itself.
struct ComparedFiles {
  std::string old_file;
  std::string new_file;
  compare::SectionSizes old_sizes;
  compare::SectionSizes new_sizes;
  std::string banks = {};               // what those of a device take, and took
  std::vector<std::string> grown = {};  // what the peaks have more of, by the models' lines
};

// Part by part, and a last line that says how far the answer goes.
[[nodiscard]] std::string CompareText(const ComparedFiles& files,
                                      const compare::ProgramComparison& comparison);

// The same of a Module and a program: the computation alone.
[[nodiscard]] std::string ComputationText(const std::string& old_file, const std::string& new_file,
                                          const compare::ProgramComparison& comparison);

// "proved for all inputs and all sequences of calls": how an answer was found.
[[nodiscard]] std::string BasisOf(const compare::MethodComparison& method);

// "every policy", or the names of some.
[[nodiscard]] std::string PolicyWords(const PolicySet& policies);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_COMPARE_TEXT_H_
