#include "meaning/method_meaning.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/stop.h"
#include "meaning/same_elements.h"
#include "meaning/state_names.h"
#include "meaning/unfilled.h"

namespace pteproof::meaning {
namespace {

// A store that reads its own state (an update) is not a use of the state.
bool StoresOnlyTo(const MethodFlow& flow, int32_t i, int32_t state) {
  const auto writes = flow.effects.WritesOf(static_cast<size_t>(i));
  return !writes.empty() &&
         std::ranges::all_of(writes, [&](const Write& w) { return flow.StoredState(w) == state; });
}

void NoteReadsInside(MethodMeaning& meaning) {
  const MethodFlow flow = meaning.flow();
  const auto note = [&](int32_t v) {
    const int32_t state = flow.StateOf(v);
    if (state >= 0) meaning.state_uses[static_cast<size_t>(state)].read_inside = true;
  };
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    for (const Read& r : meaning.effects.ReadsOf(static_cast<size_t>(i))) {
      const int32_t state = flow.StateOf(r.value);
      if (state >= 0 && !StoresOnlyTo(flow, i, state)) note(r.value);
    }
  }
  for (const Rename& r : meaning.effects.renames) note(r.from);
  for (const int32_t v : meaning.method->outputs) {
    if (meaning.method->TensorOf(v) != nullptr) note(v);
  }
}

void NoteStateUse(MethodMeaning& meaning) {
  meaning.state_uses.resize(meaning.roles.states.size());
  if (meaning.state_uses.empty()) return;
  const MethodFlow flow = meaning.flow();
  NoteReadsInside(meaning);
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    const auto block = static_cast<size_t>(meaning.graph.block_of[static_cast<size_t>(i)]);
    if (!meaning.graph.blocks[block].reachable) continue;
    const bool onto_itself = IsSelfCopy(flow, i);
    const bool stores_nothing = IsSelfCopyOfNothing(flow, i);
    for (const Write& w : meaning.effects.WritesOf(static_cast<size_t>(i))) {
      const int32_t state = flow.StoredState(w);
      if (state < 0 || stores_nothing) continue;
      StateUse& use = meaning.state_uses[static_cast<size_t>(state)];
      if (onto_itself) {
        use.self_copy = i;
      } else {
        use.written = true;
      }
    }
  }
}

// What a call begins with: buffers, and what nothing makes on some way.
void NoteEntry(MethodMeaning& meaning) {
  std::optional<std::map<int32_t, std::vector<int32_t>>> writers;  // of what is filled in parts
  const auto may_be_unfilled = [&](const LiveName& n) {
    if (!writers) writers = WritersOfFilled(meaning.flow());
    const auto of = writers->find(n.name);
    return of != writers->end() && IsReadUnfilled(meaning.flow(), of->second, n.reader);
  };
  for (const LiveName& n : meaning.live.entry) {
    const auto v = static_cast<size_t>(n.name);
    if (meaning.roles.of[v] == Role::kState) {
      meaning.state_uses[static_cast<size_t>(meaning.roles.state_of[v])].reader = n.reader;
    } else if (meaning.roles.of[v] == Role::kLocal && !meaning.roles.place[v].empty() &&
               (!meaning.roles.usage[v].filled || may_be_unfilled(n))) {
      meaning.unmade.push_back(n);
    }
  }
}

}  // namespace

std::vector<Doubt> DoubtsOf(const MethodMeaning& meaning) {
  const MethodFlow flow = meaning.flow();
  std::vector<Doubt> doubts = meaning.effects.doubts;
  for (const OpenArgument& open : meaning.effects.open) {
    const Instruction& call = meaning.method->instructions[static_cast<size_t>(open.instruction)];
    const std::string& op = meaning.method->operators[static_cast<size_t>(call.target)].name;
    if (open.is_result) {
      doubts.push_back({DoubtKind::kResultFilled, op, 0, open.argument});
    } else if (flow.StateOf(open.value) >= 0) {
      doubts.push_back({DoubtKind::kOperandUpdated, op, 0, open.argument});
    }
  }
  std::ranges::sort(doubts);
  doubts.erase(std::ranges::unique(doubts).begin(), doubts.end());
  return doubts;
}

MethodMeaning MeaningOf(const Method& method, const Manifest* manifest, const Reading* reading,
                        double numberings) {
  EndIfStopped();
  MethodMeaning meaning;
  meaning.method = &method;
  meaning.stated = StatedOf(manifest, method);
  OrderedEffects ordered = OrderedEffectsOf(method, meaning.stated, reading, numberings);
  meaning.effects = std::move(ordered.effects);
  meaning.order = std::move(ordered.order);
  meaning.graph = FlowGraphOf(method, meaning.effects);
  meaning.roles = RolesOf(method, meaning.effects, meaning.order, meaning.stated);
  meaning.aliases = AliasesOf(method, meaning.effects, meaning.graph, meaning.order, meaning.roles);
  for (const int32_t v : meaning.aliases.unexplained) AdoptState(method, meaning.roles, v);
  if (meaning.stated != nullptr) NameStates(method, *meaning.stated, *manifest, meaning.roles);
  meaning.live.complete = meaning.aliases.complete;
  if (meaning.live.complete) meaning.live = LivenessOf(meaning.flow());
  if (meaning.live.complete) meaning.moved = MovedPlacesOf(meaning.flow());
  NoteStateUse(meaning);
  NoteEntry(meaning);
  return meaning;
}

}  // namespace pteproof::meaning
