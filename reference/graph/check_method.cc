#include "reference/graph/check_method.h"

#include <utility>

#include "reference/graph/bounds.h"
#include "reference/graph/call_operands.h"
#include "reference/graph/names.h"
#include "reference/graph/type_text.h"

namespace pteproof::graph {

void MethodCheck::Report(std::string explanation) const {
  problems.push_back({place, {method.name, std::move(explanation)}});
}

bool MethodCheck::Define(ValueId value) {
  if (TypeOfValue(method, value) == nullptr) {
    Report("value " + std::to_string(value) + " does not exist");
    return false;
  }
  int32_t& where = defined_in[static_cast<size_t>(value)];
  if (where >= 0) {
    Report(NameOf(names, value) + " is defined twice");
    return false;
  }
  where = region;
  return true;
}

bool MethodCheck::Use(ValueId value) {
  if (TypeOfValue(method, value) == nullptr) {
    Report("value " + std::to_string(value) + " does not exist");
    return false;
  }
  const int32_t where = defined_in[static_cast<size_t>(value)];
  if (where == region) return true;
  Report(NameOf(names, value) + (where < 0 ? " is used before it is defined"
                                           : " belongs to another region; pass it as an operand"));
  return false;
}

bool MethodCheck::HasBuffer(int32_t buffer) const {
  return buffer >= 0 && static_cast<size_t>(buffer) < module.buffers.size();
}

std::string SizeFault(const Method& method, const SizeExpr& size) {
  if (size.HighestSymbol() >= static_cast<int32_t>(method.dims.size())) {
    return "a size names a dim that the method does not declare";
  }
  if (const auto number = size.Constant(); number && *number >= 0) return {};
  // The range may be too wide, so only what is surely negative is wrong.
  if (size.Over(RangesOf(method)).hi >= 0) return {};
  return "the size " + SizeText(size, method.dims) + " is negative";
}

}  // namespace pteproof::graph
