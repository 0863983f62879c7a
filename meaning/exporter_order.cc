// Idea: the exporter numbers values while it walks the graph: the inputs first, then the results
// and the new literals of each instruction. If the values that instructions introduce ascend along
// the listing, the number of a value tells when it was made, even if no instruction makes it:
//
//   listing    0: v3 = mul(v1, v2)    1: v6 = add(v5, v1)
//   highest    3                      6
//
// v4 and v5 were made before instruction 1, the first one with a higher number. So MadeBefore gives
// 1.
//
// Invariant: `highest` never descends, so a binary search answers MadeBefore. Fewer than
// kEnoughOrderedValues values in order are not evidence. Four values have 24 numberings, of which
// one is the exporter's; the numberings of a program's methods multiply.
//
// Cost: O(arguments) once, O(log instructions) per question.
#include "meaning/exporter_order.h"

#include <algorithm>
#include <utility>

#include "reference/op_schema.h"

namespace pteproof::meaning {
namespace {

// Values that an instruction introduces: its results, and literals not seen before. Results that
// the exporter numbers ahead of their region (stacked outputs, moved values) are left out.
class OrderProbe {
 public:
  OrderProbe(const Method& method, const Effects& effects) : method_(method), effects_(effects) {
    seen_.resize(method.values.size());
  }

  std::optional<int> Run() {
    if (!InputsAscend()) return std::nullopt;
    for (size_t i = 0; i < method_.instructions.size(); ++i) {
      if (!IntroducesLater(i)) return std::nullopt;
    }
    return ordered_;
  }

 private:
  bool InputsAscend() {
    for (const int32_t v : method_.inputs) {
      if (v <= highest_) return false;
      highest_ = v;
      seen_[static_cast<size_t>(v)] = true;
      ++ordered_;
    }
    return true;
  }

  bool IntroducesLater(size_t i) {
    const Instruction& instruction = method_.instructions[i];
    if (instruction.kind != InstructionKind::kKernelCall &&
        instruction.kind != InstructionKind::kDelegateCall) {
      // A literal that a branch or a loop names first may be an argument of a later call.
      if (instruction.kind != InstructionKind::kFree) {
        seen_[static_cast<size_t>(instruction.target)] = true;
      }
      return true;
    }
    int32_t top = highest_;
    const auto later = [&](int32_t v) {
      if (seen_[static_cast<size_t>(v)]) return true;
      seen_[static_cast<size_t>(v)] = true;
      ++ordered_;
      top = std::max(top, v);
      return v > highest_;
    };
    for (const Write& w : effects_.WritesOf(i)) {
      const bool made = w.is_out && w.access == Access::kWrite && !IsBuffer(w.value);
      if (made && !later(w.value)) return false;
    }
    for (const int32_t v : method_.Ints(instruction.args)) {
      if (!IsLiteral(v)) continue;
      if (!later(v)) return false;
      top = std::max(top, SeeItems(v));
    }
    highest_ = top;
    return true;
  }

  // A list's numbers are introduced with it, and may be arguments of later calls. The highest.
  int32_t SeeItems(int32_t v) {
    int32_t top = -1;
    const Value& value = method_.values[static_cast<size_t>(v)];
    if (value.kind != ValueKind::kIntList) return top;
    for (const int32_t item : method_.Ints(value.items)) {
      seen_[static_cast<size_t>(item)] = true;
      top = std::max(top, item);
    }
    return top;
  }

  // A result may be written to a buffer at once: that introduces no value.
  bool IsBuffer(int32_t v) const {
    const Tensor& tensor = *method_.TensorOf(v);
    return tensor.name.count > 0 || tensor.data_index > 0 || tensor.external;
  }

  bool IsLiteral(int32_t v) const {
    return method_.TensorOf(v) == nullptr && !effects_.IsScalarWritten(v);
  }

  const Method& method_;
  const Effects& effects_;
  std::vector<bool> seen_;
  int32_t highest_ = -1;
  int ordered_ = 0;
};

int32_t HighestIn(const Method& method, const Instruction& instruction) {
  if (instruction.kind == InstructionKind::kMove)
    return std::max(instruction.target, instruction.other);
  if (instruction.kind == InstructionKind::kJumpFalse) return instruction.target;
  int32_t highest = -1;
  for (const int32_t v : method.Ints(instruction.args)) highest = std::max(highest, v);
  return highest;
}

constexpr double kManyNumberings = 1e9;

double Factorial(int n) {
  double product = 1;
  for (int i = 2; i <= n && product < kManyNumberings; ++i) product *= i;
  return product;
}

}  // namespace

int32_t ExporterOrder::MadeBefore(int32_t value) const {
  return static_cast<int32_t>(std::ranges::upper_bound(highest, value) - highest.begin());
}

std::vector<int32_t> HighestUsed(const Method& method) {
  std::vector<int32_t> highest;
  highest.reserve(method.instructions.size());
  int32_t so_far = -1;
  for (const Instruction& instruction : method.instructions) {
    so_far = std::max(so_far, HighestIn(method, instruction));
    highest.push_back(so_far);
  }
  return highest;
}

std::optional<int> OrderedValues(const Method& method, const Effects& effects) {
  return OrderProbe(method, effects).Run();
}

double NumberingsOf(const Program& program) {
  double all = 1;
  for (const Method& method : program.methods) {
    if (program.methods.size() < 2) break;  // its own values are all
    const Effects effects = EffectsOf(method, nullptr);
    const std::optional<int> some = OrderedValues(method, effects);
    if (!some) return 0;
    if (effects.IsGuessed()) continue;  // by numbers
    all = std::min(all * Factorial(*some), kManyNumberings);
  }
  return all;
}

ExporterOrder ExporterOrderOf(const Method& method, const Effects& effects, double numberings) {
  ExporterOrder order;
  const std::optional<int> ordered = OrderedValues(method, effects);
  const bool others_tell = !effects.IsGuessed() && numberings >= kEnoughNumberings;
  order.unbroken = ordered.has_value();
  order.holds = ordered && (*ordered >= kEnoughOrderedValues || others_tell);
  if (!order.holds) return order;
  order.highest = HighestUsed(method);
  return order;
}

OrderedEffects OrderedEffectsOf(const Method& method, const ManifestMethod* stated,
                                const Reading* reading, double numberings) {
  Effects effects = EffectsOf(method, stated, reading);
  ExporterOrder order = ExporterOrderOf(method, effects, numberings);
  if (!order.holds && effects.IsGuessed()) {
    effects = EffectsOf(method, stated, reading, Numbers::kTellNothing);
    order = ExporterOrderOf(method, effects, numberings);
  }
  return {std::move(effects), std::move(order)};
}

}  // namespace pteproof::meaning
