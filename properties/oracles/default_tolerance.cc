#include "properties/oracles/default_tolerance.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

// A sum of terms of both signs is off by as much as its terms are, however small it is itself.
constexpr double kOfLargest = 1e-3;

// By the beginnings of operators' names.
constexpr std::array kLongSums = {
    std::string_view("aten::mm"),
    std::string_view("aten::addmm"),
    std::string_view("aten::bmm"),
    std::string_view("aten::baddbmm"),
    std::string_view("aten::linear"),
    std::string_view("aten::convolution"),
    std::string_view("aten::sum"),
    std::string_view("aten::mean"),
    std::string_view("aten::var"),
    std::string_view("aten::cumsum"),
    std::string_view("aten::prod"),
    std::string_view("aten::native_layer_norm"),
    std::string_view("aten::native_group_norm"),
    std::string_view("aten::_native_batch_norm"),
    std::string_view("aten::_softmax"),
    std::string_view("aten::_log_softmax"),
    std::string_view("aten::avg_pool"),
    std::string_view("aten::_adaptive_avg_pool"),
    std::string_view("aten::_cdist"),
    std::string_view("aten::_pdist"),
    std::string_view("aten::_fft"),
    std::string_view("llama::"),
    std::string_view("quantized_decomposed::mixed"),
};
constexpr std::array kQuantised = {
    std::string_view("quantized_decomposed::"),
    std::string_view("quantized::"),
    std::string_view("torchao::"),
    std::string_view("llama::custom_quantized_sdpa"),
};

bool IsAmong(std::span<const std::string_view> beginnings, std::string_view op) {
  return std::ranges::any_of(beginnings,
                             [&](std::string_view begin) { return op.starts_with(begin); });
}

// The largest distance between two codes that a call turns into floats, if the file has it.
double ScaleOf(const Method& method, const OpSchema& schema, std::span<const int32_t> args) {
  if (!schema.name.starts_with("quantized_decomposed::dequantize")) return 0;
  const auto scale = std::ranges::find(schema.args, "scale", &ArgSchema::name);
  if (scale == schema.args.end()) return 0;
  const auto& value =
      method.values[static_cast<size_t>(args[static_cast<size_t>(scale - schema.args.begin())])];
  return value.kind == ValueKind::kDouble ? value.real : 0;
}

}  // namespace

Tolerance DefaultTolerance(const Method& method) {
  Tolerance tolerance;
  tolerance.by_type = true;
  for (const Instruction& call : method.instructions) {
    if (call.kind != InstructionKind::kKernelCall) continue;
    const Operator& op = method.operators[static_cast<size_t>(call.target)];
    if (IsAmong(kLongSums, op.name)) tolerance.of_largest = kOfLargest;
    if (!IsAmong(kQuantised, op.name)) continue;
    tolerance.codes = 1;
    const auto args = method.Ints(call.args);
    if (op.schema == nullptr || args.size() < op.schema->args.size()) continue;
    tolerance.code_distance = std::max(tolerance.code_distance, ScaleOf(method, *op.schema, args));
  }
  return tolerance;
}

Tolerance DefaultTolerance(const Program& program, std::string_view method) {
  const auto found = std::ranges::find(program.methods, method, &Method::name);
  return found == program.methods.end() ? Tolerance{.by_type = true} : DefaultTolerance(*found);
}

}  // namespace pteproof
