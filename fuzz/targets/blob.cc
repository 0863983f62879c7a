// A delegate's blob: opened, within bounds; all that it says is within itself. Then a call that
// fits it, as far as it says what fits, is judged, and the blob is compared with itself.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "fuzz/bounds.h"
#include "fuzz/require.h"
#include "fuzz/targets/targets.h"
#include "properties/compare/terms/blob_terms.h"
#include "properties/rules/delegate_calls.h"
#include "runtime/delegates/call_roles.h"

namespace pteproof::fuzz {
namespace {

using delegates::BlobSlot;
using delegates::BlobValue;
using delegates::OpenedBlob;

// A reader of blobs may take 128 x the input + 1 MB: a value inside is some bytes there, and a
// name, types and sizes here.
constexpr size_t kMemoryFactor = 8;  // of what readers of files may take
constexpr size_t kMostArguments = 256;
constexpr std::string_view kBlobMethod = "forward";

void RequireInside(const OpenedBlob& opened) {
  const auto is_value = [&](int32_t v) {
    return v >= 0 && static_cast<size_t>(v) < opened.values.size();
  };
  for (const auto* slots : {&opened.inputs, &opened.outputs}) {
    for (const BlobSlot& slot : *slots) {
      Require(slot.value == -1 || is_value(slot.value), "slots have values of the blob");
    }
  }
  for (const delegates::BlobNode& node : opened.nodes) {
    Require(std::ranges::all_of(node.reads, is_value), "nodes read values of the blob");
    Require(std::ranges::all_of(node.writes, is_value), "nodes write values of the blob");
  }
  for (const delegates::BlobState& state : opened.states) {
    Require(state.value == -1 || is_value(state.value), "buffers are values of the blob");
  }
}

Range Append(std::vector<int32_t>& pool, const std::vector<int32_t>& items) {
  const auto first = static_cast<uint32_t>(pool.size());
  pool.insert(pool.end(), items.begin(), items.end());
  return {first, static_cast<uint32_t>(items.size())};
}

void AddArgument(Method& method, const BlobValue* value) {
  Tensor tensor;
  tensor.dtype = ScalarType::kFloat32;
  std::vector<int32_t> sizes;
  std::vector<int32_t> order;
  if (value != nullptr && !value->types.empty()) tensor.dtype = value->types.front();
  if (value != nullptr && value->sizes) {
    for (const delegates::BlobDim& dim : *value->sizes) {
      order.push_back(static_cast<int32_t>(sizes.size()));
      sizes.push_back(static_cast<int32_t>(std::clamp<int64_t>(dim.least, 0, 64)));
    }
  }
  tensor.sizes = Append(method.ints, sizes);
  tensor.dim_order = Append(method.ints, order);
  method.values.push_back(
      {.kind = ValueKind::kTensor, .tensor = static_cast<uint32_t>(method.tensors.size())});
  method.tensors.push_back(tensor);
}

void JudgeCall(const OpenedBlob& opened) {
  Method method;
  method.name = kBlobMethod;
  method.delegates = {{.id = "Backend", .blob = {}}};
  method.delegates.front().opened = std::make_shared<const OpenedBlob>(opened);
  method.operators = {};
  const size_t count = std::min<uint64_t>(
      opened.arguments.value_or(opened.inputs.size() + opened.outputs.size()), kMostArguments);
  std::vector<const BlobValue*> values(count);
  const auto note = [&](const BlobSlot& slot, size_t position) {
    if (position < count && slot.value >= 0) {
      values[position] = &opened.values[static_cast<size_t>(slot.value)];
    }
  };
  for (size_t i = 0; i < opened.inputs.size(); ++i) {
    note(opened.inputs[i], delegates::PositionOfInput(opened, i));
  }
  for (size_t i = 0; i < opened.outputs.size(); ++i) {
    note(opened.outputs[i], delegates::PositionOfOutput(opened, i));
  }
  std::vector<int32_t> args;
  for (const BlobValue* value : values) {
    args.push_back(static_cast<int32_t>(method.values.size()));
    AddArgument(method, value);
  }
  method.instructions.push_back(
      {.kind = InstructionKind::kDelegateCall, .args = Append(method.ints, args)});
  method.bank_sizes = {0};
  checks::JudgedBlobs judged;
  const meaning::MethodMeaning meant = meaning::MeaningOf(method, nullptr);
  for (const Finding& finding : checks::CheckDelegateCalls(meant, judged)) {
    Require(!finding.explanation.empty() && !finding.fix.empty(), "findings say why");
  }
}

// The same bytes at another place, with values that are counted the other way round.
void CompareWithItself(Bytes input, const OpenedBlob& opened) {
  const std::vector<std::byte> copy(input.begin(), input.end());
  OpenedBlob again = delegates::OpenBlob(copy).front();
  const auto last = static_cast<int32_t>(again.values.size()) - 1;
  const auto turn = [&](int32_t& value) { value = value < 0 ? value : last - value; };
  std::ranges::reverse(again.values);
  for (auto* slots : {&again.inputs, &again.outputs}) {
    for (BlobSlot& slot : *slots) turn(slot.value);
  }
  for (delegates::BlobNode& node : again.nodes) {
    std::ranges::for_each(node.reads, turn);
    std::ranges::for_each(node.writes, turn);
  }
  compare::TermTable table;
  const auto term = compare::TermOfBlob(table, opened);
  Require(term == compare::TermOfBlob(table, again), "a blob computes what it computes");
}

}  // namespace

Stage FuzzBlob(Bytes input) {
  const ReaderBounds bounds;
  const std::vector<OpenedBlob> all = delegates::OpenBlob(input);
  bounds.Require(kMemoryFactor * input.size(),
                 [&] { static_cast<void>(delegates::OpenBlob(input)); });
  if (all.empty()) return Stage::kRefused;
  std::ranges::for_each(all, RequireInside);
  const OpenedBlob& opened = all.front();
  if (!opened.damage.empty()) {
    Require(opened.values.empty() && opened.nodes.empty(), "a damaged blob says nothing else");
    return Stage::kRefused;
  }
  const WorkBound work;
  JudgeCall(opened);
  CompareWithItself(input, opened);
  work.Require("a call of a delegate");
  return Stage::kJudged;
}

}  // namespace pteproof::fuzz
