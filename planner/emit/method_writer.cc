#include "planner/emit/method_writer.h"

#include <bit>

#include "reference/op_schema.h"

namespace pteproof::planner {

int32_t MethodWriter::Add(Value value) {
  method_.values.push_back(value);
  return static_cast<int32_t>(method_.values.size()) - 1;
}

Range MethodWriter::AddInts(std::span<const int32_t> numbers) {
  const Range range = {static_cast<uint32_t>(method_.ints.size()),
                       static_cast<uint32_t>(numbers.size())};
  method_.ints.insert(method_.ints.end(), numbers.begin(), numbers.end());
  return range;
}

Range MethodWriter::AddText(std::string_view text) {
  const Range range = {static_cast<uint32_t>(method_.text.size()),
                       static_cast<uint32_t>(text.size())};
  method_.text += text;
  return range;
}

int32_t MethodWriter::AddTensor(ScalarType dtype, std::span<const int64_t> sizes) {
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.nbytes = static_cast<uint64_t>(ElementSize(dtype));
  std::vector<int32_t> numbers;
  std::vector<int32_t> order;
  for (const int64_t size : sizes) {
    tensor.nbytes *= static_cast<uint64_t>(size);
    order.push_back(static_cast<int32_t>(numbers.size()));
    numbers.push_back(static_cast<int32_t>(size));
  }
  tensor.sizes = AddInts(numbers);
  tensor.dim_order = AddInts(order);
  method_.tensors.push_back(tensor);
  return Add(
      {.kind = ValueKind::kTensor, .tensor = static_cast<uint32_t>(method_.tensors.size()) - 1});
}

int32_t MethodWriter::Null() {
  const auto [known, is_new] = integers_.try_emplace({ValueKind::kNull, 0}, 0);
  if (is_new) known->second = Add({.kind = ValueKind::kNull});
  return known->second;
}

int32_t MethodWriter::Int(int64_t number) {
  const auto [known, is_new] = integers_.try_emplace({ValueKind::kInt, number}, 0);
  if (is_new) known->second = Add({.kind = ValueKind::kInt, .integer = number});
  return known->second;
}

int32_t MethodWriter::Bool(bool flag) {
  const auto [known, is_new] = integers_.try_emplace({ValueKind::kBool, flag ? 1 : 0}, 0);
  if (is_new) known->second = Add({.kind = ValueKind::kBool, .integer = flag ? 1 : 0});
  return known->second;
}

int32_t MethodWriter::Double(double number) {
  const auto [known, is_new] = doubles_.try_emplace(std::bit_cast<uint64_t>(number), 0);
  if (is_new) known->second = Add({.kind = ValueKind::kDouble, .real = number});
  return known->second;
}

int32_t MethodWriter::String(std::string_view text) {
  const auto known = strings_.find(text);
  if (known != strings_.end()) return known->second;
  const int32_t value = Add({.kind = ValueKind::kString, .items = AddText(text)});
  strings_.emplace(text, value);
  return value;
}

int32_t MethodWriter::Variable(ValueKind kind) {
  return Add({.kind = kind});
}

int32_t MethodWriter::List(ValueKind kind, std::span<const int32_t> items) {
  return Add({.kind = kind, .items = AddInts(items)});
}

int32_t MethodWriter::DoubleList(std::span<const double> items) {
  const Range range = {static_cast<uint32_t>(method_.reals.size()),
                       static_cast<uint32_t>(items.size())};
  method_.reals.insert(method_.reals.end(), items.begin(), items.end());
  return Add({.kind = ValueKind::kDoubleList, .items = range});
}

int32_t MethodWriter::OperatorNamed(std::string_view name, const OpSchema* schema) {
  const auto known = operators_.find(name);
  if (known != operators_.end()) return known->second;
  const auto index = static_cast<int32_t>(method_.operators.size());
  method_.operators.push_back({std::string(name), schema});
  operators_.emplace(name, index);
  return index;
}

void MethodWriter::Call(int32_t op, std::span<const int32_t> args) {
  method_.instructions.push_back(
      {.kind = InstructionKind::kKernelCall, .target = op, .args = AddInts(args)});
}

void MethodWriter::Delegated(std::string_view id, std::span<const int32_t> args) {
  const auto index = static_cast<int32_t>(method_.delegates.size());
  method_.delegates.push_back({.id = std::string(id), .blob = {}});
  method_.instructions.push_back(
      {.kind = InstructionKind::kDelegateCall, .target = index, .args = AddInts(args)});
}

void MethodWriter::Move(int32_t from, int32_t to) {
  method_.instructions.push_back(
      {.kind = InstructionKind::kMove, .target = from, .other = to, .args = {}});
}

void MethodWriter::JumpFalse(int32_t condition, int32_t target) {
  method_.instructions.push_back(
      {.kind = InstructionKind::kJumpFalse, .target = condition, .other = target, .args = {}});
}

}  // namespace pteproof::planner
