// What findings about one method say, word by word: every name and number in its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

TEST(MethodExplanations, TellWhichOutputTheCallersMemoryDoesNotGet) {
  MethodBuilder b("pick");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(x, x, sum);
  const int32_t joined = b.Unplanned({8});
  b.Move(sum, joined);
  b.Output(x);
  b.Output(joined);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kOutputMisbound),
              testing::ElementsAre("error output-misbound pick#1 v3 v1 under private share-1-2"));
  EXPECT_EQ(
      ExplanationOf(report, rule::kOutputMisbound),
      "Output 1 (v3) is bound to the caller's memory, but instruction 1 (move) gives its name "
      "to v1 bank 1 [32,64).\n"
      "The caller's memory gets no result, and the next call binds it over the planned "
      "tensor.\n"
      "Plan the outputs, or copy the region's result.");
}

// A byte tensor of `bytes` bytes, and a result at 18.
std::string MisalignedExplanation(int32_t bytes) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {bytes}, {}, ScalarType::kUInt8);
  b.Input(a);
  const int32_t out = b.Planned(1, 18, {4});
  b.Call("aten::abs.out", {a, out, out});
  b.Output(out);
  return ExplanationOf(Check(ProgramOf({b.Build()})), rule::kPlanAlignment);
}

TEST(MethodExplanations, TellWhetherAMisalignedValueIsPacked) {
  EXPECT_EQ(MisalignedExplanation(18),
            "v1 bank 1 [18,34) starts at an offset that is no multiple of its 4-byte elements.\n"
            "The plan is packed tighter than that: another value ends there.\n"
            "Such accesses are slow on many processors, a fault on some: plan with a larger "
            "alignment.");
  EXPECT_EQ(MisalignedExplanation(16),
            "v1 bank 1 [18,34) starts at an offset that is no multiple of its 4-byte elements.\n"
            "No planner packs it there: nothing ends at that byte.\n"
            "Processors may fault on such accesses: plan the method anew.");
}

TEST(MethodExplanations, TellWhatReachesBeyondWhichBank) {
  MethodBuilder b("wide");
  const int32_t x = b.Planned(2, 0, {8});
  b.Input(x);
  b.method().bank_sizes[2] = 24;
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kPlanBounds),
            "v0 bank 2 [0,32) reaches beyond its bank:\n"
            "bank 2 of 'wide' has 24 bytes.\n"
            "Loaders refuse the method: plan it anew, or export it with a bank of that size.");
}

TEST(MethodExplanations, TellWhichOperandTheResultLiesOn) {
  MethodBuilder b;
  b.Output(b.Planned(1, 64, {8}));
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t flipped = b.Planned(1, 16, {8});
  b.Flip(x, flipped);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kInPlaceAlias),
            "instruction 0 (aten::flip.out) reads v1 bank 1 [0,32)\n"
            "and writes v2 bank 1 [16,48) over the same bytes.\n"
            "It reads bytes that it has already overwritten. Give the result a place of its own.");
}

TEST(MethodExplanations, TellWhichConstantIsWritten) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Copy(b.Constant(3, {8}), x);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kInPlaceAlias),
            "instruction 0 (aten::copy_) writes v1 (constant data 3), which the file holds as a "
            "constant.\n"
            "Each later call starts from the changed constant; where the file is mapped read-only, "
            "the process ends.\n"
            "Copy the constant before it is updated.");
}

TEST(MethodExplanations, TellWhichResultIsNotTheUpdatedOperand) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t y = b.Planned(1, 32, {8});
  b.Input(x);
  b.Input(y);
  const int32_t returned = b.Planned(1, 64, {8});
  b.Call("aten::copy_", {x, y, b.Bool(false), returned});
  b.Output(returned);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kInPlacePassThrough),
            "instruction 0 (aten::copy_) returns v2 bank 1 [64,96)\n"
            "as its result, but writes v0 bank 1 [0,32).\n"
            "The result must be the written operand itself: same bytes, same type, same shape.");
}

TEST(MethodExplanations, CountTheStatesWithoutNames) {
  for (const bool two : {false, true}) {
    MethodBuilder b("put");
    const int32_t x = b.Planned(1, 0, {8});
    b.Input(x);
    b.Copy(b.Planned(2, 0, {8}), x);
    if (two) b.Copy(b.Planned(2, 32, {8}), x);
    const Report report = Check(ProgramOf({b.Build()}));
    EXPECT_EQ(ExplanationOf(report, rule::kNotProvable),
              std::string(two ? "2 values are" : "One value is") +
                  " in 'put' without a name.\n"
                  "Each is taken for a buffer that keeps its value from call to call, one with any "
                  "other method's at that place.\n"
                  "If that is wrong, so is the verdict: export with names, or give a manifest.");
    EXPECT_THAT(LinesOf(report), testing::ElementsAre("note not-provable put v1 bank 2 [0,32)"));
  }
}

TEST(MethodExplanations, TellWhichStateHasNoPlacement) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t state = b.Planned(2, 0, {8}, "state");
  b.TensorAt(state).planned = false;
  b.Add(state, x, x);
  b.Copy(state, x);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kNotProvable),
            "v1 'state' has no placement.\n"
            "The caller must bring its memory, and keep it from call to call.\n"
            "What else lies there the file does not say: give it bytes of its own.");
}

// One value at each of the places, in a bank of `size` bytes.
Report Reserved(std::vector<uint64_t> places, uint64_t size) {
  MethodBuilder b("gaps");
  const int32_t x = b.Planned(2, 0, {16});
  b.Input(x);
  for (const uint64_t place : places) b.Output(b.Planned(1, place, {16}));
  for (const int32_t v : b.method().outputs) b.Mul(x, x, v);
  b.method().bank_sizes[1] = size;
  return Check(ProgramOf({b.Build()}));
}

TEST(MethodExplanations, TellHowManyBytesAreReservedForNothing) {
  EXPECT_EQ(ExplanationOf(Reserved({0, 192}, 256), rule::kPhantomSlot),
            "128 bytes of bank 1 in 'gaps' (bank 1 [64,192)),\n"
            "which the exporter reserved and nothing uses.\n"
            "Runs are right, but the device pays for them.");
  EXPECT_THAT(ExplanationOf(Reserved({0, 192, 448}, 512), rule::kPhantomSlot),
              testing::StartsWith("320 bytes of bank 1 in 'gaps' (bank 1 [64,192) and others),\n"
                                  "which the exporter"));
}

TEST(MethodExplanations, TellHowMuchABetterPlanMaySave) {
  MethodBuilder b("apart");
  const int32_t x = b.Planned(2, 0, {64});
  b.Input(x);
  for (const uint64_t place : {0U, 256U, 512U, 768U}) {
    const int32_t v = b.Planned(1, place, {64});
    b.Mul(x, x, v);
    b.Mul(v, v, x);
  }
  b.Output(x);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kPlanWaste),
            "Bank 1 of 'apart' has 1024 bytes; at most 256 are live at one time.\n"
            "A better plan may save up to 768 bytes.\n"
            "Runs are right, but the device pays for them: try another planning algorithm.");
}

}  // namespace
}  // namespace pteproof
