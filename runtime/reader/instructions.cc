#include "runtime/reader/instructions.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/op_schema.h"
#include "runtime/file_rules.h"
#include "runtime/reader/arguments.h"

namespace pteproof::reader {
namespace {

constexpr uint64_t kOperatorCharge = 8;
constexpr uint64_t kChainCharge = 12;
constexpr uint64_t kInstructionCharge = 20;

struct ChainScope {
  const MethodScope& method;
  int32_t first;  // the method's number of the chain's first instruction
  int32_t count;  // instructions of the chain
};

// Says what is wrong with the instruction that is about to be added.
void RefuseInstruction(const MethodScope& scope, std::string_view rule, const void* wire,
                       std::string explanation, std::vector<int32_t> values = {}) {
  Refuse(scope.context, rule,
         {.method = scope.out.name,
          .instruction = static_cast<int32_t>(scope.out.instructions.size()),
          .values = std::move(values),
          .bytes = At(scope.context, wire)},
         std::move(explanation));
}

std::string NoSuchValue(const MethodScope& scope, std::string_view what, int32_t index) {
  return fmt::format("{} is value {}. The method has {} values.", what, index,
                     scope.out.values.size());
}

// Pays for the tensors that an argument names. False: too many are named, the caller must stop.
bool TakeListed(Context& context, const Value& argument) {
  if (!IsTensorLike(argument.kind) || argument.kind == ValueKind::kTensor) [[likely]]
    return true;
  if (argument.items.count <= context.listed) {
    context.listed -= argument.items.count;
    return true;
  }
  if (!context.over_budget) RefuseAmplification(context);
  return false;
}

bool ReadArgs(const MethodScope& scope, const void* call, const WireVector<int32_t>* wire,
              Range& out) {
  if (wire == nullptr) {
    RefuseInstruction(scope, rule::kFileInstruction, call, "The call has no list of arguments.");
    return false;
  }
  if (!Charge(scope.context, kVectorCharge + sizeof(int32_t) * wire->size())) return false;
  std::vector<int32_t>& pool = scope.out.ints;
  out = {static_cast<uint32_t>(pool.size()), wire->size()};
  for (uint32_t i = 0; i < wire->size(); ++i) {
    const int32_t index = wire->Get(i);
    pool.push_back(index);
    if (!IsValue(scope, index)) {
      RefuseInstruction(scope, rule::kFileArguments, wire,
                        NoSuchValue(scope, fmt::format("Argument {}", i), index));
      return false;
    }
    if (!TakeListed(scope.context, ValueAt(scope, index))) return false;
  }
  return true;
}

bool IsIndex(int32_t index, size_t count) {
  return index >= 0 && static_cast<size_t>(index) < count;
}

void ReadKernelCall(const MethodScope& scope, const schema::KernelCall& wire, Instruction& out) {
  out.kind = InstructionKind::kKernelCall;
  out.target = wire.operator_index();
  if (!IsIndex(out.target, scope.out.operators.size())) {
    return RefuseInstruction(scope, rule::kFileInstruction, &wire,
                             fmt::format("The call names operator {}. The method has {} operators.",
                                         out.target, scope.out.operators.size()));
  }
  if (!ReadArgs(scope, &wire, wire.args(), out.args)) return;
  const Operator& op = scope.out.operators[static_cast<size_t>(out.target)];
  std::string fault = ArgumentFault(scope, op, scope.out.Ints(out.args));
  if (!fault.empty()) RefuseInstruction(scope, rule::kFileArguments, &wire, std::move(fault));
}

void ReadDelegateCall(const MethodScope& scope, const schema::DelegateCall& wire,
                      Instruction& out) {
  out.kind = InstructionKind::kDelegateCall;
  out.target = wire.delegate_index();
  if (!IsIndex(out.target, scope.out.delegates.size())) {
    return RefuseInstruction(scope, rule::kFileInstruction, &wire,
                             fmt::format("The call names delegate {}. The method has {} delegates.",
                                         out.target, scope.out.delegates.size()));
  }
  static_cast<void>(ReadArgs(scope, &wire, wire.args(), out.args));
}

void ReadMove(const MethodScope& scope, const schema::Move& wire, Instruction& out) {
  out.kind = InstructionKind::kMove;
  out.target = wire.source();
  out.other = wire.destination();
  for (const auto& [what, index] :
       {std::pair{"The source", out.target}, std::pair{"The destination", out.other}}) {
    if (IsValue(scope, index)) continue;
    return RefuseInstruction(scope, rule::kFileMove, &wire,
                             NoSuchValue(scope, fmt::format("{} of the move", what), index));
  }
  const Value& from = ValueAt(scope, out.target);
  const Value& to = ValueAt(scope, out.other);
  if (from.kind == to.kind || IsBroken(from) || IsBroken(to)) return;
  RefuseInstruction(scope, rule::kFileMove, &wire,
                    fmt::format("Value {} ({}) is moved to value {} ({}).", out.target,
                                KindName(from.kind), out.other, KindName(to.kind)),
                    {out.other, out.target});
}

bool IsCondition(const MethodScope& scope, int32_t index) {
  const Value& value = ValueAt(scope, index);
  if (value.kind != ValueKind::kTensor) return value.kind == ValueKind::kBool || IsBroken(value);
  return scope.out.tensors[value.tensor].dtype == ScalarType::kBool;
}

void ReadJump(const ChainScope& chain, const schema::JumpFalse& wire, Instruction& out) {
  const MethodScope& scope = chain.method;
  out.kind = InstructionKind::kJumpFalse;
  out.target = wire.condition();
  const bool is_target = wire.target() >= 0 && wire.target() <= chain.count;
  out.other = is_target ? chain.first + wire.target() : 0;
  if (!IsValue(scope, out.target)) {
    RefuseInstruction(scope, rule::kFileJump, &wire,
                      NoSuchValue(scope, "The condition of the jump", out.target));
  } else if (!IsCondition(scope, out.target)) {
    RefuseInstruction(
        scope, rule::kFileJump, &wire,
        fmt::format(
            "The condition of the jump is value {}, which is neither a Bool nor a tensor of bools.",
            out.target),
        {out.target});
  }
  if (is_target) return;
  RefuseInstruction(scope, rule::kFileJump, &wire,
                    fmt::format("The target of the jump is instruction {}. The chain has "
                                "instructions 0 to {}, and {} is its end.",
                                wire.target(), chain.count - 1, chain.count));
}

// Why the memory of value `index` is not the method's to free; empty: it is.
std::string_view FreeFault(const MethodScope& scope, int32_t index) {
  const Tensor* tensor = scope.out.TensorOf(index);
  if (tensor == nullptr) return IsBroken(ValueAt(scope, index)) ? "" : "is not a tensor";
  if (tensor->planned) return "has a place in a bank, which lives as long as the method";
  if (IsConstant(*tensor)) return "is a constant";
  const auto is_among = [&](const std::vector<int32_t>& values) {
    return std::ranges::find(values, index) != values.end();
  };
  if (is_among(scope.out.inputs)) return "is an input, and its memory belongs to the caller";
  if (is_among(scope.out.outputs)) return "is an output, and the caller reads it after the call";
  return "";
}

void ReadFree(const MethodScope& scope, const schema::Free& wire, Instruction& out) {
  out.kind = InstructionKind::kFree;
  out.target = wire.value();
  if (!IsValue(scope, out.target)) {
    return RefuseInstruction(scope, rule::kFileFree, &wire,
                             NoSuchValue(scope, "The operand of the free", out.target));
  }
  // Each free looks through the inputs and outputs.
  if (!Charge(scope.context, scope.out.inputs.size() + scope.out.outputs.size())) return;
  const std::string_view fault = FreeFault(scope, out.target);
  if (fault.empty()) return;
  RefuseInstruction(scope, rule::kFileFree, &wire,
                    fmt::format("Value {} is freed, but it {}.", out.target, fault), {out.target});
}

void ReadInstruction(const ChainScope& chain, const schema::Instruction& wire, Instruction& out) {
  const MethodScope& scope = chain.method;
  if (wire.held() == nullptr) {
    return RefuseInstruction(scope, rule::kFileInstruction, &wire,
                             "The instruction has no table for its content.");
  }
  switch (wire.held_type()) {
    case schema::AnyInstruction::KernelCall:
      return ReadKernelCall(scope, *wire.held_as_KernelCall(), out);
    case schema::AnyInstruction::DelegateCall:
      return ReadDelegateCall(scope, *wire.held_as_DelegateCall(), out);
    case schema::AnyInstruction::Move:
      return ReadMove(scope, *wire.held_as_Move(), out);
    case schema::AnyInstruction::JumpFalse:
      return ReadJump(chain, *wire.held_as_JumpFalse(), out);
    case schema::AnyInstruction::Free:
      return ReadFree(scope, *wire.held_as_Free(), out);
    case schema::AnyInstruction::NONE:
      break;
  }
  RefuseInstruction(scope, rule::kFileInstruction, &wire,
                    fmt::format("The instruction has tag {}. Known tags are 1 to 5.",
                                static_cast<int>(wire.held_type())));
}

void ReadChain(const MethodScope& scope, const WireTables<schema::Instruction>& wire) {
  std::vector<Instruction>& out = scope.out.instructions;
  const ChainScope chain{scope, static_cast<int32_t>(out.size()),
                         static_cast<int32_t>(wire.size())};
  for (uint32_t i = 0; i < wire.size() && !scope.context.Stopped(); ++i) {
    Instruction instruction;
    ReadInstruction(chain, *wire.Get(i), instruction);
    out.push_back(instruction);
  }
}

// Pays for all chains; the number of their instructions, or nothing.
std::optional<uint64_t> CountInstructions(const MethodScope& scope,
                                          const WireTables<schema::Chain>& wire) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < wire.size() && !scope.context.Stopped(); ++i) {
    const auto* instructions = wire.Get(i)->instructions();
    if (instructions == nullptr) {
      Refuse(scope.context, rule::kFilePlan,
             {.method = scope.out.name, .bytes = At(scope.context, wire.Get(i))},
             fmt::format("Chain {} has no list of instructions. An empty list is allowed.", i));
      continue;
    }
    if (!Charge(scope.context, kChainCharge + kInstructionCharge * instructions->size()))
      return std::nullopt;
    count += instructions->size();
  }
  return count;
}

