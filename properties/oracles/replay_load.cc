// A program in the reference before its first call: what it means, and the state that its file
// stores.
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
  meaning_ = options.meaning != nullptr ? options.meaning
                                        : std::make_shared<const meaning::ProgramMeaning>(
                                              meaning::MeaningOf(program, options.manifest));
  for (const meaning::MethodMeaning& meant : meaning_->methods) {
    last_uses_.push_back(LastUsesOf(meant));
  }
  opaque_ = meaning::OpaqueCallsOf(*meaning_);
  unsure_ = UnsureState(meaning_->methods, options);
  // Banks are zeros at first; then the load copies the data of the file.
  for (const bool stored : {false, true}) AddStates(stored);
}

void Replay::AddStates(bool stored) {
  for (size_t m = 0; m < meaning_->methods.size(); ++m) {
    const meaning::MethodMeaning& meant = meaning_->methods[m];
    const Method& method = *meant.method;
    for (size_t v = 0; v < method.values.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      if (meant.roles.StateInBank(value) < 0) continue;
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
  return std::ranges::any_of(meaning_->methods, [](const meaning::MethodMeaning& meant) {
    return std::ranges::any_of(meant.roles.states,
                               [](const meaning::StateSlot& slot) { return slot.place.bank != 0; });
  });
}

int32_t Replay::MethodNamed(std::string_view name) const {
  const auto found = std::ranges::find(program_.methods, name, &Method::name);
  return found == program_.methods.end() ? -1
                                         : static_cast<int32_t>(found - program_.methods.begin());
}

}  // namespace pteproof
