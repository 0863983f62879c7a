#include "tests/cases/ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/finding_names.h"
#include "properties/agreement/judge_all_checkers.h"
#include "properties/certify/shown_replan.h"
#include "properties/compare/compare_programs.h"
#include "properties/oracles/diff_program.h"
#include "properties/proofs/prove.h"
#include "properties/uses.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "runtime/pteasm/assemble.h"
#include "runtime/pteasm/print.h"
#include "runtime/same_program.h"
#include "tests/support/renumber.h"

namespace pteproof::cases {
namespace {

constexpr uint32_t kRenumberings = 3;

constexpr int kCalls = 4;

// An answer: how the way disagrees, empty if it agrees; and its verdicts, if it has some.
struct Answered {
  std::string why;
  std::string row;
};

CheckOptions OptionsOf(const Subject& subject) {
  return {.manifest = subject.stated(), .all_first = subject.all_first, .use = subject.use};
}

Report CheckAs(const Subject& subject, const Program& program) {
  return Check(program, OptionsOf(subject));
}

Answered RowAgainst(const Subject& subject, const Verdicts& verdicts, std::string_view what) {
  const std::string row = ShortRow(verdicts);
  if (verdicts == subject.check.verdicts) return {"", row};
  return {fmt::format("{} is {}", what, row), row};
}

// Of a program that is loaded again: of that with each method twice.
proofs::Proof ProofOf(const Subject& subject, const Program& program) {
  const UnderUse used(program, OptionsOf(subject));
  return proofs::Prove(used.program(),
                       {.manifest = used.options().manifest, .all_first = subject.all_first});
}

// Proofs and runs know of calls in turn only.
Answered Proved(const Subject& subject) {
  if (subject.use == Use::kConcurrent) return {};
  const proofs::Proof proof = ProofOf(subject, subject.program());
  Answered answered = RowAgainst(subject, proof.verdicts, "the proof");
  if (!answered.why.empty()) return answered;
  if (!proof.obligations.IsComplete()) answered.why = "a pair is not on the list of obligations";
  for (const proofs::Decision& decision : proof.decisions) {
    const bool unknown = decision.answer == proofs::Answer::kUnknown;
    if (unknown) answered.why = "an obligation is unknown: " + decision.reason;
  }
  return answered;
}

// The file alone is judged by all checkers; with a manifest, runs must not show a loss in what is
// called safe. Runs load a method at its first call.
Answered Run(const Subject& subject) {
  const bool all_first =
      subject.all_first || (subject.manifest && subject.manifest->all_first.value_or(false));
  if (subject.use == Use::kConcurrent) return {};
  const UnderUse used(subject.program(), OptionsOf(subject));
  for (const Policy policy : kAllPolicies) {
    std::string why;
    if (subject.stated() == nullptr && !all_first) {
      why = JudgeAllCheckers(used.program(), {.policy = policy, .proof = false}).disagreement;
    } else if (!all_first) {
      const DiffReport runs = DiffProgram(
          used.program(), {.policy = policy, .sequences = 8, .manifest = used.options().manifest});
      why = LossInSafe(subject.check, runs, policy);
    }
    if (!why.empty()) return {fmt::format("{}: {}", Name(policy), why), ""};
  }
  return {};
}

// Whether a program that was read again is the same, to the check too.
Answered SameAgain(const Subject& subject, const Program& again) {
  const std::string difference = ProgramDifference(subject.program(), again);
  if (!difference.empty()) return {difference, ""};
  return RowAgainst(subject, CheckAs(subject, again).verdicts, "read again it");
}

Answered ReadBack(const Subject& subject) {
  const std::string text = pteasm::Print(subject.program());
  const auto back = pteasm::ParseText(text, text::NoData);
  if (!back.ok()) return {"the printed text is refused: " + back.error().message, ""};
  return SameAgain(subject, back.value().program);
}

Answered FiledAndRead(const Subject& subject) {
  const auto made = pteasm::Assemble(pteasm::Print(subject.program()), text::NoData);
  if (!made.ok()) return {"no file can hold it: " + made.error().front().message, ""};
  const auto read = ReadProgram(made.value().file);
  if (!read.ok()) return {"the file is refused: " + read.error().front().explanation, ""};
  return SameAgain(subject, read.value());
}

// Comparisons follow loops round by round, which takes seconds.
bool HasLoop(const Program& program) {
  return std::ranges::any_of(program.methods, [](const Method& method) {
    const auto& code = method.instructions;
    for (size_t i = 0; i < code.size(); ++i) {
      const bool jumps = code[i].kind == InstructionKind::kJumpFalse;
      if (jumps && static_cast<size_t>(code[i].other) <= i) return true;
    }
    return false;
  });
}

Answered ComparedWithItself(const Subject& subject) {
  if (HasLoop(subject.program())) return {};
  const compare::ComparedSide side = {&subject.program(), nullptr, subject.stated()};
  compare::CompareOptions options;
  options.calls = kCalls;
  const auto all = compare::ComparePrograms(side, side, options);
  if (all.interface.answer != compare::Answer::kSame) return {"interfaces differ", ""};
  if (all.constants.answer != compare::Answer::kSame) return {"constants differ", ""};
  if (all.computation == compare::Answer::kDiffers) return {"computations differ", ""};
  if (!all.findings.added.empty() || !all.findings.gone.empty()) return {"findings differ", ""};
  return {};
}

// A new plan is for programs that are safe under some policy.
Answered Replanned(const Subject& subject) {
  if (HasLoop(subject.program()) || subject.use != Use::kInTurn) return {};
  const Verdicts& old = subject.check.verdicts;
  if (std::ranges::find(old, Verdict::kSafe) == old.end()) return {};
  const compare::ComparedSide side = {&subject.program(), nullptr, subject.stated()};
  certify::ShownReplanOptions options;
  options.certify.all_first = subject.all_first;
  options.certify.calls = kCalls;
  const certify::ShownReplan shown = certify::ReplanShown(side, options);
  if (!shown.unwritable.empty()) return {"it cannot be written: " + shown.unwritable, ""};
  if (!shown.certificate.holds()) {
    return {shown.certificate.open ? "" : shown.certificate.failure, ""};
  }
  const Program& fresh = shown.replanned.program;
  const Report report = CheckAs(subject, fresh);
  for (size_t p = 0; p < old.size(); ++p) {
    if (report.verdicts[p] > old[p]) return {"a new plan is " + ShortRow(report.verdicts), ""};
  }
  const bool proved = ProofOf(subject, fresh).verdicts == report.verdicts;
  return {proved ? "" : "the checkers do not agree on the new plan", ""};
}

Answered RenumberedAtRandom(const Subject& subject) {
  if (subject.manifest) {
    for (const auto& [name, method] : subject.manifest->methods) {
      if (!method.values.empty()) return {};  // it knows values by their numbers
    }
  }
  Answered worst;
  for (uint32_t seed = 1; seed <= kRenumberings; ++seed) {
    const Verdicts verdicts = CheckAs(subject, Renumbered(subject.program(), seed)).verdicts;
    const Answered answered = RowAgainst(subject, verdicts, "with other numbers it");
    if (!answered.why.empty()) return answered;
    worst = answered;
  }
  return worst;
}

Answered Shuffled(const Subject& subject) {
  for (const auto shuffled : {WithMethodsShuffled, WithOperatorsShuffled}) {
    const Verdicts verdicts = CheckAs(subject, shuffled(subject.program(), 1)).verdicts;
    Answered answered = RowAgainst(subject, verdicts, "in another order it");
    if (!answered.why.empty()) return answered;
  }
  return {};
}

Answered WithoutNames(const Subject& subject, bool names_matter) {
  if (names_matter) return {};
  Program nameless = subject.program();
  for (Method& method : nameless.methods) {
    for (Tensor& tensor : method.tensors) tensor.name = {};
  }
  return RowAgainst(subject, CheckAs(subject, nameless).verdicts, "without names it");
}

// What the case excepts has to disagree, or else the exception is not needed.
std::string Excepted(const Otherwise& otherwise, const Answered& answered) {
  if (answered.why.empty()) {
    return fmt::format("line {}: {} agrees, the exception is not needed", otherwise.line,
                       otherwise.way);
  }
  if (otherwise.row.empty() || otherwise.row == answered.row) return "";
  return fmt::format("line {}: {} is {}, expected: {}", otherwise.line, otherwise.way, answered.row,
                     otherwise.row);
}

}  // namespace

std::string ShortRow(const Verdicts& verdicts) {
  const bool one = std::ranges::all_of(verdicts, [&](Verdict v) { return v == verdicts[0]; });
  if (one) return std::string(Name(verdicts[0]));
  return fmt::format("{} {} {}", Name(verdicts[0]), Name(verdicts[1]), Name(verdicts[2]));
}

std::vector<std::string> DisagreementsOf(const Subject& subject, const Case& given) {
  struct Way {
    std::string_view name;
    std::function<Answered(const Subject&)> judge;
  };
  const std::array ways = {
      Way{"prove", Proved},
      Way{"runs", Run},
      Way{"text", ReadBack},
      Way{"file", FiledAndRead},
      Way{"compare", ComparedWithItself},
      Way{"replan", Replanned},
      Way{"renumbered", RenumberedAtRandom},
      Way{"shuffled", Shuffled},
      Way{"nameless", [&](const Subject& s) { return WithoutNames(s, given.names_matter); }},
  };
  std::vector<std::string> told;
  for (const Way& way : ways) {
    const Answered answered = way.judge(subject);
    const auto otherwise = std::ranges::find(given.otherwise, way.name, &Otherwise::way);
    if (otherwise != given.otherwise.end()) {
      std::string why = Excepted(*otherwise, answered);
      if (!why.empty()) told.push_back(std::move(why));
    } else if (!answered.why.empty()) {
      told.push_back(fmt::format("{} does not agree: {}", way.name, answered.why));
    }
  }
  return told;
}

}  // namespace pteproof::cases
