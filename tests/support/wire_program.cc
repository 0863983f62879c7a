#include "tests/support/wire_program.h"

#include <cstring>
#include <utility>

#include "program_generated.h"

namespace pteproof::wire {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

constexpr size_t kHeaderAt = 8;
constexpr size_t kHeaderSpace = 32;  // a multiple of the buffer's alignment, so that nothing shifts
constexpr size_t kSegmentAlignment = 128;

Offset<flatbuffers::String> Pack(FlatBufferBuilder& b, const std::optional<std::string>& text) {
  return text.has_value() ? b.CreateString(*text) : 0;
}

template <class T>
Offset<flatbuffers::Vector<T>> Pack(FlatBufferBuilder& b,
                                    const std::optional<std::vector<T>>& items) {
  return items.has_value() ? b.CreateVector(*items) : 0;
}

// A vector of tables, each made by `pack`; none for nothing.
template <class T, class Items, class PackFn>
Offset<flatbuffers::Vector<Offset<T>>> PackTables(FlatBufferBuilder& b, const Items* items,
                                                  PackFn pack) {
  if (items == nullptr) return 0;
  std::vector<Offset<T>> tables;
  for (const auto& item : *items) tables.push_back(pack(item));
  return b.CreateVector(tables);
}

template <class T>
const T* Get(const std::optional<T>& held) {
  return held.has_value() ? &*held : nullptr;
}

// Vectors that nobody misses are left out when empty.
template <class T>
const std::vector<T>* Filled(const std::vector<T>& items) {
  return items.empty() ? nullptr : &items;
}

Offset<schema::Tensor> PackTensor(FlatBufferBuilder& b, const Tensor& t) {
  const auto sizes = Pack(b, t.sizes);
  const auto order = Pack(b, t.dim_order);
  Offset<schema::Placement> place = 0;
  if (t.placement.has_value()) {
    place =
        schema::CreatePlacement(b, t.placement->bank, static_cast<uint32_t>(t.placement->offset),
                                static_cast<uint32_t>(t.placement->offset >> 32));
  }
  Offset<schema::TensorExtra> extra = 0;
  if (t.extra.has_value()) {
    const auto name = Pack(b, t.extra->name);
    extra = schema::CreateTensorExtra(
        b, t.extra->mutable_segment, name, static_cast<schema::TensorSource>(t.extra->source),
        static_cast<schema::Device>(t.extra->device), t.extra->device_index);
  }
  return schema::CreateTensor(b, static_cast<schema::ElementType>(t.type), t.storage_offset, sizes,
                              order, false, t.data_index, place, 0,
                              static_cast<schema::Dynamism>(t.dynamism), extra);
}

template <class To>
std::optional<std::vector<To>> Narrow(const std::optional<std::vector<int64_t>>& items) {
  if (!items.has_value()) return std::nullopt;
  std::vector<To> out;
  for (const int64_t item : *items) out.push_back(static_cast<To>(item));
  return out;
}

// CreateBool would normalise the byte.
Offset<void> PackBool(FlatBufferBuilder& b, int64_t byte) {
  const auto start = b.StartTable();
  b.AddElement<uint8_t>(schema::Bool::VT_VALUE, static_cast<uint8_t>(byte), 0);
  return Offset<void>(b.EndTable(start));
}

Offset<void> PackHeld(FlatBufferBuilder& b, const Value& v) {
  switch (v.tag) {
    case kInt:
      return schema::CreateInt(b, v.integer).Union();
    case kBool:
      return PackBool(b, v.integer);
    case kDouble:
      return schema::CreateDouble(b, v.real).Union();
    case kTensor:
      return PackTensor(b, v.tensor).Union();
    case kString:
      return schema::CreateString(b, Pack(b, v.text)).Union();
    case kIntList:
      return schema::CreateIntList(b, Pack(b, v.items)).Union();
    case kDoubleList:
      return schema::CreateDoubleList(b, Pack(b, v.reals)).Union();
    case kBoolList:
      return schema::CreateBoolList(b, Pack(b, Narrow<uint8_t>(v.items))).Union();
    case kTensorList:
      return schema::CreateTensorList(b, Pack(b, Narrow<int32_t>(v.items))).Union();
    case kOptionalTensorList:
      return schema::CreateOptionalTensorList(b, Pack(b, Narrow<int32_t>(v.items))).Union();
    default:
      return schema::CreateNull(b).Union();
  }
}

Offset<schema::Value> PackValue(FlatBufferBuilder& b, const Value& v) {
  const auto held = v.has_table ? PackHeld(b, v) : Offset<void>(0);
  return schema::CreateValue(b, static_cast<schema::AnyValue>(v.tag), held);
}

Offset<void> PackHeld(FlatBufferBuilder& b, const Instruction& i) {
  switch (i.tag) {
    case kDelegateCall:
      return schema::CreateDelegateCall(b, i.target, Pack(b, i.args)).Union();
    case kMove:
      return schema::CreateMove(b, i.target, i.other).Union();
    case kJumpFalse:
      return schema::CreateJumpFalse(b, i.target, i.other).Union();
    case kFree:
      return schema::CreateFree(b, i.target).Union();
    default:
      return schema::CreateKernelCall(b, i.target, Pack(b, i.args)).Union();
  }
}

Offset<schema::Chain> PackChain(FlatBufferBuilder& b, const Chain& chain) {
  const auto code = PackTables<schema::Instruction>(b, Get(chain), [&](const Instruction& i) {
    const auto held = i.has_table ? PackHeld(b, i) : Offset<void>(0);
    return schema::CreateInstruction(b, static_cast<schema::AnyInstruction>(i.tag), held);
  });
  return schema::CreateChain(b, 0, 0, code);
}

Offset<schema::Delegate> PackDelegate(FlatBufferBuilder& b, const Delegate& d) {
  const auto id = Pack(b, d.id);
  const auto blob = d.blob.has_value()
                        ? schema::CreateBlobReference(
                              b, static_cast<schema::BlobSource>(d.blob->source), d.blob->index)
                        : 0;
  const auto specs = PackTables<schema::CompileSpec>(b, Get(d.specs), [&](const CompileSpec& s) {
    const auto key = Pack(b, s.key);
    return schema::CreateCompileSpec(b, key, Pack(b, s.value));
  });
  return schema::CreateDelegate(b, id, blob, specs);
}

Offset<schema::Method> PackMethod(FlatBufferBuilder& b, const Method& m) {
  const auto name = Pack(b, m.name);
  const auto values =
      PackTables<schema::Value>(b, Get(m.values), [&](const Value& v) { return PackValue(b, v); });
  const auto inputs = Pack(b, m.inputs);
  const auto outputs = Pack(b, m.outputs);
  const auto chains =
      PackTables<schema::Chain>(b, Get(m.chains), [&](const Chain& c) { return PackChain(b, c); });
  const auto operators = PackTables<schema::Operator>(b, Get(m.operators), [&](const Operator& o) {
    const auto op = Pack(b, o.name);
    return schema::CreateOperator(b, op, Pack(b, o.overload));
  });
  const auto delegates = PackTables<schema::Delegate>(
      b, Get(m.delegates), [&](const Delegate& d) { return PackDelegate(b, d); });
  const auto sizes = Pack(b, m.bank_sizes);
  const auto devices =
      PackTables<schema::BankDevice>(b, Filled(m.bank_devices), [&](const BankDevice& d) {
        return schema::CreateBankDevice(b, d.bank, static_cast<schema::Device>(d.device),
                                        d.device_index);
      });
  return schema::CreateMethod(b, name, 0, values, inputs, outputs, chains, operators, delegates,
                              sizes, devices);
}

Offset<schema::SegmentOffsets> PackOffsets(FlatBufferBuilder& b, const Offsets& o) {
  return schema::CreateSegmentOffsets(b, o.segment_index, Pack(b, o.offsets));
}

void PackProgram(FlatBufferBuilder& b, const File& f) {
  const auto methods = PackTables<schema::Method>(
      b, Get(f.methods), [&](const Method& m) { return PackMethod(b, m); });
  const auto constants = PackTables<schema::InlineConstant>(
      b, Filled(f.inline_constants), [&](const InlineBytes& bytes) {
        if (bytes.has_value()) b.ForceVectorAlignment(bytes->size(), 1, 16);
        return schema::CreateInlineConstant(b, Pack(b, bytes));
      });
  const auto blobs = PackTables<schema::InlineBlob>(
      b, Get(f.inline_blobs),
      [&](const InlineBytes& bytes) { return schema::CreateInlineBlob(b, Pack(b, bytes)); });
  const auto segments = PackTables<schema::Segment>(b, Get(f.segments), [&](const Segment& s) {
    return schema::CreateSegment(b, s.offset, s.size);
  });
  const auto table = f.constants.has_value() ? PackOffsets(b, *f.constants) : 0;
  const auto initial = PackTables<schema::SegmentOffsets>(
      b, Filled(f.initial_values), [&](const Offsets& o) { return PackOffsets(b, o); });
  const auto named =
      PackTables<schema::NamedSegment>(b, Get(f.named_data), [&](const NamedSegment& n) {
        return schema::CreateNamedSegment(b, Pack(b, n.key), n.segment_index);
      });
  schema::FinishProgramBuffer(
      b, schema::CreateProgram(b, 0, methods, constants, blobs, segments, table, initial, named));
}

template <class T>
void Put(std::vector<std::byte>& bytes, size_t at, T number) {
  const T little = flatbuffers::EndianScalar(number);
  std::memcpy(bytes.data() + at, &little, sizeof little);
}

// Inserts the extended header and appends the segment area.
void AddSegments(std::vector<std::byte>& bytes, const File& file) {
  uint32_t root;
  std::memcpy(&root, bytes.data(), sizeof root);
  bytes.insert(bytes.begin() + kHeaderAt, kHeaderSpace, std::byte{0});
  Put<uint32_t>(bytes, 0, flatbuffers::EndianScalar(root) + uint32_t{kHeaderSpace});
  std::memcpy(bytes.data() + kHeaderAt, "eh00", 4);
  Put<uint32_t>(bytes, 12, file.header_length);
  Put<uint64_t>(bytes, 16, bytes.size());
  bytes.resize((bytes.size() + kSegmentAlignment - 1) / kSegmentAlignment * kSegmentAlignment);
  Put<uint64_t>(bytes, 24, bytes.size());
  if (file.header_length >= 32) Put<uint64_t>(bytes, 32, file.data.size());
  bytes.insert(bytes.end(), file.data.begin(), file.data.end());
}

Value WithTag(ValueTag tag) {
  Value value;
  value.tag = tag;
  return value;
}

}  // namespace

