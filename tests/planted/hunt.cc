#include "tests/planted/hunt.h"

#include <fmt/format.h>

#include "properties/differential/campaign.h"
#include "reference/graph/print.h"
#include "tests/planted/plant.h"

namespace pteproof {
namespace {

size_t NodesIn(const generators::RandomCase& c) {
  generators::Statistics one;
  one.Add(c, true);
  return generators::Statistics::Median(one.nodes);
}

std::string StoryOf(const CampaignFailure& failure) {
  std::string calls;
  for (const auto& call : failure.shrunk.calls) {
    calls += " " + failure.shrunk.module.methods[call.method].name;
  }
  return fmt::format("seed {} ({}): {}\nshrunk: {}\ncalls:{}\n{}", failure.seed, failure.setting,
                     failure.fault, failure.shrunk_fault, calls,
                     graph::Print(failure.shrunk.module));
}

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::string WayOf(std::string_view fault) {
  constexpr std::string_view kManifest = "with its manifest: ";
  if (fault.starts_with("refused: ")) return "refusal";
  if (Has(fault, " needs value ")) return "tagged run";
  if (fault.starts_with("call ") || fault.starts_with("planned: ")) {
    return Has(fault, "a storage per value: ") ? "storage per value" : "planned run";
  }
  const bool manifest = fault.starts_with(kManifest);
  const std::string_view finding = manifest ? fault.substr(kManifest.size()) : fault;
  const std::string_view rule = finding.substr(0, finding.find(" in '"));
  if (Has(rule, " ")) return manifest ? "manifest" : "file";
  return std::string(manifest ? "manifest " : "check ") + std::string(rule);
}

std::optional<Find> Hunt(planner::Defect defect, uint64_t most) {
  PlantDefect(defect);
  const CampaignReport report = RunCampaign({.seed = 0, .cases = most});
  PlantDefect(planner::Defect::kNone);
  if (!report.failure) return std::nullopt;
  const CampaignFailure& failure = *report.failure;
  return Find{.cases = failure.seed + 1,
              .way = WayOf(failure.fault),
              .nodes = NodesIn(failure.shrunk),
              .calls = failure.shrunk.calls.size(),
              .story = StoryOf(failure)};
}

}  // namespace pteproof
