// In-place operators: most by the functional form that each means, with the same operands; the
// others have rows of their own.
#include <algorithm>

#include "reference/ops/elementwise.h"

namespace pteproof {
namespace {

constexpr InPlaceForm kForms[] = {
    {"aten::copy_", "aten::copy.out"},
    {"aten::fill_.Scalar", "aten::fill.Scalar_out"},
    {"aten::fill_.Tensor", "aten::fill.Tensor_out"},
    {"aten::index_put_", "aten::index_put.out"},
    {"aten::scatter_.src", "aten::scatter.src_out"},
    {"aten::scatter_.value", "aten::scatter.value_out"},
    {"aten::scatter_add_", "aten::scatter_add.out"},
    {"aten::abs_", "aten::abs.out"},
    {"aten::bitwise_not_", "aten::bitwise_not.out"},
    {"aten::ceil_", "aten::ceil.out"},
    {"aten::cos_", "aten::cos.out"},
    {"aten::erf_", "aten::erf.out"},
    {"aten::exp_", "aten::exp.out"},
    {"aten::floor_", "aten::floor.out"},
    {"aten::log_", "aten::log.out"},
    {"aten::logical_not_", "aten::logical_not.out"},
    {"aten::neg_", "aten::neg.out"},
    {"aten::reciprocal_", "aten::reciprocal.out"},
    {"aten::relu_", "aten::relu.out"},
    {"aten::round_", "aten::round.out"},
    {"aten::rsqrt_", "aten::rsqrt.out"},
    {"aten::sigmoid_", "aten::sigmoid.out"},
    {"aten::sign_", "aten::sign.out"},
    {"aten::sin_", "aten::sin.out"},
    {"aten::sqrt_", "aten::sqrt.out"},
    {"aten::tanh_", "aten::tanh.out"},
    {"aten::trunc_", "aten::trunc.out"},
    {"aten::clamp_", "aten::clamp.out"},
    {"aten::elu_", "aten::elu.out"},
    {"aten::gelu_", "aten::gelu.out"},
    {"aten::hardtanh_", "aten::hardtanh.out"},
    {"aten::leaky_relu_", "aten::leaky_relu.out"},
    {"aten::add_.Tensor", "aten::add.out"},
    {"aten::sub_.Tensor", "aten::sub.out"},
    {"aten::mul_.Tensor", "aten::mul.out"},
    {"aten::div_.Tensor", "aten::div.out"},
    {"aten::div_.Tensor_mode", "aten::div.out_mode"},
    {"aten::bitwise_and_.Tensor", "aten::bitwise_and.Tensor_out"},
    {"aten::bitwise_or_.Tensor", "aten::bitwise_or.Tensor_out"},
    {"aten::bitwise_xor_.Tensor", "aten::bitwise_xor.Tensor_out"},
    {"aten::logical_and_", "aten::logical_and.out"},
    {"aten::logical_or_", "aten::logical_or.out"},
    {"aten::pow_.Tensor", "aten::pow.Tensor_Tensor_out"},
    {"aten::remainder_.Tensor", "aten::remainder.Tensor_out"},
    {"aten::add_.Scalar", "aten::add.Scalar_out"},
    {"aten::sub_.Scalar", "aten::sub.Scalar_out"},
    {"aten::mul_.Scalar", "aten::mul.Scalar_out"},
    {"aten::div_.Scalar", "aten::div.Scalar_out"},
    {"aten::pow_.Scalar", "aten::pow.Tensor_Scalar_out"},
    {"aten::remainder_.Scalar", "aten::remainder.Scalar_out"},
    {"aten::masked_fill_.Scalar", "aten::masked_fill.Scalar_out"},
};

std::string RunZero(const Call&, std::span<TensorValue>) {
  return {};
}

// Where index_add_ and index_copy_ put slices of the source: source has self's sizes, but for the
// dimension, which has one slice per index.
struct Slices {
  int64_t outer = 1;  // slices of the dimensions before
  int64_t inner = 1;  // elements of the dimensions behind
  int64_t size = 1;   // of self in the dimension
  std::vector<int64_t> indices;
};

Result<Slices, std::string> SlicesOf(const Call& call) {
  const TensorValue& self = TensorAt(call, 0);
  const TensorValue& index = TensorAt(call, 2);
  const TensorValue& source = TensorAt(call, 3);
  const auto dim = Dimension(IntAt(call, 1), self.rank());
  if (!dim) return std::string("there is no such dimension");
  if (index.rank() > 1 || !IsInteger(index.dtype)) return std::string("the index is no list");
  Slices slices;
  for (int64_t i = 0; i < ElementCount(index); ++i) slices.indices.push_back(IntAt(index, i));
  Sizes wanted = self.sizes;
  if (!wanted.empty()) {
    const auto d = static_cast<size_t>(*dim);
    slices.size = wanted[d];
    slices.outer = ElementCount(std::span(wanted).first(d));
    slices.inner = ElementCount(std::span(wanted).subspan(d + 1));
    wanted[d] = static_cast<int64_t>(slices.indices.size());
  }
  if (ElementCount(wanted) != ElementCount(source) || wanted != source.sizes) {
    return std::string("the source does not have one slice per index");
  }
  const auto is_outside = [&](int64_t i) { return i < 0 || i >= slices.size; };
  if (std::ranges::any_of(slices.indices, is_outside)) {
    return std::string("an index is out of range");
  }
  return slices;
}

// Calls each(to, from) for every element of the source, slices in the order of the indices.
template <class Each>
void ForSlices(const Slices& slices, Each each) {
  const auto count = static_cast<int64_t>(slices.indices.size());
  for (int64_t o = 0; o < slices.outer; ++o) {
    for (int64_t k = 0; k < count; ++k) {
      const int64_t to = (o * slices.size + slices.indices[static_cast<size_t>(k)]) * slices.inner;
      const int64_t from = (o * count + k) * slices.inner;
      for (int64_t i = 0; i < slices.inner; ++i) each(to + i, from + i);
    }
  }
}

// Of equal indices the last slice stays.
std::string RunIndexCopy(const Call& call, std::span<TensorValue> results) {
  const auto slices = SlicesOf(call);
  if (!slices.ok()) return slices.error();
  results[0] = Converted(TensorAt(call, 0), results[0].dtype);
  ForSlices(slices.value(), [&](int64_t to, int64_t from) {
    CopyElement(TensorAt(call, 3), from, results[0], to);
  });
  return {};
}

std::string RunIndexAdd(const Call& call, std::span<TensorValue> results) {
  const auto slices = SlicesOf(call);
  if (!slices.ok()) return slices.error();
  const TensorValue& source = TensorAt(call, 3);
  TensorValue& sum = results[0];
  const Number alpha = NumberAt(call, 4);
  const bool whole = !IsFloat(sum.dtype) && !IsComplex(sum.dtype);
  if (alpha.is_real() && whole) return "alpha is a float, and the operands are integers";
  sum = Converted(TensorAt(call, 0), sum.dtype);
  ForSlices(slices.value(), [&](int64_t to, int64_t from) {
    if (whole) {
      const int64_t weighted = WrappingMul(alpha.integer, IntAt(source, from));
      SetInt(sum, to, WrappingAdd(IntAt(sum, to), weighted));
    } else {
      SetComplex(sum, to, ComplexAt(sum, to) + alpha.real * ComplexAt(source, from));
    }
  });
  return {};
}

constexpr OpMeaning kRows[] = {
    Exact("aten::zero_", SameAsFirst, RunZero),
    Exact("aten::index_copy_", SameAsFirst, RunIndexCopy),
    RoundedFor("the order of the sums is free", "aten::index_add_", SameAsFirst, RunIndexAdd),
};

}  // namespace

std::span<const InPlaceForm> InPlaceForms() {
  return kForms;
}

std::span<const OpMeaning> InPlaceMeanings() {
  return kRows;
}

}  // namespace pteproof
