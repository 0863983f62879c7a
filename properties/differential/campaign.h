// Many random cases in many settings, until one fails; and that one as small as it can be.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_CAMPAIGN_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_CAMPAIGN_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "properties/generators/build_module.h"
#include "properties/generators/draft.h"
#include "properties/generators/statistics.h"

namespace pteproof {

struct CampaignFailure {
  uint64_t seed = 0;    // draws the case
  std::string setting;  // that it failed in
  std::string fault;
  generators::RandomCase shrunk;
  std::string shrunk_fault;  // of the small one: not always the same
};

struct CampaignReport {
  generators::Statistics statistics;
  uint64_t refused = 0;  // cases without a plan
  int64_t calls = 0;     // that were compared
  std::optional<CampaignFailure> failure;
};

struct CampaignOptions {
  uint64_t seed = 0;  // of the first case; each next one has the next seed
  uint64_t cases = 10'000;
  // Asked before each case; false ends the campaign.
  std::function<bool(const CampaignReport&)> goes_on = nullptr;
};

[[nodiscard]] CampaignReport RunCampaign(const CampaignOptions& options);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_CAMPAIGN_H_
