// Every obligation of every real program is decided, and what they come to is what the check says,
// which shares nothing with the proofs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "properties/agreement/confirm.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/collection.h"
#include "tests/support/counts.h"
#include "tests/support/real_file.h"

namespace pteproof::proofs {
namespace {

using testing::IsSupersetOf;

// Kinds of obligations by how some of them ended.
struct Kinds {
  std::set<std::string_view> proved;
  std::set<std::string_view> refuted;
  std::set<std::string_view> checked;  // rules in which nothing is computed that do not hold
};

void Compare(const RealFile& file, const Manifest* manifest, Kinds& kinds) {
  const std::string where = file.name + (manifest != nullptr ? " with its manifest" : "");
  ObligeOptions options;
  options.manifest = manifest;
  const Proof proof = Prove(*file.program, options);
  const Report report = Check(*file.program, {.manifest = manifest});
  EXPECT_EQ(proof.verdicts, report.verdicts) << where;
  EXPECT_EQ(proof.obligations.assumptions, report.assumptions) << where;
  EXPECT_TRUE(proof.obligations.IsComplete()) << where;
  EXPECT_TRUE(proof.obligations.swept.has_value()) << where;
  for (size_t o = 0; o < proof.decisions.size(); ++o) {
    const Decision& decision = proof.decisions[o];
    const Obligation& obligation = proof.obligations.list[o];
    EXPECT_NE(decision.answer, Answer::kUnknown) << where << ": " << decision.reason;
    EXPECT_FALSE(decision.vacuous) << where;
    if (decision.answer == Answer::kProved) kinds.proved.insert(obligation.kind);
    if (decision.answer != Answer::kRefuted) continue;
    (obligation.checked ? kinds.checked : kinds.refuted).insert(obligation.kind);
    EXPECT_TRUE(IsConfirmed(obligation, decision, report)) << where << ": " << obligation.refuted;
  }
}

Kinds CompareAll(const std::filesystem::path& root) {
  Kinds kinds;
  for (const auto& file : ReadAllReal(root)) {
    if (!file->program.has_value()) continue;
    Compare(*file, nullptr, kinds);
    if (file->manifest.has_value()) Compare(*file, &*file->manifest, kinds);
  }
  return kinds;
}

TEST(CorpusProofs, AreAllDecidedAndSayWhatTheCheckSays) {
  RecordProperty("slow", "proves the plans of every program of the corpus");
  const Kinds kinds = CompareAll(OwnRealRoot());
  // None of the kinds is a formality: each holds somewhere and is broken somewhere.
  const std::set<std::string_view> sound = {
      "plan-overlap",    "alias-lifetime", "in-place-alias", "in-place-single-use",
      "state-clobbered", "shared-layout",  "region-escape",  "plan-bounds"};
  const std::set<std::string_view> broken = {"alias-lifetime", "in-place-alias",
                                             "in-place-single-use", "region-escape", "plan-bounds"};
  const std::set<std::string_view> checked = {
      "shared-layout",       "state-split",     "state-clobbered",   "write-back-missing",
      "entry-value-lost",    "output-misbound", "initialised-twice", "initial-value-wrong",
      "mutability-mismatch", "bound-too-small", "read-before-write"};
  EXPECT_THAT(kinds.proved, IsSupersetOf(sound));
  EXPECT_THAT(kinds.refuted, IsSupersetOf(broken));
  EXPECT_THAT(kinds.checked, IsSupersetOf(checked));
}

class CollectionProofs : public testing::TestWithParam<std::filesystem::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CollectionProofs);

TEST_P(CollectionProofs, AreAllDecidedAndSayWhatTheCheckSays) {
  EXPECT_FALSE(CompareAll(GetParam()).proved.empty());
}

// Instrumented, it takes minutes, and the own files have the same shapes.
std::vector<std::filesystem::path> FoldersToProve() {
  std::vector<std::filesystem::path> folders;
  if (!IsCampaign()) return folders;
  for (const char* below : {"corpus/exported", "corpus/public"}) {
    std::ranges::copy(InCollection(below), std::back_inserter(folders));
  }
  return folders;
}

INSTANTIATE_TEST_SUITE_P(Collection, CollectionProofs, testing::ValuesIn(FoldersToProve()),
                         NameOfFolder);

}  // namespace
}  // namespace pteproof::proofs
