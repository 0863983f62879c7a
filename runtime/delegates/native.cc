// Blobs of the native backend: a flatbuffer `NPTG` of one or more methods.
//
// A method has a graph of nodes in the order of their execution. Values have names; a table beside
// gives their types and the ranges of their sizes. Inputs and outputs are lists of names. What an
// output is for stands in a list of its own: the caller's, or the new contents of a buffer, which
// the backend keeps, or of an input. Constants and buffers with first values are named data.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/delegates/flat_blob.h"
#include "runtime/delegates/flat_form.h"
#include "runtime/delegates/flat_table.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {
namespace {

constexpr int8_t kCall = 0;         // a node that computes; others are inputs and the outputs
constexpr int8_t kOutputs = 2;      // the node that lists all results, numbers among them
constexpr int8_t kUserOutput = 0;   // an output for the caller
constexpr int8_t kInputUpdate = 2;  // new contents of an input
constexpr uint8_t kTensorArg = 1;   // kinds of arguments
constexpr uint8_t kGraphArg = 13;

// Fields of an argument (flat_form.h), by its kind, from 1: `r` names an operand. A branch gets
// what it reads as operands of its own.
constexpr std::array<std::string_view, kGraphArg> kArguments = {
    "r", "", "8r", "8r", "1r", "s", "1", "[8[r", "[8", "[1", "[r", "[r[1", ".."};
// Fields of a quantization, by its kind, from 1: `k` names data.
constexpr std::array<std::string_view, 2> kQuantizations = {"k1444k1", "s"};

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
    opened_.has_forms = !method_.HasFrom(5) && !graph.HasFrom(4);
    for (const FlatTable& value : graph.Tables(3)) {
      Note(!value.HasFrom(2));
      Describe(value.Text(0), value.Table(1));
    }
    for (const FlatTable& stored : method_.Tables(2)) AddStored(stored);
    for (const FlatTable& buffer : method_.Tables(4)) AddBuffer(buffer);
    for (const std::string_view name : graph.Texts(1)) AddInput(name);
    for (const FlatTable& node : graph.Tables(0)) AddNode(node);
    AddOutputs(graph);
    opened_.has_nodes = true;
    opened_.shares_states = true;
    opened_.not_checked = {"branches inside", "memory of its own"};
    return std::move(opened_);
  }

 private:
  // Names of the same bytes, for which the one that is made first stands; times count nodes.
  struct Names {
    int32_t first = -1;
    int64_t made = -1;
    int64_t changed = -1;  // of `first`: when a node wrote through one of the names
  };

  // Whether all is understood, so far.
  void Note(bool known) { opened_.has_forms &= known; }

  int32_t IndexOf(std::string_view name) {
    const auto next = static_cast<int32_t>(opened_.values.size());
    const auto [found, is_new] = indices_.emplace(name, next);
    if (is_new) opened_.values.push_back({.name = std::string(name)});
    if (is_new) names_.push_back({.first = next});
    return found->second;
  }
  BlobValue& ValueNamed(std::string_view name) {
    return opened_.values[static_cast<size_t>(IndexOf(name))];
  }
  Names& NamesOf(int32_t value) { return names_[static_cast<size_t>(value)]; }

  void Describe(std::string_view name, const FlatTable& meta) {
    BlobValue& value = ValueNamed(name);
    Note(value.form.empty());  // one of a name
    const auto part = [&](char letter, bool, uint32_t field) {
      if (letter == 'q') return AddQuantization(meta.Table(field), value);
      bool known = true;
      for (const FlatTable& dim : meta.Tables(field)) known &= AppendForm(dim, "88", value.form);
      value.form += ';';
      return known;
    };
    Note(AppendForm(meta, "1[d[4q", value.form, part));
    if (meta.Table(3)) return;  // packed: its elements are not those of a tensor
    value.types = NativeTypes(meta.Number<int8_t>(0));
    value.sizes.emplace();
    for (const FlatTable& dim : meta.Tables(1)) {
      value.sizes->push_back({dim.Number<int64_t>(0), dim.Number<int64_t>(1, -1)});
    }
  }

  bool AddQuantization(const FlatTable& quantization, BlobValue& value) {
    value.form += quantization ? 'q' : '-';
    if (!quantization) return true;
    const auto kind = quantization.Number<uint8_t>(0);
    if (kind == 0 || kind > kQuantizations.size() || quantization.HasFrom(2)) return false;
    AppendCount(kind, value.form);
    const FlatTable scheme = quantization.Table(1);
    const auto key = [&](char, bool, uint32_t field) {
      AddKey(scheme.Text(field), value);
      return true;
    };
    return AppendForm(scheme, kQuantizations[kind - 1], value.form, key);
  }

  void AddKey(std::string_view key, BlobValue& value) {
    value.form += key.empty() ? '-' : 'k';
    if (key.empty()) return;
    value.stored.push_back({.key = static_cast<int32_t>(opened_.data_keys.size())});
    opened_.data_keys.emplace_back(key);
  }

  void AddStored(const FlatTable& stored) {
    Describe(stored.Text(0), stored.Table(2));
    BlobValue& value = ValueNamed(stored.Text(0));
    AddKey(stored.Text(1), value);
    Note(AppendForm(stored, "...11", value.form));
    value.state = stored.Number<bool>(4);
    value.constant = !value.state;
    value.given = value.constant;
    if (value.state) AppendText(stored.Text(1), value.form);
    AddState(stored.Text(1), value.state);
  }

  void AddBuffer(const FlatTable& buffer) {
    BlobValue& value = ValueNamed(buffer.Text(0));
    Note(!value.state);
    value.state = true;
    AppendText(buffer.Text(1), value.form);
    Note(!buffer.HasFrom(2));
    AddState(buffer.Text(1), true);
  }

  void AddState(std::string_view name, bool updated) {
    opened_.states.push_back({.name = std::string(name), .updated = updated});
  }

  void AddInput(std::string_view name) {
    opened_.inputs.push_back({IndexOf(name)});
    positions_.emplace(opened_.inputs.back().value, opened_.inputs.size());
  }

  void AddNode(const FlatTable& node) {
    const auto kind = node.Number<int8_t>(1);
    Note(!node.HasFrom(5));
    if (kind == kOutputs) NoteTensors(node);
    if (kind != kCall) return;
    BlobNode made{std::string(node.Text(2)), {}, {}};
    AppendText(made.op, made.form);
    for (const FlatTable& argument : node.Tables(3)) {
      const size_t before = made.reads.size();
      Note(AppendForm(argument, "s.1", made.form));
      AddReads(argument.Table(1), made);
      if (!argument.Number<bool>(2)) continue;
      made.writes.insert(made.writes.end(), made.reads.begin() + static_cast<int64_t>(before),
                         made.reads.end());
    }
    for (const int32_t written : made.writes) {
      NamesOf(NamesOf(written).first).changed = now_;
      NamesOf(written).made = now_;
    }
    for (const FlatTable& output : node.Tables(4)) AddOutput(output, made);
    ++now_;
    opened_.nodes.push_back(std::move(made));
  }

  void NoteTensors(const FlatTable& outputs) {
    for (const FlatTable& output : outputs.Tables(3)) {
      Note(output.Table(1).Number<uint8_t>(0) == kTensorArg);
    }
  }

  // An output may be another name of an operand's bytes.
  void AddOutput(const FlatTable& output, BlobNode& made) {
    const auto value = [&](char letter, bool is_list, uint32_t field) {
      if (letter == 'a') return true;
      AddNames(output, field, is_list, made.writes, made.form);
      return true;
    };
    const size_t before = made.writes.size();
    Note(AppendForm(output, "wa1[w", made.form, value));
    const std::string_view other = output.Text(1);
    for (size_t w = before; w < made.writes.size(); ++w) {
      const int32_t first = other.empty() ? made.writes[w] : NamesOf(IndexOf(other)).first;
      Note(NamesOf(made.writes[w]).made < 0);  // each name is made once
      NamesOf(made.writes[w]).first = first;
      NamesOf(made.writes[w]).made = now_;
    }
  }

  // Names of values; an empty one is none.
  void AddNames(const FlatTable& table, uint32_t field, bool is_list, std::vector<int32_t>& out,
                std::string& form) {
    const auto names = is_list ? table.Texts(field) : std::vector{table.Text(field)};
    if (is_list) AppendCount(names.size(), form);
    for (const std::string_view name : names) {
      form += name.empty() ? '-' : 'v';
      if (!name.empty()) out.push_back(IndexOf(name));
    }
  }

  void AddReads(const FlatTable& argument, BlobNode& made) {
    const auto kind = argument.Number<uint8_t>(0);
    Note(kind != 0 && kind < kGraphArg && !argument.HasFrom(2));
    if (kind > kGraphArg && opened_.unknown_op.empty()) {
      opened_.unknown_op = "with an argument of an unknown kind";
    }
    AppendCount(kind, made.form);
    if (kind == 0 || kind > kGraphArg) return;
    const FlatTable content = argument.Table(1);
    const size_t before = made.reads.size();
    const auto value = [&](char, bool is_list, uint32_t field) {
      AddNames(content, field, is_list, made.reads, made.form);
      return true;
    };
    Note(AppendForm(content, kArguments[kind - 1], made.form, value));
    for (size_t r = before; r < made.reads.size(); ++r) NoteRead(made.reads[r]);
  }

  // Whoever reads a name after a write through another one gets what was written.
  void NoteRead(int32_t value) {
    const Names& names = NamesOf(value);
    Note(NamesOf(names.first).changed <= names.made);
  }

  void AddOutputs(const FlatTable& graph) {
    const std::vector<std::string_view> names = graph.Texts(2);
    const std::vector<FlatTable> purposes = method_.Tables(3);
    for (size_t i = 0; i < names.size(); ++i) {
      const int32_t value = IndexOf(names[i]);
      const FlatTable purpose = i < purposes.size() ? purposes[i] : FlatTable();
      NoteRead(value);
      Note(!purpose.HasFrom(3));
      if (purpose.Number<int8_t>(1) == kUserOutput) {
        opened_.outputs.push_back({value});
      } else {
        AddUpdate(value, purpose);
      }
    }
  }

  void AddUpdate(int32_t value, const FlatTable& purpose) {
    const std::string_view target = purpose.Text(2);
    BlobNode& update = opened_.nodes.emplace_back(BlobNode{"update", {value}, {}});
    if (purpose.Number<int8_t>(1) != kInputUpdate) {
      update.form = "buffer ";
      return AppendText(target, update.form);
    }
    const int32_t input = IndexOf(target);
    for (BlobSlot& slot : opened_.inputs) slot.updated |= slot.value == input;
    const auto position = positions_.find(input);
    Note(position != positions_.end());
    update.form = "input ";
    if (position != positions_.end()) AppendCount(position->second, update.form);
  }

  FlatTable method_;
  OpenedBlob opened_{.backend = "native"};
  std::unordered_map<std::string_view, int32_t> indices_;  // by the name in the blob
  std::unordered_map<int32_t, size_t> positions_;          // of inputs, by value
  std::vector<Names> names_;                               // by value
  int64_t now_ = 0;
};

}  // namespace

std::vector<OpenedBlob> OpenNative(Bytes blob) {
  if (LettersOf(blob) != "NPTG") return {};
  FlatBuffer buffer(blob);
  const std::string_view version = buffer.Root().Text(0);
  std::vector<OpenedBlob> methods;
  for (const FlatTable& method : buffer.Root().Tables(1)) {
    methods.push_back(NativeReader(method).Run());
    methods.back().method = method.Text(0);
    methods.back().form = version;
  }
  if (!buffer.damage().empty()) methods = {{.backend = "native", .damage = buffer.damage()}};
  if (methods.empty()) methods = {{.backend = "native", .damage = "it holds no method"}};
  return methods;
}

}  // namespace pteproof::delegates
