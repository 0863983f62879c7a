// Idea. An exporter gives one value of the file to a buffer and to what is stored to it, to what
// branches hand over, and to the operand and the result of an operator that works in place. Readers
// infer names of a storage from that, so the planner numbers values in the same way: values of the
// code that are one value of the file are joined, and the oldest of them leads.
//
// Invariant: joined values coincide in their storage and have one type. Cost: O(values + accesses).
#include "planner/emit/file_values.h"

#include <algorithm>
#include <utility>

#include "planner/code/same_bytes.h"
#include "planner/passes/in_place_rules.h"
#include "planner/passes/passes.h"
#include "planner/planted.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {
namespace {

bool Varies(const TensorType& type) {
  return std::ranges::any_of(type.sizes, [](const SizeExpr& s) { return !s.Constant(); });
}

ValueKind KindOf(graph::NumberType type) {
  switch (type) {
    case graph::NumberType::kInt:
      return ValueKind::kInt;
    case graph::NumberType::kBool:
      return ValueKind::kBool;
    case graph::NumberType::kReal:
      break;
  }
  return ValueKind::kDouble;
}

}  // namespace

FileValues::FileValues(const EmitInput& input, MethodWriter& writer)
    : input_(input),
      writer_(writer),
      by_rows_(input.code.values.size()),
      buffer_(input.code.values.size()),
      in_file_(input.code.values.size(), -1) {
  const Code& code = input.code;
  for (size_t v = 0; v < code.values.size(); ++v) joined_.push_back(static_cast<ValueId>(v));
  JoinStored();
  for (const Step& step : code.steps) JoinStep(step);
  for (size_t v = 0; v < code.values.size(); ++v) {
    const auto leader = static_cast<size_t>(Leader(static_cast<ValueId>(v)));
    if (code.values[v].stacked) by_rows_[leader] = true;
    if (code.values[v].origin == Origin::kBuffer) buffer_[leader] = true;
  }
}

// Leaders are the oldest of their kind.
ValueId FileValues::Leader(ValueId value) {
  ValueId leader = value;
  while (joined_[static_cast<size_t>(leader)] != leader) {
    leader = joined_[static_cast<size_t>(leader)];
  }
  while (joined_[static_cast<size_t>(value)] != leader) {
    value = std::exchange(joined_[static_cast<size_t>(value)], leader);
  }
  return leader;
}

void FileValues::Join(ValueId a, ValueId b) {
  const ValueId x = Leader(a);
  const ValueId y = Leader(b);
  joined_[static_cast<size_t>(std::max(x, y))] = std::min(x, y);
}

void FileValues::JoinStored() {
  const Code& code = input_.code;
  for (size_t b = 0; b < code.exit.size(); ++b) {
    if (code.exit[b] >= 0) Join(code.entry[b], code.exit[b]);
  }
  for (const ValueId v : code.outputs) {
    const CodeValue& value = code.values[static_cast<size_t>(v)];
    if (value.origin == Origin::kInput) Join(v, code.inputs[static_cast<size_t>(value.index)]);
  }
}

void FileValues::JoinStep(const Step& step) {
  const Code& code = input_.code;
  if (step.results.empty() || step.operands.empty()) return;
  if (const auto under = BuiltOver(code, input_.sharing, step)) {
    return Join(*under, step.results.front());
  }
  const auto kept = BytesKept(code, step);
  const auto passed = PassedThrough(step);
  const auto source = kept ? kept : passed ? passed : graph::ValueOfOperand(step.operands.front());
  if (!source || TensorTypeOf(code, *source) == nullptr) return;
  const ValueId result = step.results.front();
  if (!input_.sharing.Coincide(*source, result)) return;
  if (*TensorTypeOf(code, *source) != *TensorTypeOf(code, result)) return;
  const bool elided = IsElided(code, input_.sharing, step);
  if (elided || passed || InPlaceForm(code, step) != nullptr) Join(*source, result);
}

int32_t FileValues::Of(ValueId value) {
  const ValueId leader = Leader(value);
  int32_t& known = in_file_[static_cast<size_t>(leader)];
  if (known < 0) known = Add(leader);
  return known;
}

int32_t FileValues::Add(ValueId value) {
  if (TensorTypeOf(input_.code, value) != nullptr) return AddTensor(value);
  const auto& number = input_.code.values[static_cast<size_t>(value)].type;
  return writer_.Variable(KindOf(std::get<graph::NumberType>(number)));
}

int32_t FileValues::AddTensor(ValueId value) {
  const TensorType& type = *TensorTypeOf(input_.code, value);
  const int32_t added = writer_.AddTensor(type.dtype, input_.bounds[static_cast<size_t>(value)]);
  Tensor& tensor = writer_.TensorAt(added);
  const bool by_rows = by_rows_[static_cast<size_t>(value)];
  if (Varies(type) || by_rows) tensor.dynamism = Dynamism::kBounded;
  SetPlace(value, tensor);
  return added;
}

void FileValues::SetPlace(ValueId value, Tensor& tensor) {
  const auto index = static_cast<size_t>(input_.sharing.StorageIndexOf(value));
  const Place& place = input_.places[index];
  const Pin& pin = input_.sharing.storages()[index].pin;
  if (place.bank > 0) {
    tensor.planned = true;
    tensor.bank = static_cast<uint32_t>(place.bank);
    tensor.offset = static_cast<uint64_t>(place.offset);
    if (!Planted(Defect::kPartAtStart)) {
      tensor.offset += static_cast<uint64_t>(input_.sharing.InsideOf(value));
    }
  }
  if (pin.kind == Pin::Kind::kConstant) {
    tensor.data_index = input_.buffers[static_cast<size_t>(pin.index)].constant_index;
  } else if (pin.kind == Pin::Kind::kBuffer && buffer_[static_cast<size_t>(value)]) {
    const BufferInFile& buffer = input_.buffers[static_cast<size_t>(pin.index)];
    tensor.data_index = buffer.initial_index;
    // Names are identities across methods.
    const std::string prefix = buffer.several ? std::string(input_.method) + "/" : "";
    tensor.name = writer_.AddText(prefix + buffer.name);
  }
}

}  // namespace pteproof::planner
