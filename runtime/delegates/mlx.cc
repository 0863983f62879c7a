// Blobs of MLX: a header `MLX0` and a flatbuffer.
//
// A graph has slots for tensors, counted over constants, inputs, outputs, buffers and temporary
// ones, and slots for numbers. Inputs and outputs are lists of slots in the order of the call's
// arguments. Instructions stand in chains: one runs at loading, one in each call, others are the
// bodies of loops and branches. A node's table holds slots beside numbers, which its bytes do not
// tell apart: `kMlxKinds` says which of its fields are which. A buffer belongs to the loaded
// delegate, and starts with zeros. Results are cast to the types of the arguments.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
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

constexpr uint64_t kMlxHeader = 24;
constexpr uint64_t kMlxEnd = 8;  // byte of the header: where the flatbuffer ends
constexpr uint8_t kTensorSlot = 0;

// A letter for each field of a node's table (flat_form.h), and
//   r w b  a tensor that is read, or written, or both
//   v x    a number that is read, or written    i   a number or a slot of one
//   t k    a tensor or a number, as flags say
struct MlxKind {
  std::string_view name;
  std::string_view fields;
};
// clang-format off
constexpr std::array kMlxKinds = {  // by the number of the kind, from 1
    MlxKind{"Noop", ""}, MlxKind{"IdCopy", "rw"}, MlxKind{"Addmm", "rrwr44"},
    MlxKind{"ItemInt", "rx"}, MlxKind{"ExpandDims", "rw4"}, MlxKind{"Tile", "rw[i"},
    MlxKind{"TakeAlongAxis", "rrw4"}, MlxKind{"Take", "rwk4"}, MlxKind{"RMSNorm", "rrw4"},
    MlxKind{"LayerNorm", "rwrr4"}, MlxKind{"Rope", "rw4tr144"}, MlxKind{"Sdpa", "rrrw4r1"},
    MlxKind{"Add", "rrw"}, MlxKind{"AddInt", "iix"}, MlxKind{"SubtractInt", "iix"},
    MlxKind{"MultiplyInt", "iix"}, MlxKind{"FloorDivideInt", "iix"}, MlxKind{"SymSize", "r4x"},
    MlxKind{"Multiply", "rrw"}, MlxKind{"Divide", "rrw"}, MlxKind{"Subtract", "rrw"},
    MlxKind{"Conv1D", "rrw4444"}, MlxKind{"Conv2D", "rrw4444444"},
    MlxKind{"Conv3D", "rrw4444444444"}, MlxKind{"Gelu", "rws"}, MlxKind{"ARange", "wiii1"},
    MlxKind{"Silu", "rw"}, MlxKind{"Sigmoid", "rw"}, MlxKind{"Tanh", "rw"},
    MlxKind{"Squeeze", "rw[4"}, MlxKind{"Split", "r[w[i4"}, MlxKind{"Rsqrt", "rw"},
    MlxKind{"Maximum", "rrw"}, MlxKind{"Minimum", "rrw"}, MlxKind{"Log", "rw"},
    MlxKind{"Softmax", "rw41"}, MlxKind{"BroadcastTo", "rw[i"}, MlxKind{"Pad", "rw[is4"},
    MlxKind{"Where", "rrrw"}, MlxKind{"Reshape", "rw[i"}, MlxKind{"Transpose", "rw[4"},
    MlxKind{"AsStrided", "rw[i[i8"}, MlxKind{"Contiguous", "rw"}, MlxKind{"Gather", "r[rw[4[4"},
    MlxKind{"Slice", "rwiii4"}, MlxKind{"AsType", "rw1"}, MlxKind{"Concatenate", "[rw4"},
    MlxKind{"Full", "w[ii1"}, MlxKind{"FullLike", "rwi1"}, MlxKind{"Argmax", "rw41"},
    MlxKind{"SliceUpdate", "rrwiii4"}, MlxKind{"IndexCopy", "rrrw4"},
    MlxKind{"Dequantize", "rrwr44sr1"}, MlxKind{"Less", "rrw"}, MlxKind{"LessEqual", "rrw"},
    MlxKind{"Greater", "rrw"}, MlxKind{"GreaterEqual", "rrw"}, MlxKind{"Equal", "rrw"},
    MlxKind{"NotEqual", "rrw"}, MlxKind{"LogicalNot", "rw"}, MlxKind{"LogicalAnd", "rrw"},
    MlxKind{"LogicalOr", "rrw"}, MlxKind{"Tri", "wii41"}, MlxKind{"Tril", "rw4"},
    MlxKind{"Triu", "rw4"}, MlxKind{"Floor", "rw"}, MlxKind{"Ceil", "rw"}, MlxKind{"Square", "rw"},
    MlxKind{"Exp", "rw"}, MlxKind{"Sin", "rw"}, MlxKind{"Cos", "rw"}, MlxKind{"Tan", "rw"},
    MlxKind{"Arcsin", "rw"}, MlxKind{"Arccos", "rw"}, MlxKind{"Arctan", "rw"},
    MlxKind{"Sinh", "rw"}, MlxKind{"Cosh", "rw"}, MlxKind{"Arcsinh", "rw"},
    MlxKind{"Arccosh", "rw"}, MlxKind{"Arctanh", "rw"}, MlxKind{"Log2", "rw"},
    MlxKind{"Log10", "rw"}, MlxKind{"Log1p", "rw"}, MlxKind{"Erf", "rw"}, MlxKind{"Expm1", "rw"},
    MlxKind{"Round", "rw4"}, MlxKind{"Reciprocal", "rw"}, MlxKind{"Sqrt", "rw"},
    MlxKind{"Abs", "rw"}, MlxKind{"Neg", "rw"}, MlxKind{"Atan2", "rrw"},
    MlxKind{"LogAddExp", "rrw"}, MlxKind{"FloorDivide", "rrw"}, MlxKind{"Power", "rrw"},
    MlxKind{"LogSumExp", "rw[41"}, MlxKind{"Sum", "rw[41"}, MlxKind{"Mean", "rw[41"},
    MlxKind{"Var", "rw[414"}, MlxKind{"Std", "rw[414"}, MlxKind{"Prod", "rw[41"},
    MlxKind{"Max", "rw[41"}, MlxKind{"Min", "rw[41"}, MlxKind{"Argmin", "rw41"},
    MlxKind{"Median", "rw[41"}, MlxKind{"ModInt", "iix"}, MlxKind{"Remainder", "rrw"},
    MlxKind{"ConvTranspose1D", "rrw44444"}, MlxKind{"ConvTranspose2D", "rrw444444444"},
    MlxKind{"ConvTranspose3D", "rrw4444444444444"}, MlxKind{"Clip", "rwrr"},
    MlxKind{"Cumsum", "rw411"}, MlxKind{"Stack", "[rw4"}, MlxKind{"Sign", "rw"},
    MlxKind{"Any", "rw[41"}, MlxKind{"All", "rw[41"}, MlxKind{"Repeat", "rwi4"},
    MlxKind{"Sort", "rw4"}, MlxKind{"Argsort", "rw4"}, MlxKind{"Partition", "rwi4"},
    MlxKind{"ArgPartition", "rwi4"}, MlxKind{"QuantizedMatmul", "rrrwr44s1"},
    MlxKind{"ScatterAdd", "rrrw4"}, MlxKind{"GatherMm", "rrwrr1i"},
    MlxKind{"GatherQmm", "rrrwsrrr1441i"}, MlxKind{"Scan", "[r[w[w[b44"},
    MlxKind{"MetalKernel", "ss[r[w[i[is[s[s11[i[4[1[s[1[44"}, MlxKind{"BitwiseInvert", "rw"},
    MlxKind{"Roll", "rw[i[4"}, MlxKind{"BitwiseAnd", "rrw"}, MlxKind{"BitwiseOr", "rrw"},
    MlxKind{"BitwiseXor", "rrw"}, MlxKind{"If", "i44"}, MlxKind{"RandomBits", "w[iv4"},
    MlxKind{"UpdateAndAttend", "rrrrw441"}, MlxKind{"Trunc", "rw"}, MlxKind{"Flip", "rw[4"},
};
// clang-format on