void ReadOperator(const MethodScope& scope, uint32_t index, const schema::Operator& wire,
                  Operator& out) {
  const std::string_view overload = View(wire.overload());
  if (Count(wire.name()) == 0) {
    return Refuse(scope.context, rule::kFileOperator,
                  {.method = scope.out.name, .bytes = At(scope.context, &wire)},
                  fmt::format("Operator {} has no name.", index));
  }
  const size_t length = wire.name()->size() + (overload.empty() ? 0 : overload.size() + 1);
  if (length > kMaxOperatorName) {
    return Refuse(scope.context, rule::kFileOperator,
                  {.method = scope.out.name, .bytes = At(scope.context, &wire)},
                  fmt::format("Operator {} has a name of {} characters. Runtimes allow {}.", index,
                              length, kMaxOperatorName));
  }
  if (!Charge(scope.context, length)) return;
  out.name.reserve(length);
  out.name = View(wire.name());
  if (!overload.empty()) out.name.append(1, '.').append(overload);
  out.schema = FindOperator(out.name);
  if (out.schema == nullptr) out.schema = FindAliasOperator(out.name);
}

}  // namespace

void ReadOperators(const MethodScope& scope) {
  const WireTables<schema::Operator>* wire = scope.wire.operators();
  const uint32_t count = Count(wire);
  if (!Charge(scope.context, kOperatorCharge * count)) return;
  scope.out.operators.resize(count);
  for (uint32_t i = 0; i < count && !scope.context.Stopped(); ++i) {
    ReadOperator(scope, i, *wire->Get(i), scope.out.operators[i]);
  }
}

void ReadInstructions(const MethodScope& scope) {
  const WireTables<schema::Chain>* wire = scope.wire.chains();
  if (wire == nullptr) return;
  const auto count = CountInstructions(scope, *wire);
  if (!count.has_value()) return;
  scope.out.instructions.reserve(*count);
  for (uint32_t i = 0; i < wire->size() && !scope.context.Stopped(); ++i) {
    const auto* instructions = wire->Get(i)->instructions();
    if (instructions != nullptr) ReadChain(scope, *instructions);
  }
}

}  // namespace pteproof::reader
