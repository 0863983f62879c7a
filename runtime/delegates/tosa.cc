// Blobs of TOSA: a flatbuffer `TOSA`, as backends of Arm hold it that compile no further.
//
// The first block of the first region is the graph: operators, which name their operands and
// results, tensors with type and shape, and the names of inputs and outputs in the order of the
// call. Layouts inside differ from those outside, so that shapes are compared in the number of
// their elements. Operators with branches name other blocks; these get what they read as operands.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/checked_math.h"
#include "runtime/delegates/flat_blob.h"
#include "runtime/delegates/flat_form.h"
#include "runtime/delegates/flat_table.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {
namespace {

constexpr int32_t kVersion = 1;  // whose numbers of types, operators and attributes these are

// Operators from the custom one to the reading of a variable: with branches, with state, or
// unknown.
constexpr uint32_t kFirstOpaque = 69;
constexpr uint32_t kLastOpaque = 74;

// Fields of an operator's attributes (flat_form.h), by their number, from 1.
constexpr std::array<std::string_view, 96> kAttributes = {
    "44",     "[4[4[44", "[4[4[414", "[4[4[414", "[4[4[414", "11",   "",   "[4[4[44", "1",
    "[4[414", "[1[14",   "",         "",         "",         "",     "1",  "",        "",
    "",       "",        "",         "",         "",         "",     "",   "4",       "4",
    "",       "",        "",         "",         "",         "",     "",   "",        "",
    "",       "",        "",         "",         "",         "",     "",   "",        "",
    "",       "",        "",         "4",        "4",        "44",   "44", "4",       "4",
    "4",      "",        "",         "4",        "",         "",     "[4", "",        "",
    "4",      "",        "14111",    "",         "",         "ss[1", "ss", "ss",      "",
    "",       "",        "",         "4",        "4",        "4",    "4",  "",        "",
    "",       "",        "",         "",         "",         "",     "",   "",        "",
    "",       "",        "1",        "4",        "4",        "4",
};

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
    opened_.has_forms = has_types_ && regions.size() == 1 && blocks.size() == 1 &&
                        !root.HasFrom(3) && !regions.front().HasFrom(2);
    if (!blocks.empty()) AddBlock(blocks.front());
    Note(AppendForm(root.Table(0), "4441", opened_.form));
    opened_.has_nodes = true;
    opened_.not_checked = {"branches inside", "shapes, but for the number of elements",
                           "memory of its own"};
    if (!buffer_.damage().empty()) return {.backend = "TOSA", .damage = buffer_.damage()};
    if (blocks.empty()) return {.backend = "TOSA", .damage = "it holds no graph"};
    return std::move(opened_);
  }

 private:
  // Whether all is understood, so far.
  void Note(bool known) { opened_.has_forms &= known; }

  void AddBlock(const FlatTable& block) {
    Note(!block.HasFrom(6));
    for (const FlatTable& tensor : block.Tables(2)) AddTensor(tensor);
    for (const FlatTable& shape : block.Tables(5)) {
      BlobValue& value = ValueNamed(shape.Text(0));
      value.constant = true;
      AddForm(shape, ".4c", value);
    }
    for (const std::string_view name : block.Texts(3)) opened_.inputs.push_back({IndexOf(name)});
    for (const std::string_view name : block.Texts(4)) opened_.outputs.push_back({IndexOf(name)});
    for (const FlatTable& op : block.Tables(1)) {
      BlobNode node{fmt::format("operator {}", op.Number<uint32_t>(0)), {}, {}};
      for (const std::string_view name : op.Texts(3)) node.reads.push_back(IndexOf(name));
      for (const std::string_view name : op.Texts(4)) node.writes.push_back(IndexOf(name));
      AddForm(op, node);
      opened_.nodes.push_back(std::move(node));
    }
  }

  // Two tables of one name are not understood. A constant is made by an operator, of what is stored
  // with its result.
  void AddForm(const FlatTable& table, std::string_view fields, BlobValue& value) {
    Note(value.form.empty());
    const auto data = [&](char, bool, uint32_t field) {
      value.form += 'c';
      value.stored.push_back({.bytes = table.RawList(field, 1), .is_there = true});
      return true;
    };
    Note(AppendForm(table, fields, value.form, data));
  }

  void AddForm(const FlatTable& op, BlobNode& node) {
    const auto number = op.Number<uint32_t>(0);
    const auto kind = op.Number<uint8_t>(1);
    Note((number < kFirstOpaque || number > kLastOpaque) && kind <= kAttributes.size());
    node.form = fmt::format("{} {} {} {}:", number, node.reads.size(), node.writes.size(), kind);
    Note(!op.HasFrom(6));
    if (kind == 0) return Note(!op.Has(2));
    if (kind > kAttributes.size()) return;
    Note(AppendForm(op.Table(2), kAttributes[kind - 1], node.form));
  }

  void AddTensor(const FlatTable& tensor) {
    BlobValue& value = ValueNamed(tensor.Text(0));
    AddForm(tensor, ".[44c11s", value);
    Note(!tensor.Number<bool>(4));
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
