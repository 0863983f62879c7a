// Blobs of MLX: a header `MLX0` and a flatbuffer.
//
// A graph has slots for tensors, counted over constants, inputs, outputs, buffers and temporary
// ones, and slots for numbers. Inputs and outputs are lists of slots in the order of the call's
// arguments. Instructions stand in chains: one runs at loading, one in each call, others are the
// bodies of loops and branches. A node's table holds slots beside numbers, which its bytes do not
// tell apart: `kMlxKinds` says which of its fields are which. A buffer belongs to the loaded
// delegate, and starts with zeros. Results are cast to the types of the arguments.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
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

constexpr uint64_t kMlxHeader = 24;
constexpr uint64_t kMlxEnd = 8;  // byte of the header: where the flatbuffer ends
constexpr uint8_t kTensorSlot = 0;

// A letter for each field of a node's table:
//   r w    a tensor that is read, or written    R W B  several; B: read and written
//   v x    a number that is read, or written    i I    numbers or slots of some
//   t k    a tensor or a number, as flags say   -      no slot
struct MlxKind {
  std::string_view name;
  std::string_view fields;
};
// clang-format off
constexpr std::array kMlxKinds = {  // by the number of the kind, from 1
    MlxKind{"Noop", ""}, MlxKind{"IdCopy", "rw"}, MlxKind{"Addmm", "rrwr"},
    MlxKind{"ItemInt", "rx"}, MlxKind{"ExpandDims", "rw"}, MlxKind{"Tile", "rwI"},
    MlxKind{"TakeAlongAxis", "rrw"}, MlxKind{"Take", "rwk"}, MlxKind{"RMSNorm", "rrw"},
    MlxKind{"LayerNorm", "rwrr"}, MlxKind{"Rope", "rw-tr"}, MlxKind{"Sdpa", "rrrw-r"},
    MlxKind{"Add", "rrw"}, MlxKind{"AddInt", "iix"}, MlxKind{"SubtractInt", "iix"},
    MlxKind{"MultiplyInt", "iix"}, MlxKind{"FloorDivideInt", "iix"}, MlxKind{"SymSize", "r-x"},
    MlxKind{"Multiply", "rrw"}, MlxKind{"Divide", "rrw"}, MlxKind{"Subtract", "rrw"},
    MlxKind{"Conv1D", "rrw"}, MlxKind{"Conv2D", "rrw"}, MlxKind{"Conv3D", "rrw"},
    MlxKind{"Gelu", "rw"}, MlxKind{"ARange", "wiii"}, MlxKind{"Silu", "rw"},
    MlxKind{"Sigmoid", "rw"}, MlxKind{"Tanh", "rw"}, MlxKind{"Squeeze", "rw"},
    MlxKind{"Split", "rWI"}, MlxKind{"Rsqrt", "rw"}, MlxKind{"Maximum", "rrw"},
    MlxKind{"Minimum", "rrw"}, MlxKind{"Log", "rw"}, MlxKind{"Softmax", "rw"},
    MlxKind{"BroadcastTo", "rwI"}, MlxKind{"Pad", "rwI"}, MlxKind{"Where", "rrrw"},
    MlxKind{"Reshape", "rwI"}, MlxKind{"Transpose", "rw"}, MlxKind{"AsStrided", "rwII"},
    MlxKind{"Contiguous", "rw"}, MlxKind{"Gather", "rRw"}, MlxKind{"Slice", "rwiii"},
    MlxKind{"AsType", "rw"}, MlxKind{"Concatenate", "Rw"}, MlxKind{"Full", "wIi"},
    MlxKind{"FullLike", "rwi"}, MlxKind{"Argmax", "rw"}, MlxKind{"SliceUpdate", "rrwiii"},
    MlxKind{"IndexCopy", "rrrw"}, MlxKind{"Dequantize", "rrwr---r"}, MlxKind{"Less", "rrw"},
    MlxKind{"LessEqual", "rrw"}, MlxKind{"Greater", "rrw"}, MlxKind{"GreaterEqual", "rrw"},
    MlxKind{"Equal", "rrw"}, MlxKind{"NotEqual", "rrw"}, MlxKind{"LogicalNot", "rw"},
    MlxKind{"LogicalAnd", "rrw"}, MlxKind{"LogicalOr", "rrw"}, MlxKind{"Tri", "wii"},
    MlxKind{"Tril", "rw"}, MlxKind{"Triu", "rw"}, MlxKind{"Floor", "rw"}, MlxKind{"Ceil", "rw"},
    MlxKind{"Square", "rw"}, MlxKind{"Exp", "rw"}, MlxKind{"Sin", "rw"}, MlxKind{"Cos", "rw"},
    MlxKind{"Tan", "rw"}, MlxKind{"Arcsin", "rw"}, MlxKind{"Arccos", "rw"}, MlxKind{"Arctan", "rw"},
    MlxKind{"Sinh", "rw"}, MlxKind{"Cosh", "rw"}, MlxKind{"Arcsinh", "rw"},
    MlxKind{"Arccosh", "rw"}, MlxKind{"Arctanh", "rw"}, MlxKind{"Log2", "rw"},
    MlxKind{"Log10", "rw"}, MlxKind{"Log1p", "rw"}, MlxKind{"Erf", "rw"}, MlxKind{"Expm1", "rw"},
    MlxKind{"Round", "rw"}, MlxKind{"Reciprocal", "rw"}, MlxKind{"Sqrt", "rw"},
    MlxKind{"Abs", "rw"}, MlxKind{"Neg", "rw"}, MlxKind{"Atan2", "rrw"},
    MlxKind{"LogAddExp", "rrw"}, MlxKind{"FloorDivide", "rrw"}, MlxKind{"Power", "rrw"},
    MlxKind{"LogSumExp", "rw"}, MlxKind{"Sum", "rw"}, MlxKind{"Mean", "rw"}, MlxKind{"Var", "rw"},
    MlxKind{"Std", "rw"}, MlxKind{"Prod", "rw"}, MlxKind{"Max", "rw"}, MlxKind{"Min", "rw"},
    MlxKind{"Argmin", "rw"}, MlxKind{"Median", "rw"}, MlxKind{"ModInt", "iix"},
    MlxKind{"Remainder", "rrw"}, MlxKind{"ConvTranspose1D", "rrw"},
    MlxKind{"ConvTranspose2D", "rrw"}, MlxKind{"ConvTranspose3D", "rrw"}, MlxKind{"Clip", "rwrr"},
    MlxKind{"Cumsum", "rw"}, MlxKind{"Stack", "Rw"}, MlxKind{"Sign", "rw"}, MlxKind{"Any", "rw"},
    MlxKind{"All", "rw"}, MlxKind{"Repeat", "rwi"}, MlxKind{"Sort", "rw"}, MlxKind{"Argsort", "rw"},
    MlxKind{"Partition", "rwi"}, MlxKind{"ArgPartition", "rwi"},
    MlxKind{"QuantizedMatmul", "rrrwr"}, MlxKind{"ScatterAdd", "rrrw"},
    MlxKind{"GatherMm", "rrwrr-i"}, MlxKind{"GatherQmm", "rrrw-rrr----i"}, MlxKind{"Scan", "RWWB"},
    MlxKind{"MetalKernel", "--RWII-----I"}, MlxKind{"BitwiseInvert", "rw"}, MlxKind{"Roll", "rwI"},
    MlxKind{"BitwiseAnd", "rrw"}, MlxKind{"BitwiseOr", "rrw"}, MlxKind{"BitwiseXor", "rrw"},
    MlxKind{"If", "i"}, MlxKind{"RandomBits", "wIv"}, MlxKind{"UpdateAndAttend", "rrrrw"},
    MlxKind{"Trunc", "rw"}, MlxKind{"Flip", "rw"},
};
// clang-format on