constexpr uint32_t kSeed = 2;  // field of RandomBits
// Nodes that run other chains, or keep what nobody lists.
constexpr std::array<std::string_view, 3> kOpaque = {"Scan", "If", "UpdateAndAttend"};

class MlxReader {
 public:
  explicit MlxReader(Bytes graph) : buffer_(graph) {}

  OpenedBlob Run() && {
    const FlatTable root = buffer_.Root();
    opened_.has_forms = true;
    constants_ = root.Number<uint32_t>(1);
    const auto main = root.Number<uint32_t>(8);
    const auto init = root.Number<int32_t>(9, -1);
    AddSlots(root.Tables(10), opened_.inputs);
    AddSlots(root.Tables(11), opened_.outputs);
    for (const FlatTable& slot : root.Tables(12)) ValueOf(slot).state = true;
    for (const FlatTable& named : root.Tables(13)) AddName(named);
    const std::vector<FlatTable> tensors = root.Tables(14);
    DescribeTensors(tensors);
    const std::vector<FlatTable> chains = root.Tables(7);
    if (init >= 0) AddChain(chains, static_cast<uint32_t>(init), true);
    AddChain(chains, main, false);
    for (uint32_t c = 0; c < chains.size(); ++c) {  // bodies, which nodes of others run
      if (c == main || static_cast<int64_t>(c) == init) continue;
      Note(false);
      AddChain(chains, c, false);
    }
    NoteForms(root, tensors);
    opened_.has_nodes = true;
    opened_.not_checked = {"types of outputs, which the runtime casts", "memory of its own"};
    if (buffer_.damage().empty()) return std::move(opened_);
    return {.backend = opened_.backend, .damage = buffer_.damage()};
  }

