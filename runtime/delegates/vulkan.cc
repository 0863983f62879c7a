// Blobs of Vulkan: a frame `VH00` around a flatbuffer `VK00`.
//
// A graph has values and a chain of operator calls. Inputs and outputs are lists of values, in the
// order of the call's arguments. An operator call does not mark what it writes: the last argument
// is its result (a list: all of it), and the few operators that write others are listed. Any other
// name ends the judgement of the graph. Tensors may name a memory object that they share.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
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

constexpr uint8_t kTensorValue = 5;
constexpr uint8_t kListValue = 9;
constexpr uint8_t kSizeValue = 11;  // that varies: an input, or made by a node
// By the number of the kind of a value, from 1 (flat_form.h); `c` is a constant.
constexpr std::array<std::string_view, 11> kVulkanValues = {"",   "8",  "8", "1", "1[4c.111", "[8",
                                                            "[8", "[1", ".", "s", "4"};
constexpr int8_t kUnset = 127;
constexpr std::string_view kPrepack = "et_vk.prepack.default";

// Arguments that an operator writes beside its result, or in its place.
struct Writer {
  std::string_view op;
  uint8_t first;
  uint8_t count;
  bool has_result = true;  // else its last argument stays as it is
};
constexpr std::array kWriters = {
    Writer{"et_vk.adamw_step.default", 0, 3, false},
    Writer{"etvk.choose_qparams_per_row.default", 3, 1},
    Writer{"sdpa_with_kv_cache.default", 3, 2},
    Writer{"update_cache.default", 1, 1, false},
};

// Names whose operators write their result alone.
constexpr std::array<std::string_view, 6> kFamilies = {
    "aten.", "et_vk.", "etvk.", "dim_order_ops.", "quantized_decomposed.", "llama.custom_sdpa."};
constexpr std::array<std::string_view, 6> kPlainNames = {
    "add", "sub", "mul", "floordiv", "sym_size.int", "conv_with_clamp.default"};

// The backend's own operators, of which no schema says what they write: these were looked at.
constexpr std::string_view kOwnNames =
    " apply_rotary_emb apply_rotary_emb_hf conv1d_dw conv1d_pw conv2d_gemm conv2d_q8csw"
    " conv2d_q8ta_q8csw conv2d_q8ta_q8csw_q8to conv_with_clamp embedding_q4gsw fused_ce"
    " grid_priors linear_dW linear_dq8ca_q4gsw linear_q4gsw linear_q4gsw_backward"
    " linear_q8csw linear_q8ta_q8csw linear_qcs4w prepack q4gsw_linear q4gsw_requant"
    " q8ta_add q8ta_conv2d q8ta_conv2d_dw q8ta_conv2d_general q8ta_conv2d_im2col"
    " q8ta_conv2d_pw q8ta_conv2d_transposed q8ta_linear q8ta_linear_gemv q8ta_pixel_shuffle"
    " q8ta_relu rms_norm sdpa select_as_symint ";

bool IsWriter(std::string_view op) {
  return std::ranges::any_of(kWriters, [&](const Writer& each) { return each.op == op; });
}

// Whether all that it writes is known.
bool IsSettled(std::string_view op) {
  if (IsWriter(op) || !(op.starts_with("et_vk.") || op.starts_with("etvk."))) return true;
  const std::string_view name = op.substr(op.find('.') + 1);
  const std::string_view base = name.substr(0, name.find('.'));
  const bool is_one = base.find(' ') == base.npos;
  return is_one && kOwnNames.find(fmt::format(" {} ", base)) != kOwnNames.npos;
}

bool IsKnown(std::string_view op) {
  if (IsWriter(op)) return true;
  if (std::ranges::find(kPlainNames, op) != kPlainNames.end()) return true;
  const auto family = std::ranges::find_if(
      kFamilies, [&](std::string_view prefix) { return op.starts_with(prefix); });
  if (family == kFamilies.end()) return false;
  const std::string_view rest = op.substr(family->find('.') + 1);
  const std::string_view base = rest.substr(0, rest.find('.'));
  return !base.ends_with('_') && rest.find("out") != base.size() + 1;
}

