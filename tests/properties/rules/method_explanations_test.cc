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
              testing::ElementsAre("warning output-misbound pick#1 v3 v1 under private share-1-2"));
  EXPECT_EQ(
      ExplanationOf(report, rule::kOutputMisbound),
      "Output 1 (v3) is bound to memory of the caller, but instruction 1 (move) gives its name "
      "to v1 bank 1 [32,64).\n"
      "The output's value is right, but it need not be in the memory that the caller has set.");
  EXPECT_EQ(FixOf(report, rule::kOutputMisbound),
            "Plan the outputs, or copy the result of the region instead of moving it.");
}

// A byte tensor of `bytes` bytes, and a result at 18.
Report Misaligned(int32_t bytes) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {bytes}, {}, ScalarType::kUInt8);
  b.Input(a);
  const int32_t out = b.Planned(1, 18, {4});
  b.Call("aten::abs.out", {a, out, out});
  b.Output(out);
  return Check(ProgramOf({b.Build()}));
}

TEST(MethodExplanations, TellWhetherAMisalignedValueIsPacked) {
  EXPECT_EQ(ExplanationOf(Misaligned(18), rule::kPlanAlignment),
            "v1 bank 1 [18,34) starts at an offset that is not a multiple of its element size, 4 "
            "bytes.\n"
            "Another value ends at that offset: the plan packs values without alignment.\n"
            "Such accesses are slow on many processors and fault on some.");
  EXPECT_EQ(FixOf(Misaligned(18), rule::kPlanAlignment), "Plan with a larger alignment.");
  EXPECT_EQ(ExplanationOf(Misaligned(16), rule::kPlanAlignment),
            "v1 bank 1 [18,34) starts at an offset that is not a multiple of its element size, 4 "
            "bytes.\n"
            "No value ends at that offset: no packing of values leads to it.\n"
            "Such accesses may fault.");
  EXPECT_EQ(FixOf(Misaligned(16), rule::kPlanAlignment), "Plan the method again.");
}

TEST(MethodExplanations, TellWhatReachesBeyondWhichBank) {
  MethodBuilder b("wide");
  const int32_t x = b.Planned(2, 0, {8});
  b.Input(x);
  b.method().bank_sizes[2] = 24;
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kPlanBounds),
            "v0 bank 2 [0,32) reaches past the end of its bank.\n"
            "Bank 2 of 'wide' has 24 bytes.\n"
            "Loaders refuse the method.");
}

TEST(MethodExplanations, TellWhichOperandTheResultLiesOn) {
  MethodBuilder b;
  b.Output(b.Planned(1, 64, {8}));
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t flipped = b.Planned(1, 16, {8});
  b.Flip(x, flipped);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kInPlaceAlias),
            "Instruction 0 (aten::flip.out) reads v1 bank 1 [0,32).\n"
            "The same instruction writes v2 bank 1 [16,48) to some of these bytes.\n"
            "It reads bytes that it has already overwritten, so its result is wrong.");
}

TEST(MethodExplanations, TellWhichConstantIsWritten) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Copy(b.Constant(3, {8}), x);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kInPlaceAlias),
            "Instruction 0 (aten::copy_) writes v1 (constant data 3).\n"
            "The file holds that value as a constant.\n"
            "Every later call reads the changed constant. If the file is mapped read-only, the "
            "write ends the process.");
}

TEST(MethodExplanations, TellWhichResultIsNotTheUpdatedOperand) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t y = b.Planned(1, 32, {8});
  b.Input(x);
  b.Input(y);
  const int32_t returned = b.Planned(1, 64, {4});
  b.Call("aten::copy_", {x, y, b.Bool(false), returned});
  b.Output(returned);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kInPlacePassThrough),
            "Instruction 0 (aten::copy_) returns v2 bank 1 [64,80) as its result.\n"
            "The operand that it writes, and that takes the place of the result, is v0 bank 1 "
            "[0,32).\n"
            "The two differ in type or shape, so readers of the result get a wrong value.");
}

TEST(MethodExplanations, CountTheStatesWithoutNames) {
  for (const bool two : {false, true}) {
    MethodBuilder b("put");
    const int32_t x = b.Planned(1, 0, {8});
    b.Input(x);
    b.Copy(b.Planned(2, 0, {8}), x);
    if (two) b.Copy(b.Planned(2, 32, {8}), x);
    const Report report = Check(ProgramOf({b.Build()}));
    EXPECT_EQ(
        ExplanationOf(report, rule::kNotProvable),
        std::string("In 'put' ") +
            (two ? "2 values have no name and are taken for buffers"
                 : "one value has no name and is taken for a buffer") +
            ".\n"
            "Such a buffer keeps its value from call to call, and buffers of other methods at "
            "the same place are the same buffer.\n"
            "If that is wrong, the verdict may be wrong.");
    EXPECT_EQ(FixOf(report, rule::kNotProvable), "Export with buffer names, or give a manifest.");
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
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kMemoryMissing),
            "v1 'state' keeps its value from call to call and has no placement.\n"
            "ExecuTorch's own loaders give it no memory: a call follows a null pointer.\n"
            "The file does not say whether another loader supplies that memory.");
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
            "128 bytes of bank 1 are reserved in 'gaps' and used by no instruction "
            "(bank 1 [64,192)).\n"
            "The file does not show what the exporter reserved them for.\n"
            "Results are right, but the device reserves memory that it never uses.");
  EXPECT_THAT(ExplanationOf(Reserved({0, 192, 448}, 512), rule::kPhantomSlot),
              testing::StartsWith("320 bytes of bank 1 are reserved in 'gaps' and used by no "
                                  "instruction (bank 1 [64,192) and others).\n"));
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
            "Bank 1 of 'apart' has 1024 bytes, and its peak live bytes are 256.\n"
            "A better plan may save up to 768 bytes.\n"
            "Results are right, but the device reserves more memory than it needs.");
}

}  // namespace
}  // namespace pteproof