class MlxReader {
 public:
  explicit MlxReader(Bytes graph) : buffer_(graph) {}

  OpenedBlob Run() && {
    const FlatTable root = buffer_.Root();
    constants_ = root.Number<uint32_t>(1);
    const auto main = root.Number<uint32_t>(8);
    const auto init = root.Number<int32_t>(9, -1);
    AddSlots(root.Tables(10), opened_.inputs);
    AddSlots(root.Tables(11), opened_.outputs);
    for (const FlatTable& slot : root.Tables(12)) ValueOf(slot).state = true;
    for (const FlatTable& named : root.Tables(13)) AddName(named);
    DescribeTensors(root.Tables(14));
    const std::vector<FlatTable> chains = root.Tables(7);
    if (init >= 0) AddChain(chains, static_cast<uint32_t>(init), true);
    AddChain(chains, main, false);
    for (uint32_t c = 0; c < chains.size(); ++c) {  // bodies, which nodes of others run
      if (c != main && static_cast<int64_t>(c) != init) AddChain(chains, c, false);
    }
    opened_.has_nodes = true;
    opened_.not_checked = {"types of outputs, which the runtime casts", "memory of its own"};
    if (buffer_.damage().empty()) return std::move(opened_);
    return {.backend = opened_.backend, .damage = buffer_.damage()};
  }

