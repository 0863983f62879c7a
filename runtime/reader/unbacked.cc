// Idea. A tensor has memory if it is planned, stored, named, external, an input or an output, or if
// some instruction gives it the memory of another: a move, a view, a return slot. One pass notes
// for each value whether it has memory and which instruction needs it first, to read or to write
// it; a value that is needed and has none is refused. No loader allocates memory for it.
//
// Order of instructions does not matter here: a move anywhere counts, so only certain faults are
// found. Delegates may bring memory of their own. Cost: O(arguments).
#include "runtime/reader/unbacked.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/op_schema.h"
#include "runtime/file_rules.h"

namespace pteproof::reader {
namespace {

bool MayBeUnbacked(const Tensor& tensor) {
  return !tensor.planned && !tensor.external && tensor.data_index == 0 && tensor.name.count == 0 &&
         tensor.nbytes > 0;
}

// Per value: whether it has memory or gets it, and which instruction reads it first.
struct Uses {
  const Method& method;
  std::vector<bool> backed;
  std::vector<int32_t> user;

  void Back(int32_t value) {
    backed[static_cast<size_t>(value)] = true;
    for (const int32_t item : Items(value)) Back(item);
  }
  void Need(int32_t value, int32_t instruction) {
    int32_t& first = user[static_cast<size_t>(value)];
    if (first < 0) first = instruction;
    for (const int32_t item : Items(value)) Need(item, instruction);
  }
  // Tensors of a list of tensors.
  [[nodiscard]] std::vector<int32_t> Items(int32_t value) const {
    const Value& list = method.values[static_cast<size_t>(value)];
    if (list.kind != ValueKind::kTensorList && list.kind != ValueKind::kOptionalTensorList)
      return {};
    std::vector<int32_t> tensors;
    std::ranges::copy_if(method.Ints(list.items), std::back_inserter(tensors),
                         [](int32_t item) { return item >= 0; });
    return tensors;
  }
};

// A return slot becomes the argument that it returns: it needs no memory of its own. `given` are
// the arguments before it, which it may be itself.
void BackSlot(Uses& uses, std::span<const int32_t> given, int32_t slot) {
  const auto is_given = [&](int32_t v) { return std::ranges::find(given, v) != given.end(); };
  if (!is_given(slot)) uses.backed[static_cast<size_t>(slot)] = true;
  for (const int32_t item : uses.Items(slot)) {
    if (!is_given(item)) uses.Back(item);
  }
}

// An operator that the table does not know needs all arguments, and returns its last value.
void UseUnknown(Uses& uses, std::span<const int32_t> args, int32_t instruction) {
  if (args.empty()) return;
  const auto given = args.first(args.size() - 1);
  for (const int32_t arg : given) uses.Need(arg, instruction);
  BackSlot(uses, given, args.back());
}

void UseKernel(Uses& uses, const Instruction& call, int32_t instruction) {
  const auto args = uses.method.Ints(call.args);
  const OpSchema* schema = uses.method.operators[static_cast<size_t>(call.target)].schema;
  if (schema == nullptr) return UseUnknown(uses, args, instruction);
  if (schema->is_view) {
    uses.Need(args.front(), instruction);
    return uses.Back(args.back());
  }
  const size_t count = schema->args.size();
  for (size_t i = 0; i < count; ++i) {
    if (schema->args[i].access != Access::kNone) uses.Need(args[i], instruction);
  }
  if (args.size() > count) BackSlot(uses, args.first(count), args.back());
}

void Use(Uses& uses, int32_t index) {
  const Instruction& instruction = uses.method.instructions[static_cast<size_t>(index)];
  switch (instruction.kind) {
    case InstructionKind::kKernelCall:
      return UseKernel(uses, instruction, index);
    case InstructionKind::kDelegateCall:
      for (const int32_t arg : uses.method.Ints(instruction.args)) uses.Back(arg);
      return;
    case InstructionKind::kMove:
      return uses.Back(instruction.other);
    case InstructionKind::kJumpFalse:
      return uses.Need(instruction.target, index);
    case InstructionKind::kFree:
      return;
  }
}

Uses FindUses(const Method& method) {
  Uses uses{.method = method,
            .backed = std::vector<bool>(method.values.size()),
            .user = std::vector<int32_t>(method.values.size(), -1)};
  for (const int32_t input : method.inputs) uses.backed[static_cast<size_t>(input)] = true;
  for (const int32_t output : method.outputs) uses.backed[static_cast<size_t>(output)] = true;
  for (size_t i = 0; i < method.instructions.size(); ++i) Use(uses, static_cast<int32_t>(i));
  return uses;
}

}  // namespace

void CheckUnbacked(const MethodScope& scope) {
  const Method& method = scope.out;
  if (std::ranges::none_of(method.tensors, MayBeUnbacked)) return;
  const Uses uses = FindUses(method);
  for (size_t i = 0; i < method.values.size() && !scope.context.Stopped(); ++i) {
    const auto index = static_cast<int32_t>(i);
    const Tensor* tensor = method.TensorOf(index);
    if (tensor == nullptr || uses.user[i] < 0 || uses.backed[i] || !MayBeUnbacked(*tensor))
      continue;
    Refuse(scope.context, rule::kFileTensorMemory,
           {.method = method.name, .instruction = uses.user[i], .values = {index}},
           fmt::format(
               "Value {} is used here and has no memory: no place in a bank, no stored data, and "
               "no caller that passes it.\nThe kernel would follow a null pointer.",
               index));
  }
}

}  // namespace pteproof::reader
