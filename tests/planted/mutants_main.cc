// `pteproof mutants`: what it takes each checker to see each planted defect.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "cli/arguments/mutants_options.h"
#include "cli/io/interruption.h"
#include "properties/agreement/judge_mutant.h"
#include "pteproof/check.h"
#include "tests/planted/hunt.h"
#include "tests/planted/table.h"

namespace pteproof {
namespace {

using Scored = std::vector<std::pair<DefectRow, Score>>;

// Calls `work` with 0, 1, ... up to `count`, in several threads; each number is one thread's.
template <class Work>
void ForEachInThreads(uint64_t count, unsigned jobs, Work work) {
  std::atomic<uint64_t> next = 0;
  const auto run = [&] {
    for (uint64_t n = next++; n < count; n = next++) work(n);
  };
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < jobs; ++t) threads.emplace_back(run);
}

// What is planted is planted for a thread, so each defect is one thread's.
void ScoreAll(Scored& all, const ScoreEffort& effort, unsigned jobs) {
  std::mutex one_at_a_time;
  size_t done = 0;
  ForEachInThreads(all.size(), jobs, [&](uint64_t d) {
    all[d].second = ScoreOf(all[d].first, effort);
    const std::lock_guard lock(one_at_a_time);
    TellDone("defects scored", done + 1, all.size());
    fmt::print(stderr, "mutants: {} of {}: {}, seen by {} checkers, {:.0f} s\n", ++done, all.size(),
               all[d].first.name, all[d].second.checkers(), all[d].second.seconds);
  });
}

// Plans of the planner as it is.
struct SoundPlans {
  std::atomic<uint64_t> alarms = 0;          // some checker sees something all the same
  std::atomic<uint64_t> open = 0;            // with a delegate, or an operator that nobody knows
  std::atomic<uint64_t> open_undecided = 0;  // of them, from the file alone
  std::atomic<uint64_t> others = 0;
  std::atomic<uint64_t> others_undecided = 0;
};

bool LeavesOpen(const Program& program) {
  return std::ranges::any_of(program.methods, [](const Method& method) {
    return !method.delegates.empty() ||
           std::ranges::any_of(method.operators,
                               [](const Operator& op) { return op.schema == nullptr; });
  });
}

void JudgeSound(const MutantsRequest& request, SoundPlans& plans) {
  ForEachInThreads(request.clean, request.jobs, [&](uint64_t n) {
    const uint64_t seed = request.seed + n;
    const auto drawn = CaseOf(seed);
    if (!drawn) return;
    if (IsAny(SeenBy({}, drawn->random, drawn->setting, seed, kQuickCheckers))) {
      fmt::print(stderr, "mutants: a false alarm, seed {}\n", seed);
      ++plans.alarms;
    }
    const DefectivePlan plan = PlanWith({}, drawn->random, drawn->setting.options, seed);
    if (!plan.program) return;
    const auto policy = static_cast<size_t>(plan.loader);
    const bool undecided = Check(*plan.program).verdicts[policy] == Verdict::kUndecided;
    const bool open = LeavesOpen(*plan.program);
    ++(open ? plans.open : plans.others);
    if (undecided) ++(open ? plans.open_undecided : plans.others_undecided);
  });
}

void Keep(const std::string& folder, uint64_t seed, std::span<const std::byte> file) {
  if (folder.empty()) return;
  std::ofstream out(fmt::format("{}/{}.pte", folder, seed), std::ios::binary);
  out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
}

// Damaged plans on which two checkers disagree, and nothing explains it.
int Agree(const MutantsRequest& request) {
  std::atomic<uint64_t> judged = 0;
  std::atomic<uint64_t> unsafe = 0;
  std::atomic<uint64_t> shown = 0;
  std::atomic<uint64_t> open = 0;
  ForEachInThreads(request.agree, request.jobs, [&](uint64_t n) {
    const uint64_t seed = request.seed + n;
    const auto mutant = JudgeMutant(seed, !request.no_proof);
    if (!mutant) return;
    const CheckersVerdict& checkers = mutant->checkers;
    const auto policy = static_cast<size_t>(mutant->policy);
    unsafe += checkers.check.verdicts[policy] == Verdict::kUnsafe ? 1 : 0;
    shown += checkers.runs.disagreement.has_value() ? 1 : 0;
    if (!checkers.disagreement.empty()) {
      fmt::print(stderr, "mutants: seed {}, {}: {}\n", seed, mutant->what, checkers.disagreement);
      Keep(request.keep, seed, mutant->file);
      ++open;
    }
    const uint64_t so_far = ++judged;
    TellDone("plans judged", so_far, request.agree);
    if (so_far % 10'000 == 0) fmt::print(stderr, "mutants: {} judged\n", so_far);
  });
  fmt::print(
      "{} damaged plans judged by check{} and runs: {} unsafe, {} shown by a run, {} "
      "disagreements.\n",
      judged.load(), request.no_proof ? "" : ", proof", unsafe.load(), shown.load(), open.load());
  return open == 0 ? 0 : 1;
}

Scored Chosen(const std::string& only) {
  Scored chosen;
  for (const DefectRow& defect : AllDefects()) {
    if (only.empty() || defect.name == only) chosen.emplace_back(defect, Score{});
  }
  return chosen;
}

// The first find of each, made small, with what matters in it.
int Explain(const MutantsRequest& request) {
  const Scored chosen = Chosen(request.only);
  std::vector<std::string> explanations(chosen.size());
  ForEachInThreads(chosen.size(), request.jobs, [&](uint64_t d) {
    const DefectRow& defect = chosen[d].first;
    const auto find = Hunt(defect, request.seed, request.cases);
    explanations[d] =
        find ? ExplainedText(defect, *find) : fmt::format("{}: not seen\n", defect.name);
  });
  for (const std::string& explanation : explanations) fmt::print("{}\n", explanation);
  return chosen.empty() ? 64 : 0;
}

int Run(const MutantsRequest& request) {
  if (request.agree > 0) return Agree(request);
  if (request.explain) return Explain(request);
  Scored scored = Chosen(request.only);
  if (scored.empty()) {
    fmt::print(stderr,
               "mutants: there is no defect '{}'; see docs/explanation/evidence/planted.md\n",
               request.only);
    return 64;
  }
  ScoreEffort effort;
  effort.cases = request.cases;
  effort.seeds = request.seeds;
  ScoreAll(scored, effort, request.jobs);
  std::string table = TableOf(scored);
  uint64_t alarms = 0;
  if (request.clean > 0) {
    SoundPlans plans;
    JudgeSound(request, plans);
    alarms = plans.alarms;
    table += fmt::format(
        "{} plans without a defect: {} false alarms. Undecided from the file alone: {} of {} with "
        "delegates or unknown operators, {} of {} others.\n",
        request.clean, alarms, plans.open_undecided.load(), plans.open.load(),
        plans.others_undecided.load(), plans.others.load());
  }
  fmt::print("{}", table);
  const bool all = std::ranges::all_of(scored, [](const auto& s) { return s.second.IsFound(); });
  return all && alarms == 0 ? 0 : 1;
}

}  // namespace
}  // namespace pteproof

int main(int argc, char** argv) {
  pteproof::NameInterrupted("mutants");
  pteproof::WatchForInterruption();
  pteproof::MutantsRequest request;
  request.cases = pteproof::ScoreEffort{}.cases;
  request.seeds = pteproof::ScoreEffort{}.seeds;
  request.jobs = std::max(1U, std::thread::hardware_concurrency());
  CLI::App app("What it takes each checker to see each planted defect", "pteproof mutants");
  pteproof::AddMutantsOptions(app, request);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 64;
  }
  return pteproof::Run(request);
}
