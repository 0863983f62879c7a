#include "runtime/kernels/reduction/norm.h"

#include <cmath>

#include "runtime/kernels/reduction/reduce.h"

namespace pteproof::kernels {

Moments MomentsOf(ScalarType dtype, const Quartet& group, double eps) {
  Together<1> members;
  for (size_t d = 0; d < group.rank; ++d) members.Add(group.sizes[d], {group.strides[0][d]});
  Moments moments;
  int64_t size = 0;
  ForEachMember<double>(dtype, members, group.data[0], [&](const double* x, int64_t count) {
    for (int64_t i = 0; i < count; ++i) moments.mean += x[i];
    size += count;
  });
  if (size > 0) moments.mean /= static_cast<double>(size);
  double squares = 0;
  ForEachMember<double>(dtype, members, group.data[0], [&](const double* x, int64_t count) {
    for (int64_t i = 0; i < count; ++i) squares += (x[i] - moments.mean) * (x[i] - moments.mean);
  });
  moments.scale = 1 / std::sqrt(squares / static_cast<double>(size) + eps);
  return moments;
}

namespace {

// Of float32 alone. What float rounds away of the mean counts where the mean is large, and is taken
// away for itself. A weight and a bias that are the same for all need not be loaded by block.
void NormalizeSingle(const Quartet& group, const Moments& moments) {
  const auto mean = static_cast<float>(moments.mean);
  const auto rest = static_cast<float>(moments.mean - static_cast<double>(mean));
  const auto scale = static_cast<float>(moments.scale);
  std::array<std::array<float, kBlock>, 3> blocks;
  auto& [x, weight, bias] = blocks;
  const auto load = [](CheckedPointer at, int64_t stride, int64_t count, auto& to) {
    LoadBlock(ScalarType::kFloat32, at, stride, count, to.data());
  };
  ForEachRun<kBlock>(group, [&](const auto& at, const auto& strides, int64_t count) {
    const auto end = static_cast<size_t>(count);
    load(at[0], strides[0], count, x);
    const bool common = strides[2] == 0 && strides[3] == 0;
    load(at[2], strides[2], common ? 1 : count, weight);
    load(at[3], strides[3], common ? 1 : count, bias);
    if (common) {
      const float factor = scale * weight[0];
      const float shift = bias[0];
      for (size_t i = 0; i < end; ++i) x[i] = (x[i] - mean - rest) * factor + shift;
    } else {
      for (size_t i = 0; i < end; ++i) {
        x[i] = (x[i] - mean - rest) * scale * weight[i] + bias[i];
      }
    }
    StoreBlock(ScalarType::kFloat32, x.data(), count, at[1], strides[1]);
  });
}

}  // namespace

void Normalize(const Quartet& group, const NormTypes& types, const Moments& moments) {
  constexpr auto kSingle = ScalarType::kFloat32;
  if (types.input == kSingle && types.out == kSingle && types.weight == kSingle &&
      types.bias == kSingle) {
    return NormalizeSingle(group, moments);
  }
  std::array<std::array<double, kBlock>, 3> blocks;
  ForEachRun<kBlock>(group, [&](const auto& at, const auto& strides, int64_t count) {
    auto& [x, weight, bias] = blocks;
    LoadBlock(types.input, at[0], strides[0], count, x.data());
    LoadBlock(types.weight, at[2], strides[2], count, weight.data());
    LoadBlock(types.bias, at[3], strides[3], count, bias.data());
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      x[i] = (x[i] - moments.mean) * moments.scale * weight[i] + bias[i];
    }
    StoreBlock(types.out, x.data(), count, at[1], strides[1]);
  });
}

KernelStatus AffineOf(const KernelCall& call, size_t a, const Region& input, size_t first,
                      size_t count, Affine& affine) {
  for (size_t k = 0; k < 2; ++k) {
    Region& part = affine.parts[k];
    const TensorRef* tensor = TensorOrNull(call, a + k);
    if (tensor == nullptr) {
      StoreElement(ScalarType::kFloat32, affine.numbers[k].bytes(), {.integer = k == 0 ? 1 : 0});
      part = {ScalarType::kFloat32, affine.numbers[k].pointer(), 0, {}, {}};
      continue;
    }
    const Region whole = WholeOf(*tensor);
    if (whole.rank != count) return kNotChannels;
    part = {whole.dtype, whole.data, input.rank, {}, {}};
    for (size_t d = 0; d < count; ++d) {
      if (whole.sizes[d] != input.sizes[first + d]) return kNotChannels;
      part.strides[first + d] = whole.strides[d];
    }
  }
  return nullptr;
}

void MoveAlong(Quartet& group, const Region& input, const Region& out, const Affine& affine,
               size_t d, int64_t c) {
  group.data[0] += c * input.strides[d];
  group.data[1] += c * out.strides[d];
  group.data[2] += c * affine.parts[0].strides[d];
  group.data[3] += c * affine.parts[1].strides[d];
}

}  // namespace pteproof::kernels
