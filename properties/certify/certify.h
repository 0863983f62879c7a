// What is shown of a program that was planned anew, before anything is written. Of a new plan: the
// program is the same but for its plan, no checker finds more in it than in the old one, and it
// computes the same. Of a repair: its interface is the same, it is safe, and it computes what the
// old program means.
#ifndef PTEPROOF_PROPERTIES_CERTIFY_CERTIFY_H_
#define PTEPROOF_PROPERTIES_CERTIFY_CERTIFY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/replan/change_bank.h"
#include "planner/replan/fixed_bytes.h"
#include "planner/replan/updates_in_place.h"
#include "properties/compare/call_count.h"
#include "properties/compare/compare_programs.h"
#include "pteproof/report.h"

namespace pteproof::certify {

// Of the old program, for all certificates of one: what is there is not asked again.
struct OldAnswers {
  std::optional<Report> report;
  std::optional<std::array<Verdict, kPolicyCount>> proof;
};

struct CertifyOptions {
  const Report* old_report =
      nullptr;                        // of the old program, as `check` gives it; null: not yet made
  OldAnswers* old_answers = nullptr;  // filled in; `old_report` comes first
  // Of proofs: what constants decide is computed, and not sent to a solver.
  bool fast = false;
  bool repair = false;     // the old program is read as it is meant; banks and copies may be added
  bool all_first = false;  // all methods are loaded before the first call
  compare::CallCount calls = compare::CallCount::Worth(1000);  // of each method, on both programs
  uint64_t seed = 0;
  size_t jobs = 1;  // threads; no certificate depends on it
  // Of a new plan: per method and instruction of the old program, its number in the new one, -1
  // for one that is gone. Empty, or empty for a method: as it was.
  std::vector<std::vector<int32_t>> now_at = {};
  // The same of values; none is gone.
  std::vector<std::vector<int32_t>> values_at = {};
  // Of a new plan: per method, updates that are made in place, without their stores.
  std::vector<std::vector<planner::UpdateInPlace>> updates = {};
  // Of a new plan: per method, calls that only copied and are gone.
  std::vector<std::vector<int32_t>> dropped = {};
  std::optional<planner::BankChange> bank = {};  // of a new plan: values may be there, and it grow
  // Of a new plan: until the next call, they may be overwritten earlier than in the old one.
  planner::OutputsLast outputs = planner::OutputsLast::kNextCall;
  // Of a new plan: per method, state without a name that may have moved. Values are its name.
  std::vector<std::vector<int32_t>> nameless = {};
};

struct MethodRuns {
  std::string method;
  int64_t calls = 0;
  std::string not_made;  // why none was, of a method without
};

struct Certificate {
  std::string failure;  // the first step that shows nothing, in one sentence; empty: all is shown
  bool open = false;    // `failure`: neither proof nor run tells, so that the plan may be right
  std::optional<Finding> added;  // `failure`: a finding that the old program has not
  std::vector<Finding> left;     // errors of the new program; if a repair fails, they are why
  Verdicts old_check{};
  Verdicts new_check{};
  std::vector<BankUse> new_banks;  // as `check` tells them of the new program
  std::array<Verdict, kPolicyCount> old_proof{};
  std::array<Verdict, kPolicyCount> new_proof{};
  size_t proved = 0;                       // obligations of the new program
  size_t unproved = 0;                     // as in the old one
  PolicySet policies = PolicySet::None();  // under which the old program is safe; a repair: the new
  PolicySet given_up = PolicySet::None();  // of a repair: under which the old program only is safe
  std::vector<compare::MethodComparison> methods;
  std::vector<MethodRuns> runs;
  std::vector<Finding> gone;       // findings of the old program that the new one has not
  std::vector<Finding> shortened;  // new notes of outputs that last until the next call

  [[nodiscard]] bool holds() const { return failure.empty(); }
};

// Both programs with what lies beside the old one. The steps: plans and the stated
// order of instructions apart they are one program; no
// bank is larger; `check` and `prove` come to no worse verdict under any policy, and `check` to no
// new finding; the computations are compared under the policies for which the old one is safe; and
// so are random calls. Of a repair: interfaces are equal; `check` and `prove` say safe under some
// policies; the computations are compared under these and under those for which only the old one is
// safe, with the old program as it is meant; and so are random calls. Ends at the first step that
// fails.
[[nodiscard]] Certificate Certify(const compare::ComparedSide& old_side,
                                  const compare::ComparedSide& new_side,
                                  const CertifyOptions& options);

}  // namespace pteproof::certify

#endif  // PTEPROOF_PROPERTIES_CERTIFY_CERTIFY_H_
