#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

// An unplaced buffer is the caller's like an unplaced input.
bool IsBrought(const MethodFacts& facts, int32_t v) {
  const Part part = facts.parts.Of(v);
  const bool outside = part == Part::kCaller || part == Part::kInput || part == Part::kBuffer;
  return outside && ExtentOf(*facts.method, v).empty();
}

// Names that take the content of these names, step by step, on any path.
std::set<int32_t> TakenAfter(const MethodFacts& facts, std::set<int32_t> names) {
  std::multimap<int32_t, int32_t> takers;
  for (const Take& take : facts.names.takes) {
    if (!take.handle) continue;
    for (const int32_t from : take.from) takers.emplace(from, take.to);
  }
  std::vector<int32_t> open(names.begin(), names.end());
  while (!open.empty()) {
    const auto [first, last] = takers.equal_range(open.back());
    open.pop_back();
    for (auto at = first; at != last; ++at) {
      if (names.insert(at->second).second) open.push_back(at->second);
    }
  }
  return names;
}

bool GoesBack(const Method& method) {
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Instruction& at = method.instructions[i];
    if (at.kind == InstructionKind::kJumpFalse && static_cast<size_t>(at.other) <= i) return true;
  }
  return false;
}

}  // namespace

void ObligeCallersMemory(Obliger& obliger, int32_t method) {
  const MethodFacts& facts = obliger.facts().FactsAt(method);
  std::set<int32_t> brought;
  int32_t first = facts.instruction_count();
  for (const Take& take : facts.names.takes) {
    for (const int32_t from : take.from) {
      if (!take.handle || !IsBrought(facts, from)) continue;
      brought.insert(from);
      first = std::min(first, take.at.instruction);
    }
  }
  if (brought.empty()) return;
  const std::set<int32_t> names = TakenAfter(facts, std::move(brought));
  if (GoesBack(*facts.method)) first = -1;
  int64_t written = 0;
  for (const WriteEvent& w : facts.listing.writes) {
    if (w.instruction <= first || !facts.paths.IsReached(w.instruction)) continue;
    if (names.contains(w.value)) ++written;
  }
  Obligation o = AboutMethod(*facts.method, rule::kNotProvable, -1, {});
  o.severity = Severity::kNote;
  o.goal = None(written);
  o.refuted = "An instruction writes memory of the caller after a move has given it a second name.";
  obliger.Add(std::move(o));
}

}  // namespace pteproof::proofs
