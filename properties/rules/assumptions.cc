#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "base/without.h"
#include "meaning/same_elements.h"
#include "properties/assumption_words.h"
#include "properties/rules/program_rules.h"
#include "properties/rules/shared_tensors.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"
#include "reference/op_schema.h"
#include "runtime/delegates/call_roles.h"

namespace pteproof::checks {
namespace {

[[gnu::cold]] void Note(Report& report, const MethodMeaning& meant, int32_t value,
                        std::string explanation, std::string_view fix) {
  if (Without(kRule, rule::kNotProvable)) return;
  Finding finding = FindingAt(rule::kNotProvable, Severity::kNote, *meant.method, -1, {}, {});
  if (value >= 0) {
    const Place& place = meant.roles.place[static_cast<size_t>(value)];
    finding = FindingAt(rule::kNotProvable, Severity::kNote, *meant.method, -1, {value}, place);
  }
  finding.explanation = std::move(explanation);
  finding.fix = fix;
  report.findings.push_back(std::move(finding));
}

void NoteUnnamedState(const MethodMeaning& meant, bool has_manifest, Report& report) {
  std::vector<int32_t> unnamed;
  for (const StateSlot& slot : meant.roles.states) {
    if (slot.key.empty()) unnamed.push_back(slot.value);
  }
  if (unnamed.empty()) return;
  Note(report, meant, unnamed.front(),
       fmt::format(
           "In '{}' {}.\n"
           "Such a buffer keeps its value from call to call, and buffers of other methods at the "
           "same "
           "place are the same buffer.\n"
           "If that is wrong, the verdict may be wrong.",
           meant.method->name,
           unnamed.size() == 1
               ? std::string("one value has no name and is taken for a buffer")
               : fmt::format("{} values have no name and are taken for buffers", unnamed.size())),
       has_manifest ? "Export with buffer names, or name the values in the manifest (`values`)."
                    : "Export with buffer names, or give a manifest.");
}

// A view of older bytes than those it finds would be an error: two readings.
void NoteUncertainViews(const MethodMeaning& meant, Report& report) {
  if (meant.aliases.uncertain.empty()) return;
  const int32_t first = meant.aliases.uncertain.front();
  Note(report, meant, first,
       fmt::format(
           "No instruction makes {}, and the numbering of values does not tell when it is made.\n"
           "It may be a view of bytes as they were before the last write to them ({} such in "
           "'{}').\n"
           "In that case its readers get a wrong value.",
           ValueWords(*meant.method, first), meant.aliases.uncertain.size(), meant.method->name),
       "Compare a run with the model, or export with the exporter's own numbering of values.");
  report.findings.back().undecided = true;
}

// A value that an instruction should have made, and no longer does, would read other bytes.
void NoteUnsureSlices(const MethodMeaning& meant, Report& report) {
  if (meant.aliases.unsure_slices.empty()) return;
  const int32_t first = meant.aliases.unsure_slices.front();
  Note(report, meant, first,
       fmt::format("No instruction makes {}, which lies inside an older value.\n"
                   "It may be a slice of that value, or the instruction that makes it was lost ({} "
                   "such in '{}').\n"
                   "In the second case its readers get a wrong value.",
                   ValueWords(*meant.method, first), meant.aliases.unsure_slices.size(),
                   meant.method->name),
       "Compare a run with the model, or export with an exporter that keeps a slice's literals.");
  report.findings.back().undecided = true;
}

// Which tensors a list holds after a move is not followed.
void NoteMovedList(const MethodMeaning& meant, Report& report) {
  if (meant.effects.moved_list < 0) return;
  Note(report, meant, -1,
       fmt::format("{} puts one list of tensors in the place of another.\n"
                   "The tensors that later instructions read and write through that list were not "
                   "followed.\n"
                   "The plan of this method is undecided.",
                   Capital(InstructionWords(*meant.method, meant.effects.moved_list))),
       "Give later instructions the list itself: no exporter writes such a move.");
  report.findings.back().undecided = true;
}

// How long the tensors of a returned list are wanted is not followed.
void NoteReturnedList(const MethodMeaning& meant, Report& report) {
  const std::vector<int32_t>& outputs = meant.method->outputs;
  const auto is_list = [&](int32_t v) {
    return meant.method->TensorOf(v) == nullptr &&
           IsTensorLike(meant.method->values[static_cast<size_t>(v)].kind);
  };
  const auto list = std::ranges::find_if(outputs, is_list);
  if (list == outputs.end()) return;
  Note(report, meant, -1,
       fmt::format("Output {} is a list of tensors.\n"
                   "Whether its tensors hold what the caller expects was not followed, and "
                   "ExecuTorch's Python runtime refuses the method.\n"
                   "The plan of this method is undecided.",
                   list - outputs.begin()),
       "Return the tensors themselves: no exporter returns such a list.");
  report.findings.back().undecided = true;
}

// A tensor that a call moves is another tensor from then on: the next call begins with that one. It
// matters to inputs and buffers, and to other names that on some path are used before they move.
void NoteMovedEntries(const MethodMeaning& meant, Report& report) {
  const MethodFlow flow = meant.flow();
  std::set<int32_t> used_at_home;
  for (const MovedPlace& at : meant.moved) {
    if (at.holder == at.value) used_at_home.insert(at.value);
  }
  const auto stays = [&](const Rename& r) {
    const Place& place = flow.PlaceOf(r.to);
    return r.placed || (!place.empty() && place == flow.PlaceOf(r.from));
  };
  const auto moved = std::ranges::find_if(meant.effects.renames, [&](const Rename& r) {
    const Role role = meant.roles.of[static_cast<size_t>(r.to)];
    const bool matters =
        role == Role::kInput || role == Role::kState || used_at_home.contains(r.to);
    return matters && meant.method->TensorOf(r.to)->nbytes > 0 && !stays(r);
  });
  if (moved == meant.effects.renames.end()) return;
  Note(report, meant, moved->to,
       fmt::format("{} makes {} a name of {}, and it stays one after the call.\n"
                   "The next call begins with that tensor: an input, or a result of that name, is "
                   "written there, and a buffer or a constant is read there.\n"
                   "Whether that is right was not followed.",
                   Capital(InstructionWords(*meant.method, moved->instruction)),
                   ValueWords(*meant.method, moved->to), ValueWords(*meant.method, moved->from)),
       "Copy the value (`copy_`) instead of moving it: no exporter writes such a move.");
  report.findings.back().instruction = moved->instruction;
  report.findings.back().undecided = true;
}

// Names that became one tensor lie in one place: an et_view or a free of one of them is of all.
void NoteSharedTensors(const MethodMeaning& meant, Report& report) {
  const auto first = PlacedWhileShared(meant);
  if (!first) return;
  Note(
      report, meant, first->value,
      fmt::format("{} says where {} lies, which is one tensor with another value: a move or a call "
                  "that returns its result made it so.\n"
                  "The other value lies there too from then on.\n"
                  "Whether that is right was not followed.",
                  Capital(InstructionWords(*meant.method, first->instruction)),
                  ValueWords(*meant.method, first->value)),
      "Copy the value (`copy_`) instead of moving it: no exporter writes such moves.");
  report.findings.back().instruction = first->instruction;
  report.findings.back().undecided = true;
}

// The ids of the delegates whose blob does not say what a call of them writes, nor a manifest.
std::set<std::string_view> GuessedDelegates(const MethodMeaning& meant) {
  std::set<std::string_view> names;
  int32_t call = 0;
  for (const Instruction& at : meant.method->instructions) {
    if (at.kind != InstructionKind::kDelegateCall) continue;
    const Delegate& called = meant.method->delegates[static_cast<size_t>(at.target)];
    const auto is_stated = [&](const ManifestDelegate& each) { return each.index == call; };
    ++call;
    if (meant.stated != nullptr && std::ranges::any_of(meant.stated->delegates, is_stated))
      continue;
    if (!delegates::RolesOf(called, at.args.count)) names.insert(called.id);
  }
  return names;
}

void NoteGuessedDelegates(const MethodMeaning& meant, Report& report) {
  if (!meant.effects.has_guessed_delegate) return;
  Note(report, meant, -1,
       fmt::format("A call of delegate '{}' does not say which of its arguments it writes.\n"
                   "Its trailing arguments that nothing defined before are taken for its outputs.\n"
                   "If it has other outputs, the verdict may be wrong.",
                   fmt::join(GuessedDelegates(meant), "', '")),
       "State the number of its outputs in a manifest (`delegates`).");
}

// Stores to buffers that the manifest does not state are assumed, method by method. A method
// without an entry, without instructions and without buffers was made from a plain value.
void AssumeStores(const ProgramFacts& facts, Report& report) {
  const auto keeps_state = [](const MethodMeaning& meant) { return !meant.roles.states.empty(); };
  if (std::ranges::none_of(facts.methods, keeps_state)) return;
  size_t stated = 0;
  std::vector<std::string_view> unstated;
  for (const MethodMeaning& meant : facts.methods) {
    if (meant.stated != nullptr && meant.stated->mutates.has_value()) {
      ++stated;
    } else if (meant.stated != nullptr || keeps_state(meant) ||
               !meant.method->instructions.empty()) {
      unstated.push_back(meant.method->name);
    }
  }
  if (unstated.empty()) return;
  if (stated == 0) unstated.clear();
  report.assumptions.push_back(assumption::Stores(unstated));
}

// A call with memory that the caller has not set accesses wild memory, whatever the plan.
void AssumeCallersMemory(const ProgramFacts& facts, Report& report) {
  const auto leaves_memory = [](const MethodMeaning& meant) {
    const auto is_unplanned = [&](int32_t v) {
      const Tensor* tensor = meant.method->TensorOf(v);
      return tensor != nullptr && !tensor->planned &&
             meant.roles.of[static_cast<size_t>(v)] != Role::kConstant;
    };
    return std::ranges::any_of(meant.method->inputs, is_unplanned) ||
           std::ranges::any_of(meant.method->outputs, is_unplanned);
  };
  if (std::ranges::none_of(facts.methods, leaves_memory)) return;
  const auto binds_twice = [](const MethodMeaning& meant) {
    return std::ranges::any_of(meant.method->inputs, [&](int32_t v) {
      const Tensor* tensor = meant.method->TensorOf(v);
      return tensor != nullptr && !tensor->planned &&
             std::ranges::find(meant.method->outputs, v) != meant.method->outputs.end();
    });
  };
  report.assumptions.emplace_back(std::ranges::any_of(facts.methods, binds_twice)
                                      ? assumption::kCallersMemoryTwice
                                      : assumption::kCallersMemory);
}

// Which rows an index names, and how often a loop runs, is left to runs.
void AssumeRows(const ProgramFacts& facts, Report& report) {
  const bool collects = std::ranges::any_of(facts.methods, [](const MethodMeaning& meant) {
    return std::ranges::find(meant.effects.writes, Access::kFill, &Write::access) !=
           meant.effects.writes.end();
  });
  if (collects) report.assumptions.emplace_back(assumption::kRows);
}

// Equal bounds may hold unequal sizes: an operand that is repeated in a call is read again where
// the result over it was written.
void AssumeEqualSizes(const ProgramFacts& facts, Report& report) {
  const auto repeats = [](const MethodMeaning& meant) {
    const MethodFlow flow = meant.flow();
    const auto varies_under = [&](size_t i, const Write& w, const Read& r) {
      const Place& place = flow.PlaceOf(r.value);
      return !place.empty() && place == flow.PlaceOf(w.value) && r.value != w.value &&
             meaning::MayBeRepeated(flow, static_cast<int32_t>(i), r);
    };
    for (size_t i = 0; i < meant.method->instructions.size(); ++i) {
      for (const Write& w : meant.effects.WritesOf(i)) {
        if (std::ranges::any_of(meant.effects.ReadsOf(i),
                                [&](const Read& r) { return varies_under(i, w, r); }))
          return true;
      }
    }
    return false;
  };
  if (std::ranges::any_of(facts.methods, repeats))
    report.assumptions.emplace_back(assumption::kEqualSizes);
}

void AssumeCalls(const ProgramFacts& facts, Report& report) {
  if (facts.calls.IsAny()) return;
  std::vector<std::string_view> never;
  for (size_t m = 0; m < facts.methods.size(); ++m) {
    if (!facts.calls.IsCalled(static_cast<int32_t>(m)))
      never.push_back(facts.program.methods[m].name);
  }
  report.assumptions.push_back(assumption::Calls(facts.options.manifest->calls->text, never));
}

}  // namespace

void NoteAssumptions(const ProgramFacts& facts, Report& report) {
  bool unknown_operator = false;
  bool delegate = false;
  for (size_t m = 0; m < facts.methods.size(); ++m) {
    if (!facts.IsLoaded(static_cast<int32_t>(m))) continue;
    const MethodMeaning& meant = facts.methods[m];
    unknown_operator = unknown_operator || meant.effects.has_unknown_operator;
    delegate = delegate || meant.effects.has_guessed_delegate;
    NoteUnnamedState(meant, facts.options.manifest != nullptr, report);
    NoteUncertainViews(meant, report);
    NoteUnsureSlices(meant, report);
    NoteMovedList(meant, report);
    NoteReturnedList(meant, report);
    NoteMovedEntries(meant, report);
    NoteSharedTensors(meant, report);
    NoteGuessedDelegates(meant, report);
  }
  if (unknown_operator) {
    report.assumptions.emplace_back(assumption::kUnknownOperators);
  }
  if (delegate) {
    report.assumptions.emplace_back(assumption::kDelegates);
  }
  AssumeStores(facts, report);
  AssumeCallersMemory(facts, report);
  AssumeRows(facts, report);
  AssumeEqualSizes(facts, report);
  AssumeCalls(facts, report);
}

}  // namespace pteproof::checks