int32_t File::Add(Value added) {
  method().values->push_back(std::move(added));
  return static_cast<int32_t>(method().values->size()) - 1;
}

Value Null() {
  return WithTag(kNull);
}

Value Int(int64_t number) {
  Value value = WithTag(kInt);
  value.integer = number;
  return value;
}

Value Bool(bool flag) {
  Value value = WithTag(kBool);
  value.integer = flag ? 1 : 0;
  return value;
}

Value Double(double number) {
  Value value = WithTag(kDouble);
  value.real = number;
  return value;
}

Value Text(std::string text) {
  Value value = WithTag(kString);
  value.text = std::move(text);
  return value;
}

Value List(ValueTag tag, std::vector<int64_t> items) {
  Value value = WithTag(tag);
  value.items = std::move(items);
  return value;
}

Value Reals(std::vector<double> items) {
  Value value = WithTag(kDoubleList);
  value.reals = std::move(items);
  return value;
}

Value Float(std::vector<int32_t> sizes) {
  Value value = WithTag(kTensor);
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    value.tensor.dim_order->push_back(static_cast<uint8_t>(dim));
  value.tensor.sizes = std::move(sizes);
  return value;
}

Value Planned(std::vector<int32_t> sizes, uint64_t offset) {
  Value value = Float(std::move(sizes));
  value.tensor.placement = Placement{1, offset};
  return value;
}

