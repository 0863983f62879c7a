// What calls are given: which values, in which order, and to which operator.
#include <algorithm>
#include <array>

#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/parts.h"
#include "reference/op_schema.h"

namespace pteproof::fuzz::plan {
namespace {

struct DrawnCall {
  Method* method = nullptr;
  Instruction* call = nullptr;
  std::vector<int32_t> args;

  bool Set() {
    call->args = Append(method->ints, args);
    return true;
  }
};

DrawnCall DrawCall(Program& program, Random& random, bool delegate) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return {};
  const auto kind = delegate ? InstructionKind::kDelegateCall : InstructionKind::kKernelCall;
  Instruction* call = AnyOf(method->instructions, random, [&](const Instruction& i) {
    return i.kind == kind && i.args.count > 0;
  });
  if (call == nullptr) return {};
  const auto args = method->Ints(call->args);
  return {method, call, {args.begin(), args.end()}};
}

bool ChangeArgument(Program& program, Random& random) {
  DrawnCall drawn = DrawCall(program, random, false);
  if (drawn.call == nullptr) return false;
  int32_t& arg = random.Of(drawn.args);
  const int32_t other = LikeValue(*drawn.method, arg, random);
  if (other == arg) return false;
  const int32_t before = arg;
  // What is returned is named twice, as `out` and as the result.
  const bool everywhere = random.OneIn(2);
  for (int32_t& each : drawn.args) {
    if (&each == &arg || (everywhere && each == before)) each = other;
  }
  return drawn.Set();
}

bool SwapArguments(Program& program, Random& random) {
  DrawnCall drawn = DrawCall(program, random, false);
  if (drawn.call == nullptr) return false;
  int32_t& a = random.Of(drawn.args);
  const auto kind_of = [&](int32_t v) { return drawn.method->values[static_cast<size_t>(v)].kind; };
  int32_t* b = AnyOf(drawn.args, random, [&](int32_t v) { return kind_of(v) == kind_of(a); });
  if (*b == a) return false;
  std::swap(a, *b);
  return drawn.Set();
}

// The result over an operand: the call works in place.
bool WriteOverOperand(Program& program, Random& random) {
  DrawnCall drawn = DrawCall(program, random, false);
  if (drawn.call == nullptr) return false;
  const int32_t result = drawn.args.back();
  if (drawn.method->TensorOf(result) == nullptr) return false;
  const int32_t operand = random.Of(drawn.args);
  if (operand == result || drawn.method->TensorOf(operand) == nullptr) return false;
  std::ranges::replace(drawn.args, result, operand);
  return drawn.Set();
}

bool SameArguments(const OpSchema& a, const OpSchema& b) {
  return a.returns == b.returns &&
         std::ranges::equal(a.args, b.args, {}, &ArgSchema::kind, &ArgSchema::kind) &&
         std::ranges::equal(a.args, b.args, {}, &ArgSchema::optional, &ArgSchema::optional);
}

// One that is called the same way, with another meaning; or one that nobody knows.
bool ChangeOperator(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr || method->operators.empty()) return false;
  Operator& op = random.Of(method->operators);
  if (op.schema == nullptr || random.OneIn(6)) {
    if (op.name.size() > 100) return false;
    op = {op.name + "x", nullptr};
    return true;
  }
  const auto alike = Where(AllOperators(), [&](const OpSchema& other) {
    return other.name != op.name && SameArguments(other, *op.schema);
  });
  if (alike.empty()) return false;
  const OpSchema& other = AllOperators()[random.Of(alike)];
  op = {std::string(other.name), &other};
  return true;
}

// Another operator of the method: its arguments need not fit.
bool CallAnother(Program& program, Random& random) {
  DrawnCall drawn = DrawCall(program, random, false);
  if (drawn.call == nullptr) return false;
  const auto& operators = drawn.method->operators;
  const auto target = static_cast<int32_t>(random.Below(operators.size()));
  const OpSchema* now = operators[static_cast<size_t>(drawn.call->target)].schema;
  const OpSchema* then = operators[static_cast<size_t>(target)].schema;
  const bool fits = now != nullptr && then != nullptr && SameArguments(*now, *then);
  if (target == drawn.call->target || (!fits && then != nullptr)) return false;
  drawn.call->target = target;
  return true;
}

bool ChangeDelegateArguments(Program& program, Random& random) {
  DrawnCall drawn = DrawCall(program, random, true);
  if (drawn.call == nullptr) return false;
  const size_t at = random.Below(drawn.args.size());
  switch (random.Below(3)) {
    case 0:
      drawn.args.erase(drawn.args.begin() + static_cast<ptrdiff_t>(at));
      return drawn.Set();
    case 1:
      drawn.args.push_back(LikeValue(*drawn.method, drawn.args[at], random));
      return drawn.Set();
    default:
      return SwapTwo(drawn.args, random) && drawn.Set();
  }
}

constexpr std::array kArgumentChanges = {
    Change{"change-argument", ChangeArgument},
    Change{"swap-arguments", SwapArguments},
    Change{"write-over-operand", WriteOverOperand},
    Change{"change-operator", ChangeOperator},
    Change{"call-another", CallAnother},
    Change{"change-delegate-arguments", ChangeDelegateArguments},
};

}  // namespace

std::span<const Change> ArgumentChanges() {
  return kArgumentChanges;
}

}  // namespace pteproof::fuzz::plan
