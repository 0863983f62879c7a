#include "properties/compare/run/state_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace pteproof::compare {
namespace {

bool IsInputOf(const Method& method, int32_t value) {
  return std::ranges::find(method.inputs, value) != method.inputs.end();
}

}  // namespace

bool IsShared(Policy policy, uint32_t bank) {
  return policy == Policy::kShareAll || (policy == Policy::kShare12 && bank <= 2);
}

std::string BufferName(const Method& method, int32_t value, const Manifest* manifest) {
  const Tensor* tensor = method.TensorOf(value);
  if (tensor == nullptr || !tensor->planned || IsInputOf(method, value)) return {};
  if (tensor->name.count > 0) return std::string(method.Text(tensor->name));
  if (manifest == nullptr) return {};
  const auto stated = manifest->methods.find(method.name);
  if (stated == manifest->methods.end()) return {};
  const auto found = stated->second.values.find(value);
  return found == stated->second.values.end() ? std::string() : found->second;
}

std::vector<StatePlace> StatesOf(const Program& program, size_t method, Policy policy,
                                 const Manifest* manifest, bool as_meant) {
  std::vector<size_t> order(program.methods.size());
  std::iota(order.begin(), order.end(), 0);
  if (as_meant) std::swap(order.front(), order[method]);
  std::vector<StatePlace> places;
  std::map<std::string, std::vector<StatePlace>> by_name;
  for (const size_t m : order) {
    const Method& of = program.methods[m];
    for (int32_t v = 0; v < static_cast<int32_t>(of.values.size()); ++v) {
      const Tensor* tensor = of.TensorOf(v);
      if (tensor == nullptr || !tensor->planned) continue;
      if (m != method && !IsShared(policy, tensor->bank)) continue;
      const std::string name = BufferName(of, v, manifest);
      if (name.empty()) continue;
      StatePlace place = {name, tensor->bank, tensor->offset, tensor->nbytes};
      // Views of a buffer may have its name, too.
      const auto is_there = [&](const StatePlace& other) {
        return other.bank == place.bank && other.offset <= place.offset &&
               place.offset + place.nbytes <= other.offset + other.nbytes;
      };
      std::vector<StatePlace>& earlier = by_name[name];
      if (std::ranges::any_of(earlier, is_there)) continue;
      if (as_meant && m != method && !earlier.empty()) continue;
      if (!earlier.empty()) place.key += fmt::format("\n{}", earlier.size());
      earlier.push_back(place);
      places.push_back(std::move(place));
    }
  }
  std::ranges::sort(places, {}, &StatePlace::key);  // however values are numbered
  return places;
}

std::optional<bool> ShareState(std::span<const StatePlace> a, std::span<const StatePlace> b,
                               std::string_view key, Policy policy) {
  const auto in_a = std::ranges::find(a, key, &StatePlace::key);
  const auto in_b = std::ranges::find(b, key, &StatePlace::key);
  if (in_a == a.end() || in_b == b.end()) return std::nullopt;
  return IsShared(policy, in_a->bank) && in_a->bank == in_b->bank && in_a->offset == in_b->offset;
}

bool IsNamedByManifest(const Method& method, const Manifest* manifest) {
  for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
    const std::string name = BufferName(method, v, manifest);
    if (!name.empty() && method.TensorOf(v)->name.count == 0) return true;
  }
  return false;
}

}  // namespace pteproof::compare
