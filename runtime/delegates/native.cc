// Blobs of the native backend: a flatbuffer `NPTG` of one or more methods.
//
// A method has a graph of nodes in the order of their execution. Values have names; a table beside
// gives their types and the ranges of their sizes. Inputs and outputs are lists of names. What an
// output is for stands in a list of its own: the caller's, or the new contents of a buffer, which
// the backend keeps, or of an input. Constants and buffers with first values are named data.
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/delegates/flat_blob.h"
#include "runtime/delegates/flat_table.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {
namespace {

constexpr int8_t kCall = 0;         // a node that computes; others are inputs and the outputs
constexpr int8_t kUserOutput = 0;   // an output for the caller
constexpr int8_t kInputUpdate = 2;  // new contents of an input
constexpr uint8_t kTensorArg = 1;   // kinds of arguments
constexpr uint8_t kIntListArg = 8;
constexpr uint8_t kTensorListArg = 11;
constexpr uint8_t kOptionalListArg = 12;
constexpr uint8_t kGraphArg = 13;

std::vector<ScalarType> NativeTypes(int8_t number) {
  constexpr int8_t kUnsigned = 16;  // 16, 32 and 64 bits: other numbers than those of tensors
  if (number == kUnsigned) return {ScalarType::kUInt16};
  if (number == kUnsigned + 1) return {ScalarType::kUInt32};
  if (number == kUnsigned + 2) return {ScalarType::kUInt64};
  if (number > kUnsigned || !IsScalarType(number)) return {};
  return {static_cast<ScalarType>(number)};
}

class NativeReader {
 public:
  explicit NativeReader(const FlatTable& method) : method_(method) {}

  OpenedBlob Run() && {
    const FlatTable graph = method_.Table(1);
    for (const FlatTable& value : graph.Tables(3)) Describe(value.Text(0), value.Table(1));
    for (const FlatTable& stored : method_.Tables(2)) AddStored(stored);
    for (const FlatTable& buffer : method_.Tables(4)) {
      ValueNamed(buffer.Text(0)).state = true;
      AddState(buffer.Text(1), true);
    }
    for (const std::string_view name : graph.Texts(1)) opened_.inputs.push_back({IndexOf(name)});
    for (const FlatTable& node : graph.Tables(0)) AddNode(node);
    AddOutputs(graph);
    opened_.has_nodes = true;
    opened_.shares_states = true;
    opened_.not_checked = {"branches inside", "memory of its own"};
    return std::move(opened_);
  }

 private:
  int32_t IndexOf(std::string_view name) {
    const auto next = static_cast<int32_t>(opened_.values.size());
    const auto [found, is_new] = indices_.emplace(name, next);
    if (is_new) opened_.values.push_back({.name = std::string(name)});
    return found->second;
  }
  BlobValue& ValueNamed(std::string_view name) {
    return opened_.values[static_cast<size_t>(IndexOf(name))];
  }

  void Describe(std::string_view name, const FlatTable& meta) {
    BlobValue& value = ValueNamed(name);
    if (meta.Table(3)) return;  // packed: its elements are not those of a tensor
    value.types = NativeTypes(meta.Number<int8_t>(0));
    value.sizes.emplace();
    for (const FlatTable& dim : meta.Tables(1)) {
      value.sizes->push_back({dim.Number<int64_t>(0), dim.Number<int64_t>(1, -1)});
    }
  }

  void AddStored(const FlatTable& stored) {
    Describe(stored.Text(0), stored.Table(2));
    BlobValue& value = ValueNamed(stored.Text(0));
    if (!stored.Text(1).empty()) opened_.data_keys.emplace_back(stored.Text(1));
    value.state = stored.Number<bool>(4);
    value.constant = !value.state;
    AddState(stored.Text(1), value.state);
  }

  void AddState(std::string_view name, bool updated) {
    opened_.states.push_back({.name = std::string(name), .updated = updated});
  }

  void AddNode(const FlatTable& node) {
    if (node.Number<int8_t>(1) != kCall) return;
    BlobNode made{std::string(node.Text(2)), {}, {}};
    for (const FlatTable& argument : node.Tables(3)) {
      const size_t before = made.reads.size();
      AddReads(argument.Table(1), made.reads);
      if (!argument.Number<bool>(2)) continue;
      made.writes.insert(made.writes.end(), made.reads.begin() + static_cast<int64_t>(before),
                         made.reads.end());
    }
    for (const FlatTable& output : node.Tables(4)) {
      if (!output.Text(0).empty()) made.writes.push_back(IndexOf(output.Text(0)));
      for (const std::string_view name : output.Texts(3)) made.writes.push_back(IndexOf(name));
    }
    opened_.nodes.push_back(std::move(made));
  }

  // Branches get what they read as operands of their own.
  void AddReads(const FlatTable& argument, std::vector<int32_t>& reads) {
    const auto kind = argument.Number<uint8_t>(0);
    const FlatTable content = argument.Table(1);
    const auto add = [&](std::string_view name) {
      if (!name.empty()) reads.push_back(IndexOf(name));
    };
    if (kind == kTensorArg) return add(content.Text(0));
    if (kind == kTensorListArg || kind == kOptionalListArg) {
      for (const std::string_view name : content.Texts(0)) add(name);
    } else if (kind == kIntListArg) {
      for (const std::string_view name : content.Texts(1)) add(name);
    } else if (kind > kTensorArg && kind < kIntListArg) {
      if (kind != kNoneArg && kind != kStringArg && kind != kTypeArg) add(content.Text(1));
    } else if (kind > kGraphArg && opened_.unknown_op.empty()) {
      opened_.unknown_op = "with an argument of an unknown kind";
    }
  }

  void AddOutputs(const FlatTable& graph) {
    const std::vector<std::string_view> names = graph.Texts(2);
    const std::vector<FlatTable> purposes = method_.Tables(3);
    for (size_t i = 0; i < names.size(); ++i) {
      const auto purpose = i < purposes.size() ? purposes[i].Number<int8_t>(1) : kUserOutput;
      if (purpose == kUserOutput) {
        opened_.outputs.push_back({IndexOf(names[i])});
      } else {
        opened_.nodes.push_back({"update", {IndexOf(names[i])}, {}});
        if (purpose == kInputUpdate) NoteUpdate(purposes[i].Text(2));
      }
    }
  }

  void NoteUpdate(std::string_view name) {
    const int32_t value = IndexOf(name);
    for (BlobSlot& slot : opened_.inputs) slot.updated |= slot.value == value;
  }

  static constexpr uint8_t kNoneArg = 2;
  static constexpr uint8_t kStringArg = 6;
  static constexpr uint8_t kTypeArg = 7;

  FlatTable method_;
  OpenedBlob opened_{.backend = "native"};
  std::unordered_map<std::string_view, int32_t> indices_;  // by the name in the blob
};

}  // namespace

std::vector<OpenedBlob> OpenNative(Bytes blob) {
  if (LettersOf(blob) != "NPTG") return {};
  FlatBuffer buffer(blob);
  std::vector<OpenedBlob> methods;
  for (const FlatTable& method : buffer.Root().Tables(1)) {
    methods.push_back(NativeReader(method).Run());
    methods.back().method = method.Text(0);
  }
  if (!buffer.damage().empty()) methods = {{.backend = "native", .damage = buffer.damage()}};
  if (methods.empty()) methods = {{.backend = "native", .damage = "it holds no method"}};
  return methods;
}

}  // namespace pteproof::delegates
