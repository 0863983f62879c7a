#include "properties/compare/run/state_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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
                                 const Manifest* manifest) {
  std::vector<StatePlace> places;
  std::map<std::string, int> count;  // by name: places so far
  for (size_t m = 0; m < program.methods.size(); ++m) {
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
        return other.key.substr(0, other.key.find('\n')) == name && other.bank == place.bank &&
               other.offset <= place.offset &&
               place.offset + place.nbytes <= other.offset + other.nbytes;
      };
      if (std::ranges::any_of(places, is_there)) continue;
      const int earlier = count[name]++;
      if (earlier > 0) place.key += fmt::format("\n{}", earlier);
      places.push_back(std::move(place));
    }
  }
  std::ranges::sort(places, {}, &StatePlace::key);  // however values are numbered
  return places;
}

}  // namespace pteproof::compare
