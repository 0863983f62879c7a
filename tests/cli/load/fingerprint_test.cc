// Fingerprints stay while the mistake stays: over other numbers of values and another order of
// methods. They tell rules, methods and values of other names or types apart.
#include "cli/load/fingerprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "pteproof/check.h"
#include "tests/support/real_file.h"
#include "tests/support/renumber.h"

namespace pteproof {
namespace {

std::map<std::string, int> FingerprintsOf(const Program& program) {
  std::map<std::string, int> count;
  for (const Finding& finding : Check(program, {}).findings) {
    ++count[std::string(finding.rule) + " " + FingerprintOf(finding, program)];
  }
  return count;
}

const RealFile& CondSiblings() {
  static const auto file =
      ReadReal(OwnRealRoot(), OwnRealRoot() / "bugs/cond-siblings/cond-siblings.pte");
  return *file;
}

TEST(Fingerprint, StaysWhenValuesAreRenumberedAndMethodsMove) {
  for (const char* name : {"cond-siblings", "private-state", "sizes-disagree", "in-place-self",
                           "cond-state", "in-place-on-constant", "stale-pass"}) {
    const auto path = OwnRealRoot() / "bugs" / name / (std::string(name) + ".pte");
    const auto file = ReadReal(OwnRealRoot(), path);
    ASSERT_TRUE(file->program.has_value()) << name;
    const auto before = FingerprintsOf(*file->program);
    EXPECT_FALSE(before.empty()) << name;
    for (uint32_t seed = 1; seed <= 5; ++seed) {
      EXPECT_EQ(FingerprintsOf(Renumbered(*file->program, seed)), before) << name;
      EXPECT_EQ(FingerprintsOf(WithMethodsShuffled(*file->program, seed)), before) << name;
    }
  }
}

TEST(Fingerprint, LeavesOutPlacesAndWords) {
  const Program& program = *CondSiblings().program;
  Finding finding = Check(program, {}).findings.front();
  const std::string before = FingerprintOf(finding, program);
  EXPECT_EQ(before.size(), 32U);
  finding.bytes = ByteRange{64, 128};
  finding.explanation = "In other words.";
  finding.fix = "Another one.";
  finding.suppressed_because = "known";
  finding.policies = PolicySet::Of(Policy::kPrivate);
  EXPECT_EQ(FingerprintOf(finding, program), before);
}

TEST(Fingerprint, TellsMeaningsApart) {
  const Program& program = *CondSiblings().program;
  const Finding finding = Check(program, {}).findings.front();
  std::set<std::string> all = {FingerprintOf(finding, program)};
  const auto add = [&](auto change) {
    Finding other = finding;
    change(other);
    EXPECT_TRUE(all.insert(FingerprintOf(other, program)).second);
  };
  add([](Finding& f) { f.rule = "plan-overlap"; });
  add([](Finding& f) { f.severity = Severity::kWarning; });
  add([](Finding& f) { f.undecided = true; });
  add([](Finding& f) { f.method = "backward"; });
  add([](Finding& f) { f.other_method = "backward"; });
  add([](Finding& f) { f.bank = 7; });
  add([](Finding& f) { f.instruction = -1; });
  add([](Finding& f) { f.values.clear(); });
}

TEST(Fingerprint, TakesIndicesThatTheProgramDoesNotHave) {
  const Program& program = *CondSiblings().program;
  Finding finding = Check(program, {}).findings.front();
  finding.values = {-1, 1'000'000};
  finding.instruction = 1'000'000;
  EXPECT_EQ(FingerprintOf(finding, program).size(), 32U);
}

}  // namespace
}  // namespace pteproof
