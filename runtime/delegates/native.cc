// Blobs of the native backend: a flatbuffer `NPTG` of one or more methods.
//
// A method has a graph of nodes in the order of their execution. Values have names; a table beside
// gives their types and the ranges of their sizes. Inputs and outputs are lists of names. What an
// output is for stands in a list of its own: the caller's, or the new contents of a buffer, which
// the backend keeps, or of an input. Constants and buffers with first values are named data.
//
// Which operands a node writes, and which its results share bytes with, stands beside it as a copy
// of the operator's signature, and lists of results have no place for it. So the order of nodes is
// followed past a write only if the table of operators knows all that could see it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/op_schema.h"
#include "runtime/delegates/flat_blob.h"
#include "runtime/delegates/flat_form.h"
#include "runtime/delegates/flat_table.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {
namespace {

constexpr int8_t kCall = 0;          // a node that computes; others are inputs and the outputs
constexpr int8_t kOutputs = 2;       // the node that lists all results, numbers among them
constexpr int8_t kUserOutput = 0;    // an output for the caller
constexpr int8_t kBufferUpdate = 1;  // new contents of a buffer
constexpr int8_t kInputUpdate = 2;   // new contents of an input
constexpr uint8_t kListResult = 1;   // kinds of results: tensors up to here, then numbers
constexpr uint8_t kTensorArg = 1;    // kinds of arguments
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

enum class OpEffect : uint8_t {
  kFresh,    // writes no operand, and its results have bytes of their own
  kInPlace,  // writes its first operand, and returns it
  kUnknown,  // what the blob says of it
  kHidden,   // may write what no blob says
};

constexpr std::string_view kTorchOps = "torch.ops.";
constexpr std::string_view kDefaultOverload = ".default";
// The table has them with results of their own, but PyTorch's share bytes.
constexpr std::array<std::string_view, 3> kViews = {"aten::chunk", "aten::contiguous",
                                                    "aten::tensor_split"};
// They write operands, though neither `_` nor an overload says so.
constexpr std::array<std::string_view, 6> kHiddenWriters = {
    "aten::_batch_norm_with_update",
    "aten::_fused_moving_avg_obs_fq_helper",
    "aten::batch_norm",
    "aten::fused_moving_avg_obs_fake_quant",
    "aten::native_batch_norm",
    "aten::rrelu_with_noise",
};

// By name, without overloads: whether all of them write results only.
const std::unordered_map<std::string_view, bool>& FreshByName() {
  static const auto names = [] {
    std::unordered_map<std::string_view, bool> all;
    for (const OpSchema& schema : AllOperators()) {
      const bool fresh = std::ranges::all_of(schema.args, [](const ArgSchema& arg) {
        const bool reads = arg.access == Access::kRead || arg.access == Access::kNone;
        return (arg.out || reads) && arg.set == '\0';
      });
      const std::string_view base = schema.name.substr(0, schema.name.find('.'));
      const auto [at, is_new] = all.try_emplace(base, fresh);
      at->second &= fresh;
    }
    for (const std::string_view view : kViews) all.erase(view);
    for (const std::string_view writer : kHiddenWriters) all[writer] = false;
    return all;
  }();
  return names;
}

OpEffect EffectOf(std::string_view target) {
  if (!target.starts_with(kTorchOps)) return OpEffect::kUnknown;
  target.remove_prefix(kTorchOps.size());
  if (target.ends_with(kDefaultOverload)) target.remove_suffix(kDefaultOverload.size());
  std::string name(target);
  if (const size_t dot = name.find('.'); dot != name.npos) name.replace(dot, 1, "::");
  const std::string_view base = std::string_view(name).substr(0, name.find('.'));
  const std::string_view overload = std::string_view(name).substr(base.size());
  const OpSchema* exact = FindOperator(name);
  if (exact != nullptr && exact->in_place) {
    const bool is_plain = exact->returns == ReturnSlot::kWritten && exact->args[0].returned &&
                          std::ranges::all_of(exact->args.subspan(1), [](const ArgSchema& arg) {
                            return arg.access == Access::kRead;
                          });
    return is_plain ? OpEffect::kInPlace : OpEffect::kHidden;
  }
  const bool has_out = exact != nullptr && std::ranges::any_of(exact->args, &ArgSchema::out);
  if (has_out || base.ends_with('_')) return OpEffect::kHidden;
  if (overload.ends_with("out") || overload.starts_with(".values")) return OpEffect::kHidden;
  const auto found = FreshByName().find(base);
  if (found != FreshByName().end()) return found->second ? OpEffect::kFresh : OpEffect::kHidden;
  return base.starts_with("aten::") ? OpEffect::kUnknown : OpEffect::kHidden;
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
    for (const FlatTable& node : graph.Tables(0)) AddNode(node, graph);
    AddOutputs(graph);
    for (const BlobState& state : opened_.states) {
      Note(!state.updated || uses_[state.name] == 1);  // no other name for what is written
    }
    Note(!is_written_ || is_declared_);
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
    int64_t read = -1;     // last
    int64_t changed = -1;  // of `first`: when a node wrote through one of the names
    bool vague = false;    // of `first`: may be another name of an operand's bytes
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
  Names& FirstNameOf(int32_t value) { return NamesOf(NamesOf(value).first); }

  // What is there before all nodes.
  int32_t IndexOfGiven(std::string_view name) {
    const int32_t value = IndexOf(name);
    Note(NamesOf(value).made < 0);  // one of a name
    NamesOf(value).made = 0;
    return value;
  }

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
    ++uses_[std::string(key)];
  }

