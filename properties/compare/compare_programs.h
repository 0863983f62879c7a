// All parts of a comparison of two programs: the answers that `pteproof compare` prints.
#ifndef PTEPROOF_PROPERTIES_COMPARE_COMPARE_PROGRAMS_H_
#define PTEPROOF_PROPERTIES_COMPARE_COMPARE_PROGRAMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "properties/compare/call_count.h"
#include "properties/compare/computation.h"
#include "properties/compare/parts.h"
#include "reference/graph/module.h"

namespace pteproof::compare {

struct CompareOptions {
  ComputationOptions computation;
  uint64_t seed = 0;                        // of random calls
  CallCount calls = CallCount::Worth(100);  // of a method that is not proved, or differs
};

struct ProgramComparison {
  InterfaceComparison interface;
  ReadAs old_read = ReadAs::kPlanned;
  Answer computation = Answer::kSame;     // the worst of the methods
  std::vector<MethodComparison> methods;  // by name
  std::vector<std::string> in_one_only;   // methods that were not compared
  ConstantComparison constants;
  std::vector<MemoryRow> memory;  // by method and bank
  FindingComparison findings;
};

// The names that are not in both, sorted.
[[nodiscard]] std::vector<std::string> NamesInOneOnly(std::vector<std::string> olds,
                                                      std::vector<std::string> news);

[[nodiscard]] ProgramComparison ComparePrograms(const ComparedSide& old_side,
                                                const ComparedSide& new_side,
                                                const CompareOptions& options);

// The methods of a Module and of a program, the Module being the old side. What terms leave open is
// run, and what they refute.
[[nodiscard]] std::vector<MethodComparison> CompareModuleAndRun(const graph::Module& module,
                                                                const ComparedSide& side,
                                                                const CompareOptions& options);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_COMPARE_PROGRAMS_H_
