#include "tests/planted/judge.h"

#include <algorithm>
#include <random>
#include <utility>

#include "planner/plan.h"
#include "properties/differential/case_steps.h"
#include "properties/differential/compare_calls.h"
#include "properties/generators/draw.h"
#include "properties/proofs/prove.h"
#include "reference/graph/validate.h"
#include "planner/planted.h"

namespace pteproof {
namespace {

class Planting {
 public:
  explicit Planting(planner::Defect defect) { PlantDefect(defect); }
  ~Planting() { PlantDefect(planner::Defect::kNone); }
  Planting(const Planting&) = delete;
  Planting& operator=(const Planting&) = delete;
};

bool IsRefuted(const Program& program, const Manifest* manifest, Policy loader) {
  // Our planner packs nothing tighter than its elements are aligned.
  const proofs::Proof proof = proofs::Prove(program, {.manifest = manifest, .packed = false});
  return proof.verdicts[static_cast<size_t>(loader)] == Verdict::kUnsafe;
}

// The calls with a storage per value, and as planned: a tagged run that fails says nothing of the
// other.
void MakeCalls(const generators::RandomCase& c, const DefectivePlan& plan, const Setting& setting,
               const Checkers& asked, Checkers& seen) {
  for (const bool planned : {false, true}) {
    if (planned && (!Has(asked, Checker::kRun) || Has(seen, Checker::kRun))) continue;
    CaseWays ways = setting.ways;
    ways.tagged = !planned;
    ways.planned = planned;
    CaseVerdict verdict;
    CompareCalls(c, *plan.program, plan.loader, ways, verdict);
    if (verdict.fault.empty()) continue;
    const bool by_tags = verdict.fault.kind.ends_with(kReadsAWrongByte);
    At(seen, by_tags ? Checker::kTagged : Checker::kRun) = true;
  }
}

}  // namespace

std::string_view NameOf(Checker checker) {
  constexpr std::array<std::string_view, kCheckerCount> kNames = {"file",   "check", "proof",
                                                                  "tagged", "run",   "ExecuTorch"};
  return kNames[static_cast<size_t>(checker)];
}

bool IsAny(const Checkers& checkers) {
  return std::ranges::count(checkers, true) > 0;
}

DefectivePlan PlanWith(const DefectRow& defect, const generators::RandomCase& c,
                       const planner::PlanOptions& options, uint64_t seed) {
  const Planting planting(defect.planted);
  DefectivePlan plan;
  plan.loader = options.policy;
  auto planned = planner::Plan(c.module, options);
  if (!planned.ok()) {
    plan.may_be_refused = MayBeRefused(c.module, options);
    if (!plan.may_be_refused) plan.fault = "refused: " + planned.error().what;
    return plan;
  }
  Program& program = planned.value().program;
  std::mt19937_64 random(seed);
  const std::function<size_t(size_t)> draw = [&](size_t n) { return random() % n; };
  if (defect.damage != nullptr) defect.damage({program, plan.loader, draw});
  auto read = Reread(program, plan.bytes);
  if (read.ok()) {
    plan.program = std::move(read).value();
  } else {
    plan.fault = std::move(read).error();
  }
  return plan;
}

Checkers SeenBy(const DefectRow& defect, const generators::RandomCase& c, const Setting& setting,
                uint64_t seed, const Checkers& asked) {
  Checkers seen = {};
  const DefectivePlan plan = PlanWith(defect, c, setting.options, seed);
  At(seen, Checker::kFile) = !plan.fault.empty();
  if (!plan.program) return seen;
  if (Has(asked, Checker::kCheck) || Has(asked, Checker::kProof)) {
    const auto manifest = ParsedManifest(c.module, setting.options, *plan.program);
    const Manifest* stated = manifest.ok() ? &manifest.value() : nullptr;
    if (Has(asked, Checker::kCheck)) {
      At(seen, Checker::kCheck) = stated == nullptr ||
                                  !ErrorIn(*plan.program, nullptr, plan.loader).empty() ||
                                  !ErrorIn(*plan.program, stated, plan.loader).empty();
    }
    if (Has(asked, Checker::kProof)) {
      At(seen, Checker::kProof) =
          IsRefuted(*plan.program, nullptr, plan.loader) ||
          (stated != nullptr && IsRefuted(*plan.program, stated, plan.loader));
    }
  }
  const bool runs = Has(asked, Checker::kTagged) || Has(asked, Checker::kRun);
  if (runs && setting.options.plan_buffers) MakeCalls(c, plan, setting, asked, seen);
  return seen;
}

std::optional<DrawnCase> CaseOf(uint64_t seed) {
  DrawnCase drawn = {generators::BuildCase(generators::DrawCase(seed)), SettingOf(seed)};
  if (!graph::Validate(drawn.random.module).empty()) return std::nullopt;
  return drawn;
}

}  // namespace pteproof
