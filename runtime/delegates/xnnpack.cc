// Blobs of XNNPACK: a frame `XH00` around a flatbuffer `XN01` (early ones: the flatbuffer alone).
//
// A graph has values and nodes, which name values by number. A value with an external number is an
// argument of the call: the number is its position, a flag says whether it is read or written.
// Nodes have a table each kind; `kKinds` describes its fields.
// Sizes are those of the export; the runtime sets them anew from the arguments of each call, in
// the order of their dimensions in memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked_math.h"
#include "runtime/delegates/flat_blob.h"
#include "runtime/delegates/flat_form.h"
#include "runtime/delegates/flat_table.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {
namespace {

constexpr uint32_t kNoValue = 0xFFFFFFFF;
constexpr uint8_t kFullyConnected = 2;
constexpr uint8_t kDepthwise = 13;
constexpr uint32_t kIsInput = 1;
constexpr uint32_t kIsOutput = 2;

// Fields of a node's table (flat_form.h): `r` names an operand, `w` a result.
struct NodeKind {
  std::string_view name;
  std::string_view fields;
};

constexpr NodeKind One(std::string_view name) {
  return {name, "rw4"};
}
constexpr NodeKind Two(std::string_view name) {
  return {name, "rrw4"};
}
constexpr NodeKind Convolution(std::string_view name) {
  return {name, "444444444444444rrrw4"};
}
constexpr NodeKind Pooling(std::string_view name) {
  return {name, "4444444444rw4"};
}
constexpr NodeKind Concatenate(std::string_view fields) {
  return {"concatenate", fields};
}

// By the number of the kind, from 1.
constexpr std::array kKinds = {
    Two("add"),
    NodeKind{"fully connected", "rrrw4"},
    One("softmax"),
    One("sigmoid"),
    NodeKind{"transpose", "4[4rw4"},
    One("clamp"),
    Convolution("convolution"),
    Two("divide"),
    NodeKind{"resize", "44rw4"},
    NodeKind{"pad", "[4[44rw4"},
    Pooling("average pooling"),
    Two("minimum"),
    Convolution("depthwise convolution"),
    Pooling("max pooling"),
    Two("multiply"),
    Two("subtract"),
    One("floor"),
    One("convert"),
    One("global average pooling"),
    NodeKind{"reshape", "4[4rw4"},
    NodeKind{"argmax pooling", "444444rww4"},
    One("square root"),
    One("ceiling"),
    One("hardswish"),
    NodeKind{"leaky relu", "4rw4"},
    Two("maximum"),
    One("negate"),
    One("square"),
    NodeKind{"elu", "4rw4"},
    One("absolute value"),
    Two("prelu"),
    Concatenate("4rr..w4."),
    Concatenate("4rrr.w4."),
    Concatenate("4rrrrw4."),
    NodeKind{"slice", "4[4[4rw4"},
    NodeKind{"attention", "rrrrrw4"},
    Two("batch matrix multiply"),
    Concatenate("4rrrrw4r"),
    Convolution("transposed convolution"),
    One("reciprocal square root"),
    One("logarithm"),
    One("gelu"),
    One("tanh"),
    One("exponential"),
    One("sine"),
    One("copy"),
    One("cosine"),
};
// By the number of the kind of a quantization, from 1; `c` is a constant.
constexpr std::array<std::string_view, 4> kScales = {"[44c4", "44", "4", "[444[2c4"};

// The types of tensors that the bytes of such a value may be. Long results are widened afterwards.
std::vector<ScalarType> XnnpackTypes(int16_t datatype) {
  switch (datatype) {
    case 1:
      return {ScalarType::kFloat32};
    case 2:
      return {ScalarType::kFloat16};
    case 3:
      return {ScalarType::kInt8};
    case 4:
      return {ScalarType::kUInt8};
    case 5:
    case 12:
      return {ScalarType::kInt32, ScalarType::kInt64};
    case 14:
      return {ScalarType::kBFloat16};
    default:
      return {};
  }
}

using Dims = std::vector<uint64_t>;

// Bytes that the runtime reads of a constant: as many as its tensor has, whatever is said of their
// number. Nothing: that is not known.
std::optional<uint64_t> BytesRead(int16_t datatype, const Dims& dims) {
  //                               by number, 0: packed in an unknown way, or made while running
  constexpr std::array<uint8_t, 15> kBits = {0, 32, 16, 8, 8, 32, 8, 32, 4, 0, 4, 0, 32, 0, 16};
  const auto type = static_cast<size_t>(datatype);
  const uint64_t bits = datatype < 0 || type >= kBits.size() ? 0 : kBits[type];
  if (bits == 0 || (bits == 4 && (dims.empty() || dims.back() % 2 != 0))) return std::nullopt;
  std::optional<uint64_t> all = bits;
  for (const uint64_t size : dims) {
    if (all) all = CheckedMul<uint64_t>(*all, size);
  }
  return all ? std::optional(*all / 8) : std::nullopt;
}

// Bytes that the runtime reads of the scales of a tensor, by channel or by group.
std::optional<uint64_t> BytesOfScales(const FlatTable& scales, bool by_group, const Dims& dims) {
  const auto channel = scales.Number<uint32_t>(1);
  if (channel >= dims.size()) return std::nullopt;
  if (!by_group) return 4 * dims[channel];
  const uint64_t group = scales.Number<uint32_t>(2);
  if (dims.size() != 2 || channel != 0 || group == 0) return std::nullopt;
  return CheckedMul<uint64_t>(2 * dims[0], (dims[1] + group - 1) / group);
}

class XnnpackReader {
 public:
  XnnpackReader(Bytes graph, std::optional<Bytes> stored) : buffer_(graph), stored_(stored) {}

