// Proofs through the public header: verdicts of files of which they are known, and how a proof ends
// early.
#include "pteproof/prove.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "pteproof/read.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

ProgramFile RealBug(const std::string& name) {
  return ReadProgramFile(std::filesystem::path(PTEPROOF_CORPUS_DIR) / "real/bugs" / name /
                         (name + ".pte"))
      .value();
}

TEST(Prove, ProvesSoundFiles) {
  for (const char* name : {"cond-map-ok", "in-place-flip-ok"}) {
    const ProgramFile file = RealBug(name);
    const Proof proof = Prove(file.program);
    EXPECT_EQ(OverallOf(proof.verdicts, std::nullopt), Overall::kSafe) << name;
    EXPECT_TRUE(proof.complete);
    EXPECT_GT(proof.proved, 0U);
    EXPECT_THAT(proof.open, IsEmpty());
    EXPECT_THAT(proof.solver, HasSubstr("Z3"));
  }
}

TEST(Prove, NamesWhatIsRefuted) {
  for (const char* name : {"cond-map", "in-place-flip"}) {
    const ProgramFile file = RealBug(name);
    const Proof proof = Prove(file.program);
    EXPECT_EQ(OverallOf(proof.verdicts, std::nullopt), Overall::kUnsafe) << name;
    const auto refuted =
        std::ranges::find(proof.open, OpenObligation::Kind::kRefuted, &OpenObligation::kind);
    ASSERT_NE(refuted, proof.open.end()) << name;
    EXPECT_EQ(proof.refuted,
              static_cast<size_t>(std::ranges::count(proof.open, OpenObligation::Kind::kRefuted,
                                                     &OpenObligation::kind)));
    EXPECT_EQ(refuted->method, "forward");
    EXPECT_THAT(refuted->text, Not(IsEmpty()));
    EXPECT_THAT(refuted->values, Not(IsEmpty()));
    EXPECT_FALSE(refuted->suppressed);
  }
}

TEST(Prove, CountsNothingThatTheManifestKnows) {
  const ProgramFile file = RealBug("in-place-flip");
  const Proof alone = Prove(file.program);
  Manifest manifest;
  for (const OpenObligation& open : alone.open) {
    manifest.suppress.push_back({std::string(open.rule), "", "known"});
  }
  const Proof proof = Prove(file.program, {.manifest = &manifest});
  EXPECT_EQ(proof.refuted, alone.refuted);
  EXPECT_TRUE(std::ranges::all_of(proof.open, &OpenObligation::suppressed));
}

TEST(Prove, LeavesOpenWhatItHasNoTimeFor) {
  const ProgramFile file = RealBug("cond-map-ok");
  const Proof proof = Prove(file.program, {.seconds = 0});
  EXPECT_EQ(OverallOf(proof.verdicts, std::nullopt), Overall::kUndecided);
  EXPECT_EQ(proof.unknown, proof.open.size());
  EXPECT_EQ(proof.proved, 0U);
  EXPECT_THAT(proof.open.front().text, HasSubstr("stopped"));
}

TEST(Prove, StopsWhenTheCallerSaysSo) {
  const ProgramFile file = RealBug("cond-map-ok");
  const Proof whole = Prove(file.program);
  ASSERT_GT(whole.proved, 2U);
  const Proof cut = Prove(file.program, {.go_on = [&](size_t done, size_t total) {
                            EXPECT_EQ(total, whole.proved);
                            return done < 2;
                          }});
  EXPECT_EQ(cut.proved, 2U);
  EXPECT_EQ(cut.unknown, whole.proved - 2);
}

TEST(Prove, AsksMoreOfEveryOrder) {
  const ProgramFile file = RealBug("cond-map-ok");
  const auto obligations = [&](ProofOrder order) {
    const Proof proof = Prove(file.program, {.order = order});
    return proof.proved + proof.refuted + proof.unknown;
  };
  EXPECT_GT(obligations(ProofOrder::kAny), obligations(ProofOrder::kListed));
  EXPECT_GE(obligations(ProofOrder::kStrict), obligations(ProofOrder::kAny));
}

}  // namespace
}  // namespace pteproof
