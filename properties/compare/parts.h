// The parts of two programs that are no computation: interface, constants, file size, memory and
// findings.
#ifndef PTEPROOF_PROPERTIES_COMPARE_PARTS_H_
#define PTEPROOF_PROPERTIES_COMPARE_PARTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "properties/compare/computation.h"
#include "properties/compare/sections.h"
#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof::compare {

struct InterfaceComparison {
  Answer answer = Answer::kSame;
  std::vector<std::string> differences;  // one sentence each
};

// Methods; their inputs, outputs and delegates; state by name with its initial value.
[[nodiscard]] InterfaceComparison CompareInterface(const ComparedSide& old_side,
                                                   const ComparedSide& new_side);

// Constants by content, whatever their order and index. Bytes as tensors take them.
struct ConstantComparison {
  Answer answer = Answer::kSame;
  uint64_t old_count = 0;
  uint64_t new_count = 0;
  uint64_t old_bytes = 0;
  uint64_t new_bytes = 0;
  uint64_t gone = 0;   // of the old ones
  uint64_t added = 0;  // of the new ones
};
[[nodiscard]] ConstantComparison CompareConstants(const ComparedSide& old_side,
                                                  const ComparedSide& new_side);

// A bank of a method, in both.
struct MemoryRow {
  std::string method;
  uint32_t bank = 0;
  BankUse old_use;
  BankUse new_use;
};
[[nodiscard]] std::vector<MemoryRow> CompareMemory(const Report& old_report,
                                                   const Report& new_report);

// Findings by rule and meaning: numbers of values and instructions do not count.
struct FindingComparison {
  std::vector<Finding> added;
  std::vector<Finding> gone;
  std::vector<Finding> same;  // as the new program has them
};
[[nodiscard]] FindingComparison CompareFindings(const Report& old_report, const Report& new_report);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_PARTS_H_
