// Operators along one dimension whose results depend on all of it (softmax) or on two halves (glu).
#include <algorithm>
#include <cmath>

#include "base/work.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kSoftmaxLibm = "kernels compute in the type, the reference in double";

Types SoftmaxType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto dim = ConstantAt(call, 1);
  if (!IsFloat(self.dtype)) return std::string("self must be of floats");
  if (BoolAt(call, 2)) return std::string("half_to_float is not supported");
  if (!dim || !Dimension(*dim, static_cast<int64_t>(self.rank()))) {
    return std::string("dim is not a dimension of self");
  }
  return SameAsFirst(call);
}

Types GluType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto number = ConstantAt(call, 1);
  const auto dim = number ? Dimension(*number, static_cast<int64_t>(self.rank())) : std::nullopt;
  if (!IsFloat(self.dtype)) return std::string("self must be of floats");
  if (!dim || self.rank() == 0) return std::string("dim is not a dimension of self");
  SizeList sizes = self.sizes;
  SizeExpr& halved = sizes[static_cast<size_t>(*dim)];
  const auto odd = Mod(halved, 2).Constant();
  if (odd && *odd != 0) return std::string("the dimension to halve is odd");
  halved = FloorDiv(halved, 2);
  return OneResult(self.dtype, std::move(sizes));
}

// A tensor seen as [outer, size, inner] around one dimension.
struct Around {
  int64_t outer = 1;
  int64_t size = 1;
  int64_t inner = 1;
};

Around AroundDimension(const TensorValue& t, int64_t named) {
  Around around;
  const auto dim = static_cast<size_t>(Dimension(named, t.rank()).value_or(0));
  for (size_t d = 0; d < t.sizes.size(); ++d) {
    (d < dim ? around.outer : d == dim ? around.size : around.inner) *= t.sizes[d];
  }
  return around;
}

// exp(x - largest), and its sum over the line: infinities in the line give NaN, as in PyTorch.
template <bool kLog>
void SoftmaxLine(const TensorValue& self, int64_t first, int64_t size, int64_t step,
                 TensorValue& result, Paced& pace) {
  const auto at = [&](int64_t i) {
    pace.Step();
    return first + i * step;
  };
  double largest = -INFINITY;
  for (int64_t i = 0; i < size; ++i) largest = std::max(largest, RealAt(self, at(i)));
  double sum = 0;
  for (int64_t i = 0; i < size; ++i) sum += std::exp(RealAt(self, at(i)) - largest);
  for (int64_t i = 0; i < size; ++i) {
    const double x = RealAt(self, at(i)) - largest;
    SetReal(result, first + i * step, kLog ? x - std::log(sum) : std::exp(x) / sum);
  }
}

template <bool kLog>
std::string Softmax(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  if (ElementCount(self) == 0) return {};
  const Around around = AroundDimension(self, IntAt(call, 1));
  Paced pace(CappedProduct({3, ElementCount(self)}));
  for (int64_t outer = 0; outer < around.outer; ++outer) {
    for (int64_t inner = 0; inner < around.inner; ++inner) {
      const int64_t first = outer * around.size * around.inner + inner;
      SoftmaxLine<kLog>(self, first, around.size, around.inner, results[0], pace);
    }
  }
  return {};
}

// The first half times the sigmoid of the second.
std::string Glu(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  if (ElementCount(self) == 0) return {};
  const Around around = AroundDimension(self, IntAt(call, 1));
  const int64_t half = around.size / 2 * around.inner;
  ForEachElement(ElementCount(results[0]), [&](int64_t i) {
    const int64_t from = i / half * 2 * half + i % half;
    SetReal(results[0], i, RealAt(self, from) / (1 + std::exp(-RealAt(self, from + half))));
  });
  return {};
}

constexpr OpMeaning kSoftmaxMeanings[] = {
    RoundedFor(kSoftmaxLibm, "aten::_log_softmax.out", SoftmaxType, Softmax<true>),
    RoundedFor(kSoftmaxLibm, "aten::_softmax.out", SoftmaxType, Softmax<false>),
    RoundedFor(kSoftmaxLibm, "aten::glu.out", GluType, Glu),
};

}  // namespace

std::span<const OpMeaning> SoftmaxMeanings() {
  return kSoftmaxMeanings;
}

}  // namespace pteproof
