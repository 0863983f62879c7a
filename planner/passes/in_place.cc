// Idea. A result takes the bytes of an operand that dies in the same step, if the operator goes
// element by element over that operand. Wishes of the graph (in_place) come first, then what ends
// in memory that is not the planner's, then the calls with the largest results, which save most;
// for each call the first operand that Sharing accepts.
//
// Memory of buffers and callers takes no other names: what lies there is one value of the file. So
// such a chain is built from its end, which is there already (elide_copies.cc):
//
//   %1 = mul(%0), %2 = add(%1), store @b = %2      %2 lies in @b, so %1 does, so %0 is read there
//   %1 = mul(%x), %2 = add(%1), return %2          the same in the caller's memory for %2
//
// An input of the caller's that may be overwritten passes its bytes on likewise, from its start.
//
// Cost: O(n log n) and one attempt of Sharing for each operand.
#include <optional>
#include <ranges>

#include "planner/code/parallel_copy.h"
#include "planner/code/same_bytes.h"
#include "planner/passes/candidates.h"
#include "planner/passes/in_place_rules.h"
#include "planner/passes/passes.h"
#include "planner/planted.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {

namespace {

Pin::Kind PinOf(const Sharing& sharing, ValueId value) {
  return sharing.storages()[static_cast<size_t>(sharing.StorageIndexOf(value))].pin.kind;
}

bool IsForeign(const Sharing& sharing, ValueId value) {
  const Pin::Kind kind = PinOf(sharing, value);
  if (kind == Pin::Kind::kConstant && Planted(Defect::kConstantWritable)) return false;
  if (kind == Pin::Kind::kInput && Planted(Defect::kInputWritable)) return false;
  return kind != Pin::Kind::kNone;
}

// The value of an operand that may lie under the result.
std::optional<ValueId> Under(const Code& code, const Step& step, size_t operand) {
  const auto value = graph::ValueOfOperand(step.operands[operand]);
  if (!value || TensorTypeOf(code, *value) == nullptr) return std::nullopt;
  return MayLieUnder(code, step, *value, step.results.front()) ? value : std::nullopt;
}

class InPlace {
 public:
  InPlace(const Code& code, Sharing& sharing) : code_(code), sharing_(sharing) {}

  bool Share(const Step& step, size_t operand) {
    if (Planted(Defect::kPassedElsewhere) && PassedThrough(step)) return false;
    const auto value = Under(code_, step, operand);
    return value && !IsForeign(sharing_, *value) && !IsForeign(sharing_, step.results.front()) &&
           sharing_.TryShare(*value, step.results.front());
  }

  // The operand of a step whose result lies in memory that is not the planner's comes there too.
  void BuildIn(const Step& step) {
    const Pin::Kind kind = PinOf(sharing_, step.results.front());
    if (kind == Pin::Kind::kNone || kind == Pin::Kind::kConstant) return;
    for (size_t o = 0; o < step.operands.size(); ++o) {
      const auto value = Under(code_, step, o);
      if (!value || RootOf(code_, *value) != *value || IsForeign(sharing_, *value)) continue;
      if (code_.values[static_cast<size_t>(*value)].origin != Origin::kStep) continue;
      if (sharing_.TryBuildIn(step.results.front(), *value)) return;
    }
  }

  // A result goes over an input of the caller's that may be overwritten.
  void WriteOver(const Step& step) {
    if (PinOf(sharing_, step.results.front()) != Pin::Kind::kNone) return;
    for (size_t o = 0; o < step.operands.size(); ++o) {
      const auto value = Under(code_, step, o);
      if (!value || RootOf(code_, *value) != *value) continue;
      if (PinOf(sharing_, *value) != Pin::Kind::kInput) continue;
      if (sharing_.TryWriteOver(*value, step.results.front())) return;
    }
  }

 private:
  const Code& code_;
  Sharing& sharing_;
};

}  // namespace

void MakeInPlace(const Code& code, Sharing& sharing) {
  InPlace pass(code, sharing);
  const auto is_call = [&](const Step& step) {
    return step.kind == StepKind::kCall && !step.results.empty() && !BytesKept(code, step);
  };
  for (const Step& step : code.steps) {
    if (is_call(step) && step.in_place) pass.Share(step, static_cast<size_t>(*step.in_place));
  }
  for (const Step& step : code.steps | std::views::reverse) {
    if (is_call(step)) pass.BuildIn(step);
  }
  for (const Step& step : code.steps) {
    if (is_call(step)) pass.WriteOver(step);
  }
  for (const Step* step : LargestFirst(code, sharing, is_call)) {
    for (size_t o = 0; o < step->operands.size(); ++o) {
      if (pass.Share(*step, o)) break;
    }
  }
}

std::optional<ValueId> BuiltOver(const Code& code, const Sharing& sharing, const Step& step) {
  if (step.kind != StepKind::kCall || step.results.empty() || BytesKept(code, step)) return {};
  const ValueId result = step.results.front();
  const Pin::Kind kind = PinOf(sharing, result);
  if (kind == Pin::Kind::kNone || kind == Pin::Kind::kConstant) return {};
  for (size_t o = 0; o < step.operands.size(); ++o) {
    const auto value = Under(code, step, o);
    if (!value || RootOf(code, *value) != *value || !sharing.Coincide(*value, result)) continue;
    // An output that is laid over an input is the caller's second name for that memory.
    const bool laid_over = kind == Pin::Kind::kOutput &&
                           code.values[static_cast<size_t>(*value)].origin == Origin::kInput;
    if (!laid_over) return value;
  }
  return {};
}

}  // namespace pteproof::planner
