// Idea: what values hold is followed over all paths (held_numbers.h), and each call of the
// runtime's own operators is asked what its kernel asks. A number may be of another kind than in
// the file: a quotient is a float, and a size cannot be one.
//
//   v3 = truediv.Scalar(v1, v2)      et_view(v0, [v3, 4], v5)     refused: v3 holds a float
//
// Recorded from ExecuTorch 1.5.1. The plan is not to blame, and no other plan mends the call: a
// warning.
//
// Invariant: a call gives at most one finding, and none if one path, one size or one number that
// the file admits is taken.
#include "properties/rules/refused_by_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "properties/rules/held_numbers.h"
#include "properties/rules/number_ops.h"
#include "properties/rules/refusal.h"
#include "properties/rules/refused_shapes.h"
#include "properties/rules/resized.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

using MaybeRefusal = std::optional<Refusal>;

constexpr const char* kConvert =
    "Convert the number in the model, or correct the pass that wrote the call.";

std::string_view WordOf(Kinds kinds) {
  if ((kinds & ~kIntBit) == 0) return "an integer";
  if ((kinds & ~kDoubleBit) == 0) return "a float";
  if ((kinds & ~kBoolBit) == 0) return "a bool";
  return (kinds & ~KindBit(ValueKind::kNull)) == 0 ? "nothing" : "a value of another kind";
}

Kinds TakenBy(const NumberOp& op, size_t operand) {
  switch (op.takes) {
    case Takes::kNumbers:
      return kIntBit | kDoubleBit;
    case Takes::kIntegers:
      return kIntBit;
    case Takes::kFloat:
      return kDoubleBit;
    case Takes::kBool:
      return kBoolBit;
    case Takes::kCondition:
      return operand == 0 ? kBoolBit : kNumberBits;
    case Takes::kAlike:
    case Takes::kAny:
      break;
  }
  return kNumberBits;
}

std::string_view WordsOf(Takes takes) {
  switch (takes) {
    case Takes::kNumbers:
      return "takes integers and floats, and no bools";
    case Takes::kAlike:
      return "takes two bools, or integers and floats";
    case Takes::kIntegers:
      return "takes integers only";
    case Takes::kFloat:
      return "takes a float only";
    case Takes::kBool:
      return "takes a bool only";
    case Takes::kCondition:
      return "takes only a bool as its condition";
    case Takes::kAny:
      break;
  }
  return "takes numbers only";
}

Kinds KindsFor(ArgKind kind) {
  switch (kind) {
    case ArgKind::kInt:
    case ArgKind::kIntList:
      return kIntBit;
    case ArgKind::kBool:
      return kBoolBit;
    case ArgKind::kFloat:
      return kDoubleBit;
    default:
      return 0;
  }
}

class RuntimeCheck {
 public:
  explicit RuntimeCheck(const MethodFlow& flow) : flow_(flow), method_(flow.method) {}

  std::vector<Finding> Run() && {
    if (!MayRefuse()) return {};
    resized_ = ResizedOf(method_);
    HeldNumbers held(flow_);
    std::map<int32_t, Refusal> refusals;  // by instruction
    const bool complete = held.ForEach([&](int32_t i, const HeldNumbers& before) {
      auto refusal = Of(method_.instructions[static_cast<size_t>(i)], before);
      if (refusal) refusals.try_emplace(i, *std::move(refusal));
    });
    std::vector<Finding> findings;
    if (!complete) return findings;
    for (const auto& [i, refusal] : refusals) findings.push_back(FindingOf(flow_, i, refusal));
    return findings;
  }

 private:
  // A jump finds another kind than the file's after moves and calculations only.
  [[nodiscard]] bool MayRefuse() const {
    const auto calculates = [](const Operator& op) {
      return op.schema != nullptr && (op.schema->returns == ReturnSlot::kScalar ||
                                      FindNumberOp(op.name) != nullptr || IsJudgedByShapes(op));
    };
    const auto moves = [](const Instruction& at) { return at.kind == InstructionKind::kMove; };
    return std::ranges::any_of(method_.operators, calculates) ||
           std::ranges::any_of(method_.instructions, moves);
  }

  MaybeRefusal Of(const Instruction& at, const HeldNumbers& held) const {
    if (at.kind == InstructionKind::kJumpFalse) return OfJump(at.target, held);
    if (at.kind != InstructionKind::kKernelCall) return std::nullopt;
    const Operator& op = method_.operators[static_cast<size_t>(at.target)];
    if (op.schema == nullptr) return std::nullopt;
    const auto args = method_.Ints(at.args);
    if (const NumberOp* known = FindNumberOp(op.name)) return OfNumbers(*known, args, held);
    if (auto refusal = OfKinds(*op.schema, args, held)) return refusal;
    return RefusalByShapes({method_, resized_, held, op, args});
  }

