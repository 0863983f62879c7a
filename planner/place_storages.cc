// Idea. A storage becomes an item of placement: its bytes, its alignment, and the points at which
// any of its values is live. State has places already (state/layout.cc), and pinned storages of
// callers and constants get none. The items of a method go to the banks of the options
// (placement/banks.cc).
//
// Invariant: each storage without a pin has exactly one place, at a multiple of the alignment of
// the options and of the elements of all its values. Cost: that of placement.
#include "planner/place_storages.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "planner/placement/load.h"
#include "planner/planted.h"
#include "planner/read_beyond.h"

namespace pteproof::planner {
namespace {

using placement::Item;

std::vector<placement::Bank> BanksOf(const PlanOptions& options) {
  std::vector<placement::Bank> banks;
  for (const auto& each : options.banks) banks.push_back(each.bank);
  if (banks.empty()) banks.push_back({.name = "default"});
  return banks;
}

int32_t MemoryIdOf(const PlanOptions& options, size_t bank) {
  return options.banks.empty() ? kActivationBank : options.banks[bank].memory_id;
}

// Unless the caller says so, a pool is the bank of its name before all others.
placement::Pools PoolsOf(const PlanOptions& options) {
  if (options.pools) return options.pools;
  return [&options](const std::string& pool) {
    placement::Preference preference;
    for (const bool named : {true, false}) {
      for (size_t b = 0; b < options.banks.size(); ++b) {
        if ((options.banks[b].bank.name == pool) == named) {
          preference.push_back(static_cast<int32_t>(b));
        }
      }
    }
    return std::optional(preference);
  };
}

placement::Placer PlacerOf(const PlanOptions& options) {
  if (options.placer) return options.placer;
  return options.effort ? placement::PlacerOf(options.algorithm, *options.effort)
                        : placement::PlacerOf(options.algorithm);
}

int64_t AlignmentOf(const Code& code, const Storage& storage, int64_t least) {
  if (Planted(Defect::kAlignmentOfPlan)) return least;
  for (const Member& m : storage.members) {
    least = std::max<int64_t>(least, ElementSize(TensorTypeOf(code, m.value)->dtype));
  }
  return least;
}

// What placement is asked for.
struct Request {
  std::vector<Item<int64_t>> items;
  std::vector<size_t> storages;    // by item
  std::vector<std::string> pools;  // by item
};

Request RequestOf(const Code& code, const Sharing& sharing, const PlanOptions& options) {
  Request request;
  for (size_t s = 0; s < sharing.storages().size(); ++s) {
    const Storage& storage = sharing.storages()[s];
    if (storage.members.empty() || storage.pin.kind != Pin::Kind::kNone) continue;
    if (TensorTypeOf(code, storage.members.front().value) == nullptr) continue;
    request.items.push_back({.size = storage.nbytes,
                             .alignment = AlignmentOf(code, storage, options.alignment),
                             .live = storage.live});
    request.storages.push_back(s);
    request.pools.push_back(storage.pool);
  }
  return request;
}

std::string TextOf(const placement::BankError& error, const PlanOptions& options,
                   const Sharing& sharing, const Request& request) {
  std::string where;
  if (error.bank >= 0) {
    const placement::Bank bank = BanksOf(options)[static_cast<size_t>(error.bank)];
    where = "bank '" + bank.name + "'";
    if (bank.capacity != placement::Bank::kUnbounded) {
      where += " of " + std::to_string(bank.capacity) + " bytes";
    }
    where += ": ";
  }
  std::string names;
  for (const int32_t item : error.items) {
    const Storage& storage = sharing.storages()[request.storages[static_cast<size_t>(item)]];
    names += (names.empty() ? "%" : ", %") + std::to_string(storage.members.front().value) + " (" +
             std::to_string(storage.nbytes) + " bytes)";
  }
  return where + error.why + (names.empty() ? "" : ": " + names);
}

BankReport ReportOf(const Request& request, const placement::BankedLayout& laid, size_t bank) {
  BankReport report;
  report.peak = laid.peaks[bank];
  std::vector<Item<int64_t>> here;
  for (size_t i = 0; i < request.items.size(); ++i) {
    if (static_cast<size_t>(laid.bank[i]) != bank) continue;
    const Item<int64_t>& item = here.emplace_back(request.items[i]);
    report.naive += (item.size + item.alignment - 1) / item.alignment * item.alignment;
  }
  report.load = placement::LoadOf(here);
  return report;
}

// A defect: right for this method, and other methods' activations lie over its state.
void PutStateBelow(int64_t bytes, PlacedStorages& placed) {
  constexpr int64_t kUnit = 16;
  const int64_t below = (bytes + kUnit - 1) / kUnit * kUnit;
  for (Place& place : placed.places) {
    if (place.bank == kActivationBank) place.offset += below;
    if (place.bank == kPrivateBank) place.bank = kActivationBank;
  }
  placed.used[kActivationBank] += below;
}

}  // namespace

Result<PlacedStorages, std::string> PlaceStorages(const Code& code, const Sharing& sharing,
                                                  const PlanOptions& options,
                                                  const StateLayout& state, size_t method) {
  const Request request = RequestOf(code, sharing, options);
  const auto preferences = placement::PreferencesOf(request.pools, PoolsOf(options));
  if (!preferences.ok()) return TextOf(preferences.error(), options, sharing, request);
  const int64_t guard = GuardOf(code);
  std::vector<placement::Bank> banks = BanksOf(options);
  for (placement::Bank& bank : banks) {
    if (bank.capacity != placement::Bank::kUnbounded) {
      bank.capacity = std::max<int64_t>(bank.capacity - guard, 0);
    }
  }
  const auto laid = PlaceInBanks(request.items, banks, preferences.value(), PlacerOf(options));
  if (!laid.ok()) return TextOf(laid.error(), options, sharing, request);
  PlacedStorages placed;
  placed.places.resize(sharing.storages().size());
  for (size_t i = 0; i < request.items.size(); ++i) {
    const auto bank = static_cast<size_t>(laid.value().bank[i]);
    placed.places[request.storages[i]] = {MemoryIdOf(options, bank), laid.value().offsets[i]};
  }
  for (size_t b = 0; b < laid.value().peaks.size(); ++b) {
    const int32_t id = MemoryIdOf(options, b);
    const int64_t peak = laid.value().peaks[b];
    placed.used[id] = std::max(placed.used[id], peak == 0 ? 0 : peak + guard);
    placed.report.push_back(ReportOf(request, laid.value(), b));
    placed.report.back().bank = id;
  }
  if (!options.plan_buffers) return placed;
  for (size_t s = 0; s < placed.places.size(); ++s) {
    const Pin& pin = sharing.storages()[s].pin;
    if (pin.kind != Pin::Kind::kBuffer) continue;
    const auto& place = state.places[method][static_cast<size_t>(pin.index)];
    placed.places[s] = {place->bank, place->offset};
  }
  if (Planted(Defect::kStateAmongActivations)) PutStateBelow(state.private_size[method], placed);
  return placed;
}

}  // namespace pteproof::planner
