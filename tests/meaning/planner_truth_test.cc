// The planner knows which values it elided, and of what: the file does not say it, and meaning/ has
// to recover it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "meaning/program_meaning.h"
#include "planner/plan.h"
#include "properties/differential/settings.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "tests/support/counts.h"
#include "tests/support/renumber.h"

namespace pteproof::meaning {
namespace {

using planner::ElidedName;

const uint64_t kModules = Cases(1000, 20'000);

// Of which values each value is a name, with all names in between left out.
using Sources = std::map<int32_t, std::vector<int32_t>>;

std::vector<int32_t> LeavesOf(const Sources& sources, std::vector<int32_t> values) {
  constexpr int kMostSteps = 1000;  // moves may go in a circle
  int steps = 0;
  for (size_t at = 0; at < values.size() && steps < kMostSteps; ++steps) {
    const auto of = sources.find(values[at]);
    if (of == sources.end()) {
      ++at;
      continue;
    }
    values.erase(values.begin() + static_cast<ptrdiff_t>(at));
    values.insert(values.begin() + static_cast<ptrdiff_t>(at), of->second.begin(),
                  of->second.end());
  }
  return values;
}

Sources RecoveredIn(const MethodMeaning& meant) {
  Sources sources;
  for (const Transfer& t : meant.aliases.transfers) {
    if (t.phase == Phase::kAfter) continue;
    const auto of = meant.aliases.SourcesOf(t);
    sources.try_emplace(t.to, of.begin(), of.end());
  }
  return sources;
}

// The planner's names, and those that the file itself states: an et_view, and a copy onto itself.
Sources TruthOf(const MethodMeaning& meant, const std::vector<ElidedName>& names) {
  Sources sources;
  for (const ElidedName& name : names) sources.try_emplace(name.value, name.of);
  for (const Transfer& t : meant.aliases.transfers) {
    const bool stated = meant.roles.usage[static_cast<size_t>(t.to)].first_write >= 0;
    if (t.phase == Phase::kAfter || !stated) continue;
    const auto of = meant.aliases.SourcesOf(t);
    sources.try_emplace(t.to, of.begin(), of.end());
  }
  return sources;
}

bool Contains(const std::vector<int32_t>& values, int32_t v) {
  return std::ranges::find(values, v) != values.end();
}

struct Counts {
  size_t names = 0;
  size_t open = 0;   // the file does not tell, and meaning/ says so
  size_t wrong = 0;  // another name, or none
  std::string last;  // the wrong one found last
};

void Compare(const MethodMeaning& meant, const std::vector<ElidedName>& names, Counts& counts) {
  const Sources truth = TruthOf(meant, names);
  const Sources recovered = RecoveredIn(meant);
  for (const ElidedName& name : names) {
    const auto v = static_cast<size_t>(name.value);
    const Usage& usage = meant.roles.usage[v];
    if (meant.roles.place[v].empty() || !usage.exposed()) continue;  // nobody asks what it is
    ++counts.names;
    if (Contains(meant.aliases.uncertain, name.value) ||
        Contains(meant.aliases.unsure_slices, name.value)) {
      ++counts.open;
      continue;
    }
    const auto found = recovered.find(name.value);
    const std::vector<int32_t> wanted = LeavesOf(truth, name.of);
    const std::vector<int32_t> is =
        found == recovered.end() ? std::vector<int32_t>{} : LeavesOf(recovered, found->second);
    if (is == wanted) continue;
    ++counts.wrong;
    counts.last =
        fmt::format("{}: v{} is a name of v{}, and was taken for one of v{}", meant.method->name,
                    name.value, fmt::join(wanted, " v"), fmt::join(is, " v"));
  }
  for (const auto& [value, of] : recovered) {
    const bool itself = std::ranges::all_of(of, [value](int32_t v) { return v == value; });
    if (truth.contains(value) || itself) continue;
    ++counts.wrong;
    counts.last = fmt::format("{}: v{} is a buffer of its own, and was taken for a name of v{}",
                              meant.method->name, value, fmt::join(of, " v"));
  }
}

// Compares the methods of planned Modules, by `compare(seed, planned, counts)`.
template <class CompareOne>
Counts CountModules(const CompareOne& compare) {
  Counts counts;
  for (uint64_t seed = 0; seed < kModules; ++seed) {
    const auto random = generators::BuildCase(generators::DrawCase(seed));
    const auto planned = planner::Plan(random.module, SettingOf(seed).options);
    if (!planned.ok()) continue;
    const size_t wrong = counts.wrong;
    compare(seed, planned.value(), counts);
    EXPECT_EQ(counts.wrong, wrong) << "seed " << seed << ", " << counts.last;
  }
  EXPECT_GT(counts.names, kModules / 10);
  ::testing::Test::RecordProperty("names", static_cast<int>(counts.names));
  ::testing::Test::RecordProperty("open", static_cast<int>(counts.open));
  return counts;
}

TEST(PlannersTruth, IsRecoveredFromTheExportersNumbering) {
  const Counts counts = CountModules([](uint64_t, const planner::Planned& planned, Counts& so_far) {
    const ProgramMeaning meant = MeaningOf(planned.program, nullptr);
    for (size_t m = 0; m < meant.methods.size(); ++m) {
      if (meant.methods[m].order.holds) Compare(meant.methods[m], planned.elided[m], so_far);
    }
  });
  EXPECT_EQ(counts.open, 0U);
}

std::vector<ElidedName> Renamed(std::vector<ElidedName> names, const std::vector<int32_t>& index) {
  for (ElidedName& name : names) {
    name.value = index[static_cast<size_t>(name.value)];
    for (int32_t& of : name.of) of = index[static_cast<size_t>(of)];
  }
  return names;
}

// Other numbers leave some names open, and make none wrong.
TEST(PlannersTruth, IsAmongTheCandidatesWithoutTheNumbering) {
  (void)CountModules([](uint64_t seed, const planner::Planned& planned, Counts& so_far) {
    std::mt19937 numbers(static_cast<uint32_t>(seed));
    for (size_t m = 0; m < planned.program.methods.size(); ++m) {
      const Method& method = planned.program.methods[m];
      std::vector<int32_t> index(method.values.size());
      std::iota(index.begin(), index.end(), 0);
      std::shuffle(index.begin(), index.end(), numbers);
      const Method renumbered = WithValuesRenamed(method, index);
      const MethodMeaning meant = MeaningOf(renumbered, nullptr);
      if (!meant.order.holds) Compare(meant, Renamed(planned.elided[m], index), so_far);
    }
  });
}

}  // namespace
}  // namespace pteproof::meaning
