#include "cli/verbs/random_command.h"

#include "cli/io/output.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/generators/statistics.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"

namespace pteproof {
namespace {

ExitCode CountCases(const RandomRequest& request) {
  generators::Statistics statistics;
  for (uint64_t n = 0; n < request.cases; ++n) {
    const auto made = generators::BuildCase(generators::DrawCase(request.seed + n));
    statistics.Add(made, graph::Validate(made.module).empty());
  }
  WriteOutput(request.json ? generators::JsonLinesOf(statistics) : generators::TableOf(statistics));
  const auto problems = generators::HealthProblems(statistics);
  for (const std::string& problem : problems) Complain("drifted: " + problem);
  return problems.empty() ? ExitCode::kSafe : ExitCode::kUnsafe;
}

}  // namespace

ExitCode RunRandom(const RandomRequest& request) {
  if (request.statistics) return CountCases(request);
  WriteOutput(graph::Print(generators::BuildModule(generators::DrawCase(request.seed))));
  return ExitCode::kSafe;
}

}  // namespace pteproof
