#include "planner/repair/method_editor.h"

#include <algorithm>

#include "planner/lift/renumber.h"
#include "planner/lift/touches.h"

namespace pteproof::planner {
MethodEditor::MethodEditor(Method method) : method_(std::move(method)) {}

int32_t MethodEditor::AddTensor(const Tensor& tensor, int32_t after) {
  Value value = {.kind = ValueKind::kTensor};
  value.tensor = static_cast<uint32_t>(method_.tensors.size());
  method_.tensors.push_back(tensor);
  return AddValue(value, after);
}

int32_t MethodEditor::AddValue(const Value& value, int32_t after) {
  const auto v = static_cast<int32_t>(method_.values.size());
  method_.values.push_back(value);
  added_.emplace_back(after, v);
  return v;
}

Tensor& MethodEditor::TensorOf(int32_t v) {
  return method_.tensors[method_.values[IndexOf(v)].tensor];
}

Range MethodEditor::AddInts(std::span<const int32_t> ints) {
  const std::vector<int32_t> copy(ints.begin(), ints.end());  // may lie in the pool itself
  const Range range = {static_cast<uint32_t>(method_.ints.size()),
                       static_cast<uint32_t>(copy.size())};
  method_.ints.insert(method_.ints.end(), copy.begin(), copy.end());
  return range;
}

int32_t MethodEditor::AddOperator(const Operator& op) {
  const auto known = std::ranges::find(method_.operators, op.name, &Operator::name);
  if (known != method_.operators.end()) {
    return static_cast<int32_t>(known - method_.operators.begin());
  }
  method_.operators.push_back(op);
  return static_cast<int32_t>(method_.operators.size()) - 1;
}

void MethodEditor::InsertCall(int32_t before, int32_t op, std::span<const int32_t> args) {
  const Instruction call = {InstructionKind::kKernelCall, op, 0, AddInts(args)};
  inserted_.emplace_back(before, call);
}

void MethodEditor::SetArgument(int32_t instruction, size_t argument, int32_t value) {
  Instruction& call = method_.instructions[IndexOf(instruction)];
  call.args = AddInts(method_.Ints(call.args));
  method_.ints[call.args.first + argument] = value;
}

void MethodEditor::SetOutput(size_t output, int32_t value) {
  method_.outputs[output] = value;
}

Method MethodEditor::Take() {
  OrderInstructions();
  OrderValues();
  return std::move(method_);
}

void MethodEditor::OrderInstructions() {
  std::ranges::stable_sort(inserted_, {}, &std::pair<int32_t, Instruction>::first);
  const auto count = static_cast<int32_t>(method_.instructions.size());
  std::vector<Instruction> all;
  std::vector<int32_t> ahead_at;  // per instruction and the end: of what is put ahead of it
  size_t next = 0;
  for (int32_t i = 0; i <= count; ++i) {
    ahead_at.push_back(static_cast<int32_t>(all.size()));
    for (; next < inserted_.size() && inserted_[next].first == i; ++next) {
      all.push_back(inserted_[next].second);
    }
    instruction_at_.push_back(static_cast<int32_t>(all.size()));
    if (i < count) all.push_back(method_.instructions[IndexOf(i)]);
  }
  for (int32_t i = 0; i < count; ++i) {
    Instruction& moved = all[IndexOf(instruction_at_[IndexOf(i)])];
    if (moved.kind != InstructionKind::kJumpFalse) continue;
    const bool is_back = moved.other <= i;
    moved.other = (is_back ? instruction_at_ : ahead_at)[IndexOf(moved.other)];
  }
  method_.instructions = std::move(all);
}

void MethodEditor::OrderValues() {
  std::ranges::stable_sort(added_, {}, &std::pair<int32_t, int32_t>::first);
  const auto old_count = static_cast<int32_t>(method_.values.size() - added_.size());
  value_at_.resize(method_.values.size());
  int32_t next_number = 0;
  const auto put = [&](int32_t v) { value_at_[IndexOf(v)] = next_number++; };
  size_t next = 0;
  for (int32_t v = -1; v < old_count; ++v) {
    if (v >= 0) put(v);
    for (; next < added_.size() && added_[next].first == v; ++next) put(added_[next].second);
  }
  Renumber(value_at_, method_);
}

}  // namespace pteproof::planner
