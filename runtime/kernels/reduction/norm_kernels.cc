// Normalisations: of batches, groups of channels, and layers.
#include <array>
#include <cmath>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/reduction/norm.h"

namespace pteproof::kernels {
namespace {

double RealArgument(const KernelCall& call, size_t a) {
  const RunValue& value = *call.args[a];
  return value.kind == ValueKind::kDouble ? value.real : static_cast<double>(value.integer);
}

// --- Batch norm: by channel, over everything else.

template <class Each>
KernelStatus ForEachChannel(const KernelCall& call, const Region& out, const Each& each) {
  const Region input = WholeOf(TensorAt(call, 0));
  if (!IsRealType(input.dtype)) return kNotFloats;
  if (input.rank < 2) return "the input must have channels";
  Affine affine;
  const KernelStatus status = AffineOf(call, 1, input, 1, 1, affine);
  if (status != nullptr) return status;
  const Quartet first = GroupOf(input, out, affine, [](size_t d) { return d != 1; });
  for (int64_t c = 0; c < input.sizes[1]; ++c) {
    Quartet channel = first;
    MoveAlong(channel, input, out, affine, 1, c);
    Normalize(channel, TypesOf(input, out, affine), each(c, input.dtype, channel));
  }
  return nullptr;
}

// Statistics for each channel in arguments 3 and 4; `out` and `eps` at these.
template <size_t kOut, size_t kEps>
KernelStatus NormalizeByRunning(const KernelCall& call) {
  const TensorRef& input = TensorAt(call, 0);
  const Region means = WholeOf(TensorAt(call, 3));
  const Region variances = WholeOf(TensorAt(call, 4));
  for (const Region& statistics : {means, variances}) {
    if (statistics.rank != 1 || input.rank() < 2 || statistics.sizes[0] != input.sizes[1]) {
      return kNotChannels;
    }
  }
  const double eps = RealArgument(call, kEps);
  return ForEachChannel(
      call, WholeOf(TensorAt(call, kOut)), [&](int64_t c, ScalarType, const Quartet&) {
        const auto mean = LoadOne<double>(means.dtype, means.data + c * means.strides[0]);
        const auto variance =
            LoadOne<double>(variances.dtype, variances.data + c * variances.strides[0]);
        return Moments{mean, 1 / std::sqrt(variance + eps)};
      });
}

KernelStatus NormalizeByRunningOrTrain(const KernelCall& call) {
  if (IntAt(call, 5) != 0) return "training is not supported";
  return NormalizeByRunning<8, 7>(call);
}

void SaveMoments(const Region& mean, const Region& scale, const Moments& moments) {
  StoreOne(mean.dtype, moments.mean, mean.data);
  StoreOne(scale.dtype, moments.scale, scale.data);
}

KernelStatus NormalizeByBatch(const KernelCall& call) {
  const double eps = RealArgument(call, 5);
  return ForEachChannel(call, WholeOf(TensorAt(call, 6)),
                        [&](int64_t c, ScalarType dtype, const Quartet& channel) {
                          const Moments moments = MomentsOf(dtype, channel, eps);
                          Region mean = WholeOf(TensorAt(call, 7));
                          Region scale = WholeOf(TensorAt(call, 8));
                          Select(mean, 0, c);
                          Select(scale, 0, c);
                          SaveMoments(mean, scale, moments);
                          return moments;
                        });
}

// --- Group norm: groups of channels of each image.

// The channels as two dimensions, groups and what each has.
Region WithGroups(const Region& region, int64_t groups) {
  Region split = {region.dtype, region.data, region.rank + 1, {}, {}};
  for (size_t d = 0; d < region.rank; ++d) {
    const size_t to = d < 2 ? d : d + 1;
    split.sizes[to] = region.sizes[d];
    split.strides[to] = region.strides[d];
  }
  split.sizes[1] = groups;
  split.sizes[2] = region.sizes[1] / groups;
  split.strides[1] = split.sizes[2] * region.strides[1];
  split.strides[2] = region.strides[1];
  return split;
}

KernelStatus NormalizeByGroup(const KernelCall& call) {
  Region input = WholeOf(TensorAt(call, 0));
  const int64_t groups = IntAt(call, 6);
  if (!IsRealType(input.dtype)) return kNotFloats;
  if (input.rank < 2 || input.rank == kMaxRank) return "the input must have channels";
  if (groups < 1 || input.sizes[1] % groups != 0) return "the channels do not divide into groups";
  Affine affine;
  const KernelStatus status = AffineOf(call, 1, input, 1, 1, affine);
  if (status != nullptr) return status;
  for (Region& part : affine.parts) {
    part.rank = input.rank;
    part.sizes[1] = input.sizes[1];
    part = WithGroups(part, groups);
  }
  input = WithGroups(input, groups);
  const Region out = WithGroups(WholeOf(TensorAt(call, 8)), groups);
  const Quartet first = GroupOf(input, out, affine, [](size_t d) { return d >= 2; });
  for (int64_t n = 0; n < input.sizes[0]; ++n) {
    for (int64_t g = 0; g < groups; ++g) {
      Quartet group = first;
      MoveAlong(group, input, out, affine, 0, n);
      MoveAlong(group, input, out, affine, 1, g);
      const Moments moments = MomentsOf(input.dtype, group, RealArgument(call, 7));
      Normalize(group, TypesOf(input, out, affine), moments);
      Region mean = WholeOf(TensorAt(call, 9));
      Region scale = WholeOf(TensorAt(call, 10));
      for (const int64_t index : {n, g}) {
        Select(mean, 0, index);
        Select(scale, 0, index);
      }
      SaveMoments(mean, scale, moments);
    }
  }
  return nullptr;
}

// --- Layer norm: over the last dimensions.

KernelStatus NormalizeByLayer(const KernelCall& call) {
  const Region input = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(TensorAt(call, 5));
  const size_t count = call.args[1]->items.size();
  if (!IsRealType(input.dtype)) return kNotFloats;
  if (count == 0 || count > input.rank) return "normalized_shape has no or too many dimensions";
  const size_t kept = input.rank - count;
  for (size_t d = 0; d < count; ++d) {
    if (call.args[1]->items[d]->integer != input.sizes[kept + d]) {
      return "normalized_shape is not the end of the input's sizes";
    }
  }
  Affine affine;
  const KernelStatus status = AffineOf(call, 2, input, kept, count, affine);
  if (status != nullptr) return status;
  const double eps = RealArgument(call, 4);
  Quartet group = GroupOf(input, out, affine, [&](size_t d) { return d >= kept; });
  // The saved statistics have the input's rank.
  const Region mean = WholeOf(TensorAt(call, 6));
  const Region scale = WholeOf(TensorAt(call, 7));
  Together<4> groups;
  groups.data = {input.data, out.data, mean.data, scale.data};
  for (size_t d = 0; d < kept; ++d) {
    groups.Add(input.sizes[d],
               {input.strides[d], out.strides[d], mean.strides[d], scale.strides[d]});
  }
  ForEachPlace(groups, [&](const auto& at) {
    group.data[0] = at[0];
    group.data[1] = at[1];
    const Moments moments = MomentsOf(input.dtype, group, eps);
    Normalize(group, TypesOf(input, out, affine), moments);
    StoreOne(mean.dtype, moments.mean, at[2]);
    StoreOne(scale.dtype, moments.scale, at[3]);
  });
  return nullptr;
}

// --- Sizes: the first result is as large as the input.

KernelStatus ResizeThree(const KernelCall& call, std::span<const int64_t> saved) {
  const size_t first = call.args.size() - 3;
  const KernelStatus status = ResizeTo(TensorAt(call, first), WholeOf(TensorAt(call, 0)));
  if (status != nullptr) return status;
  const KernelStatus mean = Resize(TensorAt(call, first + 1), saved);
  return mean != nullptr ? mean : Resize(TensorAt(call, first + 2), saved);
}

// Where running statistics are used, none are saved: whatever the file has for them stays.
KernelStatus SizesByRunning(const KernelCall& call) {
  return ResizeTo(TensorAt(call, call.args.size() - 3), WholeOf(TensorAt(call, 0)));
}

KernelStatus SizesByBatch(const KernelCall& call) {
  const TensorRef& input = TensorAt(call, 0);
  if (input.rank() < 2) return "the input must have channels";
  const std::array<int64_t, 1> saved = {input.sizes[1]};
  return ResizeThree(call, saved);
}

KernelStatus SizesByGroup(const KernelCall& call) {
  const TensorRef& input = TensorAt(call, 0);
  if (input.rank() < 2) return "the input must have channels";
  const std::array<int64_t, 2> saved = {input.sizes[0], IntAt(call, 6)};
  return ResizeThree(call, saved);
}

KernelStatus SizesByLayer(const KernelCall& call) {
  const Region input = WholeOf(TensorAt(call, 0));
  const size_t count = call.args[1]->items.size();
  if (count > input.rank) return "normalized_shape has too many dimensions";
  SizeArray saved = input.sizes;
  for (size_t d = input.rank - count; d < input.rank; ++d) saved[d] = 1;
  return ResizeThree(call, std::span(saved).first(input.rank));
}

constexpr Kernel kNormKernels[] = {
    {"aten::_native_batch_norm_legit.out", SizesByRunning, NormalizeByRunningOrTrain},
    {"aten::_native_batch_norm_legit_no_training.out", SizesByRunning, NormalizeByRunning<7, 6>},
    {"aten::_native_batch_norm_legit.no_stats_out", SizesByBatch, NormalizeByBatch},
    {"aten::native_group_norm.out", SizesByGroup, NormalizeByGroup},
    {"aten::native_layer_norm.out", SizesByLayer, NormalizeByLayer},
};

}  // namespace

std::span<const Kernel> NormKernels() {
  return kNormKernels;
}

}  // namespace pteproof::kernels
