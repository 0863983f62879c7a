#include <algorithm>
#include <utility>
#include <vector>

#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// Whether the file would read the same if the model mutated its input: the input is the first
// output, where exporters put mutated inputs, and has no store of its own.
bool MayBeMutated(const Method& method, const std::vector<CallAt>& copies, int32_t input) {
  return !method.outputs.empty() && method.outputs.front() == input &&
         std::ranges::none_of(
             copies, [&](const CallAt& at) { return at.method == &method && at.arg(0) == input; });
}

bool AreOfOneType(const Method& method, const Tensor& a, const Tensor& b) {
  return a.dtype == b.dtype && std::ranges::equal(method.Ints(a.sizes), method.Ints(b.sizes)) &&
         a.nbytes == b.nbytes;
}

// A store to a buffer goes to a returned input of its type. Only the manifest tells this file from
// that of a model that mutates the input.
bool StoreToReturnedInput(const Plan& plan) {
  const auto copies =
      CallsOf(plan.program, [](const Method&, const Operator& op, auto) { return IsCopy(op); });
  std::vector<std::pair<CallAt, int32_t>> captures;
  for (const CallAt& store : copies) {
    Method& method = *store.method;
    if (method.outputs.empty() || IsInput(method, store.arg(0))) continue;
    const int32_t input = method.outputs.front();
    if (!IsInput(method, input) || method.TensorOf(input) == nullptr) continue;
    const Tensor& from = TensorAt{&method, store.arg(0)}.get();
    const Tensor& to = TensorAt{&method, input}.get();
    if (!HasBytes({&method, input}) || !AreOfOneType(method, from, to)) continue;
    if (MayBeMutated(method, copies, input)) captures.emplace_back(store, input);
  }
  const auto capture = PickOf(captures, plan);
  if (!capture) return false;
  capture->first.arg(0) = capture->second;
  return true;
}

const RegisterDefect kStoreToReturnedInput({.name = "store-to-returned-input",
                                            .entry = 1,
                                            .invariant = "I8",
                                            .damage = StoreToReturnedInput});

}  // namespace
}  // namespace pteproof
