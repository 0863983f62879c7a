#include "runtime/delegates/call_roles.h"

#include <algorithm>

namespace pteproof::delegates {
namespace {

// Whether slots say their positions; else they are counted.
bool AreNumbered(const OpenedBlob& opened) {
  const auto is_numbered = [](const BlobSlot& slot) { return slot.argument >= 0; };
  return std::ranges::any_of(opened.inputs, is_numbered) ||
         std::ranges::any_of(opened.outputs, is_numbered);
}

}  // namespace

size_t PositionOfInput(const OpenedBlob& opened, size_t i) {
  const int32_t said = opened.inputs[i].argument;
  return said >= 0 ? static_cast<size_t>(said) : i;
}

size_t PositionOfOutput(const OpenedBlob& opened, size_t i) {
  const int32_t said = opened.outputs[i].argument;
  return said >= 0 ? static_cast<size_t>(said) : opened.inputs.size() + i;
}

bool Fits(const OpenedBlob& opened, size_t arguments) {
  const size_t slots = opened.inputs.size() + opened.outputs.size();
  if (opened.arguments.value_or(arguments) != arguments || slots > arguments) return false;
  if (!AreNumbered(opened)) return slots == arguments;
  const auto is_there = [&](const BlobSlot& slot) {
    return static_cast<size_t>(slot.argument) < arguments;
  };
  return std::ranges::all_of(opened.inputs, is_there) &&
         std::ranges::all_of(opened.outputs, is_there);
}

std::optional<std::vector<ArgumentRole>> RolesOf(const Delegate& delegate, size_t arguments) {
  if (delegate.opened == nullptr) return std::nullopt;
  const OpenedBlob& opened = *delegate.opened;
  if (!opened.damage.empty() || !Fits(opened, arguments)) return std::nullopt;
  std::vector<ArgumentRole> roles(arguments, ArgumentRole::kUntouched);
  for (size_t i = 0; i < opened.inputs.size(); ++i) {
    roles[PositionOfInput(opened, i)] =
        opened.inputs[i].updated ? ArgumentRole::kUpdated : ArgumentRole::kRead;
  }
  size_t first_output = arguments;
  for (size_t i = 0; i < opened.outputs.size(); ++i) {
    const size_t position = PositionOfOutput(opened, i);
    roles[position] = ArgumentRole::kWritten;
    first_output = std::min(first_output, position);
  }
  for (size_t a = first_output; a < arguments; ++a) {
    if (roles[a] == ArgumentRole::kUntouched) roles[a] = ArgumentRole::kWritten;
  }
  return roles;
}

}  // namespace pteproof::delegates
