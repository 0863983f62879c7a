#include "properties/certify/name_state.h"

#include <algorithm>

#include "properties/compare/nameless_state.h"
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
      compare::NameByPlace(method, now, before->bank, before->offset);
    }
  }
  return program;
}

}  // namespace pteproof::certify
