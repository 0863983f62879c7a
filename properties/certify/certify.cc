#include "properties/certify/certify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>

#include "base/rule_names.h"
#include "planner/lift/renumber.h"
#include "planner/run_all.h"
#include "properties/certify/name_state.h"
#include "properties/compare/random_calls.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "runtime/same_program.h"

namespace pteproof::certify {
namespace {

using compare::Answer;
using compare::ComparedSide;

bool IsSameLiteral(const Value& a, const Value& b) {
  const bool is_plain = a.kind == ValueKind::kNull || a.kind == ValueKind::kInt ||
                        a.kind == ValueKind::kBool || a.kind == ValueKind::kDouble;
  return is_plain && a.kind == b.kind && a.integer == b.integer &&
         std::bit_cast<uint64_t>(a.real) == std::bit_cast<uint64_t>(b.real);
}

// Equal literals are one argument.
void PutBackLiterals(const Method& old_method, const Instruction& old_call, Method& method,
                     const Instruction& call) {
  for (uint32_t n = 0; n < std::min(old_call.args.count, call.args.count); ++n) {
    const auto before = static_cast<size_t>(old_method.ints[old_call.args.first + n]);
    int32_t& now = method.ints[call.args.first + n];
    const bool are_there = before < old_method.values.size() && now >= 0 &&
                           static_cast<size_t>(now) < method.values.size();
    if (!are_there) continue;
    const Value& value = method.values[static_cast<size_t>(now)];
    if (IsSameLiteral(old_method.values[before], value)) now = static_cast<int32_t>(before);
  }
}

// Whether an instruction calls an operator with the same first arguments as the other, and with one
// argument less: the form of it that works in place.
bool IsInPlaceFormOf(const Method& old_method, const Instruction& old_call, const Method& method,
                     const Instruction& call) {
  if (old_call.kind != InstructionKind::kKernelCall || call.kind != old_call.kind) return false;
  const std::string& name = method.operators[static_cast<size_t>(call.target)].name;
  const std::string& old_name = old_method.operators[static_cast<size_t>(old_call.target)].name;
  const auto args = method.Ints(call.args);
  const auto old_args = old_method.Ints(old_call.args);
  return old_name.starts_with(name.substr(0, name.size() - 1) + ".") && name.ends_with("_") &&
         args.size() + 1 == old_args.size() &&
         std::ranges::equal(args, old_args.first(args.size()));
}

// The same call with arguments of its own in the pool.
Instruction Copied(const Method& old_method, const Instruction& old_call, Method& method) {
  Instruction call = old_call;
  const auto args = old_method.Ints(old_call.args);
  call.args = {static_cast<uint32_t>(method.ints.size()), old_call.args.count};
  method.ints.insert(method.ints.end(), args.begin(), args.end());
  return call;
}

// Puts instructions back to where they were, with updates apart, their stores, and what only
// copied. Numbers that are no order of theirs change nothing.
void PutBack(const Method& old_method, const std::vector<int32_t>& now_at,
             std::span<const planner::UpdateInPlace> updates, std::span<const int32_t> dropped,
             Method& method) {
  const std::vector<Instruction> now = method.instructions;
  std::vector<int32_t> sorted = now_at;
  std::ranges::sort(sorted);
  sorted.erase(sorted.begin(), std::ranges::lower_bound(sorted, 0));
  const bool is_order =
      std::ranges::equal(sorted, std::views::iota(int32_t{0}, static_cast<int32_t>(now.size())));
  const std::vector<Instruction>& old = old_method.instructions;
  const bool fits = is_order && now_at.size() == old.size() &&
                    now.size() + updates.size() + dropped.size() == old.size();
  if (!fits) return;
  std::vector<Instruction> restored(old.size());
  for (size_t i = 0; i < old.size(); ++i) {
    const auto is_of = [&](auto part) {
      return [&, part](const planner::UpdateInPlace& each) {
        return each.*part == static_cast<int32_t>(i);
      };
    };
    if (now_at[i] < 0) {
      const bool is_told = std::ranges::count(dropped, static_cast<int32_t>(i)) > 0 ||
                           std::ranges::any_of(updates, is_of(&planner::UpdateInPlace::store));
      if (!is_told) return;
      restored[i] = Copied(old_method, old[i], method);
      continue;
    }
    restored[i] = now[static_cast<size_t>(now_at[i])];
    const bool is_update = std::ranges::any_of(updates, is_of(&planner::UpdateInPlace::update));
    if (is_update && IsInPlaceFormOf(old_method, old[i], method, restored[i])) {
      restored[i] = Copied(old_method, old[i], method);
    } else if (restored[i].kind == InstructionKind::kKernelCall) {
      PutBackLiterals(old_method, old[i], method, restored[i]);
    }
  }
  method.instructions = std::move(restored);
  const auto is_known = [&](const Instruction& each) {
    return each.kind != InstructionKind::kKernelCall ||
           static_cast<size_t>(each.target) < old_method.operators.size();
  };
  if (!updates.empty() && std::ranges::all_of(method.instructions, is_known)) {
    method.operators.resize(old_method.operators.size());
  }
}

// The numbers of a method's values, back to what they were. Those that are no order change nothing.
void PutBackValues(const std::vector<int32_t>& values_at, Method& method) {
  std::vector<int32_t> sorted = values_at;
  std::ranges::sort(sorted);
  const auto count = static_cast<int32_t>(method.values.size());
  if (!std::ranges::equal(sorted, std::views::iota(int32_t{0}, count))) return;
  planner::Renumber(planner::Inverse(values_at), method);
}

// The new program with the plan of the old one, and with its instructions in the old order.
Program WithPlanOf(const Program& old_program, Program program, const CertifyOptions& options) {
  for (size_t m = 0; m < program.methods.size() && m < old_program.methods.size(); ++m) {
    Method& method = program.methods[m];
    const Method& old_method = old_program.methods[m];
    std::span<const planner::UpdateInPlace> updates;
    if (m < options.updates.size()) updates = options.updates[m];
    if (m < options.values_at.size()) PutBackValues(options.values_at[m], method);
    std::span<const int32_t> dropped;
    if (m < options.dropped.size()) dropped = options.dropped[m];
    if (m < options.now_at.size()) PutBack(old_method, options.now_at[m], updates, dropped, method);
    method.bank_sizes = old_method.bank_sizes;
    for (size_t v = 0; v < method.values.size() && v < old_method.values.size(); ++v) {
      const Tensor* before = old_method.TensorOf(static_cast<int32_t>(v));
      if (before == nullptr || method.values[v].kind != ValueKind::kTensor) continue;
      Tensor& tensor = method.tensors[method.values[v].tensor];
      tensor.offset = before->offset;
      const bool went =
          options.bank && before->bank == options.bank->from && tensor.bank == options.bank->to;
      // New contents of an update lie where their buffer does.
      if (went || !updates.empty()) tensor.bank = before->bank;
    }
  }
  return program;
}

// Of a bank that is no larger than before: the rest of what a better plan would save is no loss.
bool IsOfWaste(const Finding& finding) {
  return finding.rule == rule::kPlanWaste || finding.rule == rule::kPhantomSlot;
}

// The value that is meant and the one that comes, by their instructions.
std::string WordsOf(const compare::MethodComparison& method) {
  if (!method.difference) return method.reason;
  std::string words = method.difference->where;
  const auto add = [&](std::string_view what, const compare::DifferenceSide& side) {
    if (side.term.empty()) return;
    words += fmt::format("{}{}", what, side.term);
    if (side.value >= 0) words += fmt::format(" (v{})", side.value);
  };
  add(" is meant to be ", method.difference->old_side);
  add(", and would be ", method.difference->new_side);
  return words;
}

class Certifier {
 public:
  Certifier(const ComparedSide& old_side, const ComparedSide& new_side,
            const CertifyOptions& options)
      : old_(old_side),
        new_(new_side),
        options_(options),
        known_(options.old_answers != nullptr ? *options.old_answers : own_answers_),
        named_old_(Named(old_side)),
        named_new_(Named(new_side)),
        compared_old_(WithProgram(old_side, named_old_)),
        compared_new_(WithProgram(new_side, named_new_)) {}

