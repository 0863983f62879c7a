// One method's walk in validation: which value is defined where, and what has been found wrong.
#ifndef PTEPROOF_REFERENCE_GRAPH_CHECK_METHOD_H_
#define PTEPROOF_REFERENCE_GRAPH_CHECK_METHOD_H_

#include <string>
#include <vector>

#include "reference/graph/problems.h"

namespace pteproof::graph {

struct MethodCheck {
  const Module& module;
  const Method& method;
  int32_t index = 0;  // of the method
  const std::vector<std::string>& names;
  std::vector<PlacedProblem>& problems;

  std::vector<int32_t> defined_in = {};  // region of each value; -1: not yet defined
  int32_t region = 0;                    // the one being walked; 0: the body
  int32_t regions = 1;                   // begun so far
  int32_t depth = 0;
  int32_t nodes = 0;  // begun so far
  Place place = {};   // of what is being looked at

  void Report(std::string explanation) const;
  // Both false, with a report, where the value may not be defined or used here.
  bool Define(ValueId value);
  bool Use(ValueId value);
  [[nodiscard]] bool HasBuffer(int32_t buffer) const;
};

// What is wrong with the nodes of a region, in which its parameters are defined already.
void CheckNodes(MethodCheck& check, const Region& region);

// What is wrong with a size of the method; empty: nothing.
[[nodiscard]] std::string SizeFault(const Method& method, const SizeExpr& size);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_CHECK_METHOD_H_
