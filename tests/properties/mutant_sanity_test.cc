// The static check and a tagged run, which share nothing but the operator table, agree on which
// damage to a real plan does harm.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>

#include "properties/mutants/mutate_plan.h"
#include "pteproof/check.h"
#include "pteproof/report.h"
#include "runtime/placed_outs.h"
#include "tests/support/expected_verdicts.h"
#include "tests/support/real_file.h"
#include "tests/support/straight_run.h"

namespace pteproof {
namespace {

constexpr int kDrawsPerFile = 120;

Verdict UnderPrivate(const Report& report) {
  return report.verdicts[static_cast<size_t>(Policy::kPrivate)];
}

struct Score {
  int files = 0;
  int agreed_safe = 0;
  int agreed_unsafe = 0;
  int undecided = 0;
};

using mutants::Damage;

// Of kinds that show in a single straight run, places most of all.
std::optional<mutants::Mutation> DrawMutant(const Program& program, uint32_t seed) {
  std::mt19937 random(seed);
  const auto draw = [&](size_t n) { return random() % n; };
  constexpr std::array kRare = {Damage::kShrinkBank, Damage::kLoseStore, Damage::kSwapOutputs};
  const size_t kind = draw(10);
  return mutants::MutatePlan(program, kind < kRare.size() ? kRare[kind] : Damage::kMovePlace, draw);
}

// The naive run takes a copy of bytes onto themselves for a write.
bool CopiesOntoItself(const Method& method) {
  const PlacedOuts placed_outs(method);
  return std::ranges::any_of(method.instructions, [&](const Instruction& at) {
    if (at.kind != InstructionKind::kKernelCall) return false;
    const OpSchema* op = method.operators[static_cast<size_t>(at.target)].schema;
    return op != nullptr && placed_outs.CopiedBy(*op, method.Ints(at.args)).has_value();
  });
}

void Compare(const RealFile& file, const mutants::Mutation& mutant, uint32_t draw, Score& score) {
  if (CopiesOntoItself(mutant.program.methods.front())) return;
  const StraightRun run = RunStraight(mutant.program.methods.front());
  const Report report = Check(mutant.program);
  const Verdict verdict = UnderPrivate(report);
  if (verdict == Verdict::kUndecided || !run.certain) {
    ++score.undecided;
    return;
  }
  const bool harm = !run.violations.empty();
  EXPECT_EQ(verdict == Verdict::kUnsafe, harm)
      << file.name << " draw " << draw << ": " << mutant.what
      << "\n tagged run: " << (harm ? run.violations.front() : "clean")
      << "\n check:" << Brief(report.findings);
  if ((verdict == Verdict::kUnsafe) != harm) return;
  ++(harm ? score.agreed_unsafe : score.agreed_safe);
}

// delay_line loses stores, which only its manifest shows. previous keeps a wrong value in a buffer
// that nothing reads: a wrong copy, and yet every output is right.
bool IsLeftOut(const RealFile& file) {
  return file.name.starts_with("delay_line/") || file.name.starts_with("previous/");
}

bool IsSoundAndPlain(const RealFile& file) {
  if (IsLeftOut(file)) return false;
  if (!file.program.has_value() || file.program->methods.size() != 1) return false;
  const Method& method = file.program->methods.front();
  return CanRunStraight(method) && UnderPrivate(Check(*file.program)) == Verdict::kSafe;
}

TEST(StraightRun, FindsNoFaultInSoundFiles) {
  for (const auto& file : ReadAllReal(OwnRealRoot() / "models")) {
    if (!IsSoundAndPlain(*file)) continue;
    const StraightRun run = RunStraight(file->program->methods.front());
    if (!run.certain) continue;
    EXPECT_TRUE(run.violations.empty()) << file->name << ": " << run.violations.front();
  }
}

TEST(StraightRun, AgreesWithTheCheckOnDamagedPlans) {
  RecordProperty("slow", "draws many random cases");
  Score score;
  for (const auto& file : ReadAllReal(OwnRealRoot() / "models")) {
    if (!IsSoundAndPlain(*file)) continue;
    const Method& method = file->program->methods.front();
    if (!RunStraight(method).certain) continue;
    ++score.files;
    for (uint32_t draw = 0; draw < kDrawsPerFile; ++draw) {
      const auto mutant = DrawMutant(*file->program, 1 + draw);
      if (mutant.has_value()) Compare(*file, *mutant, draw, score);
    }
  }
  RecordProperty("files", score.files);
  RecordProperty("agreed_safe", score.agreed_safe);
  RecordProperty("agreed_unsafe", score.agreed_unsafe);
  RecordProperty("undecided", score.undecided);
  EXPECT_GE(score.agreed_safe + score.agreed_unsafe, 2000);
  EXPECT_GE(score.agreed_safe, 200);
  EXPECT_GE(score.agreed_unsafe, 1000);
}

}  // namespace
}  // namespace pteproof