  Certificate Go() {  // `failure` tells
    if (options_.repair) {
      (void)(HasSameInterface() && CheckSaysSafe() && ProofSaysSafe() && ComputesWhatIsMeant() &&
             RunsAgree());
    } else {
      (void)(IsSameButForPlan() && IsNoLarger() && CheckFindsNoMore() && ProofIsNoWorse() &&
             ComputesTheSame() && RunsAgree());
    }
    return std::move(certificate_);
  }

 private:
  // None: no state without a name may have moved.
  [[nodiscard]] std::optional<Program> Named(const ComparedSide& side) const {
    if (options_.nameless.empty()) return std::nullopt;
    const bool is_new = side.program == new_.program;
    return WithStateNamed(*side.program, *old_.program, options_.nameless, old_.manifest,
                          is_new ? options_.values_at : std::vector<std::vector<int32_t>>());
  }

  static ComparedSide WithProgram(ComparedSide side, const std::optional<Program>& program) {
    if (program) side.program = &*program;
    return side;
  }

  bool Fails(std::string why) {
    certificate_.failure = std::move(why);
    return false;
  }

  bool LeavesOpen(std::string why) {
    certificate_.open = true;
    return Fails(std::move(why));
  }

  bool IsSameButForPlan() {
    const std::string difference =
        ProgramDifference(*old_.program, WithPlanOf(*old_.program, *new_.program, options_));
    if (difference.empty()) return true;
    return Fails("more than the plan has changed: " + difference);
  }

