#include "fuzz/fields/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/finding_names.h"
#include "fuzz/require.h"
#include "fuzz/runnable.h"
#include "planner/repair/repair.h"
#include "properties/agreement/judge_all_checkers.h"
#include "properties/certify/shown_replan.h"
#include "properties/compare/compare_programs.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/random_recording.h"
#include "properties/oracles/replay.h"
#include "properties/oracles/tags/tagged_run.h"
#include "properties/oracles/unknown_calls.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"

namespace pteproof::fuzz::fields {
namespace {

constexpr uint64_t kSeed = 1;
constexpr int kCalls = 2;
// A proof by the solver, and a certificate, take ten times as long as all else.
constexpr uint64_t kMutantsPerSolver = 8;
constexpr uint64_t kMostBytesLoaded = 16 << 20;
constexpr uint64_t kMoreThanMayBe = uint64_t{1} << 40;

constexpr uint64_t kMostCounted = uint64_t{1} << 48;

// Of the banks and tensors, as the file states them.
uint64_t BytesOf(const Program& program) {
  uint64_t bytes = 0;
  const auto add = [&bytes](uint64_t more) {
    bytes = std::min(kMostCounted, bytes + std::min(more, kMostCounted));
  };
  for (const Method& method : program.methods) {
    std::ranges::for_each(method.bank_sizes, add);
    for (const Tensor& tensor : method.tensors) add(tensor.nbytes);
  }
  return bytes;
}

class Attempt {
 public:
  Attempt(const Program& program, const Program* original, bool asks_solver,
          const std::function<void(Step)>& begins)
      : program_(program), original_(original), asks_solver_(asks_solver), begins_(begins) {}

  Outcome Make() {
    Rewrite();
    begins_(Step::kCheck);
    report_ = Check(program_);
    if (asks_solver_ || !NeedsSolver()) Prove();
    const uint64_t bytes = BytesOf(program_);
    const bool small = bytes <= kMostBytesRun;
    if (bytes <= kMostBytesLoaded || bytes >= kMoreThanMayBe) Load();
    if (small) Run();
    if (original_ != nullptr && small) Compare();
    if (small) Replan();
    begins_(Step::kPromises);
    if (!broken_.empty()) Fail(broken_, what_);
    return small ? Outcome::kRan : Outcome::kJudged;
  }

 private:
  void Break(std::string_view promise, std::string what) {
    if (!broken_.empty()) return;
    broken_ = promise;
    what_ = std::move(what);
  }

  void Rewrite() {
    begins_(Step::kWrite);
    const auto written = WriteProgram(program_);
    if (!written.ok()) return Break("what was read can be written", written.error());
    const auto again = ReadProgram(written.value());
    if (!again.ok()) return Break("what was written can be read", "");
    const std::string difference = ProgramDifference(program_, again.value());
    if (!difference.empty()) Break("what was written is what was read", difference);
  }

  // Where sizes vary, numbers alone do not decide.
  [[nodiscard]] bool NeedsSolver() const {
    return std::ranges::any_of(program_.methods, [](const Method& method) {
      return std::ranges::any_of(method.tensors,
                                 [](const Tensor& t) { return t.dynamism != Dynamism::kStatic; });
    });
  }

  void Prove() {
    constexpr uint32_t kMilliseconds = 500;
    begins_(Step::kProve);
    proofs::DecideOptions how;
    how.fast = true;
    how.milliseconds = kMilliseconds;
    const proofs::Proof proof = proofs::Prove(program_, {}, how);
    const bool unknown = std::ranges::any_of(proof.decisions, [](const proofs::Decision& d) {
      return d.answer == proofs::Answer::kUnknown;
    });
    if (unknown) return;
    for (const Policy policy : kAllPolicies) {
      const auto p = static_cast<size_t>(policy);
      if (report_.verdicts[p] == proof.verdicts[p]) continue;
      Break("check and proof agree",
            fmt::format("under {} the check says {} and the proof {}", Name(policy),
                        Name(report_.verdicts[p]), Name(proof.verdicts[p])));
    }
  }

  // More than any machine has must be refused; what lies between takes long, and is like the small.
  void Load() {
    begins_(Step::kLoad);
    PlannedRunOptions options;
    options.writable_constants = true;
    static_cast<void>(PlannedRun::Load(program_, options));
  }

  void Run() {
    recording_ = RandomRecording(program_, kSeed, Policy::kPrivate);
    Tagged();
    Eval();
    begins_(Step::kRunReal);
    Planned(Semantics::kReal);
    begins_(Step::kRunHash);
    Planned(Semantics::kHash);
    Diff();
  }

