#include "properties/agreement/judge_all_checkers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/finding_names.h"
#include "base/rule_names.h"
#include "meaning/method_meaning.h"
#include "properties/assumption_words.h"
#include "properties/group_findings.h"
#include "properties/verdict.h"
#include "pteproof/check.h"
#include "runtime/execute/opaque_call.h"

namespace pteproof {
namespace {

// Rules about bytes that are lost between instructions of one call: a run that comes by shows them.
constexpr std::array kShown = {rule::kPlanOverlap,  rule::kAliasLifetime,
                               rule::kInPlaceAlias, rule::kInPlaceSingleUse,
                               rule::kRegionEscape, rule::kEntryValueLost};

bool IsShown(const Finding& finding) {
  return std::ranges::find(kShown, finding.rule) != kShown.end();
}

const Method* MethodNamed(const Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.methods, name, &Method::name);
  return found == program.methods.end() ? nullptr : &*found;
}

bool IsStraightAndStatic(const Method& method) {
  return std::ranges::none_of(
             method.instructions,
             [](const Instruction& i) { return i.kind == InstructionKind::kJumpFalse; }) &&
         std::ranges::all_of(method.tensors,
                             [](const Tensor& t) { return t.dynamism == Dynamism::kStatic; });
}

// Whether both values that meet are results of the instruction, which nobody knows: a delegate, or
// an operator that is not in the table.
bool AreResultsOfOne(const Method& method, const Finding& finding) {
  const Instruction& at = method.instructions[static_cast<size_t>(finding.instruction)];
  if (!IsOpaque(method, at)) return false;
  auto results = method.Ints(at.args);
  const auto number = std::find_if(results.rbegin(), results.rend(), [&](int32_t v) {
    return !IsTensorLike(method.values[static_cast<size_t>(v)].kind);
  });
  results = results.last(static_cast<size_t>(number - results.rbegin()));
  return std::ranges::all_of(
      finding.values, [&](int32_t v) { return std::ranges::find(results, v) != results.end(); });
}

// Whether one of its values stands for the result of an operator and has another shape, as another
// error says: a run goes on with the shape that was written.
bool StandsForAnotherShape(const Report& report, const Finding& finding) {
  return std::ranges::any_of(report.findings, [&](const Finding& f) {
    return f.rule == rule::kInPlacePassThrough && f.method == finding.method &&
           std::ranges::find_first_of(f.values, finding.values) != f.values.end();
  });
}

// Whether a call of the table stores to the value, or any call returns it.
bool IsMadeByACall(const Method& method, int32_t value) {
  return std::ranges::any_of(method.instructions, [&](const Instruction& at) {
    if (at.kind != InstructionKind::kKernelCall) return false;
    const OpSchema* schema = method.operators[static_cast<size_t>(at.target)].schema;
    const auto args = method.Ints(at.args);
    if (schema == nullptr) return !args.empty() && args.back() == value;
    for (size_t a = 0; a < args.size(); ++a) {
      if (args[a] != value) continue;
      if (a >= schema->args.size()) return true;
      const Access access = schema->args[a].access;
      if (access != Access::kRead && access != Access::kNone) return true;
    }
    return false;
  });
}

bool Meet(const Tensor& tensor, uint32_t bank, const ByteRange& bytes) {
  return tensor.planned && tensor.bank == bank && tensor.offset < bytes.hi &&
         bytes.lo < tensor.offset + tensor.nbytes;
}

bool Lies(const Tensor& part, const Tensor& whole) {
  return part.planned && part.bank == whole.bank && part.offset >= whole.offset &&
         part.offset + part.nbytes <= whole.offset + whole.nbytes;
}

// The call that makes a value a name of others' bytes, a view or a copy of bytes onto themselves;
// null: none does.
const meaning::Rename* Renamed(const meaning::Effects& effects, int32_t v) {
  const auto copied = std::ranges::find_if(
      effects.renames, [&](const meaning::Rename& r) { return r.to == v && !r.after_write; });
  return copied == effects.renames.end() ? nullptr : &*copied;
}

// The values whose bytes a value names, or nothing.
std::span<const int32_t> SourcesOf(const meaning::MethodMeaning& meant, int32_t v) {
  if (const meaning::Rename* copied = Renamed(meant.effects, v)) return {&copied->from, 1};
  const meaning::Aliases& aliases = meant.aliases;
  const auto birth = std::ranges::find_if(aliases.transfers, [&](const meaning::Transfer& t) {
    return t.to == v && t.phase == meaning::Phase::kBefore;
  });
  return birth == aliases.transfers.end() ? std::span<const int32_t>() : aliases.SourcesOf(*birth);
}

// Whether a value that no call makes is a name of other bytes than those of `whole`, as far as
// names of names tell.
bool NamesAnother(const meaning::MethodMeaning& meant, int32_t v, int32_t whole) {
  for (size_t steps = 0; steps < meant.aliases.root.size() && v != whole; ++steps) {
    const auto sources = SourcesOf(meant, v);
    if (sources.empty()) return true;
    if (sources.size() > 1) return false;
    v = sources.front();
  }
  return false;
}

// Whether what is read of the lost value afterwards are parts of it that still hold their bytes. A
// slice that is elided, or copied onto itself, counts as a read of its whole base, as the operator
// is elsewhere; a run reads the bytes of the slice alone.
bool IsReadInOtherParts(const Method& method, const Finding& finding) {
  const int32_t lost = finding.values.front();
  const Tensor* whole = method.TensorOf(lost);
  if (whole == nullptr || !finding.bytes) return false;
  const meaning::MethodMeaning meant = meaning::MeaningOf(method, nullptr);
  bool in_parts = false;
  bool in_lost_bytes = false;
  const auto read = [&](int32_t v) {
    const Tensor* tensor = v < 0 ? nullptr : method.TensorOf(v);
    if (tensor == nullptr || !Lies(*tensor, *whole)) return;
    const bool is_made = IsMadeByACall(method, v) && Renamed(meant.effects, v) == nullptr;
    if (v != lost && (is_made || NamesAnother(meant, v, lost))) return;
    const bool is_lost = v == lost || Meet(*tensor, finding.bank, *finding.bytes);
    (is_lost ? in_lost_bytes : in_parts) = true;
  };
  for (size_t i = static_cast<size_t>(finding.instruction) + 1; i < method.instructions.size();
       ++i) {
    if (!meant.effects.RenamesOf(i).empty() && meant.effects.WritesOf(i).empty()) continue;
    for (const int32_t v : method.Ints(method.instructions[i].args)) {
      read(v);
      const Value& value = method.values[static_cast<size_t>(v)];
      const bool is_list =
          value.kind == ValueKind::kTensorList || value.kind == ValueKind::kOptionalTensorList;
      if (is_list) std::ranges::for_each(method.Ints(value.items), read);
    }
  }
  std::ranges::for_each(method.outputs, read);
  return in_parts && !in_lost_bytes;
}

// Why no run need show an error; empty: one should.
std::string_view WhyUnseen(const Program& program, const Report& report, const Finding& finding) {
  if (!IsShown(finding)) return "about loading, sharing or the source model";
  // In no bank: nothing tells whose bytes a run reads there.
  if (finding.bank == 0) return "about a constant or the caller's memory, which has no tags";
  if (finding.instruction < 0) return "about the order in which the caller sets inputs";
  const Method* method = MethodNamed(program, finding.method);
  if (method != nullptr && AreResultsOfOne(*method, finding)) {
    return "about the order in which one instruction writes its results";
  }
  if (method != nullptr && IsReadInOtherParts(*method, finding)) {
    return "about bytes of a value of which only a slice elsewhere is read";
  }
  if (StandsForAnotherShape(report, finding)) {
    return "about a value whose shape is not what the file says";
  }
  if (method == nullptr || !IsStraightAndStatic(*method)) {
    return "on a path or at a size that no run had";
  }
  return "";
}

std::string Unseen(const Program& program, const Report& report, Policy policy,
                   std::string& disagreement) {
  std::string why;
  for (const Finding& finding : UngroupFindings(report.findings)) {
    if (finding.severity != Severity::kError || !finding.policies.Has(policy)) continue;
    const std::string_view reason = WhyUnseen(program, report, finding);
    if (reason.empty()) {
      disagreement = fmt::format("the check finds {} in '{}', and no run shows it", finding.rule,
                                 finding.method);
      return {};
    }
    why = fmt::format("{}: {}", finding.rule, reason);
  }
  return why;
}

// The check warns of it: a lost byte that only goes to a buffer which no method reads (a finding of
// the tagged run), or a store that may be lost, since it stores the bytes that are there already.
bool IsWarnedOf(const Report& check, const Disagreement& found) {
  return std::ranges::any_of(check.findings, [&](const Finding& f) {
    const bool unseen = found.what.empty() && (IsShown(f) || f.rule == rule::kStateClobbered ||
                                               f.rule == rule::kSharedLayout);
    return f.severity == Severity::kWarning && (unseen || f.rule == rule::kSelfCopy);
  });
}

// Rows that a program reads and no loop of its has filled: the verdict assumes that there are none.
bool IsAssumedAway(const Report& check, const Disagreement& found) {
  return found.wrong_read && found.wrong_read->unwritten &&
         std::ranges::find(check.assumptions, assumption::kRows) != check.assumptions.end();
}

std::string ProofDisagreement(const CheckersVerdict& checkers) {
  for (const Policy policy : kAllPolicies) {
    const auto p = static_cast<size_t>(policy);
    if (checkers.check.verdicts[p] == checkers.proof.verdicts[p]) continue;
    return fmt::format("under {} the check says {} and the proof {}", Name(policy),
                       Name(checkers.check.verdicts[p]), Name(checkers.proof.verdicts[p]));
  }
  if (!checkers.proof.obligations.IsComplete()) return "the proof's list misses a pair";
  const bool unknown = std::ranges::any_of(checkers.proof.decisions, [](const proofs::Decision& d) {
    return d.answer == proofs::Answer::kUnknown;
  });
  return unknown ? "an obligation is unknown" : "";
}

DiffReport RunsOf(const Program& program, const CheckersOptions& options, int sequences) {
  return DiffProgram(program, {.policy = options.policy,
                               .seed = options.seed,
                               .sequences = sequences,
                               .fuel = options.fuel,
                               .manifest = options.manifest,
                               .by_file_alone = true});
}

}  // namespace