  bool IsNoLarger() {
    for (size_t m = 0; m < old_.program->methods.size(); ++m) {
      const Method& before = old_.program->methods[m];
      const Method& after = new_.program->methods[m];
      for (size_t bank = 0; bank < before.bank_sizes.size(); ++bank) {
        const bool may_grow = options_.bank && bank == options_.bank->to;
        if (may_grow || after.bank_sizes[bank] <= before.bank_sizes[bank]) continue;
        return Fails(fmt::format("bank {} of '{}' is larger: {} bytes, {} before", bank,
                                 before.name, after.bank_sizes[bank], before.bank_sizes[bank]));
      }
    }
    return true;
  }

  [[nodiscard]] Report CheckOf(const ComparedSide& side) const {
    return Check(*side.program, {.manifest = side.manifest, .all_first = options_.all_first});
  }

  const Report& OldReport() {
    if (options_.old_report != nullptr) return *options_.old_report;
    if (!known_.report) known_.report = CheckOf(old_);
    return *known_.report;
  }

  bool CheckFindsNoMore() {
    const Report& old_report = OldReport();
    const Report new_report = CheckOf(new_);
    certificate_.old_check = old_report.verdicts;
    certificate_.new_check = new_report.verdicts;
    certificate_.new_banks = new_report.banks;
    compare::FindingComparison findings = compare::CompareFindings(old_report, new_report);
    certificate_.gone = std::move(findings.gone);
    std::erase_if(findings.added, IsOfWaste);
    if (options_.outputs == planner::OutputsLast::kNextCall) {
      const auto rest = std::ranges::stable_partition(findings.added, [](const Finding& finding) {
        return finding.rule != rule::kOutputInvalidated;
      });
      certificate_.shortened.assign(rest.begin(), rest.end());
      findings.added.erase(rest.begin(), rest.end());
    }
    if (!findings.added.empty()) {
      certificate_.added = findings.added.front();
      return Fails(fmt::format("check has a new finding, {}: {}", certificate_.added->rule,
                               certificate_.added->explanation));
    }
    for (const Policy policy : kAllPolicies) {
      const auto p = static_cast<size_t>(policy);
      if (old_report.verdicts[p] == Verdict::kSafe) certificate_.policies.Add(policy);
      if (new_report.verdicts[p] <= old_report.verdicts[p]) continue;
      return Fails(fmt::format("check says {} under {}, {} before", Name(new_report.verdicts[p]),
                               Name(policy), Name(old_report.verdicts[p])));
    }
    if (certificate_.policies != PolicySet::None()) return true;
    return LeavesOpen("the old program is safe under no policy");
  }