  void AddStored(const FlatTable& stored) {
    const int32_t index = IndexOfGiven(stored.Text(0));
    Describe(stored.Text(0), stored.Table(2));
    BlobValue& value = opened_.values[static_cast<size_t>(index)];
    AddKey(stored.Text(1), value);
    Note(AppendForm(stored, "...11", value.form));
    value.state = stored.Number<bool>(4);
    value.constant = !value.state;
    value.given = value.constant;
    if (value.state) AppendText(stored.Text(1), value.form);
    AddState(stored.Text(1), index);
  }

  void AddBuffer(const FlatTable& buffer) {
    const int32_t index = IndexOfGiven(buffer.Text(0));
    BlobValue& value = opened_.values[static_cast<size_t>(index)];
    value.state = true;
    AppendText(buffer.Text(1), value.form);
    Note(!buffer.HasFrom(2));
    ++uses_[std::string(buffer.Text(1))];
    AddState(buffer.Text(1), index);
  }

  void AddState(std::string_view name, int32_t value) {
    const bool updated = opened_.values[static_cast<size_t>(value)].state;
    opened_.states.push_back({.name = std::string(name), .updated = updated});
    if (updated) buffers_.emplace(name, value);
  }

  void AddInput(std::string_view name) {
    opened_.inputs.push_back({IndexOfGiven(name)});
    positions_.emplace(opened_.inputs.back().value, opened_.inputs.size());
  }

  void AddNode(const FlatTable& node, const FlatTable& graph) {
    const auto kind = node.Number<int8_t>(1);
    Note(!node.HasFrom(5) && kind >= kCall && kind <= kOutputs);
    if (kind == kOutputs) NoteTensors(node, graph);
    if (kind != kCall) return;
    BlobNode made{std::string(node.Text(2)), {}, {}};
    AppendText(made.op, made.form);
    const OpEffect effect = EffectOf(made.op);
    Note(effect != OpEffect::kHidden);
    AddArguments(node.Tables(3), effect, made);
    for (const int32_t written : made.writes) {
      Note(!opened_.values[static_cast<size_t>(NamesOf(written).first)].constant);
      FirstNameOf(written).changed = now_;
      NamesOf(written).made = now_;
    }
    is_written_ |= !made.writes.empty();
    AddResults(node.Tables(4), effect, made);
    ++now_;
    opened_.nodes.push_back(std::move(made));
  }

  void AddArguments(const std::vector<FlatTable>& arguments, OpEffect effect, BlobNode& made) {
    for (size_t a = 0; a < arguments.size(); ++a) {
      const size_t before = made.reads.size();
      Note(AppendForm(arguments[a], "s.1", made.form));
      AddReads(arguments[a].Table(1), made);
      const bool writes = arguments[a].Number<bool>(2);
      const bool in_place = effect == OpEffect::kInPlace && a == 0;
      Note(effect == OpEffect::kUnknown || writes == in_place);
      if (!writes) continue;
      made.writes.insert(made.writes.end(), made.reads.begin() + static_cast<int64_t>(before),
                         made.reads.end());
    }
    Note(effect != OpEffect::kInPlace || made.writes.size() == 1);
  }

  // All results are tensors, and listed by the graph too.
  void NoteTensors(const FlatTable& outputs, const FlatTable& graph) {
    std::vector<std::string_view> names;
    for (const FlatTable& output : outputs.Tables(3)) {
      const FlatTable argument = output.Table(1);
      Note(argument.Number<uint8_t>(0) == kTensorArg);
      names.push_back(argument.Table(1).Text(0));
    }
    Note(names == graph.Texts(2));
  }

  void AddResults(const std::vector<FlatTable>& results, OpEffect effect, BlobNode& made) {
    const size_t writes = made.writes.size();
    const bool is_known = effect != OpEffect::kUnknown;
    for (const FlatTable& result : results) {
      const bool is_one = results.size() == 1 && result.Number<uint8_t>(2) != kListResult;
      AddOutput(result, is_known || is_one, made);
      is_declared_ &= is_known || result.Number<uint8_t>(2) > kListResult ||
                      (is_one && writes == 0 && !result.Text(1).empty());
    }
    is_declared_ &= is_known || !results.empty();
    if (effect != OpEffect::kInPlace) return;
    Note(results.size() == 1 && made.writes.size() == 2 &&
         NamesOf(made.writes[1]).first == NamesOf(made.writes[0]).first);
  }