Value Stored(std::vector<int32_t> sizes, uint32_t data_index) {
  Value value = Float(std::move(sizes));
  value.tensor.data_index = data_index;
  return value;
}

Instruction Call(int32_t op, std::vector<int32_t> args) {
  return {kKernelCall, true, op, 0, std::move(args)};
}

Instruction CallDelegate(int32_t delegate, std::vector<int32_t> args) {
  return {kDelegateCall, true, delegate, 0, std::move(args)};
}

Instruction Move(int32_t source, int32_t destination) {
  return {kMove, true, source, destination, {}};
}

Instruction JumpFalse(int32_t condition, int32_t destination) {
  return {kJumpFalse, true, condition, destination, {}};
}

Instruction Free(int32_t value) {
  return {kFree, true, value, 0, {}};
}

File AddFile() {
  File file;
  file.methods->emplace_back();
  file.method().values = {Stored({3}, 1), Planned({3}, 0), Planned({3}, 16), Int(1)};
  file.method().inputs = {1};
  file.method().outputs = {2};
  file.method().operators = {Operator{"aten::add", "out"}};
  file.code() = {Call(0, {1, 0, 3, 2, 2})};
  file.data = std::vector<std::byte>(12, std::byte{0x3f});
  file.segments = {Segment{0, 12}};
  file.constants = Offsets{0, std::vector<uint64_t>{0, 0}};
  return file;
}

std::vector<std::byte> Build(const File& file) {
  FlatBufferBuilder b;
  b.ForceDefaults(false);
  PackProgram(b, file);
  const auto* begin = reinterpret_cast<const std::byte*>(b.GetBufferPointer());
  std::vector<std::byte> bytes(begin, begin + b.GetSize());
  if (!file.data.empty()) AddSegments(bytes, file);
  return {bytes.begin(), bytes.end()};
}

}  // namespace pteproof::wire
