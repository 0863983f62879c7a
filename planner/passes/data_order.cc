// Idea. A step waits for the steps that make what it reads. Steps are taken in the order of the
// listing, and each inherits what its makers wait for.
//
//   0: a = f(x)    1: b = g(x)    2: c = h(a)        2 waits for 0; 1 may run at any time
//
// Numbers order nothing here, and neither does a tensor that is only asked for its sizes. What is
// written row by row is made by all steps that write rows.
//
// Invariant: before_[s] is transitive. Cost: O(steps x operands x block) bits.
#include "planner/passes/data_order.h"

#include <algorithm>
#include <span>

#include "planner/code/same_bytes.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {
namespace {

// Whether a step uses more of an operand than its sizes.
bool UsesBytes(const Code& code, const Step& step, size_t operand) {
  if (step.kind != StepKind::kCall || step.schema == nullptr) return true;
  const ArgSchema* arg = OperandSchema(*step.schema, operand);
  return arg == nullptr || arg->access != Access::kNone || BytesKept(code, step).has_value();
}

}  // namespace

DataOrder::DataOrder(const Code& code, const Accesses& accesses) {
  const size_t count = code.steps.size();
  std::vector<bool> begins(count + 1);
  begins[0] = begins[count] = true;
  for (size_t s = 0; s < count; ++s) {
    if (code.steps[s].target < 0) continue;
    begins[s + 1] = begins[Index(code.steps[s].target)] = true;
  }
  int32_t first = 0;
  for (size_t s = 0; s < count; ++s) {
    if (begins[s]) first = static_cast<int32_t>(s);
    first_.push_back(first);
  }
  last_.resize(count);
  for (size_t s = count; s-- > 0;) {
    last_[s] = begins[s + 1] ? static_cast<int32_t>(s) : last_[s + 1];
  }
  before_.resize(count);
  for (size_t s = 0; s < count; ++s) {
    const Step& step = code.steps[s];
    std::vector<bool>& before = before_[s];
    before.resize(s - Index(first_[s]));
    const auto wait_for = [&](int32_t maker) {
      if (maker < first_[s] || maker >= static_cast<int32_t>(s)) return;
      const std::vector<bool>& more = before_[Index(maker)];
      before[Index(maker - first_[s])] = true;
      for (size_t b = 0; b < more.size(); ++b) before[b] = before[b] || more[b];
    };
    for (size_t o = 0; o < step.operands.size(); ++o) {
      if (!UsesBytes(code, step, o)) continue;
      graph::ForEachValue(std::span(step.operands).subspan(o, 1), [&](ValueId v) {
        if (TensorTypeOf(code, v) == nullptr) return;
        std::ranges::for_each(accesses.writes[static_cast<size_t>(v)], wait_for);
        std::ranges::for_each(accesses.updates[static_cast<size_t>(v)], wait_for);
      });
    }
  }
}

bool DataOrder::IsBefore(int32_t earlier, int32_t later) const {
  const int32_t first = first_[Index(later)];
  return earlier < first || before_[Index(later)][Index(earlier - first)];
}

int32_t DataOrder::LastUnordered(int32_t step) const {
  int32_t last = last_[Index(step)];
  while (last > step && IsBefore(step, last)) --last;
  return last;
}

}  // namespace pteproof::planner