  // An output may be another name of an operand's bytes, and says so if `says_all`.
  void AddOutput(const FlatTable& output, bool says_all, BlobNode& made) {
    const auto value = [&](char letter, bool is_list, uint32_t field) {
      if (letter == 'a') return true;
      AddNames(output, field, is_list, made.writes, made.form);
      return true;
    };
    const size_t before = made.writes.size();
    Note(AppendForm(output, "wa1[w", made.form, value));
    const std::string_view other = output.Text(1);
    if (!other.empty()) Note(NamesOf(IndexOf(other)).read == now_);
    for (size_t w = before; w < made.writes.size(); ++w) {
      const int32_t first = other.empty() ? made.writes[w] : NamesOf(IndexOf(other)).first;
      Note(NamesOf(made.writes[w]).made < 0);  // each name is made once
      NamesOf(made.writes[w]).first = first;
      NamesOf(made.writes[w]).made = now_;
      NamesOf(first).vague |= !says_all;
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
    NamesOf(value).read = now_;
    Note(FirstNameOf(value).changed <= NamesOf(value).made);
  }

  void AddOutputs(const FlatTable& graph) {
    const std::vector<std::string_view> names = graph.Texts(2);
    const std::vector<FlatTable> purposes = method_.Tables(3);
    Note(names.size() == purposes.size());
    for (size_t i = 0; i < names.size(); ++i) {
      const int32_t value = IndexOf(names[i]);
      const FlatTable purpose = i < purposes.size() ? purposes[i] : FlatTable();
      NoteRead(value);
      Note(!purpose.HasFrom(3) && purpose.Text(0) == names[i]);
      if (purpose.Number<int8_t>(1) == kUserOutput) {
        Note(purpose.Text(2).empty());
        opened_.outputs.push_back({value});
      } else {
        AddUpdate(value, purpose);
      }
    }
    if (updates_.empty()) return;
    for (const std::string_view name : names) NoteApart(IndexOf(name));
  }

  // Which of the updates and outputs comes first is not said: none may read what another one
  // writes.
  void NoteApart(int32_t value) {
    const auto written = updates_.find(NamesOf(value).first);
    Note(!FirstNameOf(value).vague && (written == updates_.end() || written->second == value));
  }

  void AddUpdate(int32_t value, const FlatTable& purpose) {
    const auto kind = purpose.Number<int8_t>(1);
    const std::string_view target = purpose.Text(2);
    BlobNode& update = opened_.nodes.emplace_back(BlobNode{"update", {value}, {}});
    if (kind != kInputUpdate) {
      update.form = "buffer ";
      AppendText(target, update.form);
      const auto buffer = buffers_.find(target);
      Note(kind == kBufferUpdate && buffer != buffers_.end());
      if (buffer != buffers_.end()) Note(updates_.emplace(buffer->second, value).second);
      return;
    }
    const int32_t input = IndexOf(target);
    for (BlobSlot& slot : opened_.inputs) slot.updated |= slot.value == input;
    const auto position = positions_.find(input);
    Note(position != positions_.end() && updates_.emplace(input, value).second);
    update.form = "input ";
    if (position != positions_.end()) AppendCount(position->second, update.form);
  }

  FlatTable method_;
  OpenedBlob opened_{.backend = "native"};
  std::unordered_map<std::string_view, int32_t> indices_;  // by the name in the blob
  std::unordered_map<int32_t, size_t> positions_;          // of inputs, by value
  std::vector<Names> names_;                               // by value
  std::unordered_map<std::string_view, int32_t> buffers_;  // that are updated, by key
  std::unordered_map<int32_t, int32_t> updates_;           // by what is updated: the new contents
  std::unordered_map<std::string, size_t> uses_;           // of a key of data or of a buffer
  bool is_written_ = false;                                // by a node
  bool is_declared_ = true;  // which results share bytes with operands
  int64_t now_ = 1;
};

}  // namespace

std::vector<OpenedBlob> OpenNative(Bytes blob) {
  if (LettersOf(blob) != "NPTG") return {};
  FlatBuffer buffer(blob);
  const FlatTable root = buffer.Root();
  std::vector<OpenedBlob> methods;
  for (const FlatTable& method : root.Tables(1)) {
    methods.push_back(NativeReader(method).Run());
    methods.back().method = method.Text(0);
    methods.back().form = root.Text(0);
    methods.back().has_forms &= !root.HasFrom(2);
  }
  if (!buffer.damage().empty()) methods = {{.backend = "native", .damage = buffer.damage()}};
  if (methods.empty()) methods = {{.backend = "native", .damage = "it holds no method"}};
  return methods;
}

}  // namespace pteproof::delegates
