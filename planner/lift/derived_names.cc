// Idea. The names are those of meaning/aliases.h that lie in their sources' bytes by their own
// places. A second name of a buffer is one of it, whatever the plan put over the buffer. What a
// call copies onto itself is none: the call makes it wherever the plan puts it.
#include "planner/lift/derived_names.h"

#include <algorithm>
#include <tuple>

#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

using meaning::MethodMeaning;

// The buffer that the value is a second name of; -1: it is none.
int32_t BufferNamedBy(const MethodMeaning& meant, int32_t v) {
  const int32_t buffer = BufferOf(meant, v);
  return buffer == v ? -1 : buffer;
}

bool IsCopied(const MethodMeaning& meant, const meaning::Transfer& taken) {
  const auto names = meant.effects.RenamesOf(static_cast<size_t>(taken.instruction));
  return std::ranges::any_of(names, [&](const meaning::Rename& rename) {
    return rename.to == taken.to && CopiesIfApart(meant, rename);
  });
}

NamedBytes BytesFrom(const MethodMeaning& meant, int32_t source, int32_t v) {
  const auto lo = [&](int32_t of) {
    return static_cast<int64_t>(meant.roles.place[static_cast<size_t>(of)].lo);
  };
  return {source, lo(source) - lo(v)};
}

}  // namespace

int32_t BufferOf(const MethodMeaning& meant, int32_t v) {
  const int32_t state = meant.roles.StateInBank(v);
  if (state < 0) return -1;
  const int32_t buffer = meant.roles.states[static_cast<size_t>(state)].value;
  return IsBuffer(meant, buffer) ? buffer : -1;
}

bool CopiesIfApart(const MethodMeaning& meant, const meaning::Rename& rename) {
  if (!rename.placed) return false;
  const Instruction& call = meant.method->instructions[static_cast<size_t>(rename.instruction)];
  const OpSchema& op = *meant.method->operators[static_cast<size_t>(call.target)].schema;
  const auto args = meant.method->Ints(call.args);
  for (size_t a = 0; a < op.args.size(); ++a) {
    if (args[a] == rename.to && op.args[a].access == Access::kWrite) return true;
  }
  return false;
}

std::vector<DerivedName> DerivedNamesOf(const MethodMeaning& meant) {
  std::vector<DerivedName> names;
  std::vector<bool> is_taken(meant.roles.of.size());
  for (const meaning::Transfer& taken : meant.aliases.transfers) {
    if (taken.phase != meaning::Phase::kBefore) continue;  // in the source's bytes already
    if (IsCopied(meant, taken)) continue;
    DerivedName& name = names.emplace_back();
    name.value = taken.to;
    name.made_before = taken.instruction;
    const int32_t buffer = BufferNamedBy(meant, taken.to);
    const auto sources = meant.aliases.SourcesOf(taken);
    for (const int32_t source : buffer >= 0 ? std::span(&buffer, 1) : sources) {
      name.bytes.push_back(BytesFrom(meant, source, taken.to));
    }
    name.is_buffer = buffer >= 0 && IsWritten(meant, taken.to);
    is_taken[static_cast<size_t>(taken.to)] = true;
  }
  for (int32_t v = 0; v < static_cast<int32_t>(is_taken.size()); ++v) {
    const int32_t buffer = BufferNamedBy(meant, v);
    if (buffer < 0 || is_taken[static_cast<size_t>(v)]) continue;
    names.push_back({v, {BytesFrom(meant, buffer, v)}, 0, IsWritten(meant, v)});
  }
  std::ranges::stable_sort(names, {},
                           [](const DerivedName& n) { return std::tie(n.value, n.made_before); });
  return names;
}

}  // namespace pteproof::planner
