#include "tests/support/method_builder.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "reference/op_schema.h"
#include "runtime/structure_text.h"

namespace pteproof {

MethodBuilder::MethodBuilder(std::string name) {
  method_.name = std::move(name);
  method_.bank_sizes = {0};
}

Range MethodBuilder::Pool(const std::vector<int32_t>& ints) {
  const Range range = {static_cast<uint32_t>(method_.ints.size()),
                       static_cast<uint32_t>(ints.size())};
  method_.ints.insert(method_.ints.end(), ints.begin(), ints.end());
  return range;
}

int32_t MethodBuilder::AddValue(Value value) {
  method_.values.push_back(value);
  return static_cast<int32_t>(method_.values.size()) - 1;
}

int32_t MethodBuilder::AddTensor(Tensor tensor, const std::vector<int32_t>& sizes,
                                 std::string_view name) {
  tensor.sizes = Pool(sizes);
  std::vector<int32_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  tensor.dim_order = Pool(order);
  tensor.nbytes = ElementSize(tensor.dtype);
  for (const int32_t size : sizes) tensor.nbytes *= static_cast<uint64_t>(size);
  tensor.name = {static_cast<uint32_t>(method_.text.size()), static_cast<uint32_t>(name.size())};
  method_.text += name;
  if (tensor.planned) {
    if (tensor.bank >= method_.bank_sizes.size()) method_.bank_sizes.resize(tensor.bank + 1);
    uint64_t& size = method_.bank_sizes[tensor.bank];
    size = std::max(size, tensor.offset + tensor.nbytes);
  }
  Value value;
  value.kind = ValueKind::kTensor;
  value.tensor = static_cast<uint32_t>(method_.tensors.size());
  method_.tensors.push_back(tensor);
  return AddValue(value);
}

int32_t MethodBuilder::Planned(uint32_t bank, uint64_t offset, std::vector<int32_t> sizes,
                               std::string_view name, ScalarType dtype) {
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.planned = true;
  tensor.bank = bank;
  tensor.offset = offset;
  return AddTensor(tensor, sizes, name);
}

int32_t MethodBuilder::Unplanned(std::vector<int32_t> sizes, ScalarType dtype) {
  Tensor tensor;
  tensor.dtype = dtype;
  return AddTensor(tensor, sizes, {});
}

int32_t MethodBuilder::Constant(uint32_t data_index, std::vector<int32_t> sizes, ScalarType dtype) {
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.data_index = data_index;
  return AddTensor(tensor, sizes, {});
}

int32_t MethodBuilder::Int(int64_t number) {
  Value value;
  value.kind = ValueKind::kInt;
  value.integer = number;
  return AddValue(value);
}

int32_t MethodBuilder::Bool(bool flag) {
  Value value;
  value.kind = ValueKind::kBool;
  value.integer = flag ? 1 : 0;
  return AddValue(value);
}

int32_t MethodBuilder::None() {
  return AddValue({});
}

int32_t MethodBuilder::IntList(std::vector<int32_t> items) {
  Value value;
  value.kind = ValueKind::kIntList;
  value.items = Pool(items);
  return AddValue(value);
}

int32_t MethodBuilder::TensorList(std::vector<int32_t> items) {
  Value value;
  value.kind = ValueKind::kTensorList;
  value.items = Pool(items);
  return AddValue(value);
}

int32_t MethodBuilder::OptionalTensorList(std::vector<int32_t> items) {
  Value value;
  value.kind = ValueKind::kOptionalTensorList;
  value.items = Pool(items);
  return AddValue(value);
}

int32_t MethodBuilder::Call(std::string_view op, std::vector<int32_t> args) {
  const auto known = std::ranges::find(method_.operators, op, &Operator::name);
  const auto index = static_cast<int32_t>(known - method_.operators.begin());
  if (known == method_.operators.end()) {
    const OpSchema* schema = FindOperator(op);
    if (schema == nullptr) schema = FindAliasOperator(op);
    method_.operators.push_back({std::string(op), schema});
  }
  method_.instructions.push_back({InstructionKind::kKernelCall, index, 0, Pool(args)});
  return Next() - 1;
}

int32_t MethodBuilder::Delegate(std::vector<int32_t> args) {
  method_.delegates.push_back({"TestBackend", {}});
  const auto index = static_cast<int32_t>(method_.delegates.size()) - 1;
  method_.instructions.push_back({InstructionKind::kDelegateCall, index, 0, Pool(args)});
  return Next() - 1;
}

int32_t MethodBuilder::Move(int32_t from, int32_t to) {
  method_.instructions.push_back({InstructionKind::kMove, from, to, {}});
  return Next() - 1;
}

int32_t MethodBuilder::JumpFalse(int32_t condition, int32_t target) {
  method_.instructions.push_back({InstructionKind::kJumpFalse, condition, target, {}});
  return Next() - 1;
}

int32_t MethodBuilder::Add(int32_t a, int32_t b, int32_t out) {
  return Call("aten::add.out", {a, b, Int(1), out, out});
}

int32_t MethodBuilder::Mul(int32_t a, int32_t b, int32_t out) {
  return Call("aten::mul.out", {a, b, out, out});
}

int32_t MethodBuilder::Flip(int32_t a, int32_t out) {
  const int32_t dim = Int(0);
  const int32_t list = IntList({dim});
  return Call("aten::flip.out", {a, list, out, out});
}

int32_t MethodBuilder::Copy(int32_t to, int32_t from) {
  return Call("aten::copy_", {to, from, Bool(false), to});
}

int32_t MethodBuilder::IndexPut(int32_t self, int32_t index, int32_t values) {
  const int32_t list = OptionalTensorList({index});
  return Call("aten::index_put_", {self, list, values, Bool(false), self});
}

Tensor& MethodBuilder::TensorAt(int32_t value) {
  return method_.tensors[method_.values[static_cast<size_t>(value)].tensor];
}

Method MethodBuilder::Build() const {
  Method method = method_;
  SetFlatStructures(method);
  return method;
}

Program ProgramOf(std::vector<Method> methods) {
  Program program;
  program.methods = std::move(methods);
  program.constants.emplace_back();
  program.initial_values.emplace_back();
  return program;
}

}  // namespace pteproof
