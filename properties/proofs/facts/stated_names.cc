#include "properties/proofs/facts/stated_names.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked_math.h"

namespace pteproof::proofs {
namespace {

// A thousand buffers of one form, and a thousand that each may be any of them: beyond that no name
// is looked for.
constexpr size_t kMostFitting = 1000;

}  // namespace

std::set<std::string> BuffersOf(const ManifestMethod& stated) {
  std::set<std::string> buffers;
  if (stated.reads.has_value()) buffers.insert(stated.reads->begin(), stated.reads->end());
  if (stated.mutates.has_value()) buffers.insert(stated.mutates->begin(), stated.mutates->end());
  return buffers;
}

bool HasBufferNames(const Method& method, const ManifestMethod& stated) {
  const auto is_named = [](const Tensor& t) { return t.name.count > 0 && !t.external; };
  return !stated.values.empty() || std::ranges::any_of(method.tensors, is_named);
}

std::optional<uint64_t> RegisteredBytes(const ManifestBuffer& buffer) {
  if (!buffer.dtype.has_value() || !buffer.sizes.has_value()) return std::nullopt;
  std::optional<uint64_t> bytes = ElementSize(*buffer.dtype);
  for (const int64_t size : *buffer.sizes) {
    if (bytes.has_value()) bytes = CheckedMul(*bytes, static_cast<uint64_t>(size));
  }
  return bytes;
}

void NameBuffers(const Method& method, const ManifestMethod& stated, const Manifest& manifest,
                 Parts& parts) {
  if (!manifest.buffers.has_value()) return;
  std::set<std::string_view> taken;
  for (const BufferPart& buffer : parts.buffers) taken.insert(buffer.name);
  struct Candidates {
    std::vector<std::string_view> names;
    std::vector<BufferPart*> buffers;
  };
  std::map<std::pair<ScalarType, uint64_t>, Candidates> by_form;
  for (const std::string& name : BuffersOf(stated)) {
    const auto registered = manifest.buffers->find(name);
    if (registered == manifest.buffers->end() || taken.contains(name)) continue;
    const auto bytes = RegisteredBytes(registered->second);
    if (!bytes.has_value()) continue;
    by_form[{*registered->second.dtype, *bytes}].names.push_back(registered->first);
  }
  for (BufferPart& buffer : parts.buffers) {
    if (!buffer.name.empty()) continue;
    const Tensor& tensor = *method.TensorOf(buffer.value);
    by_form[{tensor.dtype, tensor.nbytes}].buffers.push_back(&buffer);
  }
  for (auto& [form, candidates] : by_form) {
    const auto& [names, buffers] = candidates;
    if (names.size() == 1 && buffers.size() == 1) {
      buffers.front()->name = names.front();
    } else if (names.size() <= kMostFitting) {
      for (BufferPart* buffer : buffers) buffer->fitting = {names.begin(), names.end()};
    }
  }
}

}  // namespace pteproof::proofs
