#include "properties/differential/campaign.h"

#include <utility>

#include "properties/differential/case_run.h"
#include "properties/differential/settings.h"
#include "properties/generators/draw.h"
#include "properties/generators/shrink.h"
#include "reference/graph/validate.h"

namespace pteproof {
namespace {

CampaignFailure FailureOf(uint64_t seed, const Setting& setting, std::string fault) {
  const auto fails = [&](const generators::CaseDraft& draft) {
    const auto c = generators::BuildCase(draft);
    return graph::Validate(c.module).empty() &&
           !RunCase(c, setting.options, setting.ways).fault.empty();
  };
  CampaignFailure failure;
  failure.seed = seed;
  failure.setting = setting.name;
  failure.fault = std::move(fault);
  failure.shrunk = generators::BuildCase(generators::Shrunk(generators::DrawCase(seed), fails));
  failure.shrunk_fault = RunCase(failure.shrunk, setting.options, setting.ways).fault.explanation;
  return failure;
}

}  // namespace

CampaignReport RunCampaign(const CampaignOptions& options) {
  CampaignReport report;
  for (uint64_t n = 0; n < options.cases; ++n) {
    if (options.goes_on && !options.goes_on(report)) break;
    const uint64_t seed = options.seed + n;
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    const bool valid = graph::Validate(c.module).empty();
    report.statistics.Add(c, valid);
    if (!valid) continue;
    // Chosen by the seed, so that a seed alone identifies a try.
    const Setting setting = SettingOf(seed);
    CaseVerdict verdict = RunCase(c, setting.options, setting.ways);
    report.refused += verdict.refused ? 1 : 0;
    report.calls += verdict.calls;
    if (verdict.fault.empty()) continue;
    report.failure = FailureOf(seed, setting, std::move(verdict.fault.explanation));
    break;
  }
  return report;
}

}  // namespace pteproof
