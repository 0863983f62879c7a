#include "properties/memory/temporary_memory.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <span>

#include "reference/op_wheel.h"

namespace pteproof::memory {
namespace {

using TemporaryFormula = std::optional<uint64_t> (*)(const Method&, std::span<const int32_t> args);

struct TemporaryRow {
  std::string_view op;
  TemporaryFormula bytes;
};

// An element and its place, for each element along the dimension; nothing if there is no result.
std::optional<uint64_t> OfTopK(const Method& method, std::span<const int32_t> args) {
  constexpr uint64_t kElementAndPlace = 16;
  if (args.size() < 6) return std::nullopt;
  const Tensor* self = method.TensorOf(args[0]);
  const Tensor* result = method.TensorOf(args[5]);
  const Value& along = method.values[static_cast<size_t>(args[2])];
  if (result != nullptr && result->nbytes == 0) return 0;
  if (self == nullptr || along.kind != ValueKind::kInt) return std::nullopt;
  const auto sizes = method.Ints(self->sizes);
  if (sizes.empty()) return kElementAndPlace;
  const int64_t dim = along.integer < 0 ? along.integer + std::ssize(sizes) : along.integer;
  if (dim < 0 || dim >= std::ssize(sizes)) return std::nullopt;
  return kElementAndPlace * static_cast<uint64_t>(sizes[static_cast<size_t>(dim)]);
}

// All others that are measured ask for nothing.
constexpr std::array kTemporaryRows = {
    TemporaryRow{"aten::topk.values", OfTopK},
};

// Their kernels need PyTorch's library, a device, or a vendor's.
constexpr std::array<std::string_view, 4> kNotCalled = {
    "et_copy::", "llama::", "preprocess::", "torchao::"};

}  // namespace

bool IsMeasured(std::string_view op) {
  const auto wheel = OperatorsOfWheel();
  return std::ranges::binary_search(wheel, op) &&
         std::ranges::none_of(kNotCalled,
                              [&](std::string_view start) { return op.starts_with(start); });
}

std::optional<uint64_t> TemporaryBytesOf(const Method& method, const Instruction& call) {
  const std::string& op = method.operators[static_cast<size_t>(call.target)].name;
  const auto row = std::ranges::find(kTemporaryRows, op, &TemporaryRow::op);
  if (row != kTemporaryRows.end()) return row->bytes(method, method.Ints(call.args));
  return IsMeasured(op) ? std::optional<uint64_t>(0) : std::nullopt;
}

TemporaryUse TemporaryUseOf(const Method& method) {
  TemporaryUse use;
  std::set<std::string_view> unknown;
  for (const Instruction& call : method.instructions) {
    if (call.kind != InstructionKind::kKernelCall) continue;
    if (const auto bytes = TemporaryBytesOf(method, call)) {
      use.bytes = std::max(use.bytes, *bytes);
      continue;
    }
    const std::string& op = method.operators[static_cast<size_t>(call.target)].name;
    if (unknown.insert(op).second) use.unknown.push_back(op);
  }
  return use;
}

}  // namespace pteproof::memory