 private:
  // Whether all is understood, so far.
  void Note(bool known) { opened_.has_forms &= known; }

  static constexpr uint64_t kNumbers = uint64_t{1} << 32;  // slots of numbers count from there

  int32_t IndexOf(uint64_t slot) {
    const auto next = static_cast<int32_t>(opened_.values.size());
    const auto [found, is_new] = indices_.emplace(slot, next);
    if (!is_new) return found->second;
    const bool is_number = slot >= kNumbers;
    opened_.values.push_back({.name = fmt::format("{} {}", is_number ? "number" : "tensor",
                                                  is_number ? slot - kNumbers : slot)});
    opened_.values.back().constant = slot < constants_;
    return next;
  }
  int32_t IndexOf(const FlatTable& slot) {
    const bool is_tensor = slot.Number<uint8_t>(1) == kTensorSlot;
    return IndexOf((is_tensor ? 0 : kNumbers) + slot.Number<uint32_t>(0));
  }
  BlobValue& ValueOf(const FlatTable& slot) {
    return opened_.values[static_cast<size_t>(IndexOf(slot))];
  }

  void AddSlots(const std::vector<FlatTable>& slots, std::vector<BlobSlot>& out) {
    for (const FlatTable& slot : slots) out.push_back({IndexOf(slot)});
  }

  // Constants are named data. The exporter puts four digits and a slash before a name.
  void AddName(const FlatTable& named) {
    const FlatTable slot = named.Table(1);
    const std::string_view name = named.Text(0);
    BlobValue& value = ValueOf(slot);
    Note(value.stored.empty() && value.form.empty());  // one for a slot
    if (value.constant) {
      value.stored.push_back({.key = static_cast<int32_t>(opened_.data_keys.size())});
      value.given = true;
      opened_.data_keys.emplace_back(name);
    }
    if (!value.constant && !value.state) return;
    const std::string_view own = name.substr(name.find('/') + 1);
    if (value.state) AppendText(own, value.form);
    opened_.states.push_back({.name = std::string(own), .value = IndexOf(slot)});
  }

  // Only inputs must have the type that is written here.
  void DescribeTensors(const std::vector<FlatTable>& tensors) {
    for (uint32_t t = 0; t < tensors.size(); ++t) {
      const auto found = indices_.find(t);
      if (found == indices_.end()) continue;
      BlobValue& value = opened_.values[static_cast<size_t>(found->second)];
      const auto type = tensors[t].Number<int8_t>(1);
      if (IsScalarType(type)) value.types = {static_cast<ScalarType>(type)};
      value.sizes.emplace();
      for (const FlatTable& dim : tensors[t].Tables(0)) {
        const auto fixed = dim.Number<int32_t>(0, -1);
        value.sizes->push_back(fixed >= 0
                                   ? BlobDim{fixed, fixed}
                                   : BlobDim{dim.Number<int32_t>(1), dim.Number<int32_t>(2, -1)});
      }
    }
    for (const BlobSlot& slot : opened_.outputs) {
      opened_.values[static_cast<size_t>(slot.value)].types.clear();
    }
  }

  void AddChain(const std::vector<FlatTable>& chains, uint32_t chain, bool once) {
    if (chain >= chains.size()) return;
    for (const FlatTable& instruction : chains[chain].Tables(0)) {
      const auto kind = instruction.Number<uint8_t>(0);
      if (kind == 0 || kind > kMlxKinds.size()) {
        if (opened_.unknown_op.empty()) opened_.unknown_op = fmt::format("number {}", kind);
        continue;
      }
      opened_.nodes.push_back(NodeOf(kind, instruction.Table(1), once));
      Note(!instruction.HasFrom(2));
    }
  }

