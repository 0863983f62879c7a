// What outlives a call: tensors' names in the model, initial values and constants.
#include <array>

#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

bool HasName(const Tensor& tensor) {
  return tensor.name.count > 0;
}

bool RenameState(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  Tensor* named = method == nullptr ? nullptr : AnyOf(method->tensors, random, HasName);
  if (named == nullptr) return false;
  const std::string name(method->Text(named->name));
  if (name.size() > 100) return false;
  named->name = AppendText(method->text, random.OneIn(2) ? name + "_" : "b_" + name);
  return true;
}

bool DropStateName(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  Tensor* named =
      AnyOf(method->tensors, random, [](const Tensor& t) { return HasName(t) && !t.external; });
  if (named == nullptr) return false;
  named->name = {};
  return true;
}

// Of any method: two tensors are one piece of state, or a tensor becomes one.
bool CopyStateName(Program& program, Random& random) {
  Method* from = AnyMethod(program, random);
  Method* to = AnyMethod(program, random);
  const Tensor* named = from == nullptr ? nullptr : AnyOf(from->tensors, random, HasName);
  if (named == nullptr || to->tensors.empty()) return false;
  const std::string name(from->Text(named->name));
  Tensor& tensor = random.Of(to->tensors);
  if (to->Text(tensor.name) == name) return false;
  tensor.name = AppendText(to->text, name);
  return true;
}

// Another of the stored blobs that is long enough, or none.
bool ChangeStored(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  Tensor* tensor = AnyOf(method->tensors, random, [](const Tensor& t) {
    return !t.external && (t.planned || t.data_index > 0);
  });
  if (tensor == nullptr) return false;
  const auto& table = tensor->planned ? program.initial_values : program.constants;
  if (table.empty()) return false;
  const auto index = static_cast<uint32_t>(random.Below(table.size()));
  if (index == tensor->data_index || !IsStoredFor(program, *tensor, index)) return false;
  tensor->data_index = index;
  return true;
}

// What was state becomes a constant of the same bytes, or the other way round, with a place.
bool TurnConstant(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr || method->bank_sizes.size() < 2) return false;
  Tensor* tensor = AnyOf(method->tensors, random,
                         [](const Tensor& t) { return t.data_index > 0 && !t.external; });
  if (tensor == nullptr || !IsStoredFor(program, *tensor, tensor->data_index)) return false;
  auto& from = tensor->planned ? program.initial_values : program.constants;
  auto& to = tensor->planned ? program.constants : program.initial_values;
  if (to.empty()) to.emplace_back();
  to.push_back(from[tensor->data_index].first(tensor->nbytes));
  tensor->data_index = static_cast<uint32_t>(to.size() - 1);
  tensor->planned = !tensor->planned;
  tensor->bank = tensor->planned ? 1 : 0;
  tensor->offset = 0;
  return true;
}

// Its data in another file, by its name, or no longer.
bool TurnExternal(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  Tensor* named = method == nullptr ? nullptr : AnyOf(method->tensors, random, HasName);
  if (named == nullptr) return false;
  named->external = !named->external;
  named->data_index = 0;
  return true;
}

constexpr std::array kStateChanges = {
    Change{"rename-state", RenameState},      Change{"drop-state-name", DropStateName},
    Change{"copy-state-name", CopyStateName}, Change{"change-stored-data", ChangeStored},
    Change{"turn-constant", TurnConstant},    Change{"turn-external", TurnExternal},
};

}  // namespace

std::span<const Change> StateChanges() {
  return kStateChanges;
}

}  // namespace pteproof::fuzz::plan