  // Calls one after the other, each where the method stands; `call` says whether to go on.
  template <class Call>
  void Calls(const Call& call) {
    for (const RecordedSequence& sequence : recording_.sequences) {
      int made = 0;
      for (const RecordedCall& recorded : sequence.calls) {
        const auto method = std::ranges::find(program_.methods, recorded.method, &Method::name);
        if (method == program_.methods.end()) continue;
        const auto index = static_cast<int32_t>(method - program_.methods.begin());
        if (!call(index, recorded.inputs) || ++made >= kMostCalls) break;
      }
    }
  }

  void Tagged() {
    begins_(Step::kTagged);
    TaggedRun run(program_, {.semantics = Semantics::kHash, .fuel = kFuel});
    Calls([&](int32_t method, std::span<const Datum> inputs) {
      return run.Call(method, inputs).ok() && !run.finding();
    });
    static_cast<void>(run.WhyNoProof());
  }

  void Eval() {
    begins_(Step::kEval);
    for (const Semantics semantics : {Semantics::kReal, Semantics::kHash}) {
      Replay replay(program_, {.semantics = semantics, .fuel = kFuel});
      Calls([&](int32_t method, std::span<const Datum> inputs) {
        static_cast<void>(replay.Call(method, inputs));
        return true;
      });
    }
  }

  void Planned(Semantics semantics) {
    PlannedRunOptions options;
    options.semantics = semantics;
    options.writable_constants = true;
    options.lends_outputs = true;
    options.lazy = true;
    options.fuel = kFuel;
    auto run = PlannedRun::Load(program_, options);
    if (!run.ok()) return;
    Calls([&](int32_t method, std::span<const Datum> inputs) {
      if (!run.value().LoadMethod(method)) static_cast<void>(run.value().Call(method, inputs));
      return true;
    });
  }

  void Diff() {
    begins_(Step::kDiff);
    const DiffReport runs = DiffProgram(
        program_,
        {.policy = Policy::kPrivate, .seed = kSeed, .sequences = 1, .longest = 3, .fuel = kFuel});
    const std::string loss = LossInSafe(report_, runs, Policy::kPrivate);
    if (!loss.empty() && SaysWhatSharesBytes(program_)) {
      Break("what is called safe loses no byte", loss);
    }
  }

  void Compare() {
    begins_(Step::kCompare);
    compare::CompareOptions options;
    options.computation.policies = {Policy::kPrivate};
    options.calls = kCalls;
    static_cast<void>(compare::ComparePrograms({original_}, {&program_}, options));
  }

  // What `replan` does with a safe program, and `replan --repair` with another.
  void Replan() {
    constexpr placement::Effort kEffort = {.steps = 200, .seconds = 0.002};
    begins_(Step::kReplan);
    planner::ReplanOptions plan;
    plan.effort = kEffort;
    const bool safe = std::ranges::min(report_.verdicts) == Verdict::kSafe;
    if (safe && !asks_solver_) {
      static_cast<void>(WriteProgram(planner::MovePlaces(program_, plan).program));
      return;
    }
    if (safe) {
      static_cast<void>(certify::ReplanShown(
          {&program_},
          {.plan = plan, .certify = {.old_report = &report_, .calls = kCalls, .jobs = 1}}));
      return;
    }
    const planner::Repaired repaired = planner::Repair(program_, plan, {});
    if (repaired.failure.empty()) static_cast<void>(WriteProgram(repaired.replanned.program));
  }

  static constexpr int kMostCalls = 6;

  const Program& program_;
  const Program* original_;
  bool asks_solver_;
  const std::function<void(Step)>& begins_;
  Report report_;
  Recording recording_;
  std::string_view broken_;
  std::string what_;
};

}  // namespace

std::string_view NameOf(Step step) {
  constexpr std::array<std::string_view, kStepCount> kNames = {
      "read",     "write",    "check", "prove",   "load",   "tagged",  "eval",
      "run real", "run hash", "diff",  "compare", "replan", "promises"};
  return kNames[static_cast<size_t>(step)];
}

Outcome TryMutant(Bytes mutant, const Program* original, const std::function<void(Step)>& begins) {
  begins(Step::kRead);
  const auto program = ReadProgram(mutant);
  if (!program.ok()) return Outcome::kRefused;
  if (original != nullptr && SameProgram(*original, program.value())) return Outcome::kAsBefore;
  const bool asks_solver = SeedOf(mutant) % kMutantsPerSolver == 0;
  return Attempt(program.value(), original, asks_solver, begins).Make();
}

}  // namespace pteproof::fuzz::fields
