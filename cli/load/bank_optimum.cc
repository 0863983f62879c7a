#include "cli/load/bank_optimum.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

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

// Of the bank's items, `alignment` is that of their offsets.
BankOptimum OptimumOf(const Items& items, uint64_t alignment, const BankUse& use,
                      const placement::Effort& effort, bool is_sound) {
  if (!placement::Placeable(items)) return {};
  const auto outcome = placement::Place(items, placement::Algorithm::kExact, effort);
  const auto rounded = [&](int64_t end) {
    const auto bytes = static_cast<uint64_t>(end);
    const uint64_t up = (bytes + alignment - 1) / alignment * alignment;
    return bytes <= use.size ? std::min(up, use.size) : up;
  };
  BankOptimum optimum = {rounded(outcome.lower_bound), rounded(outcome.layout.peak)};
  if (use.peak >= optimum.at_least) {
    optimum.at_most = std::min(optimum.at_most, use.peak);
  } else if (is_sound) {
    // Some bytes are another value's before a loop fills them, or hold what only may be state: the
    // storages, which keep them apart, say less than the plan.
    optimum = {use.load, use.peak};
  }
  return optimum;
}

// Items of banks, of one method after the other.
class ItemsOfBanks {
 public:
  explicit ItemsOfBanks(const Program& program) : program_(program) {}

  // Nothing if the control flow is beyond the check's limit on work, or the method has more
  // instructions.
  std::optional<Items> Of(const BankUse& use, size_t most_instructions) {
    if (method_ == nullptr || method_->name != use.method) {
      method_ = &*std::ranges::find(program_.methods, use.method, &Method::name);
      planned_.reset();
      if (method_->instructions.size() <= most_instructions) planned_ = StoragesOf(*method_);
    }
    if (!planned_) return std::nullopt;
    return ItemsIn(*planned_, use.bank);
  }
  // Of the items that were asked for last.
  [[nodiscard]] uint64_t alignment() const { return planned_->alignment; }

 private:
  const Program& program_;
  const Method* method_ = nullptr;  // that `planned_` is of
  std::optional<PlannedStorages> planned_;
};

// Whether a search could tell more: a plan that ends at its peak live bytes is optimal.
bool IsOpen(const BankUse& use) {
  return use.peak > use.load;
}

}  // namespace

std::vector<BankOptimum> OptimaOf(const Program& program, std::span<const BankUse> banks,
                                  bool is_sound, std::optional<double> seconds) {
  placement::Effort effort = placement::DefaultEffort(placement::Algorithm::kExact);
  if (seconds) effort = {std::numeric_limits<int64_t>::max(), seconds};
  ItemsOfBanks items_of(program);
  std::vector<BankOptimum> optima;
  for (const BankUse& use : banks) {
    const auto items = items_of.Of(use, SIZE_MAX);
    optima.push_back(items ? OptimumOf(*items, items_of.alignment(), use, effort, is_sound)
                           : BankOptimum{});
  }
  return optima;
}

std::vector<BankOptimum> QuickOptimaOf(const Program& program, std::span<const BankUse> banks) {
  constexpr int64_t kSteps = 10'000'000;  // of all banks together
  constexpr size_t kMostStorages = 4000;  // likewise
  const auto open = std::max<int64_t>(std::ranges::count_if(banks, IsOpen), 1);
  size_t left = kMostStorages;
  ItemsOfBanks items_of(program);
  std::vector<BankOptimum> optima;
  for (const BankUse& use : banks) {
    if (!IsOpen(use)) {
      optima.push_back({use.peak, use.peak});
      continue;
    }
    const auto items = items_of.Of(use, kMostStorages);
    if (!items || items->size() > left) {
      optima.emplace_back();
      continue;
    }
    left -= items->size();
    optima.push_back(OptimumOf(*items, items_of.alignment(), use, {.steps = kSteps / open}, true));
  }
  return optima;
}

}  // namespace pteproof
