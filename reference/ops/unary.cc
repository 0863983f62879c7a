// Operators on one tensor, element by element.
#include <cmath>

#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kLibm = "float kernels compute in the type, the reference in double";

// Floats stay what they are; integers and bool become float32.
Types FloatResult(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  return OneResult(FloatOf(self.dtype), self.sizes);
}

// Every element through a function of doubles.
template <double (*Function)(double)>
std::string Map(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const int64_t count = ElementCount(self);
  for (int64_t i = 0; i < count; ++i) SetReal(results[0], i, Function(RealAt(self, i)));
  return {};
}

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

constexpr OpMeaning kRows[] = {
    {.name = "aten::exp.out",
     .types = FloatResult,
     .run = Map<std::exp>,
     .closeness = Closeness::kRounded,
     .reason = kLibm},
    {.name = "aten::sigmoid.out",
     .types = FloatResult,
     .run = Map<Sigmoid>,
     .closeness = Closeness::kRounded,
     .reason = kLibm},
};

}  // namespace

std::span<const OpMeaning> UnaryMeanings() {
  return kRows;
}

}  // namespace pteproof
