// The plans of ExecuTorch's own exports, planned anew from their lifetimes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "planner/placement/algorithms.h"
#include "planner/placement/greedy.h"
#include "planner/placement/load.h"
#include "planner/placement/validate.h"
#include "properties/storages.h"
#include "pteproof/report.h"
#include "tests/planner/placement/instances.h"
#include "tests/support/collection.h"
#include "tests/support/real_file.h"

namespace pteproof::placement {
namespace {

// The storages of a bank, at the file's own alignment.
Items ItemsOf(const PlannedStorages& planned, uint32_t bank) {
  Items items;
  for (const PlannedStorage& storage : planned.storages) {
    if (storage.bank != bank) continue;
    items.push_back({.size = static_cast<int64_t>(storage.hi - storage.lo),
                     .alignment = static_cast<int64_t>(planned.alignment),
                     .live = {}});
    for (const PointSpan& s : storage.live) items.back().live.push_back({s.lower, s.upper});
  }
  return items;
}

struct ExportedBank {
  std::string name;
  Items items;
  int64_t size = 0;       // in the file
  bool straight = false;  // of a method without control flow and delegates
};

// An error under every loader is one of a method's own plan.
bool HasPlanError(const Report& report) {
  return std::ranges::any_of(report.findings, [](const Finding& f) {
    return f.severity == Severity::kError && f.policies == PolicySet::All();
  });
}

bool IsStraight(const Method& method) {
  return method.delegates.empty() && std::ranges::none_of(method.instructions, [](const auto& i) {
           return i.kind == InstructionKind::kJumpFalse;
         });
}

// Of all files whose plans have no error: every bank that holds something.
std::vector<ExportedBank> ExportedBanks(const std::filesystem::path& root) {
  std::vector<ExportedBank> banks;
  for (const auto& file : ReadAllReal(root)) {
    if (!file->program || HasPlanError(CheckReal(*file, false))) continue;
    for (const Method& method : file->program->methods) {
      const auto planned = StoragesOf(method);
      for (uint32_t b = 1; planned && b < method.bank_sizes.size(); ++b) {
        if (method.bank_sizes[b] == 0) continue;
        banks.push_back({file->name + " " + method.name + ":" + std::to_string(b),
                         ItemsOf(*planned, b), static_cast<int64_t>(method.bank_sizes[b]),
                         IsStraight(method)});
      }
    }
  }
  return banks;
}

// From the first to the last instruction in whole, as the exporter counts nodes.
void Coarsen(Items& items) {
  for (Item<int64_t>& item : items) {
    for (Span& span : item.live) {
      span.lower -= span.lower & 1;
      span.upper += span.upper & 1;
    }
    if (!item.live.empty()) item.live = {{item.live.front().lower, item.live.back().upper}};
  }
}

class ExportedPlans : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(ExportedPlans, AreNeverBelowBest) {
  RecordProperty("slow", "reads every program of the corpus");
  const std::vector<ExportedBank> banks = ExportedBanks(GetParam());
  EXPECT_GT(banks.size(), 100U);
  size_t optimal = 0;
  for (const ExportedBank& bank : banks) {
    ASSERT_TRUE(Placeable(bank.items)) << bank.name;
    const Outcome best = Place(bank.items, Algorithm::kBest);
    EXPECT_FALSE(MistakeIn(bank.items, best.layout)) << bank.name;
    EXPECT_LE(best.layout.peak, Place(bank.items, Algorithm::kGreedy).layout.peak) << bank.name;
    EXPECT_LE(best.layout.peak, bank.size) << bank.name;
    optimal += best.optimal() ? 1 : 0;
  }
  // Where a few bytes at the very end decide, the proof may be out of reach.
  EXPECT_GE(optimal + 2, banks.size());
}

// Models whose exporter was told to align otherwise, to place one value after the other, or to
// reserve bytes that no value uses.
bool IsPlannedOtherwise(const std::string& name) {
  constexpr std::array kModels = {"align_64/", "align_128_shared/", "naive_plan/",
                                  "naive_then_greedy/", "phantom_slot/"};
  return std::ranges::any_of(kModels, [&](const char* model) { return name.starts_with(model); });
}

// ExecuTorch's rule on our lifetimes comes to ExecuTorch's own size. Left out are methods with
// control flow, whose regions ExecuTorch lays out apart, and with delegates, for which it pads. One
// bank in twenty may differ: ExecuTorch counts lifetimes by nodes of the exported graph, and those
// are sometimes longer than ours by instructions.
TEST_P(ExportedPlans, AreMostlyWhatGreedyComesTo) {
  size_t equal = 0;
  size_t compared = 0;
  for (ExportedBank bank : ExportedBanks(GetParam() / "models")) {
    if (!bank.straight || IsPlannedOtherwise(bank.name)) continue;
    ++compared;
    Coarsen(bank.items);
    int64_t alignment = 1;
    for (const Item<int64_t>& item : bank.items) alignment = std::max(alignment, item.alignment);
    const int64_t peak = Greedy<int64_t>(bank.items).peak;
    equal += (peak + alignment - 1) / alignment * alignment == bank.size ? 1 : 0;
  }
  EXPECT_GT(compared, 100U);
  EXPECT_GE(equal * 100, compared * 95) << equal << " of " << compared;
}

INSTANTIATE_TEST_SUITE_P(Own, ExportedPlans, ::testing::Values(OwnRealRoot()), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, ExportedPlans,
                         ::testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

}  // namespace
}  // namespace pteproof::placement
