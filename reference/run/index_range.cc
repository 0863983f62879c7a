#include "reference/run/index_range.h"

#include <algorithm>
#include <optional>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

int64_t Modulo(int64_t number, int64_t count) {
  return (number % count + count) % count;
}

// A bound of a slice as PyTorch takes it.
int64_t Clamped(int64_t bound, int64_t size) {
  return std::clamp<int64_t>(bound < 0 ? bound + size : bound, 0, size);
}

// Size of the dimension that `dim` names, if it names one.
std::optional<int64_t> SizeOf(const Argument& tensor, const Argument& dim) {
  const auto* self = std::get_if<const TensorValue*>(&tensor);
  const auto* number = std::get_if<int64_t>(&dim);
  if (self == nullptr || *self == nullptr || number == nullptr) return std::nullopt;
  const int64_t d = *number < 0 ? *number + (*self)->rank() : *number;
  if (d < 0 || d >= (*self)->rank()) return std::nullopt;
  return (*self)->sizes[static_cast<size_t>(d)];
}

void KeepIndex(Argument& index, std::optional<int64_t> size) {
  auto* number = std::get_if<int64_t>(&index);
  if (number == nullptr || !size || *size == 0) return;
  if (*number < -*size || *number >= *size) *number = Modulo(*number, *size);
}

// (self, src, dim, start, end, step): the slice is to be as long as src.
void KeepSlice(std::span<Argument> args) {
  const auto size = SizeOf(args[0], args[2]);
  const auto length = SizeOf(args[1], args[2]);
  const auto* step = std::get_if<int64_t>(&args[5]);
  if (!size || !length || step == nullptr || *step < 1 || *length < 1) return;
  if (*length > *size) return;
  if (*length > 1 && *step > (*size - 1) / (*length - 1)) return;
  const auto* start = std::get_if<int64_t>(&args[3]);
  const auto* end = std::get_if<int64_t>(&args[4]);
  const int64_t first = start == nullptr ? 0 : Clamped(*start, *size);
  const int64_t last = end == nullptr ? *size : Clamped(*end, *size);
  if (last > first && (last - first - 1) / *step + 1 == *length) return;
  const int64_t reach = (*length - 1) * *step + 1;
  const int64_t begin = start == nullptr ? 0 : Modulo(*start, *size - reach + 1);
  args[3] = begin;
  args[4] = begin + reach;
}

}  // namespace

void KeepIndicesInRange(const OpSchema& schema, std::span<Argument> args) {
  if (schema.name == "aten::select_copy.int_out") KeepIndex(args[2], SizeOf(args[0], args[1]));
  if (schema.name == "aten::select_scatter.out") KeepIndex(args[3], SizeOf(args[0], args[2]));
  if (schema.name == "aten::slice_scatter.out") KeepSlice(args);
}

}  // namespace pteproof
