#include "properties/checks/overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/rule_names.h"
#include "properties/checks/in_place.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

const Write* WriteOf(const MethodFlow& flow, const Clobber& clobber) {
  if (clobber.instruction < 0) return nullptr;
  for (const Write& w : flow.effects.WritesOf(static_cast<size_t>(clobber.instruction))) {
    if (w.value == clobber.writer) return &w;
  }
  return nullptr;
}

// The value a victim stands for: itself, or the state whose end it is.
int32_t ValueOf(const MethodFlow& flow, int32_t name) {
  const int32_t state = flow.EndOfState(name);
  return state >= 0 ? flow.roles.states[static_cast<size_t>(state)].value : name;
}

bool IsTransferred(const MethodFlow& flow, int32_t name, bool dynamic) {
  return std::ranges::any_of(flow.aliases.transfers, [&](const Transfer& t) {
    return t.to == name && t.dynamic == dynamic;
  });
}

bool IsMove(const MethodFlow& flow, const Rename& r) {
  return flow.method.instructions[static_cast<size_t>(r.instruction)].kind ==
         InstructionKind::kMove;
}

// Whether a move makes this value: it stands for the result of a region.
bool IsMovedTo(const MethodFlow& flow, int32_t value) {
  return std::ranges::any_of(flow.effects.renames,
                             [&](const Rename& r) { return r.to == value && IsMove(flow, r); });
}

// Whether this value is moved elsewhere: the result of one branch.
bool IsMovedFrom(const MethodFlow& flow, int32_t value) {
  return std::ranges::any_of(flow.effects.renames,
                             [&](const Rename& r) { return r.from == value && IsMove(flow, r); });
}

// The result was laid on an operand of its own instruction, which is wanted again later.
bool IsOverOperand(const MethodFlow& flow, const Clobber& clobber) {
  if (clobber.instruction < 0) return false;
  const Place& result = flow.PlaceOf(clobber.writer);
  return std::ranges::any_of(
      flow.effects.ReadsOf(static_cast<size_t>(clobber.instruction)),
      [&](const Read& r) { return r.value != clobber.writer && flow.PlaceOf(r.value) == result; });
}

std::string_view RuleOf(const MethodFlow& flow, const Clobber& clobber) {
  const int32_t victim = ValueOf(flow, clobber.victim);
  const int32_t victim_state = flow.StateOf(victim);
  const Write* write = WriteOf(flow, clobber);
  const int32_t writer_state = write == nullptr ? -1 : flow.StoredState(*write);
  const bool in_place = write != nullptr && !write->is_out;
  if (victim_state >= 0 && victim_state == writer_state) return rule::kEntryValueLost;
  if (victim_state >= 0 && writer_state >= 0) return rule::kSharedLayout;
  if (victim_state >= 0) return rule::kStateClobbered;
  const bool has_regions = !flow.graph.straight();
  if (has_regions && (IsMovedTo(flow, victim) || IsMovedFrom(flow, victim)))
    return rule::kRegionEscape;
  if (clobber.holder != clobber.victim && flow.EndOfState(clobber.victim) < 0)
    return rule::kAliasLifetime;
  const bool is_view = IsTransferred(flow, victim, false);
  if (in_place && is_view) return rule::kAliasLifetime;
  if (in_place && flow.aliases.root[static_cast<size_t>(clobber.writer)] ==
                      flow.aliases.root[static_cast<size_t>(victim)]) {
    return rule::kInPlaceAlias;
  }
  if (is_view || flow.roles.usage[static_cast<size_t>(victim)].written_in_place)
    return rule::kAliasLifetime;
  if (clobber.bytes.empty()) return rule::kAliasLifetime;  // a second name of the caller's memory
  if (IsOverOperand(flow, clobber)) return rule::kInPlaceSingleUse;
  return rule::kPlanOverlap;
}

// The last instruction before the clobber that made the victim's value, in listing order; -1: none
// did.
int32_t MakerOf(const MethodFlow& flow, int32_t value, int32_t before) {
  for (int32_t i = std::min(before, flow.instruction_count()); i-- > 0;) {
    for (const Write& w : flow.effects.WritesOf(static_cast<size_t>(i))) {
      if (w.value == value) return i;
    }
  }
  return -1;
}

// An instruction of the branch or loop that left the victim behind: its result may be a handle that
// was moved to what a branch has made. -1: none is known.
int32_t InstructionOfRegion(const MethodFlow& flow, int32_t victim, int32_t before) {
  int32_t maker = MakerOf(flow, victim, before);
  for (const Transfer& t : flow.aliases.transfers) {
    if (maker >= 0) break;
    if (t.to != victim || t.instruction >= before) continue;
    for (const int32_t source : flow.aliases.SourcesOf(t)) {
      maker = std::max(maker, MakerOf(flow, source, t.instruction));
    }
  }
  return maker;
}

