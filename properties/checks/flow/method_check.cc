#include "properties/checks/flow/method_check.h"

#include <algorithm>

#include "properties/checks/facts/state_names.h"
#include "properties/checks/flow/same_elements.h"

namespace pteproof::checks {
namespace {

const ManifestMethod* StatedFor(const Manifest* manifest, const std::string& name) {
  if (manifest == nullptr) return nullptr;
  const auto it = manifest->methods.find(name);
  return it == manifest->methods.end() ? nullptr : &it->second;
}

constexpr uint64_t kDefaultAlignment = 16;  // the exporter's

// A store that reads its own state (an update) is not a use of the state.
bool StoresOnlyTo(const MethodFlow& flow, int32_t i, int32_t state) {
  const auto writes = flow.effects.WritesOf(static_cast<size_t>(i));
  return !writes.empty() &&
         std::ranges::all_of(writes, [&](const Write& w) { return flow.StoredState(w) == state; });
}

void NoteReadsInside(MethodCheck& check) {
  const MethodFlow flow = check.flow();
  check.state_read_inside.assign(check.roles.states.size(), false);
  const auto note = [&](int32_t v) {
    const int32_t state = flow.StateOf(v);
    if (state >= 0) check.state_read_inside[static_cast<size_t>(state)] = true;
  };
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    for (const Read& r : check.effects.ReadsOf(static_cast<size_t>(i))) {
      const int32_t state = flow.StateOf(r.value);
      if (state >= 0 && !StoresOnlyTo(flow, i, state)) note(r.value);
    }
  }
  for (const Rename& r : check.effects.renames) note(r.from);
  for (const int32_t v : check.method->outputs) {
    if (check.method->TensorOf(v) != nullptr) note(v);
  }
}

void NoteStateUse(MethodCheck& check) {
  if (check.roles.states.empty()) return;
  const MethodFlow flow = check.flow();
  NoteReadsInside(check);
  check.state_written.assign(check.roles.states.size(), false);
  check.self_copy.assign(check.roles.states.size(), -1);
  check.entry_reader.assign(check.roles.states.size(), -1);
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    const auto block = static_cast<size_t>(check.graph.block_of[static_cast<size_t>(i)]);
    if (!check.graph.blocks[block].reachable) continue;
    const bool onto_itself = IsSelfCopy(flow, i);
    const bool stores_nothing = IsSelfCopyOfNothing(flow, i);
    for (const Write& w : check.effects.WritesOf(static_cast<size_t>(i))) {
      const int32_t state = flow.StoredState(w);
      if (state < 0 || stores_nothing) continue;
      if (onto_itself) {
        check.self_copy[static_cast<size_t>(state)] = i;
      } else {
        check.state_written[static_cast<size_t>(state)] = true;
      }
    }
  }
  for (const EntryRead& read : check.walk.entry_reads) {
    check.entry_reader[static_cast<size_t>(read.state)] = read.reader;
  }
}

}  // namespace

uint64_t PlanAlignment(const Method& method) {
  uint64_t bits = kDefaultAlignment;
  for (const Tensor& tensor : method.tensors) {
    if (tensor.planned) bits |= tensor.offset;
  }
  return bits & (~bits + 1);
}

std::vector<Doubt> DoubtsOf(const MethodCheck& check) {
  const MethodFlow flow = check.flow();
  std::vector<Doubt> doubts = check.effects.doubts;
  for (const OpenArgument& open : check.effects.open) {
    const Instruction& call = check.method->instructions[static_cast<size_t>(open.instruction)];
    const std::string& op = check.method->operators[static_cast<size_t>(call.target)].name;
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

MethodCheck AnalyseMethod(const Method& method, const Manifest* manifest, const Reading* reading,
                          double numberings) {
  const ManifestMethod* stated = StatedFor(manifest, method.name);
  MethodCheck check;
  check.method = &method;
  check.stated = stated;
  check.effects = EffectsOf(method, stated, reading);
  check.order = ExporterOrderOf(method, check.effects, numberings);
  if (!check.order.holds && check.effects.IsGuessed()) {
    check.effects = EffectsOf(method, stated, reading, Numbers::kTellNothing);
    check.order = ExporterOrderOf(method, check.effects, numberings);
  }
  check.graph = FlowGraphOf(method, check.effects);
  check.roles = RolesOf(method, check.effects, check.order, stated);
  check.aliases = AliasesOf(method, check.effects, check.graph, check.order, check.roles);
  for (const int32_t v : check.aliases.unexplained) AdoptState(method, check.roles, v);
  if (stated != nullptr) NameStates(method, *stated, *manifest, check.roles);
  check.walk = WalkBackwards(check.flow(), PlanAlignment(method));
  NoteStateUse(check);
  return check;
}

}  // namespace pteproof::checks
