#include "cli/load/bank_optimum.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "planner/placement/algorithms.h"
#include "planner/placement/load.h"
#include "properties/storages.h"

namespace pteproof {
namespace {

using Items = std::vector<placement::Item<int64_t>>;

Items ItemsIn(const PlannedStorages& planned, uint32_t bank) {
  Items items;
  for (const PlannedStorage& storage : planned.storages) {
    if (storage.bank != bank) continue;
    placement::Item<int64_t>& item = items.emplace_back();
    item.size = static_cast<int64_t>(storage.hi - storage.lo);
    item.alignment = static_cast<int64_t>(planned.alignment);
    for (const PointSpan& span : storage.live) item.live.push_back({span.lower, span.upper});
  }
  return items;
}

BankOptimum OptimumOf(const PlannedStorages& planned, const BankUse& use,
                      const placement::Effort& effort) {
  const Items items = ItemsIn(planned, use.bank);
  if (!placement::Placeable(items)) return {};
  const auto outcome = placement::Place(items, placement::Algorithm::kExact, effort);
  const auto rounded = [&](int64_t end) {
    const auto bytes = static_cast<uint64_t>(end);
    const uint64_t up = (bytes + planned.alignment - 1) / planned.alignment * planned.alignment;
    return bytes <= use.size ? std::min(up, use.size) : up;
  };
  BankOptimum optimum = {rounded(outcome.lower_bound), rounded(outcome.layout.peak)};
  // The file's own plan may be better than what was found; below the bound it is none.
  if (use.peak >= optimum.at_least) optimum.at_most = std::min(optimum.at_most, use.peak);
  return optimum;
}

}  // namespace

std::vector<BankOptimum> OptimaOf(const Program& program, std::span<const BankUse> banks,
                                  std::optional<double> seconds) {
  placement::Effort effort = placement::DefaultEffort(placement::Algorithm::kExact);
  if (seconds) effort = {std::numeric_limits<int64_t>::max(), seconds};
  std::vector<BankOptimum> optima;
  std::string_view method;  // that `planned` is of
  std::optional<PlannedStorages> planned;
  for (const BankUse& use : banks) {
    if (optima.empty() || method != use.method) {
      method = use.method;
      planned = StoragesOf(*std::ranges::find(program.methods, use.method, &Method::name));
    }
    optima.push_back(planned ? OptimumOf(*planned, use, effort) : BankOptimum{});
  }
  return optima;
}

}  // namespace pteproof