// "v3 and v5", and how many more there are: what an elided name took over before an instruction.
std::string SourcesOf(const MethodFlow& flow, const Transfer& taken) {
  constexpr size_t kMost = 3;
  const std::span<const int32_t> sources = flow.aliases.SourcesOf(taken);
  std::string words;
  for (size_t s = 0; s < std::min(sources.size(), kMost); ++s) {
    const bool last = s + 1 == sources.size();
    words += fmt::format("{}v{}", s == 0 ? "" : last ? " and " : ", ", sources[s]);
  }
  return sources.size() <= kMost ? words
                                 : fmt::format("{} and {} more", words, sources.size() - kMost);
}

// The last time at which an elided name took over other bytes before that instruction.
const Transfer* TakenBefore(const MethodFlow& flow, int32_t name, int32_t instruction) {
  const Transfer* last = nullptr;
  for (const Transfer& t : flow.aliases.transfers) {
    const bool elided = t.to == name && t.phase == Phase::kBefore && !t.dynamic;
    if (elided && t.instruction <= instruction) last = &t;
  }
  return last;
}

// The value that the reader would get from a sound plan.
std::string Expected(const MethodFlow& flow, const Clobber& clobber) {
  const int32_t value = flow.aliases.root[static_cast<size_t>(ValueOf(flow, clobber.holder))];
  const int32_t maker = MakerOf(flow, value, clobber.instruction);
  const std::string words = ValueWords(flow.method, value);
  if (flow.roles.of[static_cast<size_t>(value)] == Role::kInput && maker < 0)
    return "input " + words;
  const Transfer* taken = maker < 0 ? TakenBefore(flow, value, clobber.instruction) : nullptr;
  if (taken != nullptr) return fmt::format("{}, the bytes of {}", words, SourcesOf(flow, *taken));
  if (maker < 0) return words + " as at entry";
  return fmt::format("{} written by instruction {}", words, maker);
}

constexpr std::string_view kPlanAgain =
    "Plan the method again with the default memory-planning pass. If that made this plan, repair "
    "it (`pteproof replan --repair`).";
constexpr std::string_view kPlanByDefault =
    "Plan the method again with the default memory-planning pass.";

std::string_view FixOf(const MethodFlow& flow, const Clobber& clobber, std::string_view rule) {
  if (rule == rule::kRegionEscape)
    return "Clone each result after its cond, and use only the clone.";
  if (rule == rule::kEntryValueLost) return "Clone the old value in the model before the store.";
  if (rule == rule::kSharedLayout) return "Give each buffer bytes of its own.";
  if (rule == rule::kPlanOverlap || rule == rule::kStateClobbered) return kPlanAgain;
  const bool in_place = clobber.instruction >= 0 &&
                        clobber.instruction < flow.instruction_count() &&
                        UpdatedInPlace(flow.method, flow.effects, clobber.instruction) >= 0;
  if (in_place) return "Export without the in-place rewrite.";
  if (IsTransferred(flow, ValueOf(flow, clobber.victim), false))
    return "Export without view elision.";
  return kPlanAgain;
}

// Who gets a wrong value.
std::string Consequence(const MethodFlow& flow, const Clobber& clobber, bool observed) {
  if (!observed) return "No method reads the buffer that takes the result, so no output shows it.";
  if (clobber.reader > flow.instruction_count())
    return "Every later call gets a wrong value of the buffer.";
  return fmt::format("{} gets a wrong value.",
                     Capital(ReaderWords(flow, clobber.reader, clobber.victim)));
}

}  // namespace

Finding TellClobber(const MethodMeaning& meant, const Clobber& clobber, bool observed) {
  const MethodFlow flow = meant.flow();
  const Method& method = *meant.method;
  const int32_t victim = ValueOf(flow, clobber.victim);
  std::vector<int32_t> values = {victim, clobber.writer};
  if (clobber.holder != clobber.victim && clobber.holder < flow.value_count())
    values.push_back(clobber.holder);
  const std::string_view rule = RuleOf(flow, clobber);
  Finding finding = FindingAt(rule, observed ? Severity::kError : Severity::kWarning, method,
                              clobber.instruction, std::move(values), clobber.bytes);
  finding.explanation = fmt::format(
      "{} reads v{} and expects {}.\nAt that time {} holds {}, written by {}.\n{}",
      Capital(ReaderWords(flow, clobber.reader, clobber.victim)), victim, Expected(flow, clobber),
      Words(clobber.bytes), ValueWords(method, clobber.writer),
      InstructionWords(method, clobber.instruction), Consequence(flow, clobber, observed));
  finding.fix = FixOf(flow, clobber, rule);
  if (rule == rule::kEntryValueLost) finding.clone = Clone::kOther;
  if (rule == rule::kRegionEscape) {
    finding.clone = Clone::kResult;
    finding.clone_at = InstructionOfRegion(flow, victim, clobber.instruction);
  }
  return finding;
}

std::string_view FixBesidesRepair(std::string_view fix) {
  return fix == kPlanAgain ? kPlanByDefault : fix;
}

}  // namespace pteproof::checks
