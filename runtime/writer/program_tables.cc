#include "runtime/writer/program_tables.h"

#include <algorithm>

#include "runtime/writer/method_tables.h"

namespace pteproof::writer {
namespace {

constexpr uint64_t kInlineAlignment = 16;

// What one of each takes at most with all its tables, its padding and the reference to it, but
// without the elements of its vectors and the characters of its strings. An element takes 8 bytes.
constexpr uint64_t kProgramBound = 2048;  // with all vtables
constexpr uint64_t kMethodBound = 512;
constexpr uint64_t kValueBound = 224;  // a tensor, placed and named
constexpr uint64_t kInstructionBound = 80;
constexpr uint64_t kSmallBound = 64;  // operator, compile spec, bank device, named data, segment
constexpr uint64_t kElementBound = 8;

uint64_t ValueBound(const Method& method, const Value& value) {
  const uint64_t own = kValueBound + kElementBound * value.items.count;
  if (value.kind != ValueKind::kTensor) return own;
  const Tensor& tensor = method.tensors[value.tensor];
  return own + kElementBound * tensor.sizes.count + tensor.name.count;
}

uint64_t DelegateBound(const Delegate& delegate) {
  uint64_t bound = 2 * kSmallBound + delegate.id.size();
  for (const CompileSpec& spec : delegate.specs)
    bound += kSmallBound + spec.key.size() + spec.value.size();
  return bound;
}

uint64_t MethodBound(const Method& method) {
  uint64_t bound = kMethodBound + method.name.size() + method.input_structure.size() +
                   method.output_structure.size() +
                   kElementBound * (method.inputs.size() + method.outputs.size()) +
                   kElementBound * method.bank_sizes.size() +
                   kSmallBound * method.bank_devices.size();
  for (const Value& value : method.values) bound += ValueBound(method, value);
  for (const Operator& op : method.operators) bound += kSmallBound + op.name.size();
  for (const Delegate& delegate : method.delegates) bound += DelegateBound(delegate);
  for (const Instruction& instruction : method.instructions)
    bound += kInstructionBound + kElementBound * instruction.args.count;
  return bound;
}

bool HasInlineBlob(const SegmentArea& area) {
  return std::ranges::find(area.delegate_segments, kInline) != area.delegate_segments.end();
}

// One blob without bytes, for all delegates that have none; nothing when no delegate needs it.
TableVector<schema::InlineBlob> WriteInlineBlobs(TableWriter& writer) {
  if (!HasInlineBlob(writer.area)) return 0;
  writer.builder.ForceVectorAlignment(0, 1, kInlineAlignment);
  const auto bytes = writer.builder.CreateVector(std::vector<uint8_t>());
  return WriteTables<schema::InlineBlob>(writer, {schema::CreateInlineBlob(writer.builder, bytes)});
}

TableVector<schema::Segment> WriteSegments(TableWriter& writer) {
  std::vector<Offset<schema::Segment>> segments;
  segments.reserve(writer.area.segments.size());
  for (const SegmentPlace& place : writer.area.segments)
    segments.push_back(schema::CreateSegment(writer.builder, place.offset, place.size));
  return WriteTables(writer, segments);
}

Offset<schema::SegmentOffsets> WriteOffsets(TableWriter& writer, uint32_t segment,
                                            const std::vector<uint64_t>& offsets) {
  return schema::CreateSegmentOffsets(writer.builder, segment,
                                      writer.builder.CreateVector(offsets));
}

TableVector<schema::SegmentOffsets> WriteInitialValues(TableWriter& writer) {
  if (writer.area.initial_offsets.empty()) return 0;
  return WriteTables<schema::SegmentOffsets>(
      writer, {WriteOffsets(writer, 1, writer.area.initial_offsets)});
}

TableVector<schema::NamedSegment> WriteNamedData(TableWriter& writer, const Program& program) {
  if (program.named_data.empty()) return 0;
  std::vector<Offset<schema::NamedSegment>> named;
  for (size_t i = 0; i < program.named_data.size(); ++i) {
    const std::string& key = program.named_data[i].key;
    const auto text = writer.builder.CreateString(key.data(), key.size());
    named.push_back(
        schema::CreateNamedSegment(writer.builder, text, writer.area.named_segments[i]));
  }
  return WriteTables(writer, named);
}

}  // namespace

uint64_t TablesBound(const Program& program) {
  uint64_t bound = kProgramBound + (kElementBound + kSmallBound) *
                                       (program.constants.size() + program.initial_values.size());
  for (const Method& method : program.methods) bound += MethodBound(method);
  for (const NamedBlob& named : program.named_data) bound += 2 * kSmallBound + named.key.size();
  return bound;
}

void WriteProgramTables(TableWriter& writer, const Program& program) {
  const auto methods = WriteMethods(writer, program);
  const auto inline_blobs = WriteInlineBlobs(writer);
  const auto segments = WriteSegments(writer);
  const auto constants = WriteOffsets(writer, 0, writer.area.constant_offsets);
  const auto initial_values = WriteInitialValues(writer);
  const auto named_data = WriteNamedData(writer, program);
  const auto root = schema::CreateProgram(writer.builder, /*version=*/0, methods,
                                          /*inline_constants=*/0, inline_blobs, segments, constants,
                                          initial_values, named_data);
  schema::FinishProgramBuffer(writer.builder, root);
}

}  // namespace pteproof::writer
