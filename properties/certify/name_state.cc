#include "properties/certify/name_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "properties/compare/run/state_keys.h"

namespace pteproof::certify {

Program WithStateNamed(Program program, const Program& old_program,
                       std::span<const std::vector<int32_t>> nameless, const Manifest* manifest,
                       std::span<const std::vector<int32_t>> values_at) {
  const size_t methods =
      std::min({program.methods.size(), old_program.methods.size(), nameless.size()});
  for (size_t m = 0; m < methods; ++m) {
    Method& method = program.methods[m];
    const Method& old_method = old_program.methods[m];
    const bool is_renumbered = m < values_at.size() && !values_at[m].empty();
    for (const int32_t v : nameless[m]) {
      const Tensor* before = old_method.TensorOf(v);
      const int32_t now = is_renumbered ? values_at[m][static_cast<size_t>(v)] : v;
      if (before == nullptr || method.TensorOf(now) == nullptr) continue;
      if (!compare::BufferName(old_method, v, manifest).empty()) continue;
      // No name of a file begins with a tab.
      const std::string name = fmt::format("\tbank {} at {}", before->bank, before->offset);
      Tensor& tensor = method.tensors[method.values[static_cast<size_t>(now)].tensor];
      tensor.name = {static_cast<uint32_t>(method.text.size()), static_cast<uint32_t>(name.size())};
      method.text += name;
    }
  }
  return program;
}

}  // namespace pteproof::certify
