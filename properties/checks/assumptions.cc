#include <fmt/format.h>

#include <algorithm>

#include "base/rule_names.h"
#include "properties/checks/program_rules.h"
#include "properties/checks/wording.h"

namespace pteproof::checks {
namespace {

void Note(Report& report, const MethodCheck& check, int32_t value, std::string story) {
  Finding finding = FindingAt(rule::kNotProvable, Severity::kNote, *check.method, -1, {}, {});
  if (value >= 0) {
    finding.values = {value};
    const Place& place = check.roles.place[static_cast<size_t>(value)];
    finding = FindingAt(rule::kNotProvable, Severity::kNote, *check.method, -1, {value}, place);
  }
  finding.story = std::move(story);
  report.findings.push_back(std::move(finding));
}

void NoteUnnamedState(const MethodCheck& check, Report& report) {
  std::vector<int32_t> unnamed;
  for (const StateSlot& slot : check.roles.states) {
    if (slot.key.empty()) unnamed.push_back(slot.value);
    if (slot.place.bank == 0) {
      Note(report, check, slot.value,
           fmt::format("{} has no placement: the caller must bring its memory.",
                       ValueWords(*check.method, slot.value)));
    }
  }
  if (unnamed.empty()) return;
  Note(report, check, unnamed.front(),
       fmt::format(
           "{} in '{}' without a name: taken for a buffer that keeps its value from call to call, "
           "and for "
           "the same one as\nany other method's at that place. Export with names, or give a "
           "manifest.",
           unnamed.size() == 1 ? "One value is" : fmt::format("{} values are", unnamed.size()),
           check.method->name));
}

// A view of older bytes than those it finds would be an error: two readings.
void NoteUncertainViews(const MethodCheck& check, Report& report) {
  if (check.aliases.uncertain.empty()) return;
  const int32_t first = check.aliases.uncertain.front();
  Note(report, check, first,
       fmt::format(
           "{} is made by no instruction, and the numbering of values does not tell when.\n"
           "If it is a view of what its bytes held before they were last written, its value is "
           "lost ({} such in '{}').",
           ValueWords(*check.method, first), check.aliases.uncertain.size(), check.method->name));
  report.findings.back().undecided = true;
}

}  // namespace

void NoteAssumptions(const ProgramFacts& facts, Report& report) {
  bool unknown_operator = false;
  bool delegate = false;
  bool state = false;
  for (const MethodCheck& check : facts.methods) {
    unknown_operator = unknown_operator || check.effects.has_unknown_operator;
    delegate = delegate || check.effects.has_guessed_delegate;
    state = state || !check.roles.states.empty();
    NoteUnnamedState(check, report);
    NoteUncertainViews(check, report);
    if (check.effects.has_guessed_delegate) {
      Note(report, check, -1,
           "A delegate call does not say which of its arguments it writes: its trailing arguments "
           "that nothing "
           "defined before\nare taken for its outputs. A manifest can say how many they are.");
    }
  }
  if (unknown_operator) {
    report.assumptions.emplace_back(
        "unknown operators read their tensor arguments and write those after their last other "
        "argument");
  }
  if (delegate) {
    report.assumptions.emplace_back(
        "a delegate's trailing arguments that nothing defined before are its outputs");
  }
  if (state && facts.options.manifest == nullptr) {
    report.assumptions.emplace_back("the stores that the source model asks for are all there");
  }
}

}  // namespace pteproof::checks
