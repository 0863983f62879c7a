// A program in the reference before its first call: its names of storage, and the state that its
// file stores.
#include <algorithm>
#include <utility>

#include "meaning/opaque_calls.h"
#include "properties/oracles/replay.h"
#include "properties/oracles/replay_values.h"
#include "properties/oracles/unsure_state.h"

namespace pteproof {

Replay::Replay(const Program& program, const ReplayOptions& options)
    : program_(program),
      options_(options),
      limits_(LimitsOf(program, options.data, options.limits)),
      memory_(limits_.MakeMemoryCount()) {
  opaque_ = options.opaque_calls != nullptr ? options.opaque_calls
                                            : meaning::OpaqueCallsOf(program, options.manifest);
  names_ = options.names != nullptr
               ? options.names
               : std::make_shared<const ProgramNames>(StorageNamesOf(program, *opaque_));
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const Method& method = program.methods[m];
    last_uses_.push_back(LastUsesOf(method, (*names_)[m]));
  }
  unsure_ = UnsureState(program, *names_, options);
  // Banks are zeros at first; then the load copies the data of the file.
  for (const bool stored : {false, true}) AddStates(stored);
}

void Replay::AddStates(bool stored) {
  for (size_t m = 0; m < names_->size(); ++m) {
    const Method& method = program_.methods[m];
    const std::vector<StorageName>& names = (*names_)[m];
    for (size_t v = 0; v < names.size(); ++v) {
      if (!IsBuffer(names[v])) continue;
      const auto value = static_cast<int32_t>(v);
      const Tensor& tensor = *method.TensorOf(value);
      const bool outside = tensor.external && options_.data != nullptr;  // and it is given
      if ((tensor.data_index > 0 || outside) != stored) continue;
      std::string key = StateKeyOf(method, value, options_);
      if (options_.tags != nullptr) options_.tags->AddState(key, m, value, stored);
      if (stored) stored_.insert_or_assign(std::move(key), StoredState{&method, value});
    }
  }
}

bool Replay::HasState() const {
  return std::ranges::any_of(*names_, [](const std::vector<StorageName>& method) {
    return std::ranges::find(method, NameKind::kState, &StorageName::kind) != method.end();
  });
}

int32_t Replay::MethodNamed(std::string_view name) const {
  const auto found = std::ranges::find(program_.methods, name, &Method::name);
  return found == program_.methods.end() ? -1
                                         : static_cast<int32_t>(found - program_.methods.begin());
}

}  // namespace pteproof
