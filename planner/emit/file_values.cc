#include "planner/emit/file_values.h"

#include <algorithm>

#include "planner/code/same_bytes.h"
#include "planner/passes/passes.h"
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
      known_(input.code.values.size(), -1),
      source_(input.code.values.size(), -1),
      own_(input.code.values.size()),
      part_by_part_(input.code.values.size()) {
  const Code& code = input.code;
  for (const Step& step : code.steps) {
    for (const ValueId v : step.begins) part_by_part_[static_cast<size_t>(v)] = true;
    if (step.kind == StepKind::kDelegate) {
      for (const ValueId v : step.results) own_[static_cast<size_t>(v)] = true;
    }
    if (!IsElided(code, input.sharing, step)) continue;
    const auto result = static_cast<size_t>(step.results.front());
    const auto kept = BytesKept(code, step);
    const auto source = kept ? kept : graph::ValueOfOperand(step.operands.front());
    const bool one_write = input.sharing.accesses().writes[result].size() == 1;
    if (source && *TensorTypeOf(code, *source) == *TensorTypeOf(code, step.results.front())) {
      if (one_write) source_[result] = *source;
    } else {
      own_[result] = true;
    }
  }
  // Views whose sizes vary are made by an instruction that writes no bytes.
  for (const Step& step : code.steps) {
    if (IsRenamed(code, input.sharing, step))
      own_[static_cast<size_t>(step.results.front())] = true;
  }
}

int32_t FileValues::Of(ValueId value) {
  int32_t& known = known_[static_cast<size_t>(value)];
  if (known < 0) known = Add(value);
  return known;
}

int32_t FileValues::Add(ValueId value) {
  if (const ValueId source = source_[static_cast<size_t>(value)]; source >= 0) return Of(source);
  const TensorType* type = TensorTypeOf(input_.code, value);
  if (type == nullptr) {
    const auto& number = input_.code.values[static_cast<size_t>(value)].type;
    return writer_.Variable(KindOf(std::get<graph::NumberType>(number)));
  }
  if (own_[static_cast<size_t>(value)]) return AddTensor(value);
  const Key key = {input_.sharing.StorageIndexOf(value), input_.sharing.InsideOf(value),
                   type->dtype, input_.bounds[static_cast<size_t>(value)], Varies(*type)};
  const auto [place, is_new] = by_place_.try_emplace(key, -1);
  if (is_new) place->second = AddTensor(value);
  if (part_by_part_[static_cast<size_t>(value)]) {
    writer_.TensorAt(place->second).dynamism = Dynamism::kBounded;
  }
  return place->second;
}

int32_t FileValues::AddTensor(ValueId value) {
  const TensorType& type = *TensorTypeOf(input_.code, value);
  const int32_t added = writer_.AddTensor(type.dtype, input_.bounds[static_cast<size_t>(value)]);
  Tensor& tensor = writer_.TensorAt(added);
  if (Varies(type)) tensor.dynamism = Dynamism::kBounded;
  const auto index = static_cast<size_t>(input_.sharing.StorageIndexOf(value));
  const Place& place = input_.places[index];
  const Pin& pin = input_.sharing.storages()[index].pin;
  if (place.bank > 0) {
    tensor.planned = true;
    tensor.bank = static_cast<uint32_t>(place.bank);
    tensor.offset = static_cast<uint64_t>(place.offset + input_.sharing.InsideOf(value));
  }
  const bool is_buffer = input_.code.values[static_cast<size_t>(value)].origin == Origin::kBuffer;
  if (pin.kind == Pin::Kind::kConstant || (pin.kind == Pin::Kind::kBuffer && is_buffer)) {
    const BufferInFile& buffer = input_.buffers[static_cast<size_t>(pin.index)];
    tensor.data_index = buffer.data_index;
    if (is_buffer) tensor.name = writer_.AddText(buffer.name);
  }
  return added;
}

}  // namespace pteproof::planner
