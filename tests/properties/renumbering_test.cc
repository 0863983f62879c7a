// The verdict does not hang on how values are numbered, methods are ordered or literals are chosen:
// certainty may get lost with the exporter's order of values, but no sound file turns unsafe, and a
// mistake that shows in bytes alone stays found.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <functional>
#include <string_view>

#include "base/finding_names.h"
#include "properties/verdict.h"
#include "pteproof/check.h"
#include "tests/support/collection.h"
#include "tests/support/expected_verdicts.h"
#include "tests/support/real_file.h"
#include "tests/support/renumber.h"

namespace pteproof {
namespace {

constexpr uint32_t kSeeds = 20;

// Mistakes that need no view's time of making. Not among them: in-place-view,
// in-place-view-annotated, view-then-store, view-then-store-chain, where only the order of values
// tells that a view was made before the store.
constexpr std::array<std::string_view, 25> kShowInBytesAlone = {"cond-map",
                                                                "cond-nested",
                                                                "cond-scan",
                                                                "cond-siblings",
                                                                "cond-siblings-guarded",
                                                                "cond-state",
                                                                "in-place-flip",
                                                                "in-place-on-constant",
                                                                "in-place-on-input",
                                                                "in-place-output-annotated",
                                                                "in-place-reread",
                                                                "in-place-result-freed",
                                                                "in-place-result-freed-state",
                                                                "in-place-self",
                                                                "in-place-state-annotated",
                                                                "in-place-then-store",
                                                                "in-place-two-users",
                                                                "pass-part",
                                                                "pass-per-method",
                                                                "private-state",
                                                                "private-two",
                                                                "sizes-disagree",
                                                                "stale-pass",
                                                                "cond_pair",
                                                                "names_unshared"};

// Calls `each` with every file below `root` that can be read, and its own verdicts.
void ForEachReal(const std::filesystem::path& root,
                 const std::function<void(const RealFile&, const Verdicts&)>& each) {
  for (const auto& file : ReadAllReal(root)) {
    if (file->program.has_value()) each(*file, Check(*file->program).verdicts);
  }
}

class RealVerdicts : public testing::TestWithParam<std::filesystem::path> {};

INSTANTIATE_TEST_SUITE_P(Own, RealVerdicts, testing::Values(OwnRealRoot()), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, RealVerdicts,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

TEST_P(RealVerdicts, TurnNowhereUnsafeByRenumbering) {
  RecordProperty("slow", "reads every program of the corpus");
  ForEachReal(GetParam(), [](const RealFile& file, const Verdicts& before) {
    for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
      const Report report = Check(Renumbered(*file.program, seed));
      for (const Policy p : kAllPolicies) {
        const auto i = static_cast<size_t>(p);
        if (before[i] == Verdict::kUnsafe) continue;
        EXPECT_NE(report.verdicts[i], Verdict::kUnsafe)
            << file.name << " seed " << seed << " " << Name(p) << Brief(report.findings);
      }
    }
  });
}

TEST(Renumbering, HidesNoMistakeThatShowsInBytesAlone) {
  for (const std::string_view name : kShowInBytesAlone) {
    const std::string group = name.find('_') == name.npos ? "bugs/" : "models/";
    const std::string path = group + std::string(name) + "/" + std::string(name) + ".pte";
    const auto file = ReadReal(OwnRealRoot(), OwnRealRoot() / path);
    ASSERT_TRUE(file->program.has_value()) << path;
    const Verdicts before = Check(*file->program).verdicts;
    EXPECT_EQ(before[static_cast<size_t>(Policy::kShareAll)], Verdict::kUnsafe) << path;
    for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
      const Report report = Check(Renumbered(*file->program, seed));
      for (const Policy p : kAllPolicies) {
        const auto i = static_cast<size_t>(p);
        if (before[i] != Verdict::kUnsafe) continue;
        EXPECT_EQ(report.verdicts[i], Verdict::kUnsafe)
            << path << " seed " << seed << " " << Name(p) << Brief(report.findings);
      }
    }
  }
}

// What changes nothing of what a program does changes no verdict.
void ExpectUnchanged(const std::filesystem::path& root,
                     Program (*change)(const Program&, uint32_t)) {
  ForEachReal(root, [&](const RealFile& file, const Verdicts& before) {
    for (uint32_t seed = 1; seed <= 3; ++seed) {
      const Report report = Check(change(*file.program, seed));
      EXPECT_EQ(report.verdicts, before) << file.name << " seed " << seed << Brief(report.findings);
    }
  });
}

TEST_P(RealVerdicts, StayForAnyOrderOfMethods) {
  ExpectUnchanged(GetParam(), WithMethodsShuffled);
}

TEST_P(RealVerdicts, StayForAnyOrderOfOperators) {
  ExpectUnchanged(GetParam(), WithOperatorsShuffled);
}

TEST_P(RealVerdicts, StayForOtherLiterals) {
  ExpectUnchanged(GetParam(), WithOtherLiterals);
}

bool TouchesNoBuffer(const ManifestMethod& method) {
  return method.reads.has_value() && method.reads->empty() && method.mutates.has_value() &&
         method.mutates->empty();
}

// A second copy of a method with state would have, under some loaders, a state of its own.
TEST_P(RealVerdicts, StayWithAStatelessMethodTwice) {
  int doubled = 0;
  ForEachReal(GetParam(), [&](const RealFile& file, const Verdicts& before) {
    if (!file.manifest.has_value()) return;
    for (size_t m = 0; m < file.program->methods.size(); ++m) {
      const std::string& name = file.program->methods[m].name;
      const auto stated = file.manifest->methods.find(name);
      if (stated == file.manifest->methods.end() || !TouchesNoBuffer(stated->second)) continue;
      const Report report = Check(WithMethodTwice(*file.program, m));
      EXPECT_EQ(report.verdicts, before) << file.name << " " << name << Brief(report.findings);
      ++doubled;
    }
  });
  EXPECT_GE(doubled, 60);
}

}  // namespace
}  // namespace pteproof
