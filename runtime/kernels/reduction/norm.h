// What normalisations share: the elements of a group are brought to mean 0 and variance 1, then
// scaled and shifted.
#ifndef PTEPROOF_RUNTIME_KERNELS_REDUCTION_NORM_H_
#define PTEPROOF_RUNTIME_KERNELS_REDUCTION_NORM_H_

#include <array>
#include <cstdint>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/kernels/base/walk.h"

namespace pteproof::kernels {

inline constexpr KernelStatus kNotFloats = "the input must be of floats";
inline constexpr KernelStatus kNotChannels =
    "weight, bias or statistics do not have the input's sizes";

// A group of the input, the result, the weight and the bias.
using Quartet = Together<4>;

struct Moments {
  double mean = 0;
  double scale = 0;  // 1 / sqrt(variance + eps)
};

// Of no elements the mean is 0 and the scale NaN.
[[nodiscard]] Moments MomentsOf(ScalarType dtype, const Quartet& group, double eps);

struct NormTypes {
  ScalarType input;
  ScalarType out;
  ScalarType weight;
  ScalarType bias;
};

void Normalize(const Quartet& group, const NormTypes& types, const Moments& moments);

// Weight and bias, or 1 and 0 where they are None; with strides for dimensions of the input.
struct Affine {
  std::array<LoneElement, 2> numbers;
  std::array<Region, 2> parts;
};

// Arguments `a` and the next one: of the sizes of so many dimensions of the input from `first` on.
[[nodiscard]] KernelStatus AffineOf(const KernelCall& call, size_t a, const Region& input,
                                    size_t first, size_t count, Affine& affine);

[[nodiscard]] inline NormTypes TypesOf(const Region& input, const Region& out,
                                       const Affine& affine) {
  return {input.dtype, out.dtype, affine.parts[0].dtype, affine.parts[1].dtype};
}

// The dimensions of the input for which `holds(d)`, as a group.
template <class Holds>
[[nodiscard]] Quartet GroupOf(const Region& input, const Region& out, const Affine& affine,
                              const Holds& holds) {
  Quartet group;
  group.data = {input.data, out.data, affine.parts[0].data, affine.parts[1].data};
  for (size_t d = 0; d < input.rank; ++d) {
    if (!holds(d)) continue;
    group.Add(input.sizes[d], {input.strides[d], out.strides[d], affine.parts[0].strides[d],
                               affine.parts[1].strides[d]});
  }
  return group;
}

// Moves a group to coordinate c of a dimension.
void MoveAlong(Quartet& group, const Region& input, const Region& out, const Affine& affine,
               size_t d, int64_t c);

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_REDUCTION_NORM_H_
