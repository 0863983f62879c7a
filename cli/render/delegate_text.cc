#include "cli/render/delegate_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/counted.h"
#include "cli/io/quote.h"
#include "runtime/delegates/call_roles.h"

namespace pteproof {
namespace {

using delegates::BlobDim;
using delegates::BlobSlot;
using delegates::BlobValue;
using delegates::OpenedBlob;

// More slots of a kind are counted, not listed.
constexpr size_t kMostSlots = 16;

std::string TypeInBlob(const BlobValue& value) {
  std::string text(value.types.empty() ? "any type" : Name(value.types.front()));
  if (value.elements) text += fmt::format(", {} elements", *value.elements);
  if (!value.sizes) return text;
  std::vector<std::string> dims;
  for (const BlobDim& dim : *value.sizes) {
    dims.push_back(dim.most == dim.least ? fmt::format("{}", dim.least)
                   : dim.most < 0        ? fmt::format("{}..", dim.least)
                                         : fmt::format("{}..{}", dim.least, dim.most));
  }
  return text + fmt::format("[{}]", fmt::join(dims, ", "));
}

std::string SlotLines(const OpenedBlob& opened, bool is_input) {
  const std::vector<BlobSlot>& slots = is_input ? opened.inputs : opened.outputs;
  std::string lines;
  for (size_t i = 0; i < std::min(slots.size(), kMostSlots); ++i) {
    const size_t argument =
        is_input ? delegates::PositionOfInput(opened, i) : delegates::PositionOfOutput(opened, i);
    lines += fmt::format("    argument {} {}: ", argument, is_input ? "in" : "out");
    if (slots[i].value < 0) {
      lines += "no value\n";
      continue;
    }
    const BlobValue& value = opened.values[static_cast<size_t>(slots[i].value)];
    lines += fmt::format("{} {}{}\n", Quote(value.name), TypeInBlob(value),
                         slots[i].updated ? ", updated" : "");
  }
  if (slots.size() > kMostSlots) {
    lines += fmt::format("    ... {} more {}\n", slots.size() - kMostSlots,
                         is_input ? "inputs" : "outputs");
  }
  return lines;
}

std::string BlobText(const OpenedBlob& opened) {
  if (!opened.damage.empty()) return fmt::format("    cannot be read: {}\n", Quote(opened.damage));
  const auto constants = std::ranges::count_if(opened.values, &BlobValue::constant);
  const auto states = std::ranges::count_if(opened.values, &BlobValue::state);
  std::string text = SlotLines(opened, true) + SlotLines(opened, false);
  if (opened.has_nodes) {
    text += fmt::format("    inside: {}, {}, {}\n", Counted(opened.nodes.size(), "node"),
                        Counted(static_cast<uint64_t>(constants), "constant"),
                        Counted(static_cast<uint64_t>(states), "buffer"));
  }
  if (opened.own_bytes) text += fmt::format("    memory of its own: {} bytes\n", *opened.own_bytes);
  if (!opened.unknown_op.empty()) {
    text += fmt::format("    not checked: the graph inside, for the operator {}\n",
                        Quote(opened.unknown_op));
  }
  return text + fmt::format("    not checked: {}\n", fmt::join(opened.not_checked, ", "));
}

}  // namespace

std::string DelegatesText(const Method& method) {
  std::string text;
  for (size_t d = 0; d < method.delegates.size(); ++d) {
    const Delegate& delegate = method.delegates[d];
    if (delegate.opened == nullptr) continue;
    text += fmt::format("\n  delegate {} {}: {} blob\n{}", d, Quote(delegate.id),
                        delegate.opened->backend, BlobText(*delegate.opened));
  }
  return text;
}

}  // namespace pteproof
