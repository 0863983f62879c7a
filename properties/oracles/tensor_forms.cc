#include "properties/oracles/tensor_forms.h"

#include <algorithm>

#include "base/checked_math.h"
#include "properties/oracles/decode_tensor.h"

namespace pteproof {

std::optional<uint64_t> BytesOf(ScalarType dtype, const Sizes& sizes) {
  std::optional<int64_t> bytes = ElementSize(dtype);
  for (const int64_t size : sizes) {
    if (size < 0) return std::nullopt;
    if (bytes && size > 0) bytes = CheckedMul(*bytes, size);
  }
  if (!bytes) return std::nullopt;
  const bool empty = std::ranges::find(sizes, 0) != sizes.end();
  return empty ? 0 : static_cast<uint64_t>(*bytes);
}

bool HaveSameOrder(const Method& method, int32_t a, int32_t b) {
  const auto dims = [&](int32_t v) { return method.Ints(method.TensorOf(v)->dim_order); };
  const auto width = [&](int32_t v) { return ElementSize(method.TensorOf(v)->dtype); };
  if (width(a) != width(b)) return false;
  return std::ranges::equal(dims(a), dims(b)) ||
         (std::ranges::is_sorted(dims(a)) && std::ranges::is_sorted(dims(b)));
}

bool AreAlike(const Method& method, int32_t a, int32_t b) {
  const Tensor* t = method.TensorOf(a);
  const Tensor* u = method.TensorOf(b);
  return t == nullptr || u == nullptr ||
         (t->dtype == u->dtype && SizesOf(method, *t) == SizesOf(method, *u) &&
          HaveSameOrder(method, a, b));
}

bool IsARowOf(const Method& method, int32_t row, int32_t whole) {
  const Tensor* all = method.TensorOf(whole);
  const Tensor* one = method.TensorOf(row);
  if (all == nullptr || one == nullptr) return true;
  const Sizes sizes = SizesOf(method, *all);
  const auto order = method.Ints(all->dim_order);
  const auto shifted = [](int32_t of_all, int32_t of_one) { return of_all == of_one + 1; };
  return all->dtype == one->dtype && !sizes.empty() &&
         std::ranges::equal(std::span(sizes).subspan(1), SizesOf(method, *one)) && order[0] == 0 &&
         std::ranges::equal(order.subspan(1), method.Ints(one->dim_order), shifted);
}

bool FitsFile(const Method& method, std::span<const int32_t> targets,
              std::span<const Sizes> sizes) {
  for (size_t r = 0; r < std::min(targets.size(), sizes.size()); ++r) {
    const Tensor& t = *method.TensorOf(targets[r]);
    const Sizes own = SizesOf(method, t);
    const bool fits =
        t.dynamism == Dynamism::kStatic
            ? sizes[r] == own
            : sizes[r].size() == own.size() && ElementCount(sizes[r]) <= ElementCount(own);
    if (!fits) return false;
  }
  return true;
}

}  // namespace pteproof