  OpenedBlob Run() && {
    const FlatTable root = buffer_.Root();
    opened_.has_forms = stored_.has_value();
    opened_.arguments = root.Number<uint32_t>(3);
    constants_ = {root.Tables(8), stored_.value_or(Bytes{}), KeyRule::kNamed, opened_};
    for (const FlatTable& value : root.Tables(2)) AddValue(value);
    for (const FlatTable& node : root.Tables(1)) AddNode(node);
    Note(AppendForm(root, "s..4.....", opened_.form));
    opened_.has_nodes = true;
    opened_.not_checked = {"memory of its own"};
    if (buffer_.damage().empty()) return std::move(opened_);
    return {.backend = opened_.backend, .damage = buffer_.damage()};
  }

 private:
  // Whether all is understood, so far.
  void Note(bool known) { opened_.has_forms &= known; }

  void AddValue(const FlatTable& value) {
    constexpr uint8_t kPlain = 1;
    constexpr uint8_t kQuantized = 2;
    const auto kind = value.Number<uint8_t>(0);
    const FlatTable content = value.Table(1);
    const FlatTable tensor = kind == kQuantized ? content.Table(0) : content;
    const bool known = kind == kPlain || kind == kQuantized;
    const auto index = static_cast<int32_t>(opened_.values.size());
    opened_.values.push_back(known ? ValueOf(tensor) : BlobValue{});
    const bool is_new = numbers_.emplace(tensor.Number<uint32_t>(6), index).second;
    Note(known && is_new && !value.HasFrom(2));
    if (!known) return;
    const Dims dims = DimsOf(index);
    AddForm(tensor, "24[4c.4.", BytesRead(tensor.Number<int16_t>(0), dims), opened_.values.back());
    if (kind == kQuantized) AddScales(content, dims, opened_.values.back());
    AddSlot(tensor, index);
  }

  static BlobValue ValueOf(const FlatTable& tensor) {
    BlobValue value;
    value.name = fmt::format("value {}", tensor.Number<uint32_t>(6));
    value.types = XnnpackTypes(tensor.Number<int16_t>(0));
    value.order = SizeOrder::kInMemory;
    value.sizes.emplace();
    for (const auto size : tensor.Numbers<uint32_t>(2)) value.sizes->push_back({size, size});
    value.constant = tensor.Number<uint32_t>(3) != 0;
    value.given = value.constant;
    return value;
  }

  [[nodiscard]] Dims DimsOf(int32_t value) const {
    Dims dims;
    const auto& sizes = opened_.values[static_cast<size_t>(value)].sizes;
    for (const BlobDim& dim : sizes.value_or(std::vector<BlobDim>{})) {
      dims.push_back(static_cast<uint64_t>(dim.most));
    }
    return dims;
  }

  // Constant 0 is none. Of another one so many bytes are read.
  void AddForm(const FlatTable& table, std::string_view fields, std::optional<uint64_t> bytes,
               BlobValue& value) {
    const auto constant = [&](char, bool, uint32_t field) {
      const auto index = table.Number<uint32_t>(field);
      if (index == 0) return constants_.AddTo(value, std::nullopt);
      return bytes.has_value() && constants_.AddTo(value, index, *bytes);
    };
    Note(AppendForm(table, fields, value.form, constant));
  }

  void AddScales(const FlatTable& quantized, const Dims& dims, BlobValue& value) {
    constexpr uint8_t kByChannel = 1;
    constexpr uint8_t kByGroup = 4;
    const auto kind = quantized.Number<uint8_t>(1);
    Note(kind <= kScales.size() && !quantized.HasFrom(3));
    AppendCount(kind, value.form);
    if (kind == 0 || kind > kScales.size()) return;
    const FlatTable scales = quantized.Table(2);
    const bool by_group = kind == kByGroup;
    if (kind != kByChannel && !by_group) return AddForm(scales, kScales[kind - 1], {}, value);
    const auto bytes = BytesOfScales(scales, by_group, dims);
    AddForm(scales, kScales[kind - 1], bytes, value);
    const bool in_graph = scales.Number<uint32_t>(by_group ? 4 : 2) == 0;
    const uint64_t listed = scales.RawList(0, 4).size() / (by_group ? 2 : 1);
    Note(!in_graph || (bytes && listed >= *bytes));
  }