  bool HasSameInterface() {
    const compare::InterfaceComparison interface = compare::CompareInterface(old_, new_);
    if (interface.answer == Answer::kSame) return true;
    return Fails("the interface has changed: " +
                 (interface.differences.empty() ? "" : interface.differences.front()));
  }

  bool CheckSaysSafe() {
    const Report& old_report = OldReport();
    const Report new_report = CheckOf(new_);
    certificate_.old_check = old_report.verdicts;
    certificate_.new_check = new_report.verdicts;
    certificate_.new_banks = new_report.banks;
    certificate_.gone = compare::CompareFindings(old_report, new_report).gone;
    for (const Finding& finding : new_report.findings) {
      if (finding.severity == Severity::kError) certificate_.left.push_back(finding);
    }
    bool more = false;  // safe under a policy under which the old one is not
    for (const Policy policy : kAllPolicies) {
      const auto p = static_cast<size_t>(policy);
      const bool was_safe = old_report.verdicts[p] == Verdict::kSafe;
      const bool is_safe = new_report.verdicts[p] == Verdict::kSafe;
      if (is_safe) certificate_.policies.Add(policy);
      if (was_safe && !is_safe) certificate_.given_up.Add(policy);
      more = more || (is_safe && !was_safe);
    }
    if (more) return true;
    return LeavesOpen("no plan mends it");
  }

  bool ProofSaysSafe() {
    ProveBoth();
    for (const Policy policy : kAllPolicies) {
      const auto p = static_cast<size_t>(policy);
      if (!certificate_.policies.Has(policy)) continue;
      if (certificate_.new_proof[p] == Verdict::kSafe) continue;
      return Fails(fmt::format("the proof says {} under {}, check says safe",
                               Name(certificate_.new_proof[p]), Name(policy)));
    }
    return true;
  }

  bool ComputesWhatIsMeant() {
    ComparedSide meant = old_;
    meant.read = compare::ReadAs::kMeant;
    return ComputesAs(meant, certificate_.policies) && ComputesAs(meant, certificate_.given_up);
  }

  [[nodiscard]] proofs::Proof ProofOf(const ComparedSide& side) const {
    return proofs::Prove(
        *side.program,
        {.manifest = side.manifest, .all_first = options_.all_first, .counts_held = true},
        {.fast = options_.fast});
  }

  // At once, if there are threads for them.
  void ProveBoth() {
    proofs::Proof proof;
    RunAll(2, options_.jobs, [&](size_t side) {
      if (side == 0 && !known_.proof) known_.proof = ProofOf(old_).verdicts;
      if (side == 1) proof = ProofOf(new_);
    });
    certificate_.old_proof = *known_.proof;
    const proofs::ProofCounts counts = proofs::Count(proof);
    certificate_.new_proof = proof.verdicts;
    certificate_.proved = counts.proved;
    certificate_.unproved = counts.refuted + counts.undecided + counts.unknown;
  }

  bool ProofIsNoWorse() {
    ProveBoth();
    for (const Policy policy : kAllPolicies) {
      const auto p = static_cast<size_t>(policy);
      if (certificate_.new_proof[p] <= certificate_.old_proof[p]) continue;
      return Fails(fmt::format("the proof says {} under {}, {} before",
                               Name(certificate_.new_proof[p]), Name(policy),
                               Name(certificate_.old_proof[p])));
    }
    return true;
  }

  bool ComputesTheSame() { return ComputesAs(compared_old_, certificate_.policies); }

  bool ComputesAs(const ComparedSide& old_side, PolicySet policies) {
    compare::ComputationOptions how;
    how.policies.clear();
    for (const Policy policy : kAllPolicies) {
      if (policies.Has(policy)) how.policies.push_back(policy);
    }
    if (how.policies.empty()) return true;
    for (compare::MethodComparison& method :
         compare::CompareComputation(old_side, compared_new_, how)) {
      if (method.answer == Answer::kDiffers) {
        std::string why =
            fmt::format("'{}' computes something else: {}", method.method, WordsOf(method));
        if (options_.repair) why += "; a `.clone()` of it in the model leaves no doubt";
        // Which bytes without a name are state, the file does not say; a repair may move them.
        const bool rests_on_places = options_.repair && !method.assumed.empty();
        return rests_on_places ? LeavesOpen(std::move(why)) : Fails(std::move(why));
      }
      if (method.answer == Answer::kOpen && !method.can_run) {
        return LeavesOpen(fmt::format("'{}' cannot be compared: {}", method.method, method.reason));
      }
      certificate_.methods.push_back(std::move(method));
    }
    return true;
  }