 private:
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
    const BlobValue& value = ValueOf(slot);
    if (value.constant) opened_.data_keys.emplace_back(name);
    if (!value.constant && !value.state) return;
    const std::string_view own = name.substr(name.find('/') + 1);
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
      const MlxKind& is = kMlxKinds[kind - 1];
      BlobNode node{std::string(is.name), {}, {}, once};
      const FlatTable fields = instruction.Table(1);
      for (uint32_t f = 0; f < is.fields.size(); ++f) AddField(fields, f, is.fields[f], node);
      opened_.nodes.push_back(std::move(node));
    }
  }

  void AddField(const FlatTable& fields, uint32_t f, char letter, BlobNode& node) {
    const bool writes = letter == 'w' || letter == 'W' || letter == 'x';
    std::vector<int32_t>& out = writes ? node.writes : node.reads;
    if (letter == 'r' || letter == 'w' || letter == 'v' || letter == 'x') {
      const uint64_t first = letter == 'v' || letter == 'x' ? kNumbers : 0;
      if (fields.Has(f)) out.push_back(IndexOf(first + fields.Number<uint32_t>(f)));
    } else if (letter == 'R' || letter == 'W' || letter == 'B') {
      for (const auto tensor : fields.Numbers<uint32_t>(f)) {
        out.push_back(IndexOf(tensor));
        if (letter == 'B') node.writes.push_back(out.back());
      }
    } else if (letter == 'i') {
      AddNumber(fields.Table(f), out);
    } else if (letter == 'I') {
      for (const FlatTable& number : fields.Tables(f)) AddNumber(number, out);
    } else if (letter == 't') {
      AddEither(fields.Table(f), 0, out);
    } else if (letter == 'k') {
      AddEither(fields.Table(f), 1, out);
    }
  }

  void AddNumber(const FlatTable& number, std::vector<int32_t>& out) {
    if (number.Number<bool>(2)) out.push_back(IndexOf(kNumbers + number.Number<uint32_t>(1)));
  }

  // A slot of a number, then one of a tensor, then a flag: whether it is the number, or, of a table
  // that begins with a literal, which of the three it is.
  void AddEither(const FlatTable& either, uint32_t first, std::vector<int32_t>& out) {
    const auto flag = either.Number<uint8_t>(first + 2);
    const uint8_t of_number = 1;
    const uint8_t of_tensor = first == 0 ? 0 : 2;
    if (flag == of_number) out.push_back(IndexOf(kNumbers + either.Number<uint32_t>(first)));
    if (flag == of_tensor) out.push_back(IndexOf(either.Number<uint32_t>(first + 1)));
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
