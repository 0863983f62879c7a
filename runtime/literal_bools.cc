#include "runtime/literal_bools.h"

#include <algorithm>
#include <span>

namespace pteproof {

namespace {

std::vector<bool> LiteralsOf(const Method& method, ValueKind kind) {
  std::vector<bool> literals;
  for (const Value& value : method.values) literals.push_back(value.kind == kind);
  const auto strike = [&](int32_t v) { literals[static_cast<size_t>(v)] = false; };
  std::ranges::for_each(method.inputs, strike);
  for (const Instruction& instruction : method.instructions) {
    if (instruction.kind == InstructionKind::kMove) strike(instruction.other);
    const auto args = method.Ints(instruction.args);
    const bool known = instruction.kind == InstructionKind::kKernelCall &&
                       method.operators[static_cast<size_t>(instruction.target)].schema != nullptr;
    std::ranges::for_each(known && !args.empty() ? args.last(1) : args, strike);
  }
  return literals;
}

}  // namespace

std::vector<bool> LiteralBoolsOf(const Method& method) {
  return LiteralsOf(method, ValueKind::kBool);
}

std::vector<bool> LiteralIntsOf(const Method& method) {
  return LiteralsOf(method, ValueKind::kInt);
}

}  // namespace pteproof
