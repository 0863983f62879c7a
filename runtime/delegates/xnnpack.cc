// Blobs of XNNPACK: a frame `XH00` around a flatbuffer `XN01` (early ones: the flatbuffer alone).
//
// A graph has values and nodes, which name values by number. A value with an external number is an
// argument of the call: the number is its position, a flag says whether it is read or written.
// Nodes have a table each kind; `kKinds` says which of its fields are operands and results.
// Sizes are those of the export; the runtime sets them anew from the arguments of each call, in
// the order of their dimensions in memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/delegates/flat_blob.h"
#include "runtime/delegates/flat_table.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {
namespace {

constexpr uint32_t kNoValue = 0xFFFFFFFF;
constexpr uint32_t kIsInput = 1;
constexpr uint32_t kIsOutput = 2;

// Fields of a node's table: operands from `first_read` on, results from `first_write` on.
struct NodeKind {
  std::string_view name;
  uint8_t first_read;
  uint8_t reads;
  uint8_t first_write;
  uint8_t writes = 1;
};

constexpr NodeKind One(std::string_view name) {
  return {name, 0, 1, 1};
}
constexpr NodeKind Two(std::string_view name) {
  return {name, 0, 2, 2};
}
constexpr NodeKind Convolution(std::string_view name) {
  return {name, 15, 3, 18};
}
constexpr NodeKind Pooling(std::string_view name) {
  return {name, 10, 1, 11};
}
constexpr NodeKind Concatenate(std::string_view name, uint8_t count) {
  return {name, 1, count, 5};
}

// By the number of the kind, from 1.
constexpr std::array kKinds = {
    Two("add"),
    NodeKind{"fully connected", 0, 3, 3},
    One("softmax"),
    One("sigmoid"),
    NodeKind{"transpose", 2, 1, 3},
    One("clamp"),
    Convolution("convolution"),
    Two("divide"),
    NodeKind{"resize", 2, 1, 3},
    NodeKind{"pad", 3, 1, 4},
    Pooling("average pooling"),
    Two("minimum"),
    Convolution("depthwise convolution"),
    Pooling("max pooling"),
    Two("multiply"),
    Two("subtract"),
    One("floor"),
    One("convert"),
    One("global average pooling"),
    NodeKind{"reshape", 2, 1, 3},
    NodeKind{"argmax pooling", 6, 1, 7, 2},
    One("square root"),
    One("ceiling"),
    One("hardswish"),
    NodeKind{"leaky relu", 1, 1, 2},
    Two("maximum"),
    One("negate"),
    One("square"),
    NodeKind{"elu", 1, 1, 2},
    One("absolute value"),
    Two("prelu"),
    Concatenate("concatenate", 2),
    Concatenate("concatenate", 3),
    Concatenate("concatenate", 4),
    NodeKind{"slice", 3, 1, 4},
    NodeKind{"attention", 0, 5, 5},
    Two("batch matrix multiply"),
    Concatenate("concatenate", 5),
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
constexpr uint8_t kMostConcatenated = 4;  // in fields side by side; the fifth has another
constexpr uint32_t kFifthConcatenated = 7;

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

class XnnpackReader {
 public:
  explicit XnnpackReader(Bytes graph) : buffer_(graph) {}

  OpenedBlob Run() && {
    const FlatTable root = buffer_.Root();
    for (const FlatTable& stored : root.Tables(8)) AddKey(stored.Text(2));
    for (const FlatTable& value : root.Tables(2)) AddValue(value);
    for (const FlatTable& node : root.Tables(1)) AddNode(node);
    opened_.arguments = root.Number<uint32_t>(3);
    opened_.has_nodes = true;
    opened_.not_checked = {"memory of its own"};
    if (buffer_.damage().empty()) return std::move(opened_);
    return {.backend = opened_.backend, .damage = buffer_.damage()};
  }

 private:
  void AddValue(const FlatTable& value) {
    constexpr uint8_t kPlain = 1;
    constexpr uint8_t kQuantized = 2;
    const auto kind = value.Number<uint8_t>(0);
    FlatTable tensor = value.Table(1);
    if (kind == kQuantized) tensor = tensor.Table(0);
    const bool known = kind == kPlain || kind == kQuantized;
    const auto index = static_cast<int32_t>(opened_.values.size());
    opened_.values.push_back(known ? ValueOf(tensor) : BlobValue{});
    numbers_.emplace(tensor.Number<uint32_t>(6), index);
    if (known) AddSlot(tensor, index);
  }

  static BlobValue ValueOf(const FlatTable& tensor) {
    BlobValue value;
    value.name = fmt::format("value {}", tensor.Number<uint32_t>(6));
    value.types = XnnpackTypes(tensor.Number<int16_t>(0));
    value.order = SizeOrder::kInMemory;
    value.sizes.emplace();
    for (const auto size : tensor.Numbers<uint32_t>(2)) value.sizes->push_back({size, size});
    value.constant = tensor.Number<uint32_t>(3) != 0;
    return value;
  }

  void AddKey(std::string_view key) {
    if (!key.empty()) opened_.data_keys.emplace_back(key);
  }

  void AddSlot(const FlatTable& tensor, int32_t index) {
    const auto flags = tensor.Number<uint32_t>(5);
    const auto external = tensor.Number<uint32_t>(4);
    const BlobSlot slot{index, static_cast<int32_t>(std::min<uint32_t>(external, 0x7FFFFFFF))};
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
    const bool wide = is.name == "concatenate" && is.reads > kMostConcatenated;
    const uint32_t side_by_side = wide ? kMostConcatenated : is.reads;
    for (uint32_t i = 0; i < side_by_side; ++i) Note(fields, is.first_read + i, made.reads);
    if (wide) Note(fields, kFifthConcatenated, made.reads);
    for (uint32_t i = 0; i < is.writes; ++i) Note(fields, is.first_write + i, made.writes);
  }

  void Note(const FlatTable& fields, uint32_t field, std::vector<int32_t>& out) const {
    const auto number = fields.Number<uint32_t>(field);
    const auto found = numbers_.find(number);
    if (number != kNoValue && found != numbers_.end()) out.push_back(found->second);
  }

  FlatBuffer buffer_;
  OpenedBlob opened_{.backend = "XNNPACK"};
  std::unordered_map<uint32_t, int32_t> numbers_;  // of values: their indices
};

bool IsGraph(Bytes bytes) {
  const std::string_view letters = LettersOf(bytes);
  return letters == "XN00" || letters == "XN01";
}

}  // namespace

std::optional<OpenedBlob> OpenXnnpack(Bytes blob) {
  if (IsGraph(blob)) return XnnpackReader(blob).Run();
  const auto framed = Unframe(blob, "XH00");
  if (!framed) return std::nullopt;
  if (!framed->damage.empty()) return OpenedBlob{.backend = "XNNPACK", .damage = framed->damage};
  if (IsGraph(framed->graph)) return XnnpackReader(framed->graph).Run();
  return OpenedBlob{.backend = "XNNPACK", .damage = "its graph is of an unknown version"};
}

}  // namespace pteproof::delegates
