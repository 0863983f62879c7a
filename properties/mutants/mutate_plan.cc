#include "properties/mutants/mutate_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "reference/op_schema.h"

namespace pteproof::mutants {
namespace {

using Draw = std::function<size_t(size_t)>;
// What was done; empty: there was nothing to do it to.
using Done = std::string;

constexpr uint64_t kStep = 16;

bool TakesBytes(const Tensor& t) {
  return t.planned && t.nbytes > 0;
}

bool HasPlace(const Tensor& t, uint32_t bank, uint64_t offset, uint64_t nbytes) {
  return t.planned && t.bank == bank && t.offset == offset && t.nbytes == nbytes;
}

std::vector<size_t> PlannedTensors(const Method& method) {
  std::vector<size_t> planned;
  for (size_t t = 0; t < method.tensors.size(); ++t) {
    if (TakesBytes(method.tensors[t])) planned.push_back(t);
  }
  return planned;
}

// A place that some value has exactly would make the moved one a name of it: that is no damage but
// another program. So would not fitting into the bank be another damage.
bool IsFree(const Method& method, uint32_t bank, uint64_t offset, uint64_t nbytes) {
  const auto has = [&](const Tensor& t) { return HasPlace(t, bank, offset, nbytes); };
  return offset + nbytes <= method.bank_sizes[bank] && std::ranges::none_of(method.tensors, has);
}

Done Move(Method& method, const Draw& draw, bool all_names) {
  const auto planned = PlannedTensors(method);
  if (planned.size() < 2) return {};
  const size_t which = planned[draw(planned.size())];
  const Tensor from = method.tensors[which];
  const Tensor onto = method.tensors[planned[draw(planned.size())]];
  const uint64_t offset = onto.offset + kStep * draw(onto.nbytes / kStep + 1);
  if (!IsFree(method, onto.bank, offset, from.nbytes)) return {};
  for (size_t t = 0; t < method.tensors.size(); ++t) {
    Tensor& tensor = method.tensors[t];
    const bool moves =
        all_names ? HasPlace(tensor, from.bank, from.offset, from.nbytes) : t == which;
    if (!moves) continue;
    tensor.bank = onto.bank;
    tensor.offset = offset;
  }
  return fmt::format("bank {} [{},{}) moved to bank {} {}", from.bank, from.offset,
                     from.offset + from.nbytes, onto.bank, offset);
}

Done ShiftLayout(Method& method, const Draw& draw) {
  const auto planned = PlannedTensors(method);
  if (planned.empty()) return {};
  const uint32_t bank = method.tensors[planned[draw(planned.size())]].bank;
  for (Tensor& t : method.tensors) {
    if (t.planned && t.bank == bank) t.offset += kStep;
  }
  method.bank_sizes[bank] += kStep;
  return fmt::format("all of bank {} is {} bytes later", bank, kStep);
}

Done ShrinkBank(Method& method, const Draw& draw) {
  const size_t bank = draw(method.bank_sizes.size());
  if (method.bank_sizes[bank] < kStep) return {};
  method.bank_sizes[bank] -= kStep;
  return fmt::format("bank {} is {} bytes smaller", bank, kStep);
}

struct Call {
  size_t at = 0;
  const OpSchema* op = nullptr;
};

std::vector<Call> KnownCalls(const Method& method) {
  std::vector<Call> calls;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Instruction& at = method.instructions[i];
    if (at.kind != InstructionKind::kKernelCall) continue;
    const OpSchema* op = method.operators[static_cast<size_t>(at.target)].schema;
    if (op != nullptr) calls.push_back({i, op});
  }
  return calls;
}

Done MarkInPlace(Method& method, const Draw& draw) {
  const auto calls = KnownCalls(method);
  if (calls.empty()) return {};
  const Call call = calls[draw(calls.size())];
  const auto args = method.Ints(method.instructions[call.at].args);
  std::vector<int32_t> operands;
  int32_t result = -1;
  for (size_t a = 0; a < call.op->args.size(); ++a) {
    const Tensor* t = method.TensorOf(args[a]);
    if (t == nullptr || !TakesBytes(*t)) continue;
    if (call.op->args[a].out) result = args[a];
    if (call.op->args[a].access == Access::kRead) operands.push_back(args[a]);
  }
  if (result < 0 || operands.empty()) return {};
  const int32_t operand = operands[draw(operands.size())];
  const Tensor under = *method.TensorOf(operand);
  Tensor& over = method.tensors[method.values[static_cast<size_t>(result)].tensor];
  if (under.offset + over.nbytes > method.bank_sizes[under.bank]) return {};
  over.bank = under.bank;
  over.offset = under.offset;
  return fmt::format("instruction {} writes v{} over its operand v{}", call.at, result, operand);
}

// The values that an instruction names, items of lists too.
std::vector<int32_t> NamedBy(const Method& method, const Instruction& at) {
  std::vector<int32_t> named;
  if (at.kind == InstructionKind::kMove) return {at.target, at.other};
  for (const int32_t v : method.Ints(at.args)) {
    named.push_back(v);
    if (!IsTensorLike(method.values[static_cast<size_t>(v)].kind) ||
        method.TensorOf(v) != nullptr) {
      continue;
    }
    for (const int32_t item : method.Ints(method.values[static_cast<size_t>(v)].items)) {
      if (item >= 0) named.push_back(item);
    }
  }
  return named;
}

// Whether both name one value that is not a constant, or two names of one place: swapped they would
// be another program, not another plan.
bool DealWithOneValue(const Method& method, size_t a, size_t b) {
  const auto of_a = NamedBy(method, method.instructions[a]);
  const auto of_b = NamedBy(method, method.instructions[b]);
  // A number that one of them sets stands last in its list.
  const auto sets = [](const std::vector<int32_t>& named, const std::vector<int32_t>& by) {
    return !by.empty() && std::ranges::find(named, by.back()) != named.end();
  };
  if (sets(of_a, of_b) || sets(of_b, of_a)) return true;
  return std::ranges::any_of(of_a, [&](int32_t u) {
    const Tensor* x = method.TensorOf(u);
    return x != nullptr && std::ranges::any_of(of_b, [&](int32_t v) {
             const Tensor* y = method.TensorOf(v);
             return y != nullptr &&
                    (u == v || (x->planned && HasPlace(*y, x->bank, x->offset, x->nbytes)));
           });
  });
}

Done SwapOrder(Method& method, const Draw& draw) {
  if (method.instructions.size() < 2) return {};
  const size_t i = draw(method.instructions.size() - 1);
  const auto is_jump = [](const Instruction& at) { return at.kind == InstructionKind::kJumpFalse; };
  const bool entered = std::ranges::any_of(method.instructions, [&](const Instruction& at) {
    return is_jump(at) && at.other == static_cast<int32_t>(i) + 1;
  });
  if (entered || is_jump(method.instructions[i]) || is_jump(method.instructions[i + 1])) return {};
  if (DealWithOneValue(method, i, i + 1)) return {};
  std::swap(method.instructions[i], method.instructions[i + 1]);
  return fmt::format("instructions {} and {} swapped", i, i + 1);
}

Done LoseStore(Method& method, const Draw& draw) {
  std::vector<Call> stores = KnownCalls(method);
  std::erase_if(stores, [](const Call& call) { return call.op->name != "aten::copy_"; });
  if (stores.empty()) return {};
  const size_t at = stores[draw(stores.size())].at;
  const Range args = method.instructions[at].args;
  const int32_t source = method.ints[args.first + 1];
  method.ints[args.first] = source;
  method.ints[args.first + args.count - 1] = source;
  return fmt::format("instruction {} stores its source onto itself", at);
}

Done SwapOutputs(Method& method, const Draw& draw) {
  const size_t count = method.outputs.size();
  if (count < 2) return {};
  const size_t a = draw(count);
  const size_t b = draw(count);
  if (method.outputs[a] == method.outputs[b]) return {};
  std::swap(method.outputs[a], method.outputs[b]);
  return fmt::format("outputs {} and {} swapped", a, b);
}

Done MoveBank(Method& method, const Draw& draw) {
  const auto planned = PlannedTensors(method);
  if (planned.empty()) return {};
  const auto bank = static_cast<int32_t>(method.tensors[planned[draw(planned.size())]].bank);
  const auto there = std::ranges::find(method.bank_devices, bank, &BankDevice::bank);
  if (there != method.bank_devices.end()) {
    method.bank_devices.erase(there);
    return fmt::format("bank {} lies on the host", bank);
  }
  method.bank_devices.push_back({.bank = bank, .device_type = 1});
  return fmt::format("bank {} lies on a device", bank);
}

// All values of the name, so that the method has no place for the buffer at all.
Done LosePlace(Method& method, const Draw& draw) {
  std::vector<std::string> named;
  for (const Tensor& t : method.tensors) {
    if (TakesBytes(t) && t.name.count > 0) named.emplace_back(method.Text(t.name));
  }
  if (named.empty()) return {};
  const std::string& name = named[draw(named.size())];
  for (Tensor& t : method.tensors) {
    if (!t.planned || method.Text(t.name) != name) continue;
    t.planned = false;
    t.bank = 0;
    t.offset = 0;
  }
  return fmt::format("'{}' has no place", name);
}

Done Do(Method& method, Damage damage, const Draw& draw) {
  switch (damage) {
    case Damage::kMovePlace:
      return Move(method, draw, true);
    case Damage::kMoveValue:
      return Move(method, draw, false);
    case Damage::kShiftLayout:
      return ShiftLayout(method, draw);
    case Damage::kShrinkBank:
      return ShrinkBank(method, draw);
    case Damage::kMarkInPlace:
      return MarkInPlace(method, draw);
    case Damage::kSwapOrder:
      return SwapOrder(method, draw);
    case Damage::kLoseStore:
      return LoseStore(method, draw);
    case Damage::kSwapOutputs:
      return SwapOutputs(method, draw);
    case Damage::kMoveBank:
      return MoveBank(method, draw);
    case Damage::kLosePlace:
      return LosePlace(method, draw);
  }
  return {};
}

}  // namespace

std::string_view Name(Damage damage) {
  static constexpr std::array<std::string_view, kDamageCount> kNames = {
      "move-place", "move-value", "shift-layout", "shrink-bank", "mark-in-place",
      "swap-order", "lose-store", "swap-outputs", "move-bank",   "lose-place"};
  return kNames[static_cast<size_t>(damage)];
}

std::optional<Mutation> MutatePlan(const Program& program, Damage damage, const Draw& draw) {
  if (program.methods.empty()) return std::nullopt;
  Mutation mutation = {program, damage, {}};
  Method& method = mutation.program.methods[draw(program.methods.size())];
  const Done done = Do(method, damage, draw);
  if (done.empty()) return std::nullopt;
  mutation.what = fmt::format("'{}': {}", method.name, done);
  return mutation;
}

}  // namespace pteproof::mutants