std::string LossInSafe(const Report& check, const DiffReport& runs, Policy policy) {
  const bool safe = check.verdicts[static_cast<size_t>(policy)] == Verdict::kSafe;
  if (!safe || !runs.disagreement || IsWarnedOf(check, *runs.disagreement)) return "";
  if (IsAssumedAway(check, *runs.disagreement)) return "";
  return fmt::format("the check finds nothing under {}, and a run shows: {}", Name(policy),
                     runs.disagreement->what.empty() ? std::string("a read of bytes that were lost")
                                                     : runs.disagreement->what);
}

CheckersVerdict JudgeAllCheckers(const Program& program, const CheckersOptions& options) {
  CheckersVerdict checkers;
  checkers.check = Check(program);
  if (options.proof) {
    proofs::DecideOptions how;
    how.fast = options.fast;
    checkers.proof = proofs::Prove(program, {}, how);
    checkers.disagreement = ProofDisagreement(checkers);
    checkers.proof_agrees = checkers.disagreement.empty();
    if (!checkers.proof_agrees) return checkers;
  }
  checkers.runs = RunsOf(program, options, options.sequences);
  checkers.disagreement = LossInSafe(checkers.check, checkers.runs, options.policy);
  const Verdict verdict = checkers.check.verdicts[static_cast<size_t>(options.policy)];
  const bool shown = checkers.runs.disagreement.has_value();
  if (verdict == Verdict::kUnsafe && !shown && checkers.runs.not_compared.empty()) {
    checkers.unseen = Unseen(program, checkers.check, options.policy, checkers.disagreement);
    // A few sequences may not have come by the method.
    if (!checkers.disagreement.empty())
      checkers.runs = RunsOf(program, options, 20 * options.sequences);
    const bool refused = !checkers.runs.not_compared.empty();
    if (checkers.runs.disagreement.has_value() || refused) checkers.disagreement.clear();
  }
  return checkers;
}

}  // namespace pteproof
