#include <numeric>
#include <utility>

#include "tests/crafted/draft.h"

namespace pteproof::crafted {
namespace {

constexpr size_t kHeaderLength = 32;
constexpr size_t kSegmentAlignment = 16;

Ref Segment(uint64_t offset, uint64_t size) {
  Ref table = Table();
  table->SetScalar(segment::kOffset, 8, offset).SetScalar(segment::kSize, 8, size);
  return table;
}

Ref Places(uint32_t segment_index, const std::vector<uint64_t>& offsets) {
  Ref table = Table();
  table->SetScalar(segment::kIndex, 4, segment_index).Set(segment::kOffsets, ULongs(offsets));
  return table;
}

Ref Operator(std::string_view name, std::string_view overload) {
  Ref table = Table();
  table->Set(op::kName, Text(name)).Set(op::kOverload, Text(overload));
  return table;
}

Ref Tagged(uint8_t tag, Ref held) {
  Ref table = Table();
  table->SetScalar(value::kTag, 1, tag).Set(value::kHeld, std::move(held));
  return table;
}

Ref Call(int32_t index, const std::vector<int32_t>& args) {
  Ref table = Table();
  table->SetScalar(call::kIndex, 4, static_cast<uint32_t>(index)).Set(call::kArgs, Ints(args));
  return table;
}

Ref Method() {
  Ref container = Table();
  container->Set(0, Text("")).Set(1, Text(""));
  Ref constant = TensorTable({2, 2});
  constant->SetScalar(tensor::kDataIndex, 4, 1);
  Ref only_chain = Table();
  only_chain->Set(chain::kInputs, Ints({}))
      .Set(chain::kOutputs, Ints({}))
      .Set(chain::kInstructions,
           References({Tagged(call::kKernel, Call(0, {kX, kW, kOne, kY, kY}))}));

  Ref plan = Table();
  plan->Set(method::kName, Text("forward"))
      .Set(method::kContainer, container)
      .Set(method::kValues,
           References(
               {Tagged(tag::kTensor, constant), Tagged(tag::kTensor, PlannedTensor({2, 2}, 0)),
                Tagged(tag::kTensor, PlannedTensor({2, 2}, 16)), Tagged(tag::kInt, IntTable(1))}))
      .Set(method::kInputs, Ints({kX}))
      .Set(method::kOutputs, Ints({kY}))
      .Set(method::kChains, References({only_chain}))
      .Set(method::kOperators, References({Operator("aten::add", "out")}))
      .Set(method::kDelegates, References({}))
      .Set(method::kBankSizes, Longs({0, 32}));
  return plan;
}

Wire WireOf(const Draft& draft) {
  return Serialize(draft.root, "ET12", draft.header ? kHeaderLength : 0);
}

size_t BaseAfter(size_t flatbuffer_size) {
  return (flatbuffer_size + kSegmentAlignment - 1) / kSegmentAlignment * kSegmentAlignment;
}

}  // namespace

Draft BaseProgram() {
  Draft draft;
  draft.root = Table();
  draft.root->SetScalar(program::kVersion, 4, 0)
      .Set(program::kMethods, References({Method()}))
      .Set(program::kSegments, References({}))
      .Set(program::kConstants, Places(0, {0, 0}));
  AddSegment(draft, std::string("\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f", 16));
  return draft;
}

Draft ProgramWithoutSegments() {
  Draft draft = BaseProgram();
  draft.header = false;
  draft.area.clear();
  draft.root->Set(program::kSegments, References({Segment(0, 0)}));
  draft.root->Set(program::kConstants, Places(0, {0}));
  HeldBy(draft, kW).Remove(tensor::kDataIndex);
  CallAt(draft, 0).Set(call::kArgs, Ints({kX, kX, kOne, kY, kY}));
  return draft;
}

std::string FileBytes(const Draft& draft) {
  std::string bytes = WireOf(draft).bytes;
  if (!draft.header) return bytes;
  const size_t size = bytes.size();
  bytes.resize(BaseAfter(size), '\0');
  bytes.replace(8, 4, "eh00");
  Patch32(bytes, 12, kHeaderLength);
  Patch64(bytes, 16, size);
  Patch64(bytes, 24, bytes.size());
  Patch64(bytes, 32, draft.area.size());
  return bytes + draft.area;
}

uint64_t SegmentBase(const Draft& draft) {
  return BaseAfter(WireOf(draft).bytes.size());
}

Object& Plan(const Draft& draft) {
  return *draft.root->Get(program::kMethods)->references.at(0);
}

Object& ValueAt(const Draft& draft, int32_t value) {
  return *Plan(draft).Get(method::kValues)->references.at(static_cast<size_t>(value));
}

Object& HeldBy(const Draft& draft, int32_t value) {
  return *ValueAt(draft, value).Get(value::kHeld);
}

Object& PlacementOf(const Draft& draft, int32_t value) {
  return *HeldBy(draft, value).Get(tensor::kPlacement);
}

Object& CallAt(const Draft& draft, size_t instruction) {
  const Ref chain = Plan(draft).Get(method::kChains)->references.at(0);
  return *chain->Get(chain::kInstructions)->references.at(instruction)->Get(instruction::kHeld);
}

Object& SegmentAt(const Draft& draft, size_t segment) {
  return *draft.root->Get(program::kSegments)->references.at(segment);
}

Ref TensorTable(const std::vector<int32_t>& sizes, uint8_t type) {
  std::string dim_order(sizes.size(), '\0');
  std::iota(dim_order.begin(), dim_order.end(), '\0');
  Ref table = Table();
  table->SetScalar(tensor::kType, 1, type)
      .Set(tensor::kSizes, Ints(sizes))
      .Set(tensor::kDimOrder, Bytes8(dim_order));
  return table;
}

Ref PlacementTable(uint32_t bank, uint64_t offset) {
  Ref table = Table();
  table->SetScalar(placement::kBank, 4, bank)
      .SetScalar(placement::kLow, 4, offset & 0xFFFFFFFF)
      .SetScalar(placement::kHigh, 4, offset >> 32);
  return table;
}

Ref PlannedTensor(const std::vector<int32_t>& sizes, uint64_t offset, uint8_t type) {
  Ref table = TensorTable(sizes, type);
  table->Set(tensor::kPlacement, PlacementTable(1, offset));
  return table;
}

Ref ListOf(Ref items) {
  Ref table = Table();
  table->Set(0, std::move(items));
  return table;
}

Ref IntTable(int64_t number) {
  Ref table = Table();
  table->SetScalar(0, 8, static_cast<uint64_t>(number));
  return table;
}

Ref BoolTable(uint8_t flag) {
  Ref table = Table();
  table->SetScalar(0, 1, flag);
  return table;
}

int32_t AddValue(Draft& draft, uint8_t tag, Ref held) {
  std::vector<Ref>& values = Plan(draft).Get(method::kValues)->references;
  values.push_back(Tagged(tag, std::move(held)));
  return static_cast<int32_t>(values.size()) - 1;
}

int32_t AddTensor(Draft& draft, Ref tensor) {
  return AddValue(draft, tag::kTensor, std::move(tensor));
}

int32_t AddOperator(Draft& draft, std::string_view name, std::string_view overload) {
  std::vector<Ref>& operators = Plan(draft).Get(method::kOperators)->references;
  operators.push_back(Operator(name, overload));
  return static_cast<int32_t>(operators.size()) - 1;
}

namespace {

void AddTagged(Draft& draft, uint8_t tag, Ref held) {
  const Ref chain = Plan(draft).Get(method::kChains)->references.at(0);
  chain->Get(chain::kInstructions)->references.push_back(Tagged(tag, std::move(held)));
}

}  // namespace

void AddCall(Draft& draft, int32_t op, const std::vector<int32_t>& args) {
  AddTagged(draft, call::kKernel, Call(op, args));
}

void AddInstruction(Draft& draft, uint8_t tag, int32_t first, int32_t second) {
  Ref held = Table();
  held->SetScalar(call::kFirst, 4, static_cast<uint32_t>(first));
  if (tag != call::kFree) held->SetScalar(call::kSecond, 4, static_cast<uint32_t>(second));
  AddTagged(draft, tag, held);
}

int32_t AddSegment(Draft& draft, std::string_view bytes) {
  std::vector<Ref>& segments = draft.root->Get(program::kSegments)->references;
  draft.area.resize(BaseAfter(draft.area.size()), '\0');
  segments.push_back(Segment(draft.area.size(), bytes.size()));
  draft.area += bytes;
  return static_cast<int32_t>(segments.size()) - 1;
}

Ref AddDelegate(Draft& draft, uint8_t source, uint32_t index) {
  Ref blob = Table();
  blob->SetScalar(delegate::kSource, 1, source).SetScalar(delegate::kIndex, 4, index);
  Ref spec = Table();
  spec->Set(delegate::kKey, Text("level")).Set(delegate::kValue, Bytes8("1"));
  Ref added = Table();
  added->Set(delegate::kId, Text("SomeBackend"))
      .Set(delegate::kBlob, blob)
      .Set(delegate::kSpecs, References({spec}));
  Plan(draft).Get(method::kDelegates)->references.push_back(added);
  const Ref chain = Plan(draft).Get(method::kChains)->references.at(0);
  chain->Get(chain::kInstructions)->references = {Tagged(call::kDelegate, Call(0, {kX, kY}))};
  return added;
}

void SetBankSizes(Draft& draft, const std::vector<int64_t>& sizes) {
  Plan(draft).Set(method::kBankSizes, Longs(sizes));
}

void SetIo(Draft& draft, const std::vector<int32_t>& inputs, const std::vector<int32_t>& outputs) {
  Plan(draft).Set(method::kInputs, Ints(inputs)).Set(method::kOutputs, Ints(outputs));
}

int32_t AddInitialised(Draft& draft, uint32_t data_index, std::string_view bytes) {
  const int32_t segment = AddSegment(draft, bytes);
  draft.root->Set(program::kInitialValues,
                  References({Places(static_cast<uint32_t>(segment), {0, 0})}));
  Ref state = PlannedTensor({2, 2}, 32);
  state->SetScalar(tensor::kDataIndex, 4, data_index);
  SetBankSizes(draft, {0, 48});
  const int32_t added = AddTensor(draft, state);
  CallAt(draft, 0).Set(call::kArgs, Ints({kX, added, kOne, kY, kY}));
  return added;
}

void AddNamedData(Draft& draft, const std::vector<std::string>& keys, uint32_t segment) {
  std::vector<Ref> entries;
  for (const std::string& key : keys) {
    entries.push_back(Table());
    entries.back()->Set(segment::kKey, Text(key)).SetScalar(segment::kKeySegment, 4, segment);
  }
  draft.root->Set(program::kNamedData, References(std::move(entries)));
}

}  // namespace pteproof::crafted
