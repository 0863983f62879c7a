// Idea. A tensor has memory if it is planned, stored, named, external, an input or an output, or if
// some instruction writes it or moves a tensor to it. One pass notes for each value whether it has
// memory and which instruction reads it first; a value that is read and has none is refused.
//
// Order of instructions does not matter here: a write anywhere counts, so only certain faults are
// found. Cost: O(arguments).
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
  std::vector<int32_t> reader;

  void Back(int32_t value) {
    backed[static_cast<size_t>(value)] = true;
    for (const int32_t item : Items(value)) Back(item);
  }
  void Read(int32_t value, int32_t instruction) {
    int32_t& first = reader[static_cast<size_t>(value)];
    if (first < 0) first = instruction;
    for (const int32_t item : Items(value)) Read(item, instruction);
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

// Of an operator that the table does not know: what its last value, the return slot, does not hold
// is read.
void UseUnknown(Uses& uses, std::span<const int32_t> args, int32_t instruction) {
  if (args.empty()) return;
  const std::vector<int32_t> listed = uses.Items(args.back());
  for (const int32_t arg : args.first(args.size() - 1)) {
    const bool returned = arg == args.back() || std::ranges::find(listed, arg) != listed.end();
    returned ? uses.Back(arg) : uses.Read(arg, instruction);
  }
  uses.Back(args.back());
}

void UseKernel(Uses& uses, const Instruction& call, int32_t instruction) {
  const auto args = uses.method.Ints(call.args);
  const OpSchema* schema = uses.method.operators[static_cast<size_t>(call.target)].schema;
  if (schema == nullptr) return UseUnknown(uses, args, instruction);
  for (size_t i = 0; i < schema->args.size(); ++i) {
    const Access access = schema->args[i].access;
    if (access == Access::kRead || access == Access::kUpdate) uses.Read(args[i], instruction);
    if (access == Access::kWrite || access == Access::kFill) uses.Back(args[i]);
  }
  // A view gives its result memory; what a call returns is another name of what it wrote.
  if (schema->is_view || schema->returns == ReturnSlot::kWrittenList) uses.Back(args.back());
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
      return uses.Read(instruction.target, index);
    case InstructionKind::kFree:
      return;
  }
}

Uses FindUses(const Method& method) {
  Uses uses{.method = method,
            .backed = std::vector<bool>(method.values.size()),
            .reader = std::vector<int32_t>(method.values.size(), -1)};
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
    if (tensor == nullptr || uses.reader[i] < 0 || uses.backed[i] || !MayBeUnbacked(*tensor))
      continue;
    Refuse(scope.context, rule::kFileTensorMemory,
           {.method = method.name, .instruction = uses.reader[i], .values = {index}},
           fmt::format(
               "Value {} is read here and has no memory: no place in a bank, no stored data, no "
               "writer and no caller that passes it.\nThe kernel would follow a null pointer.",
               index));
  }
}

}  // namespace pteproof::reader