  BlobNode NodeOf(uint8_t kind, const FlatTable& fields, bool once) {
    const MlxKind& is = kMlxKinds[kind - 1];
    BlobNode node{std::string(is.name), {}, {}, once};
    node.random = is.name == "RandomBits" && !fields.Has(kSeed);
    AppendCount(kind, node.form);
    const auto own = [&](char letter, bool is_list, uint32_t field) {
      AddField(fields, field, letter, is_list, node);
      return true;
    };
    Note(AppendForm(fields, is.fields, node.form, own));
    Note(std::ranges::find(kOpaque, is.name) == kOpaque.end());
    return node;
  }

  void AddField(const FlatTable& fields, uint32_t f, char letter, bool is_list, BlobNode& node) {
    const bool writes = letter == 'w' || letter == 'x';
    std::vector<int32_t>& out = writes ? node.writes : node.reads;
    node.form += fields.Has(f) ? letter : '-';
    if (!fields.Has(f)) return;
    if (letter == 'i' && is_list) {
      const auto numbers = fields.Tables(f);
      AppendCount(numbers.size(), node.form);
      for (const FlatTable& number : numbers) AddNumber(number, node);
    } else if (letter == 'i') {
      AddNumber(fields.Table(f), node);
    } else if (letter == 't') {
      AddEither(fields.Table(f), 0, node);
    } else if (letter == 'k') {
      AddEither(fields.Table(f), 1, node);
    } else if (is_list) {
      const auto tensors = fields.Numbers<uint32_t>(f);
      AppendCount(tensors.size(), node.form);
      for (const auto tensor : tensors) {
        out.push_back(IndexOf(tensor));
        if (letter == 'b') node.writes.push_back(out.back());
      }
    } else {
      const uint64_t first = letter == 'v' || letter == 'x' ? kNumbers : 0;
      out.push_back(IndexOf(first + fields.Number<uint32_t>(f)));
    }
  }

  void AddNumber(const FlatTable& number, BlobNode& node) {
    const bool is_slot = number.Number<bool>(2);
    Note(AppendForm(number, is_slot ? "..1" : "8.1", node.form));
    if (is_slot) node.reads.push_back(IndexOf(kNumbers + number.Number<uint32_t>(1)));
  }

  // A slot of a number, then one of a tensor, then a flag: whether it is the number, or, of a table
  // that begins with a literal, which of the three it is.
  void AddEither(const FlatTable& either, uint32_t first, BlobNode& node) {
    const auto flag = either.Number<uint8_t>(first + 2);
    const uint8_t of_number = 1;
    const uint8_t of_tensor = first == 0 ? 0 : 2;
    Note(AppendForm(either, first == 0 ? "..1" : flag == 0 ? "8..1" : "...1", node.form));
    if (flag == of_number) node.reads.push_back(IndexOf(kNumbers + either.Number<uint32_t>(first)));
    if (flag == of_tensor) node.reads.push_back(IndexOf(either.Number<uint32_t>(first + 1)));
  }

  // Of tensors that are described: the description.
  void NoteForms(const FlatTable& root, const std::vector<FlatTable>& tensors) {
    for (uint32_t t = 0; t < tensors.size(); ++t) {
      const auto found = indices_.find(t);
      if (found == indices_.end()) continue;
      BlobValue& value = opened_.values[static_cast<size_t>(found->second)];
      const auto dims = [&](char, bool, uint32_t field) {
        bool known = true;
        for (const FlatTable& dim : tensors[t].Tables(field)) {
          known &= AppendForm(dim, "444", value.form);
        }
        value.form += ';';
        return known;
      };
      Note(AppendForm(tensors[t], "[d1[1", value.form, dims));
    }
    Note(AppendForm(root, "s..............", opened_.form));
  }

  FlatBuffer buffer_;
  uint64_t constants_ = 0;  // slots of tensors that are constants: the first ones
  OpenedBlob opened_{.backend = "MLX"};
  std::unordered_map<uint64_t, int32_t> indices_;  // of values, by slot
};

}  // namespace

std::optional<OpenedBlob> OpenMlx(Bytes blob) {
  if (LettersOf(blob) != "MLX0") return std::nullopt;
  const uint64_t end = blob.size() < kMlxHeader ? 0 : NumberAt<uint64_t>(blob, kMlxEnd);
  if (end < kMlxHeader || end > blob.size()) {
    return OpenedBlob{.backend = "MLX", .damage = "its graph reaches past the end"};
  }
  return MlxReader(blob.subspan(kMlxHeader, end - kMlxHeader)).Run();
}

}  // namespace pteproof::delegates
