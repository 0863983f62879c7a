#include <vector>

#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// Two inputs of one type are one value: the second takes the place of the first.
bool OnePlaceForTwoInputs(const Plan& plan) {
  Method& method = plan.program.methods[plan.draw(plan.program.methods.size())];
  std::vector<TensorAt> inputs;
  for (const int32_t v : method.inputs) {
    if (method.TensorOf(v) != nullptr && HasBytes({&method, v})) inputs.push_back({&method, v});
  }
  if (inputs.size() < 2) return false;
  const Tensor& first = inputs[0].get();
  Tensor& second = inputs[1].get();
  if (first.offset + second.nbytes > method.bank_sizes[first.bank]) return false;
  second.bank = first.bank;
  second.offset = first.offset;
  return true;
}

const RegisterDefect kOnePlaceForTwoInputs({.name = "one-place-for-two-inputs",
                                            .entry = 62,
                                            .invariant = "I1",
                                            .damage = OnePlaceForTwoInputs});

}  // namespace
}  // namespace pteproof