struct TypeInside {
  std::vector<ScalarType> fits;  // of tensors that are copied from or to such a value
  uint32_t width = 0;            // bytes of an element inside
};

TypeInside VulkanType(int8_t datatype) {
  switch (datatype) {
    case 0:
      return {{ScalarType::kBool}, 1};
    case 1:
      return {{ScalarType::kUInt8}, 1};
    case 2:
      return {{ScalarType::kInt8}, 1};
    case 3:
      return {{ScalarType::kInt32, ScalarType::kInt64}, 4};
    case 4:
      return {{ScalarType::kFloat16}, 2};
    case 5:
      return {{ScalarType::kFloat32, ScalarType::kFloat64, ScalarType::kFloat16}, 4};
    case 6:
      return {{ScalarType::kFloat64}, 8};
    case 7:
      return {{ScalarType::kInt64}, 8};
    default:
      return {};
  }
}

class VulkanReader {
 public:
  VulkanReader(Bytes graph, Bytes stored) : buffer_(graph), stored_(stored) {}

  OpenedBlob Run() && {
    const FlatTable root = buffer_.Root();
    opened_.has_forms = root.Tables(6).empty();  // shaders of its own
    constants_ = {root.Tables(5), stored_, KeyRule::kWithoutOffset, opened_};
    for (const FlatTable& value : root.Tables(2)) AddValue(value);
    for (const FlatTable& call : root.Tables(1)) AddCall(call);
    for (const auto id : root.Numbers<uint32_t>(3)) opened_.inputs.push_back(SlotOf(id));
    for (const auto id : root.Numbers<uint32_t>(4)) opened_.outputs.push_back(SlotOf(id));
    for (BlobSlot& slot : opened_.outputs) slot.left_alone = IsConstant(slot.value);
    Note(AppendForm(root, "s......11", opened_.form));
    opened_.has_nodes = true;
    opened_.lists_once = true;
    opened_.own_bytes = OwnBytes();
    opened_.not_checked = {"padding of its images and buffers"};
    if (buffer_.damage().empty()) return std::move(opened_);
    return {.backend = opened_.backend, .damage = buffer_.damage()};
  }

 private:
  // Whether all is understood, so far.
  void Note(bool known) { opened_.has_forms &= known; }

  void AddValue(const FlatTable& value) {
    BlobValue& made = opened_.values.emplace_back();
    made.name = fmt::format("value {}", opened_.values.size() - 1);
    const auto kind = value.Number<uint8_t>(0);
    const FlatTable content = value.Table(1);
    lists_.emplace_back();
    if (kind == kListValue) lists_.back() = content.Numbers<int32_t>(0);
    if (kind == kTensorValue) Note(DescribeTensor(content, made));
    const bool is_literal = kind != kTensorValue && kind != kSizeValue && lists_.back().empty();
    made.given = made.constant || is_literal;
    Note(kind != 0 && kind <= kVulkanValues.size() && !value.HasFrom(2));
    AppendCount(kind, made.form);
    if (kind == 0 || kind > kVulkanValues.size()) return;
    const auto constant = [&](char, bool, uint32_t field) {
      const auto id = content.Number<int32_t>(field);
      return constants_.AddTo(made, id < 0 ? std::nullopt : std::optional<uint64_t>(id),
                              made.nbytes);
    };
    Note(AppendForm(content, kVulkanValues[kind - 1], made.form, constant));
  }

  // False: how many bytes it takes is not known.
  static bool DescribeTensor(const FlatTable& tensor, BlobValue& value) {
    const TypeInside inside = VulkanType(tensor.Number<int8_t>(0));
    const auto staging = tensor.Number<int8_t>(6, kUnset);
    value.types = staging == kUnset ? inside.fits : VulkanType(staging).fits;
    value.sizes.emplace();
    std::optional<uint64_t> bytes = inside.width;
    for (const auto size : tensor.Numbers<uint32_t>(1)) {
      value.sizes->push_back({size, size});
      if (bytes) bytes = CheckedMul<uint64_t>(*bytes, size);
    }
    value.constant = tensor.Number<int32_t>(2) >= 0;
    value.nbytes = bytes.value_or(0);
    if (!value.constant) value.object = tensor.Number<int32_t>(3);
    return inside.width != 0 && bytes.has_value();
  }