  MaybeRefusal OfJump(int32_t condition, const HeldNumbers& held) const {
    constexpr const char* kTakes = "takes only a bool, or a tensor of bools, as a condition";
    const HeldValue value = held.At(condition);
    if (value.MayBe(kBoolBit)) return std::nullopt;
    if (!value.MayBe(KindBit(ValueKind::kTensor))) {
      return Refusal{{condition},
                     fmt::format("has the condition {}, which then holds {}",
                                 ValueWords(method_, condition), WordOf(value.kinds)),
                     kTakes,
                     kConvert};
    }
    const Tensor* tensor = value.stands_for < 0 ? nullptr : method_.TensorOf(value.stands_for);
    if (tensor == nullptr || tensor->dtype == ScalarType::kBool) return std::nullopt;
    return Refusal{{condition},
                   fmt::format("has the condition {}, which then is a tensor of {}",
                               ValueWords(method_, condition), Name(tensor->dtype)),
                   kTakes,
                   kConvert};
  }

  MaybeRefusal OfNumbers(const NumberOp& op, std::span<const int32_t> args,
                         const HeldNumbers& held) const {
    const auto operands = args.first(args.size() - 1);
    const auto refused = [&](int32_t v) {
      return Refusal{{v},
                     fmt::format("gets {}, which then holds {}", ValueWords(method_, v),
                                 WordOf(held.At(v).kinds)),
                     std::string(WordsOf(op.takes)),
                     kConvert,
                     op.aborts};
    };
    if (op.takes == Takes::kAlike) return OfCompared(operands, held, refused);
    for (size_t a = 0; a < operands.size(); ++a) {
      if (!held.At(operands[a]).MayBe(TakenBy(op, a))) return refused(operands[a]);
    }
    return op.divides ? OfDivision(operands, held) : std::nullopt;
  }

  template <class Refused>
  MaybeRefusal OfCompared(std::span<const int32_t> operands, const HeldNumbers& held,
                          Refused refused) const {
    const HeldValue a = held.At(operands[0]);
    const HeldValue b = held.At(operands[1]);
    constexpr Kinds kOrdered = kIntBit | kDoubleBit;
    if ((a.MayBe(kBoolBit) && b.MayBe(kBoolBit)) || (a.MayBe(kOrdered) && b.MayBe(kOrdered))) {
      return std::nullopt;
    }
    return refused(a.MayBe(kBoolBit) ? operands[0] : operands[1]);
  }

  // The processor stops a division of integers by 0, and of the least integer by -1.
  MaybeRefusal OfDivision(std::span<const int32_t> operands, const HeldNumbers& held) const {
    const HeldValue a = held.At(operands[0]);
    const HeldValue b = held.At(operands[1]);
    if (!a.IsOnly(kIntBit) || !b.IsOnly(kIntBit)) return std::nullopt;
    constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
    const bool by_zero = b.range == IntRange{0, 0};
    const bool too_large = a.range == IntRange{kLeast, kLeast} && b.range == IntRange{-1, -1};
    if (!by_zero && !too_large) return std::nullopt;
    return Refusal{
        {operands[1]},
        fmt::format("divides {} by {}",
                    a.range.IsOne() ? std::to_string(a.range.least) : "an integer", b.range.least),
        "divides as the processor does, which does not take these integers",
        "Use a divisor in the model that is not 0.",
        /*aborts=*/true};
  }

  // Numbers of the kinds that the arguments are of.
  MaybeRefusal OfKinds(const OpSchema& schema, std::span<const int32_t> args,
                       const HeldNumbers& held) const {
    for (size_t a = 0; a < schema.args.size(); ++a) {
      const ArgSchema& arg = schema.args[a];
      const Kinds taken = KindsFor(arg.kind);
      if (taken == 0) continue;
      if (arg.kind != ArgKind::kIntList) {
        if (auto refusal = OfKind(arg, args[a], taken, held)) return refusal;
        continue;
      }
      const int32_t list = held.At(args[a]).stands_for;
      if (list < 0) continue;
      for (const int32_t item : method_.Ints(method_.values[static_cast<size_t>(list)].items)) {
        if (auto refusal = OfKind(arg, item, taken, held)) return refusal;
      }
    }
    return std::nullopt;
  }

  MaybeRefusal OfKind(const ArgSchema& arg, int32_t v, Kinds taken, const HeldNumbers& held) const {
    const HeldValue value = held.At(v);
    if (value.MayBe(taken) || !value.IsOnly(kNumberBits)) return std::nullopt;
    return Refusal{{v},
                   fmt::format("gets {} for \"{}\", which then holds {}", ValueWords(method_, v),
                               arg.name, WordOf(value.kinds)),
                   fmt::format("takes {} there", WordOf(taken)),
                   kConvert,
                   /*aborts=*/true};
  }

  const MethodFlow flow_;
  const Method& method_;
  Resized resized_;
};

}  // namespace

std::vector<Finding> CheckRefusedByRuntime(const MethodFlow& flow) {
  return RuntimeCheck(flow).Run();
}

}  // namespace pteproof::checks
