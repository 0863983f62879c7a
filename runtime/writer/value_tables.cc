#include "runtime/writer/value_tables.h"

#include <string_view>

namespace pteproof::writer {
namespace {

using schema::AnyValue;

// The tensor's name, source and device, where it has any to tell.
Offset<schema::TensorExtra> WriteExtra(TableWriter& writer, const Method& method,
                                       const Tensor& tensor) {
  const std::string_view name = method.Text(tensor.name);
  if (name.empty() && !tensor.external && tensor.device_type == 0 && tensor.device_index == 0)
    return 0;
  const auto text = name.empty() ? 0 : writer.builder.CreateString(name.data(), name.size());
  return schema::CreateTensorExtra(
      writer.builder, /*mutable_segment=*/0, text,
      tensor.external ? schema::TensorSource::External : schema::TensorSource::Segment,
      static_cast<schema::Device>(tensor.device_type), tensor.device_index);
}

Offset<schema::Placement> WritePlacement(TableWriter& writer, const Tensor& tensor) {
  if (!tensor.planned) return 0;
  return schema::CreatePlacement(writer.builder, tensor.bank, static_cast<uint32_t>(tensor.offset),
                                 static_cast<uint32_t>(tensor.offset >> 32));
}

Offset<void> WriteTensor(TableWriter& writer, const Method& method, const Tensor& tensor) {
  const auto sizes = writer.shapes.Sizes(writer.builder, method.Ints(tensor.sizes));
  const auto order = writer.shapes.DimOrder(writer.builder, method.Ints(tensor.dim_order));
  const auto place = WritePlacement(writer, tensor);
  const auto extra = WriteExtra(writer, method, tensor);
  const auto dynamism =
      tensor.dynamism == Dynamism::kBounded ? schema::Dynamism::Bounded : schema::Dynamism::Static;
  return schema::CreateTensor(writer.builder, static_cast<schema::ElementType>(tensor.dtype),
                              /*storage_offset=*/0, sizes, order, /*requires_grad=*/false,
                              FileIndex(writer.stored, tensor), place, /*layout=*/0, dynamism,
                              extra)
      .Union();
}

// A negative zero equals the field's default, which FlatBuffers would leave out.
Offset<void> WriteDouble(TableWriter& writer, double real) {
  writer.builder.ForceDefaults(true);
  const auto table = schema::CreateDouble(writer.builder, real);
  writer.builder.ForceDefaults(false);
  return table.Union();
}

Offset<void> WriteString(TableWriter& writer, std::string_view text) {
  const auto string = writer.builder.CreateString(text.data(), text.size());
  return schema::CreateString(writer.builder, string).Union();
}

// Any list but that of reals; its items are numbers of type T in the file.
template <class T, auto Create>
Offset<void> WriteList(TableWriter& writer, std::span<const int32_t> items) {
  const auto vector = writer.builder.CreateVectorScalarCast<T>(items.data(), items.size());
  return Create(writer.builder, vector).Union();
}

Offset<void> WriteReals(TableWriter& writer, const Method& method, Range range) {
  const auto items = std::span(method.reals).subspan(range.first, range.count);
  const auto vector = writer.builder.CreateVector(items.data(), items.size());
  return schema::CreateDoubleList(writer.builder, vector).Union();
}

Offset<void> WriteHeld(TableWriter& writer, const Method& method, const Value& value) {
  switch (value.kind) {
    case ValueKind::kNull:
      return schema::CreateNull(writer.builder).Union();
    case ValueKind::kInt:
      return schema::CreateInt(writer.builder, value.integer).Union();
    case ValueKind::kBool:
      return schema::CreateBool(writer.builder, value.integer != 0).Union();
    case ValueKind::kDouble:
      return WriteDouble(writer, value.real);
    case ValueKind::kTensor:
      return WriteTensor(writer, method, method.tensors[value.tensor]);
    case ValueKind::kString:
      return WriteString(writer, method.Text(value.items));
    case ValueKind::kDoubleList:
      return WriteReals(writer, method, value.items);
    case ValueKind::kIntList:
      return WriteList<int64_t, schema::CreateIntList>(writer, method.Ints(value.items));
    case ValueKind::kBoolList:
      return WriteList<uint8_t, schema::CreateBoolList>(writer, method.Ints(value.items));
    case ValueKind::kTensorList:
      return WriteList<int32_t, schema::CreateTensorList>(writer, method.Ints(value.items));
    case ValueKind::kOptionalTensorList:
      return WriteList<int32_t, schema::CreateOptionalTensorList>(writer, method.Ints(value.items));
  }
  return 0;
}

}  // namespace

TableVector<schema::Value> WriteValues(TableWriter& writer, const Method& method) {
  std::vector<Offset<schema::Value>> values;
  values.reserve(method.values.size());
  for (const Value& value : method.values) {
    const auto held = WriteHeld(writer, method, value);
    // The file's tags are numbered like our kinds, from 1.
    const auto tag = static_cast<AnyValue>(static_cast<int>(value.kind) + 1);
    values.push_back(schema::CreateValue(writer.builder, tag, held));
  }
  return WriteTables(writer, values);
}

}  // namespace pteproof::writer