  // The first call tells what one costs. The others are made in slices, each with a seed of its
  // own, so that the number of threads changes no call.
  compare::RandomCallsResult RunsOf(const std::string& method, Policy policy) const {
    constexpr int kSlices = 8;
    std::array<compare::RandomCallsResult, kSlices + 1> results;
    const compare::CallCount all_calls = options_.calls.SharedBy(old_.program->methods.size());
    const auto run = [&](int slice, int calls) {
      if (calls == 0) return;
      ComparedSide old_side = compared_old_;
      if (options_.repair) old_side.read = compare::ReadAs::kMeant;
      compare::CallCount count = all_calls;
      count.most = calls;
      results[static_cast<size_t>(slice)] = compare::CompareRandomCalls(
          old_side, compared_new_,
          {.policy = policy,
           .method = method,
           .seed = options_.seed * (kSlices + 1) + static_cast<uint64_t>(slice),
           .calls = count});
    };
    run(kSlices, std::min(1, all_calls.most));
    const compare::RandomCallsResult& first = results[kSlices];
    const int more = first.difference.empty() ? all_calls.After(first.compared, first.work) : 0;
    RunAll(kSlices, options_.jobs, [&](size_t each) {
      const int slice = static_cast<int>(each);
      run(slice, more * (slice + 1) / kSlices - more * slice / kSlices);
    });
    compare::RandomCallsResult all;
    std::ranges::rotate(results, results.end() - 1);  // the first call is told of first
    for (compare::RandomCallsResult& result : results) {
      all.compared += result.compared;
      if (all.difference.empty() && !result.difference.empty()) {
        all.difference = std::move(result.difference);
        all.one_sided = result.one_sided;
      }
      if (all.not_made.empty()) all.not_made = std::move(result.not_made);
    }
    return all;
  }

  bool RunsAgree() {
    const auto* policy = std::ranges::find_if(
        kAllPolicies, [this](Policy each) { return certificate_.policies.Has(each); });
    for (const Method& method : old_.program->methods) {
      const compare::RandomCallsResult runs = RunsOf(method.name, *policy);
      certificate_.runs.push_back({method.name, runs.compared, runs.not_made});
      // Of a program that is read as it is meant, the file may not say how a value is made.
      if (options_.repair && runs.one_sided) return LeavesOpen(runs.difference);
      if (!runs.difference.empty()) return Fails(runs.difference);
      if (runs.compared == 0 && IsOpen(method.name) && options_.calls.most > 0) {
        return LeavesOpen(fmt::format("'{}' is neither proved nor run: {}", method.name,
                                      runs.not_made.empty() ? "no call was made" : runs.not_made));
      }
    }
    return true;
  }

  // Whether terms leave the method open, so that only runs tell.
  [[nodiscard]] bool IsOpen(const std::string& name) const {
    return std::ranges::any_of(certificate_.methods, [&](const compare::MethodComparison& m) {
      return m.method == name && m.answer != Answer::kSame;
    });
  }

  const ComparedSide& old_;
  const ComparedSide& new_;
  const CertifyOptions& options_;
  OldAnswers own_answers_;
  OldAnswers& known_;
  std::optional<Program> named_old_;
  std::optional<Program> named_new_;
  ComparedSide compared_old_;
  ComparedSide compared_new_;
  Certificate certificate_;
};

}  // namespace

Certificate Certify(const ComparedSide& old_side, const ComparedSide& new_side,
                    const CertifyOptions& options) {
  return Certifier(old_side, new_side, options).Go();
}

}  // namespace pteproof::certify
