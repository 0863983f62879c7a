#include "fuzz/mutate/plan/repair.h"

#include <algorithm>

#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

constexpr uint64_t kAlignment = 16;
constexpr uint64_t kFarthest = 16 * 1024;  // banks of more are not executed

void RepairPlaces(Method& method) {
  std::vector<uint64_t> needs(method.bank_sizes.size());
  for (Tensor& t : method.tensors) {
    if (!t.planned) continue;
    if (t.offset > kFarthest) t.offset = 0;
    t.offset = t.offset / kAlignment * kAlignment;
    needs[t.bank] = std::max(needs[t.bank], t.offset + t.nbytes);
  }
  for (size_t bank = 1; bank < needs.size(); ++bank) {
    uint64_t& size = method.bank_sizes[bank];
    size = size > kFarthest ? needs[bank] : std::max(size, needs[bank]);
  }
}

bool IsTensorBefore(const Method& method, int32_t item, size_t list) {
  return item >= 0 && static_cast<size_t>(item) < list && method.TensorOf(item) != nullptr;
}

void RepairLists(Method& method) {
  for (size_t v = 0; v < method.values.size(); ++v) {
    Value& list = method.values[v];
    if (list.kind != ValueKind::kIntList && list.kind != ValueKind::kTensorList &&
        list.kind != ValueKind::kOptionalTensorList) {
      continue;
    }
    std::vector<int32_t> kept;
    for (const int32_t item : method.Ints(list.items)) {
      const bool fits = list.kind == ValueKind::kIntList
                            ? method.values[static_cast<size_t>(item)].kind == ValueKind::kInt
                            : IsTensorBefore(method, item, v);
      if (fits) kept.push_back(item);
      if (!fits && list.kind == ValueKind::kOptionalTensorList) kept.push_back(-1);
    }
    if (!std::ranges::equal(kept, method.Ints(list.items))) list.items = Append(method.ints, kept);
  }
}

bool IsConstant(const Tensor& tensor) {
  return !tensor.planned && (tensor.external || tensor.data_index > 0);
}

void RepairInputs(Method& method) {
  const auto impossible = [&](int32_t v) {
    const Tensor* tensor = method.TensorOf(v);
    return tensor != nullptr ? IsConstant(*tensor)
                             : method.values[static_cast<size_t>(v)].kind > ValueKind::kString;
  };
  if (std::erase_if(method.inputs, impossible) > 0) method.input_structure.clear();
}

bool IsFaulty(const Method& method, const Instruction& at) {
  const Tensor* tensor = method.TensorOf(at.target);
  const auto kind_of = [&](int32_t v) { return method.values[static_cast<size_t>(v)].kind; };
  switch (at.kind) {
    case InstructionKind::kFree:
      return tensor == nullptr || tensor->planned || IsConstant(*tensor) ||
             std::ranges::find(method.inputs, at.target) != method.inputs.end();
    case InstructionKind::kMove:
      return kind_of(at.target) != kind_of(at.other);
    case InstructionKind::kJumpFalse:
      return tensor == nullptr ? kind_of(at.target) != ValueKind::kBool
                               : tensor->dtype != ScalarType::kBool;
    default:
      return false;
  }
}

void RepairCode(Method& method) {
  for (size_t i = method.instructions.size(); i > 0; --i) {
    const Instruction& at = method.instructions[i - 1];
    const bool call =
        at.kind == InstructionKind::kKernelCall || at.kind == InstructionKind::kDelegateCall;
    if (!call && IsFaulty(method, at)) EraseAt(method, i - 1);
  }
}

}  // namespace

void Repair(Program& program) {
  for (Method& method : program.methods) {
    RepairPlaces(method);
    RepairLists(method);
    RepairInputs(method);
    RepairCode(method);
  }
}

}  // namespace pteproof::fuzz::plan
