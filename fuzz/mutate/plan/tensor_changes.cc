// What tensors are: sizes, dimension order, element type, dynamism, device.
#include <array>
#include <limits>

#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

constexpr int kScalarTypes = 30;

// Makes the tensor of sizes `sizes` and as many bytes as that takes; not if stored data fall short.
bool Reshape(const Program& program, Method& method, Tensor& tensor,
             const std::vector<int32_t>& sizes) {
  Tensor changed = tensor;
  changed.sizes = Append(method.ints, sizes);
  if (!SetBytes(method, changed) || !IsStoredFor(program, changed, changed.data_index))
    return false;
  tensor = changed;
  return true;
}

struct Drawn {
  Method* method = nullptr;
  Tensor* tensor = nullptr;
  std::vector<int32_t> sizes;
};

Drawn DrawTensor(Program& program, Random& random, size_t rank_at_least) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return {};
  Tensor* tensor = AnyOf(method->tensors, random,
                         [&](const Tensor& t) { return t.sizes.count >= rank_at_least; });
  if (tensor == nullptr) return {};
  const auto sizes = method->Ints(tensor->sizes);
  return {method, tensor, {sizes.begin(), sizes.end()}};
}

bool ChangeSize(Program& program, Random& random) {
  Drawn drawn = DrawTensor(program, random, 1);
  if (drawn.tensor == nullptr) return false;
  int32_t& size = random.Of(drawn.sizes);
  const std::array<int64_t, 6> choices = {
      0, 1, int64_t{size} + 1, int64_t{size} - 1, int64_t{size} * 2, random.Of(drawn.sizes)};
  const int64_t chosen = random.Of(choices);
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (chosen == size || chosen < 0 || chosen > kMost) return false;
  size = static_cast<int32_t>(chosen);
  return Reshape(program, *drawn.method, *drawn.tensor, drawn.sizes);
}

bool SwapSizes(Program& program, Random& random) {
  Drawn drawn = DrawTensor(program, random, 2);
  if (drawn.tensor == nullptr) return false;
  const std::vector<int32_t> before = drawn.sizes;
  if (!SwapTwo(drawn.sizes, random) || drawn.sizes == before) return false;
  return Reshape(program, *drawn.method, *drawn.tensor, drawn.sizes);
}

bool SwapDims(Program& program, Random& random) {
  Drawn drawn = DrawTensor(program, random, 2);
  if (drawn.tensor == nullptr) return false;
  const auto order = drawn.method->Ints(drawn.tensor->dim_order);
  std::vector<int32_t> swapped(order.begin(), order.end());
  SwapTwo(swapped, random);
  drawn.tensor->dim_order = Append(drawn.method->ints, swapped);
  return true;
}

// One dimension more, of size 1, or one less.
bool ChangeRank(Program& program, Random& random) {
  constexpr size_t kMostDims = 6;
  Drawn drawn = DrawTensor(program, random, 0);
  if (drawn.tensor == nullptr) return false;
  const bool drop = !drawn.sizes.empty() && random.OneIn(2);
  if (!drop && drawn.sizes.size() >= kMostDims) return false;
  drop ? drawn.sizes.pop_back() : drawn.sizes.push_back(1);
  if (!Reshape(program, *drawn.method, *drawn.tensor, drawn.sizes)) return false;
  std::vector<int32_t> order(drawn.sizes.size());
  for (size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int32_t>(d);
  drawn.tensor->dim_order = Append(drawn.method->ints, order);
  return true;
}

bool ChangeType(Program& program, Random& random) {
  static constexpr std::array kUsual = {ScalarType::kFloat32, ScalarType::kInt64, ScalarType::kBool,
                                        ScalarType::kUInt8};
  Drawn drawn = DrawTensor(program, random, 0);
  if (drawn.tensor == nullptr) return false;
  Tensor changed = *drawn.tensor;
  changed.dtype =
      random.OneIn(2) ? static_cast<ScalarType>(random.Below(kScalarTypes)) : random.Of(kUsual);
  if (changed.dtype == drawn.tensor->dtype || !SetBytes(*drawn.method, changed)) return false;
  if (!IsStoredFor(program, changed, changed.data_index)) return false;
  // Where a constant of the file lies is aligned to the type that it had.
  if (changed.data_index > 0 && !changed.planned && changed.nbytes > drawn.tensor->nbytes) {
    return false;
  }
  *drawn.tensor = changed;
  return true;
}

bool ChangeDynamism(Program& program, Random& random) {
  Drawn drawn = DrawTensor(program, random, 0);
  if (drawn.tensor == nullptr) return false;
  const bool bounded = drawn.tensor->dynamism == Dynamism::kBounded;
  drawn.tensor->dynamism = bounded ? Dynamism::kStatic : Dynamism::kBounded;
  return true;
}

bool ChangeTensorDevice(Program& program, Random& random) {
  Drawn drawn = DrawTensor(program, random, 0);
  if (drawn.tensor == nullptr) return false;
  drawn.tensor->device_type = drawn.tensor->device_type == 0 ? 1 : 0;
  return true;
}

constexpr std::array kTensorChanges = {
    Change{"change-size", ChangeSize},           Change{"swap-sizes", SwapSizes},
    Change{"swap-dim-order", SwapDims},          Change{"change-rank", ChangeRank},
    Change{"change-type", ChangeType},           Change{"change-dynamism", ChangeDynamism},
    Change{"change-device", ChangeTensorDevice},
};

}  // namespace

std::span<const Change> TensorChanges() {
  return kTensorChanges;
}

}  // namespace pteproof::fuzz::plan