  void AddCall(const FlatTable& call) {
    const std::string_view op = call.Text(1);
    const std::vector<int32_t> args = call.Numbers<int32_t>(2);
    if (!IsKnown(op) && opened_.unknown_op.empty()) opened_.unknown_op = op;
    BlobNode& node = opened_.nodes.emplace_back(BlobNode{std::string(op), {}, {}});
    node.once = op == kPrepack;
    AppendText(op, node.form);
    Note(!call.HasFrom(3) && IsSettled(op));
    if (args.empty()) return;
    for (size_t a = 0; a + 1 < args.size(); ++a) AddOperand(args[a], node.reads, node.form);
    AddOperand(args.back(), node.writes, node.form);
    for (const Writer& writer : kWriters) {
      if (writer.op != op) continue;
      Note(writer.has_result);
      for (size_t a = writer.first; a < writer.first + writer.count && a + 1 < args.size(); ++a) {
        AddOperand(args[a], node.writes, node.form);
      }
    }
  }

  // Lists stand for what is in them, once: a list may be named by every call.
  void AddOperand(int32_t id, std::vector<int32_t>& out, std::string& form) {
    Note(IsValue(id));
    if (!IsValue(id)) return;
    const std::vector<int32_t>& items = lists_[static_cast<size_t>(id)];
    form += items.empty() ? 'v' : '[';
    if (items.empty()) return out.push_back(id);
    AppendCount(items.size(), form);
    if (items.size() > left_) {
      if (opened_.unknown_op.empty()) opened_.unknown_op = "lists that are named too often";
      return;
    }
    left_ -= items.size();
    for (const int32_t item : items) {
      Note(IsValue(item));
      if (IsValue(item)) out.push_back(item);
    }
  }

  BlobSlot SlotOf(uint32_t id) const {
    return {id < opened_.values.size() ? static_cast<int32_t>(id) : -1};
  }
  [[nodiscard]] bool IsValue(int32_t id) const {
    return id >= 0 && static_cast<size_t>(id) < opened_.values.size();
  }
  [[nodiscard]] bool IsConstant(int32_t id) const {
    return IsValue(id) && opened_.values[static_cast<size_t>(id)].constant;
  }

  // Of the memory objects, each as large as the largest value in it, and of tensors without one.
  [[nodiscard]] std::optional<uint64_t> OwnBytes() const {
    std::map<int64_t, uint64_t> objects;
    std::optional<uint64_t> sum = 0;
    for (const BlobValue& value : opened_.values) {
      if (value.object >= 0) {
        uint64_t& bytes = objects[value.object];
        bytes = std::max(bytes, value.nbytes);
      } else if (!value.constant && sum) {
        sum = CheckedAdd(*sum, value.nbytes);
      }
    }
    for (const auto& [object, bytes] : objects) {
      if (sum) sum = CheckedAdd(*sum, bytes);
    }
    return sum;
  }

  FlatBuffer buffer_;
  Bytes stored_;
  OpenedBlob opened_{.backend = "Vulkan"};
  StoredParts constants_;
  std::vector<std::vector<int32_t>> lists_;  // by value: the items of a list
  uint64_t left_ = 1'000'000;                // items of lists that calls may still name
};

}  // namespace

std::optional<OpenedBlob> OpenVulkan(Bytes blob) {
  const auto framed = Unframe(blob, "VH00");
  if (!framed) return std::nullopt;
  if (!framed->damage.empty()) return OpenedBlob{.backend = "Vulkan", .damage = framed->damage};
  if (LettersOf(framed->graph) == "VK00") return VulkanReader(framed->graph, framed->stored).Run();
  return OpenedBlob{.backend = "Vulkan", .damage = "its graph is of an unknown version"};
}

}  // namespace pteproof::delegates
