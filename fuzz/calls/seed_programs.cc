// Idea: the operators in random order, as many of them in a program as fit; a call is kept if the
// whole program, run with the inputs that were drawn for it, still runs to its end.
#include "fuzz/calls/seed_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "fuzz/calls/make_draft.h"
#include "fuzz/calls/operands.h"
#include "fuzz/calls/own_calls.h"
#include "fuzz/calls/run_calls.h"
#include "fuzz/calls/twist_parts.h"
#include "fuzz/mutate/random.h"

namespace pteproof::fuzz {
namespace {

constexpr size_t kMostInProgram = 6;
constexpr size_t kLargestSeed = 6 * 1024;
constexpr uint64_t kSeedsOfCall = 60;

struct SeedStyle {
  std::string_view name;
  DraftStyle draft;
};

constexpr std::array kSeedStyles = {
    SeedStyle{"static", {.packed = true, .bounded = 0, .chained = false, .steadies = true}},
    SeedStyle{"bounded", {.packed = true, .bounded = 4, .chained = false, .steadies = true}},
    SeedStyle{"mixed", {.packed = false, .bounded = 2, .chained = true, .steadies = true}},
};

bool Varies(const Draft& draft) {
  return std::ranges::any_of(draft.values,
                             [](const DraftValue& value) { return value.tensor.bounded; });
}

// Whether the last call has tensors, and none of them varies.
bool LastIsFixed(Draft& draft) {
  const DraftStep& call = draft.steps.back();
  auto tensors = OperandTensors(draft, call);
  const auto results = WrittenTensors(draft, call);
  tensors.insert(tensors.end(), results.begin(), results.end());
  return !tensors.empty() &&
         std::ranges::none_of(tensors, [&](int32_t v) { return draft.At(v).tensor.bounded; });
}

// Of a tensor that nothing else names.
DraftStep FreeOfOwn(Draft& draft) {
  DraftValue value;
  value.kind = ValueKind::kTensor;
  value.tensor.home = Home::kCaller;
  return StepOf(InstructionKind::kFree, draft.Add(std::move(value)), 0);
}

// A delegate between an input and an output.
Draft WithDelegate(const DraftStyle& style) {
  Draft draft;
  DraftStep step;
  step.kind = InstructionKind::kDelegateCall;
  for (uint32_t bank = 1; bank <= 2; ++bank) {
    DraftValue value;
    value.kind = ValueKind::kTensor;
    value.tensor.sizes = {2, 3};
    value.tensor.bounded = style.bounded > 0;
    value.tensor.bank = bank;
    value.tensor.is_input = bank == 1;
    value.tensor.is_output = bank == 2;
    step.args.push_back(draft.Add(std::move(value)));
  }
  draft.steps.push_back(std::move(step));
  return draft;
}

// A call that a planner has made needless, and no other.
Draft WithNeedlessCall(size_t which) {
  Draft draft;
  DraftStep step = AddNeedlessCall(draft, which, 1);
  draft.steps.push_back(std::move(step));
  return draft;
}

class SeedMaker {
 public:
  explicit SeedMaker(const SeedStyle& style) : style_(style) {}

  void Add(const OpSchema& op) {
    if (calls_.size() == kMostInProgram) Finish();
    if (TryToAdd(op) || calls_.empty()) return;
    Finish();
    TryToAdd(op);
  }

  std::vector<SeedProgram> Take() {
    Finish();
    return std::move(programs_);
  }

 private:
  bool TryToAdd(const OpSchema& op) {
    for (uint64_t seed = 0; seed < kSeedsOfCall; ++seed) {
      calls_.push_back({&op, kSeedsOfCall * programs_.size() + seed});
      CallsPlan plan;
      plan.draft = DraftOf(calls_, style_.draft);
      if (plan.draft.steps.size() == calls_.size() && IsSeed(plan)) return true;
      calls_.pop_back();
    }
    return false;
  }

  [[nodiscard]] bool IsSeed(CallsPlan& plan) const {
    if (style_.draft.bounded == 0 && Varies(plan.draft)) return false;
    if (style_.draft.bounded == 4 && LastIsFixed(plan.draft)) return false;
    if (WriteDraft(plan.draft).file.size() > kLargestSeed) return false;
    const CallsRun run = RunCalls(plan);
    return run.stage == Stage::kRan && std::ranges::all_of(run.fates, [](const CallFate& fate) {
             return fate.fate == Fate::kReached;
           });
  }

  // Every third program is a loop, and every third frees what it began with.
  void Finish() {
    if (calls_.empty()) return;
    Draft draft = DraftOf(calls_, style_.draft);
    const size_t number = programs_.size();
    if (number % 3 == 1) RunTwice(draft, 0);
    if (number % 3 == 2) draft.steps.push_back(FreeOfOwn(draft));
    programs_.push_back({fmt::format("{}-{:02}.pte", style_.name, number), WriteDraft(draft).file});
    calls_.clear();
  }

  const SeedStyle& style_;
  std::vector<DrawnCall> calls_;
  std::vector<SeedProgram> programs_;
};

}  // namespace

std::vector<SeedProgram> MakeSeedPrograms() {
  std::vector<SeedProgram> all;
  Random random(1);
  for (const SeedStyle& style : kSeedStyles) {
    auto operators = OperatorsWithKernels();
    for (size_t i = operators.size(); i > 1; --i) {
      std::swap(operators[i - 1], operators[random.Below(i)]);
    }
    SeedMaker maker(style);
    for (const OpSchema* op : operators) maker.Add(*op);
    for (SeedProgram& program : maker.Take()) all.push_back(std::move(program));
    all.push_back(
        {fmt::format("{}-delegate.pte", style.name), WriteDraft(WithDelegate(style.draft)).file});
  }
  for (size_t which = 0; which < kNeedlessCalls; ++which) {
    all.push_back(
        {fmt::format("needless-{}.pte", which), WriteDraft(WithNeedlessCall(which)).file});
  }
  return all;
}

}  // namespace pteproof::fuzz