  void AddSlot(const FlatTable& tensor, int32_t index) {
    const auto flags = tensor.Number<uint32_t>(5);
    const auto external = tensor.Number<uint32_t>(4);
    const BlobSlot slot{index, static_cast<int32_t>(std::min<uint32_t>(external, 0x7FFFFFFF))};
    // Values of one external number are one value for the runtime, with or without flags.
    const bool is_inside = flags == 0 && external == kNoValue;
    const bool is_outside = flags != 0 && (flags & ~(kIsInput | kIsOutput)) == 0 &&
                            external < opened_.arguments.value_or(0);
    Note(is_inside || (is_outside && externals_.insert(external).second));
    if ((flags & kIsInput) != 0) opened_.inputs.push_back(slot);
    if ((flags & kIsOutput) != 0) opened_.outputs.push_back(slot);
  }

  void AddNode(const FlatTable& node) {
    const auto kind = node.Number<uint8_t>(0);
    if (kind == 0 || kind > kKinds.size()) {
      if (opened_.unknown_op.empty()) opened_.unknown_op = fmt::format("number {}", kind);
      return;
    }
    const NodeKind& is = kKinds[kind - 1];
    const FlatTable fields = node.Table(1);
    BlobNode& made = opened_.nodes.emplace_back(BlobNode{std::string(is.name), {}, {}});
    AppendCount(kind, made.form);
    const auto value = [&](char letter, bool, uint32_t field) {
      return AddOperand(fields.Number<uint32_t>(field), letter == 'r' ? made.reads : made.writes,
                        made.form);
    };
    Note(AppendForm(fields, is.fields, made.form, value));
    if (kind == kFullyConnected) Note(CoversProduct(fields));
    if (is.fields == Convolution("").fields) Note(CoversConvolution(fields, kind == kDepthwise));
    Note(AppendForm(node.Table(3), "44", made.form) && !node.HasFrom(4));
  }

  // How many weights are read of a filter and a bias goes by the node, not by their own sizes.
  [[nodiscard]] bool CoversConvolution(const FlatTable& node, bool is_depthwise) const {
    const uint64_t height = node.Number<uint32_t>(4);
    const uint64_t width = node.Number<uint32_t>(5);
    const uint64_t in = node.Number<uint32_t>(10);
    const uint64_t out = uint64_t{node.Number<uint32_t>(11)} * node.Number<uint32_t>(12);
    const Dims filter = is_depthwise ? Dims{1, height, width, out} : Dims{out, height, width, in};
    return DimsOfNumber(node.Number<uint32_t>(16)) == filter &&
           IsBias(node.Number<uint32_t>(17), out);
  }

  // The bias is as long as the filter says.
  [[nodiscard]] bool CoversProduct(const FlatTable& node) const {
    constexpr uint32_t kTransposed = 1;
    const Dims filter = DimsOfNumber(node.Number<uint32_t>(1));
    const bool transposed = (node.Number<uint32_t>(4) & kTransposed) != 0;
    return filter.size() == 2 && IsBias(node.Number<uint32_t>(2), filter[transposed ? 1 : 0]);
  }

  [[nodiscard]] bool IsBias(uint32_t number, uint64_t length) const {
    return number == kNoValue || DimsOfNumber(number) == Dims{length};
  }

  // None, as of a scalar, if there is no such value.
  [[nodiscard]] Dims DimsOfNumber(uint32_t number) const {
    const auto found = numbers_.find(number);
    return found == numbers_.end() ? Dims{} : DimsOf(found->second);
  }

  // False: there is no value of that number.
  bool AddOperand(uint32_t number, std::vector<int32_t>& out, std::string& form) const {
    const bool is_none = number == kNoValue;
    form += is_none ? '-' : 'v';
    const auto found = numbers_.find(number);
    if (is_none || found == numbers_.end()) return is_none;
    out.push_back(found->second);
    return true;
  }

  FlatBuffer buffer_;
  std::optional<Bytes> stored_;  // constants; nothing: they lie in the graph
  OpenedBlob opened_{.backend = "XNNPACK"};
  std::map<uint32_t, int32_t> numbers_;  // of values: their indices
  std::set<uint32_t> externals_;         // external numbers so far
  StoredParts constants_;
};

bool IsGraph(Bytes bytes) {
  const std::string_view letters = LettersOf(bytes);
  return letters == "XN00" || letters == "XN01";
}

}  // namespace

std::optional<OpenedBlob> OpenXnnpack(Bytes blob) {
  if (IsGraph(blob)) return XnnpackReader(blob, std::nullopt).Run();
  const auto framed = Unframe(blob, "XH00");
  if (!framed) return std::nullopt;
  if (!framed->damage.empty()) return OpenedBlob{.backend = "XNNPACK", .damage = framed->damage};
  if (IsGraph(framed->graph)) return XnnpackReader(framed->graph, framed->stored).Run();
  return OpenedBlob{.backend = "XNNPACK", .damage = "its graph is of an unknown version"};
}

}  // namespace pteproof::delegates
