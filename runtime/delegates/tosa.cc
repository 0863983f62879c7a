// Blobs of TOSA: a flatbuffer `TOSA`, as backends of Arm hold it that compile no further.
//
// The first block of the first region is the graph: operators, which name their operands and
// results, tensors with type and shape, and the names of inputs and outputs in the order of the
// call. Layouts inside differ from those outside, so that shapes are compared in the number of
// their elements. Operators with branches name other blocks; these get what they read as operands.
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/checked_math.h"
#include "runtime/delegates/flat_blob.h"
#include "runtime/delegates/flat_table.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {
namespace {

constexpr int32_t kVersion = 1;  // whose numbers of types these are

// Exporters narrow 64 bits, and take unsigned bytes for signed ones.
std::vector<ScalarType> TosaTypes(uint32_t type) {
  switch (type) {
    case 1:
      return {ScalarType::kBool};
    case 3:
      return {ScalarType::kInt8, ScalarType::kUInt8};
    case 4:
      return {ScalarType::kInt16, ScalarType::kUInt16};
    case 5:
      return {ScalarType::kInt32, ScalarType::kInt64};
    case 7:
      return {ScalarType::kFloat32, ScalarType::kFloat64};
    case 8:
      return {ScalarType::kFloat16};
    case 9:
      return {ScalarType::kBFloat16};
    default:
      return {};
  }
}

class TosaReader {
 public:
  explicit TosaReader(Bytes blob) : buffer_(blob) {}

  OpenedBlob Run() && {
    const FlatTable root = buffer_.Root();
    has_types_ = root.Table(0).Number<int32_t>(0, -1) == kVersion;
    const std::vector<FlatTable> regions = root.Tables(1);
    const std::vector<FlatTable> blocks =
        regions.empty() ? std::vector<FlatTable>{} : regions.front().Tables(1);
    if (!blocks.empty()) AddBlock(blocks.front());
    opened_.has_nodes = true;
    opened_.not_checked = {"branches inside", "shapes, but for the number of elements",
                           "memory of its own"};
    if (!buffer_.damage().empty()) return {.backend = "TOSA", .damage = buffer_.damage()};
    if (blocks.empty()) return {.backend = "TOSA", .damage = "it holds no graph"};
    return std::move(opened_);
  }

 private:
  void AddBlock(const FlatTable& block) {
    for (const FlatTable& tensor : block.Tables(2)) AddTensor(tensor);
    for (const FlatTable& shape : block.Tables(5)) ValueNamed(shape.Text(0)).constant = true;
    for (const std::string_view name : block.Texts(3)) opened_.inputs.push_back({IndexOf(name)});
    for (const std::string_view name : block.Texts(4)) opened_.outputs.push_back({IndexOf(name)});
    for (const FlatTable& op : block.Tables(1)) {
      BlobNode node{fmt::format("operator {}", op.Number<uint32_t>(0)), {}, {}};
      for (const std::string_view name : op.Texts(3)) node.reads.push_back(IndexOf(name));
      for (const std::string_view name : op.Texts(4)) node.writes.push_back(IndexOf(name));
      opened_.nodes.push_back(std::move(node));
    }
  }

  void AddTensor(const FlatTable& tensor) {
    BlobValue& value = ValueNamed(tensor.Text(0));
    if (has_types_) value.types = TosaTypes(tensor.Number<uint32_t>(2));
    value.state = tensor.Number<bool>(4);
    if (tensor.Number<bool>(5)) return;  // of unknown rank
    std::optional<uint64_t> elements = 1;
    for (const auto size : tensor.Numbers<int32_t>(1)) {
      if (size < 0) return;
      if (elements) elements = CheckedMul<uint64_t>(*elements, static_cast<uint32_t>(size));
    }
    value.elements = elements;
  }

  int32_t IndexOf(std::string_view name) {
    const auto next = static_cast<int32_t>(opened_.values.size());
    const auto [found, is_new] = indices_.emplace(name, next);
    if (is_new) opened_.values.push_back({.name = std::string(name)});
    return found->second;
  }
  BlobValue& ValueNamed(std::string_view name) {
    return opened_.values[static_cast<size_t>(IndexOf(name))];
  }

  FlatBuffer buffer_;
  bool has_types_ = false;
  OpenedBlob opened_{.backend = "TOSA"};
  std::unordered_map<std::string_view, int32_t> indices_;  // by the name in the blob
};

}  // namespace

std::optional<OpenedBlob> OpenTosa(Bytes blob) {
  if (LettersOf(blob) != "TOSA") return std::nullopt;
  return TosaReader(blob).Run();
}

}  // namespace pteproof::delegates
