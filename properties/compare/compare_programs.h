// All parts of a comparison of two programs: the answers that `pteproof compare` prints.
#ifndef PTEPROOF_PROPERTIES_COMPARE_COMPARE_PROGRAMS_H_
#define PTEPROOF_PROPERTIES_COMPARE_COMPARE_PROGRAMS_H_

#include <cstdint>
#include <vector>

#include "properties/compare/computation.h"
#include "properties/compare/parts.h"

namespace pteproof::compare {

struct CompareOptions {
  ComputationOptions computation;
  uint64_t seed = 0;  // of random calls
  int calls = 100;    // of a method that is not proved, or differs
};

struct ProgramComparison {
  InterfaceComparison interface;
  Answer computation = Answer::kSame;     // the worst of the methods
  std::vector<MethodComparison> methods;  // by name
  ConstantComparison constants;
  std::vector<MemoryRow> memory;  // by method and bank
  FindingComparison findings;
};

[[nodiscard]] ProgramComparison ComparePrograms(const ComparedSide& old_side,
                                                const ComparedSide& new_side,
                                                const CompareOptions& options);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_COMPARE_PROGRAMS_H_
