// Pairs that numbers show to lie apart need not be listed: the rest of the list, its counts and the
// verdicts are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "properties/proofs/prove.h"
#include "tests/support/method_builder.h"
#include "tests/support/real_file.h"

namespace pteproof::proofs {
namespace {

void ExpectOneMeaning(const RealFile& file, const Manifest* manifest) {
  const Obligations whole = ObligationsOf(*file.program, {.manifest = manifest});
  const Obligations counted =
      ObligationsOf(*file.program, {.manifest = manifest, .counts_held = true});
  EXPECT_EQ(whole.held, 0U) << file.name;
  EXPECT_EQ(counted.held + counted.list.size(), whole.list.size()) << file.name;
  EXPECT_EQ(counted.pairs, whole.pairs) << file.name;
  EXPECT_EQ(counted.swept, whole.swept) << file.name;
  // What is listed is in the other list too, in its order.
  size_t next = 0;
  for (const Obligation& o : counted.list) {
    while (next < whole.list.size() && whole.list[next].refuted != o.refuted) ++next;
    ASSERT_LT(next, whole.list.size()) << file.name << ": " << o.refuted;
  }
}

TEST(CountsHeld, LeavesOnlyOutWhatHolds) {
  for (const auto& file : ReadAllReal(OwnRealRoot())) {
    if (!file->program.has_value()) continue;
    ExpectOneMeaning(*file, nullptr);
    if (file->manifest.has_value()) ExpectOneMeaning(*file, &*file->manifest);
  }
}

// A value that no instruction writes, in the bytes of `parts` values of 32 bytes, each written by
// one instruction.
Program Concatenation(int32_t parts, uint64_t last_offset) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {8});
  b.Input(in);
  std::vector<int32_t> values;
  for (int32_t p = 0; p < parts; ++p) {
    const auto usual = 32 + 32 * static_cast<uint64_t>(p);
    values.push_back(b.Planned(1, p + 1 == parts ? last_offset : usual, {8}));
  }
  for (const int32_t value : values) b.Add(in, in, value);
  const int32_t whole = b.Planned(1, 32, {8 * parts});
  const int32_t out = b.Planned(1, 32 + 32 * static_cast<uint64_t>(parts), {8 * parts});
  b.Flip(whole, out);
  b.Output(out);
  return ProgramOf({b.Build()});
}

TEST(CountsHeld, TakesNoMemoryForThePartsOfALongConcatenation) {
  constexpr int32_t kParts = 600;
  const Program program = Concatenation(kParts, 32 * kParts);
  const Proof proof = Prove(program, {.counts_held = true});
  EXPECT_EQ(proof.verdicts[0], Verdict::kSafe);
  EXPECT_GT(proof.obligations.pairs, size_t{kParts} * (kParts - 1) / 2);
  EXPECT_EQ(proof.obligations.swept, proof.obligations.pairs);
  EXPECT_LT(proof.obligations.list.size(), size_t{10} * kParts);
  EXPECT_EQ(Count(proof).proved, proof.obligations.list.size() + proof.obligations.held);
}

// The last part lies over the first one.
TEST(CountsHeld, ListsThePairThatMeets) {
  constexpr int32_t kParts = 50;
  const Program program = Concatenation(kParts, 32);
  const Proof whole = Prove(program, {});
  const Proof counted = Prove(program, {.counts_held = true});
  EXPECT_EQ(whole.verdicts[0], Verdict::kUnsafe);
  EXPECT_EQ(counted.verdicts, whole.verdicts);
  EXPECT_EQ(Count(counted).refuted, Count(whole).refuted);
  EXPECT_EQ(Count(counted).proved, Count(whole).proved);
  EXPECT_EQ(Count(counted).by_constants, Count(whole).by_constants);
}

}  // namespace
}  // namespace pteproof::proofs
