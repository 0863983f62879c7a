// Kernels of XNNPACK read a little behind their operands: each bank of a method that calls them
// ends with bytes that hold nothing.
#ifndef PTEPROOF_PLANNER_READ_BEYOND_H_
#define PTEPROOF_PLANNER_READ_BEYOND_H_

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "planner/code/code.h"
#include "pteproof/program.h"

namespace pteproof::planner {

inline constexpr std::string_view kDelegateThatReadsBeyond = "XnnpackBackend";
inline constexpr uint64_t kReadBeyond = 64;  // bytes

[[nodiscard]] inline bool ReadsBeyond(const Method& method) {
  return std::ranges::any_of(
      method.delegates, [](const Delegate& each) { return each.id == kDelegateThatReadsBeyond; });
}

[[nodiscard]] inline bool ReadsBeyond(const Code& code) {
  return std::ranges::any_of(code.steps, [](const Step& step) {
    return step.kind == StepKind::kDelegate && step.op == kDelegateThatReadsBeyond;
  });
}

// Of a bank with values.
[[nodiscard]] inline int64_t GuardOf(const Code& code) {
  return ReadsBeyond(code) ? static_cast<int64_t>(kReadBeyond) : 0;
}

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_READ_BEYOND_H_
