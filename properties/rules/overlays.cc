#include "properties/rules/overlays.h"

#include <algorithm>
#include <compare>
#include <set>
#include <tuple>

#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

// An input that is dead, in the order of the search for the smallest one that is large enough.
struct DeadInput {
  uint8_t device_type = 0;
  int8_t device_index = 0;
  uint64_t nbytes = 0;
  int32_t value = 0;
  auto operator<=>(const DeadInput&) const = default;
};

const Usage& UsageOf(const MethodMeaning& meant, int32_t v) {
  return meant.roles.usage[static_cast<size_t>(v)];
}

// Inputs that only the method's reads need, by last read. The caller's memory for a dynamic input
// may be as small as the sizes of one call; one with another name may be read under that.
std::vector<int32_t> InputsToGive(const MethodMeaning& meant) {
  std::vector<bool> renamed(meant.method->values.size());
  for (const Rename& r : meant.effects.renames) renamed[static_cast<size_t>(r.from)] = true;
  std::vector<int32_t> inputs;
  for (const int32_t v : meant.method->inputs) {
    const Tensor* tensor = meant.method->TensorOf(v);
    const Usage& usage = UsageOf(meant, v);
    const bool given = tensor != nullptr && !tensor->planned &&
                       tensor->dynamism == Dynamism::kStatic && !usage.is_output &&
                       usage.last_write < 0 && !renamed[static_cast<size_t>(v)];
    if (given) inputs.push_back(v);
  }
  std::ranges::sort(inputs, {},
                    [&](int32_t v) { return std::tuple(UsageOf(meant, v).last_read, v); });
  return inputs;
}

// Outputs that the method makes in the caller's memory, by first write. One that takes another
// value's name lies where that value lies.
std::vector<int32_t> OutputsToLay(const MethodMeaning& meant) {
  std::vector<int32_t> outputs;
  for (const int32_t v : meant.method->outputs) {
    if (meant.roles.of[static_cast<size_t>(v)] != Role::kCaller) continue;
    const Usage& usage = UsageOf(meant, v);
    const bool made = usage.first_write >= 0 && !usage.exposed() && !usage.renamed;
    if (made && meant.method->TensorOf(v)->nbytes > 0) outputs.push_back(v);
  }
  std::ranges::sort(outputs, {},
                    [&](int32_t v) { return std::tuple(UsageOf(meant, v).first_write, v); });
  outputs.erase(std::ranges::unique(outputs).begin(), outputs.end());
  return outputs;
}

}  // namespace

// Idea: each output, in the order of first writes, takes the smallest dead input that is large
// enough. An input that is dead stays dead, and the largest inputs remain for later outputs, so no
// other choice serves more outputs.
std::vector<IoOverlay> OverlaysOf(const MethodMeaning& meant) {
  if (!meant.graph.straight()) return {};
  const std::vector<int32_t> outputs = OutputsToLay(meant);
  if (outputs.empty()) return {};
  const std::vector<int32_t> inputs = InputsToGive(meant);
  std::vector<IoOverlay> overlays;
  std::set<DeadInput> dead;
  auto next = inputs.begin();
  for (const int32_t out : outputs) {
    const int32_t made = UsageOf(meant, out).first_write;
    for (; next != inputs.end() && UsageOf(meant, *next).last_read < made; ++next) {
      const Tensor& in = *meant.method->TensorOf(*next);
      dead.insert({in.device_type, in.device_index, in.nbytes, *next});
    }
    const Tensor& tensor = *meant.method->TensorOf(out);
    const auto found =
        dead.lower_bound({tensor.device_type, tensor.device_index, tensor.nbytes, 0});
    if (found == dead.end() || found->device_type != tensor.device_type ||
        found->device_index != tensor.device_index) {
      continue;
    }
    overlays.push_back({meant.method->name, out, found->value});
    dead.erase(found);
  }
  return overlays;
}

}  // namespace pteproof::checks
