#include "meaning/state_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/checked_math.h"

namespace pteproof::meaning {
namespace {

// With more buffers of one form, their states stay unnamed: time and memory grow with the square.
constexpr size_t kMostPossible = 1000;

// Properties that a buffer and a state must have in common.
using Form = std::pair<ScalarType, uint64_t>;

std::optional<Form> FormOf(const ManifestBuffer& buffer) {
  if (!buffer.dtype.has_value() || !buffer.sizes.has_value()) return std::nullopt;
  uint64_t bytes = ElementSize(*buffer.dtype);
  for (const int64_t size : *buffer.sizes) {
    const auto more = CheckedMul(bytes, static_cast<uint64_t>(size));
    if (!more.has_value()) return std::nullopt;
    bytes = *more;
  }
  return Form{*buffer.dtype, bytes};
}

}  // namespace

std::vector<std::string> StatedBuffers(const ManifestMethod& stated) {
  std::set<std::string> buffers;
  for (const auto* list : {&stated.reads, &stated.mutates}) {
    if (list->has_value()) buffers.insert((*list)->begin(), (*list)->end());
  }
  return {buffers.begin(), buffers.end()};
}

bool HasStateNames(const Method& method, const ManifestMethod& stated) {
  return !stated.values.empty() || std::ranges::any_of(method.tensors, [](const Tensor& t) {
    return t.name.count > 0 && !t.external;
  });
}

void NameStates(const Method& method, const ManifestMethod& stated, const Manifest& manifest,
                Roles& roles) {
  if (!manifest.buffers.has_value()) return;
  std::set<std::string_view> taken;
  for (const StateSlot& slot : roles.states) taken.insert(slot.key);
  std::map<Form, std::vector<std::string_view>> wanted;
  for (const std::string& name : StatedBuffers(stated)) {
    const auto buffer = manifest.buffers->find(name);
    if (buffer == manifest.buffers->end() || taken.contains(name)) continue;
    if (const auto form = FormOf(buffer->second)) wanted[*form].push_back(buffer->first);
  }
  std::map<Form, std::vector<StateSlot*>> unnamed;
  for (StateSlot& slot : roles.states) {
    const Tensor& tensor = *method.TensorOf(slot.value);
    if (slot.key.empty()) unnamed[{tensor.dtype, tensor.nbytes}].push_back(&slot);
  }
  for (auto& [form, slots] : unnamed) {
    const auto names = wanted.find(form);
    if (names == wanted.end()) continue;
    if (slots.size() == 1 && names->second.size() == 1) {
      slots.front()->key = names->second.front();
    } else if (names->second.size() <= kMostPossible) {
      for (StateSlot* slot : slots) slot->possible = names->second;
    }
  }
}

}  // namespace pteproof::meaning
