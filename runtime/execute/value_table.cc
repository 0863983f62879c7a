#include "runtime/execute/value_table.h"

#include <algorithm>

#include "runtime/execute/argument_kinds.h"

namespace pteproof {

ValueTable::ValueTable(const Program& program, const Method& method, CallWork& work)
    : program_(program), method_(method), work_(work), pointers_(method.ints.size()) {
  size_t dims = 0;
  for (const Tensor& tensor : method.tensors) dims += tensor.sizes.count;
  sizes_.reserve(dims);
  strides_.reserve(dims);
  tensors_.reserve(method.tensors.size());
  values_.resize(method.values.size());
  for (const Tensor& tensor : method.tensors) AddTensor(tensor);
  const auto point = [&](Range range) {
    for (uint32_t at = range.first; at < range.first + range.count; ++at) {
      const int32_t v = method.ints[at];
      pointers_[at] = v < 0 ? nullptr : &values_[static_cast<size_t>(v)];
    }
  };
  for (const Value& value : method.values) {
    if (ListsValues(value.kind)) point(value.items);
  }
  for (const Instruction& instruction : method.instructions) point(instruction.args);
  for (size_t v = 0; v < values_.size(); ++v) values_[v] = Initial(method.values[v]);
}

void ValueTable::AddTensor(const Tensor& tensor) {
  TensorRef& ref = tensors_.emplace_back();
  ref.dtype = tensor.dtype;
  ref.bounded = tensor.dynamism == Dynamism::kBounded;
  ref.nbytes = tensor.nbytes;
  ref.dim_order = method_.Ints(tensor.dim_order);
  ref.bounds = method_.Ints(tensor.sizes);
  const size_t first = sizes_.size();
  sizes_.insert(sizes_.end(), ref.bounds.begin(), ref.bounds.end());
  strides_.resize(sizes_.size());
  // The vectors do not grow beyond what was reserved.
  ref.sizes = std::span(sizes_).subspan(first);
  ref.strides = std::span(strides_).subspan(first);
  SetStrides(ref);
}

RunValue ValueTable::Initial(const Value& value) {
  RunValue out;
  out.kind = value.kind;
  switch (value.kind) {
    case ValueKind::kNull:
      break;
    case ValueKind::kInt:
    case ValueKind::kBool:
      out.integer = value.integer;
      break;
    case ValueKind::kDouble:
      out.real = value.real;
      break;
    case ValueKind::kTensor:
      out.tensor = &tensors_[value.tensor];
      break;
    case ValueKind::kString:
      out.text = method_.Text(value.items);
      break;
    case ValueKind::kDoubleList:
      out.reals = std::span(method_.reals).subspan(value.items.first, value.items.count);
      break;
    case ValueKind::kBoolList:
      out.flags = method_.Ints(value.items);
      break;
    case ValueKind::kIntList:
    case ValueKind::kTensorList:
    case ValueKind::kOptionalTensorList:
      out.items = Pointers(value.items);
      break;
  }
  return out;
}

std::string ValueTable::Bind(const MethodMemory& memory) {
  if (memory.data != nullptr) {
    for (const DataEntry& entry : memory.data->entries) entries_.emplace(entry.key, &entry);
  }
  for (size_t v = 0; v < method_.values.size(); ++v) {
    const Tensor* tensor = method_.TensorOf(static_cast<int32_t>(v));
    if (tensor == nullptr) continue;
    std::string why = Place(*tensor, memory, tensors_[method_.values[v].tensor]);
    if (!why.empty()) return "value v" + std::to_string(v) + ": " + why;
  }
  return "";
}

std::string ValueTable::Place(const Tensor& tensor, const MethodMemory& memory, TensorRef& ref) {
  if (!tensor.planned) return PlaceConstant(tensor, memory, ref);
  const BankSpans& banks = memory.banks;
  const size_t room = tensor.bank < banks.size() ? banks[tensor.bank].size() : 0;
  if (tensor.offset > room || tensor.nbytes > room - tensor.offset) {
    return "the place lies outside of bank " + std::to_string(tensor.bank);
  }
  SetHome(ref, MemoryExtent(banks[tensor.bank].subspan(tensor.offset, tensor.nbytes), &work_));
  return "";
}

std::string ValueTable::PlaceConstant(const Tensor& tensor, const MethodMemory& memory,
                                      TensorRef& ref) {
  const size_t index = tensor.data_index;
  Bytes blob;
  if (tensor.external) {
    const std::string name(method_.Text(tensor.name));
    const auto entry = entries_.find(name);
    if (entry == entries_.end()) return "no data file has the entry '" + name + "'";
    blob = entry->second->blob;
  } else if (index > 0 && index < program_.constants.size()) {
    blob = program_.constants[index];
  } else {
    return "";
  }
  if (blob.size() < tensor.nbytes) return "the stored data are shorter than the tensor";
  if (!tensor.external && index < memory.constants.size() && !memory.constants[index].empty()) {
    if (memory.constants[index].size() < tensor.nbytes) {
      return "the copy of the constant is shorter than the tensor";
    }
    SetHome(ref, MemoryExtent(memory.constants[index], &work_));
    return "";
  }
  // At whatever address: kernels read it there.
  SetHome(ref, MemoryExtent(blob.first(tensor.nbytes), &work_));
  return "";
}

TensorRef* ValueTable::OwnTensor(int32_t v) {
  const Value& value = method_.values[static_cast<size_t>(v)];
  return value.kind == ValueKind::kTensor ? &tensors_[value.tensor] : nullptr;
}

void ValueTable::Restore(int32_t v) {
  values_[static_cast<size_t>(v)] = Initial(method_.values[static_cast<size_t>(v)]);
}

}  // namespace pteproof
