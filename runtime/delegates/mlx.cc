// Blobs of MLX: a header `MLX0` and a flatbuffer.
//
// A graph has slots for tensors, counted over constants, inputs, outputs, buffers and temporary
// ones, and slots for numbers. Inputs and outputs are lists of slots in the order of the call's
// arguments. Instructions stand in chains: one runs at loading, one in each call, others are the
// bodies of loops and branches. Of what is made at loading, calls find constants and buffers only:
// slots of other kinds are values of their own there. A node's table holds slots beside numbers,
// which its bytes do not tell apart: `kMlxKinds` says which of its fields are which. A buffer
// belongs to the loaded delegate, and starts with zeros. Results are cast to the types of the
// arguments.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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
constexpr uint8_t kNumberSlot = 1;        // an integer; the runtime refuses slots of other kinds
constexpr uint64_t kMostSlots = 1000000;  // of a kind, that the runtime takes

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
// Fields that are the number of a chain.
struct MlxBody {
  std::string_view of;
  uint32_t field;
};
constexpr std::array kBodies = {MlxBody{"If", 1}, MlxBody{"If", 2}, MlxBody{"Scan", 4}};

class MlxReader {
 public:
  explicit MlxReader(Bytes graph) : buffer_(graph) {}

  OpenedBlob Run() && {
    const FlatTable root = buffer_.Root();
    opened_.has_forms = true;
    ReadCounts(root);
    AddSlots(root.Tables(10), opened_.inputs);
    AddSlots(root.Tables(11), opened_.outputs);
    for (const FlatTable& slot : root.Tables(12)) AddBuffer(slot);
    for (const FlatTable& named : root.Tables(13)) AddName(named);
    const std::vector<FlatTable> tensors = root.Tables(14);
    DescribeTensors(tensors);
    NoteStored(tensors.size());
    AddChains(root);
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
  static constexpr uint64_t kLoading = uint64_t{1} << 40;  // those of a time count from there

  void ReadCounts(const FlatTable& root) {
    constants_ = root.Number<uint32_t>(1);
    buffers_ = constants_ + root.Number<uint32_t>(2) + root.Number<uint32_t>(3);
    end_of_buffers_ = buffers_ + root.Number<uint32_t>(4);
    tensors_ = end_of_buffers_ + root.Number<uint32_t>(5);
    numbers_ = root.Number<uint32_t>(6);
    Note(tensors_ <= kMostSlots && numbers_ <= kMostSlots);
  }

  [[nodiscard]] bool IsBuffer(uint64_t slot) const {
    return slot >= buffers_ && slot < end_of_buffers_;
  }

  int32_t IndexOf(uint64_t slot) {
    const bool is_number = slot >= kNumbers;
    const bool lasts = slot < constants_ || IsBuffer(slot);
    const uint64_t number = is_number ? slot - kNumbers : slot;
    const auto next = static_cast<int32_t>(opened_.values.size());
    const auto [found, is_new] =
        indices_.emplace(loading_ && !lasts ? kLoading + slot : slot, next);
    if (!is_new) return found->second;
    Note(number < (is_number ? numbers_ : tensors_));
    opened_.values.push_back({.name = fmt::format("{} {}", is_number ? "number" : "tensor", number),
                              .form = is_number ? "number" : ""});
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
    for (const FlatTable& slot : slots) {
      out.push_back({IndexOf(slot)});
      Note(slot.Number<uint8_t>(1) <= kNumberSlot);
    }
  }

  void AddBuffer(const FlatTable& slot) {
    BlobValue& value = ValueOf(slot);
    Note(slot.Number<uint8_t>(1) == kTensorSlot && IsBuffer(slot.Number<uint32_t>(0)));
    Note(!value.state);
    value.state = true;
    ++stated_;
  }

  // All constants and buffers of the count are there, and described.
  void NoteStored(uint64_t described) {
    Note(named_ == constants_ && stated_ == end_of_buffers_ - buffers_);
    Note(described >= (stated_ == 0 ? constants_ : end_of_buffers_));
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
      ++named_;
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

  // What runs at loading, then what runs in a call.
  void AddChains(const FlatTable& root) {
    chains_ = root.Tables(7);
    const auto main = root.Number<uint32_t>(8);
    const auto init = root.Number<int32_t>(9, -1);
    Note(chains_.size() == (init >= 0 && static_cast<uint32_t>(init) != main ? 2 : 1));
    loading_ = true;
    if (init >= 0) AddChainsFrom(static_cast<uint32_t>(init));
    loading_ = false;
    AddChainsFrom(main);
  }

  // A chain, and then those that its nodes run, and so on.
  void AddChainsFrom(uint32_t chain) {
    std::vector<uint32_t> runs = {chain};
    std::vector<bool> known(chains_.size());
    for (size_t r = 0; r < runs.size(); ++r) {
      const uint32_t c = runs[r];
      Note(c < chains_.size());
      if (c >= chains_.size() || known[c]) continue;
      known[c] = true;
      for (const FlatTable& instruction : chains_[c].Tables(0)) AddInstruction(instruction, runs);
    }
  }

  void AddInstruction(const FlatTable& instruction, std::vector<uint32_t>& runs) {
    const auto kind = instruction.Number<uint8_t>(0);
    Note(!instruction.HasFrom(2));
    if (kind == 0 || kind > kMlxKinds.size()) {
      if (opened_.unknown_op.empty()) opened_.unknown_op = fmt::format("number {}", kind);
      return;
    }
    const FlatTable fields = instruction.Table(1);
    opened_.nodes.push_back(NodeOf(kind, fields));
    for (const MlxBody& body : kBodies) {
      if (body.of == opened_.nodes.back().op) runs.push_back(fields.Number<uint32_t>(body.field));
    }
  }

  BlobNode NodeOf(uint8_t kind, const FlatTable& fields) {
    const MlxKind& is = kMlxKinds[kind - 1];
    BlobNode node{std::string(is.name), {}, {}, loading_};
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
    if (is_slot) AddSlot(number, 1, kNumbers, node);
  }

  // The slot in a field, which must be there.
  void AddSlot(const FlatTable& table, uint32_t field, uint64_t first, BlobNode& node) {
    Note(table.Has(field));
    node.reads.push_back(IndexOf(first + table.Number<uint32_t>(field)));
  }

  // A slot of a number, then one of a tensor, then a flag: whether it is the number (any other than
  // 0), or, of a table that begins with a literal, which of the three it is.
  void AddEither(const FlatTable& either, uint32_t first, BlobNode& node) {
    auto flag = either.Number<uint8_t>(first + 2);
    Note(AppendForm(either, first == 0 ? "..1" : flag == 0 ? "8..1" : "...1", node.form));
    if (first == 0) flag = flag == 0 ? 2 : 1;
    Note(flag <= 2);
    if (flag == 1) AddSlot(either, first, kNumbers, node);
    if (flag == 2) AddSlot(either, first + 1, 0, node);
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
  uint64_t buffers_ = 0;    // the first slot of a buffer
  uint64_t end_of_buffers_ = 0;
  uint64_t tensors_ = 0;  // slots of tensors
  uint64_t numbers_ = 0;  // slots of numbers
  uint64_t named_ = 0;    // constants, so far
  uint64_t stated_ = 0;   // buffers, so far
  bool loading_ = false;
  std::vector<FlatTable> chains_;
  OpenedBlob opened_{.backend = "MLX"};
  std::map<uint64_t, int32_t> indices_;  // of values, by slot
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
