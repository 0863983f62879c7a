#include "cli/verbs/planner_proofs.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/io/output.h"
#include "cli/io/paint.h"
#include "cli/io/progress.h"
#include "cli/io/quote.h"
#include "properties/proofs/solver/decide.h"

namespace pteproof {
namespace {

using proofs::PlannerProof;

std::string_view Word(const PlannerProof& proof) {
  if (proof.cut) return "cut";
  if (proof.answer == proofs::Answer::kUnknown) return "unknown";
  return proof.answer == proofs::Answer::kProved ? "proved" : "refuted";
}

std::string Line(const PlannerProof& proof, const Paint& paint) {
  const bool as_expected = proof.answer == proof.expected && !proof.cut;
  std::string line = fmt::format("{} {}: {}\n", paint.Word(Word(proof)), proof.name, proof.what);
  line +=
      fmt::format("  {} paths, {} queries, {:.1f} s\n", proof.paths, proof.queries, proof.seconds);
  if (!proof.why.empty()) line += QuoteLines(proof.why, "  ");
  if (!proof.counterexample.empty()) line += QuoteLines(proof.counterexample, "  ");
  if (as_expected && proof.expected == proofs::Answer::kRefuted)
    line += "  as expected: this variant is wrong\n";
  return line;
}

struct Totals {
  size_t proved = 0;
  size_t refuted = 0;  // as they should be
  size_t wrong = 0;    // the other answer than expected
  size_t open = 0;
  int64_t paths = 0;
  int64_t queries = 0;
  double seconds = 0;
};

Totals TotalsOf(const std::vector<PlannerProof>& all) {
  Totals totals;
  for (const PlannerProof& proof : all) {
    const bool open = proof.cut || proof.answer == proofs::Answer::kUnknown;
    const bool expected = !open && proof.answer == proof.expected;
    totals.open += open ? 1 : 0;
    totals.wrong += !open && !expected ? 1 : 0;
    totals.proved += expected && proof.answer == proofs::Answer::kProved ? 1 : 0;
    totals.refuted += expected && proof.answer == proofs::Answer::kRefuted ? 1 : 0;
    totals.paths += proof.paths;
    totals.queries += proof.queries;
    totals.seconds += proof.seconds;
  }
  return totals;
}

}  // namespace

ExitCode RunPlannerProofs(const proofs::PlannerProofOptions& options) {
  const Paint paint = PaintForStandardOutput();
  Progress progress(0, "proofs made");
  const auto all = proofs::ProvePlanner(options, [&](const PlannerProof& proof) {
    progress.Clear();
    WriteOutput(Line(proof, paint));
    progress.Advance();
  });
  progress.Clear();
  const Totals totals = TotalsOf(all);
  WriteOutput(fmt::format(
      "{} proved, {} refuted that are wrong, {} with another answer than they should have, {} cut "
      "or unknown; {} paths, {} queries, {:.1f} s, {}\n",
      totals.proved, totals.refuted, totals.wrong, totals.open, totals.paths, totals.queries,
      totals.seconds, proofs::Z3Version()));
  if (totals.wrong > 0) return ExitCode::kUnsafe;
  return totals.open > 0 ? ExitCode::kUndecided : ExitCode::kSafe;
}

}  // namespace pteproof
