// What findings say of a program beside its manifest, word by word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

// Reads 'level' (v0), updates its second input (v2), and returns two of its values.
Program Updates(int32_t first, int32_t second) {
  MethodBuilder b("step");
  const int32_t level = b.Planned(2, 0, {8}, "level");
  b.TensorAt(level).data_index = 1;
  b.Input(b.Planned(1, 0, {8}));
  const int32_t y = b.Planned(1, 32, {8});
  b.Input(y);
  const int32_t sum = b.Planned(1, 64, {8});
  b.Add(level, y, sum);
  b.Copy(y, sum);
  b.Output(first);
  b.Output(second);
  Program program = ProgramOf({b.Build()});
  program.initial_values.resize(2);
  return program;
}

std::string Stated(std::string_view of_step) {
  return R"({"pteproof": 1, "methods": {"step": )" + std::string(of_step) + "}}";
}

TEST(ManifestExplanations, CountWhatTheModelReturns) {
  const Report report = CheckWith(Updates(2, 3), Stated(R"({"mutates_inputs": [1], "outputs":
      [{"value": "result"}, {"value": "result"}, {"value": "result"}]})"));
  EXPECT_EQ(ExplanationOf(report, rule::kOutputMisbound),
            "The program returns 2 values.\n"
            "The model returns 3 values and mutates 1 inputs, which are outputs as well.\n"
            "A caller that takes outputs by position gets the wrong ones.");
  EXPECT_EQ(FixOf(report, rule::kOutputMisbound), "Export again, or correct the manifest.");
}

TEST(ManifestExplanations, TellWhatComesBackForAMutatedInput) {
  const Report report = CheckWith(
      Updates(1, 3), Stated(R"({"mutates_inputs": [1], "outputs": [{"value": "result"}]})"));
  EXPECT_EQ(ExplanationOf(report, rule::kOutputMisbound),
            "Output 0 must be the new value of input 1.\n"
            "The program returns v1 bank 1 [0,32).\n"
            "The caller gets the value of another tensor.");
  EXPECT_EQ(FixOf(report, rule::kOutputMisbound),
            "Export the method again, or correct the manifest.");
}

// The in-place rewrite is named where an instruction works in place.
TEST(ManifestExplanations, TellOfTheInPlaceRewriteWhereThereIsOne) {
  MethodBuilder b("step");
  const int32_t cache = b.Planned(2, 0, {8}, "cache");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.IndexPut(cache, b.Constant(1, {1}, ScalarType::kInt64), x);
  b.Copy(x, x);
  b.Output(cache);
  Program program = ProgramOf({b.Build()});
  program.constants.resize(2);
  const Report report = CheckWith(program, Stated(R"({"mutates_inputs": [0], "outputs": []})"));
  EXPECT_EQ(FixOf(report, rule::kOutputMisbound),
            "Export without the in-place rewrite, or correct the manifest.");
}

TEST(ManifestExplanations, TellWhatComesBackForAnEntryValue) {
  const Report report = CheckWith(Updates(3, 0), Stated(R"({"outputs": [
      {"value": "result"}, {"value": "entry", "of_input": 0}]})"));
  EXPECT_EQ(ExplanationOf(report, rule::kOutputMisbound),
            "Output 1 must be the entry value of v1 bank 1 [0,32).\n"
            "The program returns v0 'level' bank 2 [0,32).\n"
            "The caller gets the value of another tensor.");
}

TEST(ManifestExplanations, TellWhichStoreGoesOverAnEntryValue) {
  const Report report = CheckWith(Updates(3, 2), Stated(R"({"outputs": [
      {"value": "result"}, {"value": "entry", "of_input": 1}]})"));
  EXPECT_EQ(ExplanationOf(report, rule::kEntryValueLost),
            "Output 1 must be the value of v2 bank 1 [32,64) at entry.\n"
            "The program returns that storage itself, and instruction 1 (aten::copy_) writes it.\n"
            "The caller gets the stored value.");
  EXPECT_EQ(FixOf(report, rule::kEntryValueLost),
            "Clone the old value in the model before the store.");
}

TEST(ManifestExplanations, TellWhichInputIsWritten) {
  MethodBuilder b("step");
  const int32_t x = b.Unplanned({8});
  const int32_t y = b.Unplanned({8});
  b.Input(x);
  b.Input(y);
  b.Copy(y, x);
  const Report report = CheckWith(ProgramOf({b.Build()}), Stated(R"({"mutates_inputs": [0]})"));
  EXPECT_EQ(ExplanationOf(report, rule::kInPlaceAlias),
            "Instruction 0 (aten::copy_) writes input 1 (v1), which is memory of the caller.\n"
            "The manifest lists the input neither in `mutates_inputs` nor in `in_place_inputs`.\n"
            "The caller's tensor changes during the call.");
  EXPECT_EQ(FixOf(report, rule::kInPlaceAlias),
            "Copy the input in the model before it is updated, or list it in the manifest.");
}

TEST(ManifestExplanations, TellHowABufferIsRegistered) {
  const Report report = CheckWith(Updates(2, 3), R"({"pteproof": 1, "buffers": {
      "level": {"dtype": "int64", "sizes": [2, 8]}}})");
  EXPECT_EQ(ExplanationOf(report, rule::kSharedLayout),
            "Buffer v0 'level' bank 2 [0,32) of 'step' is registered as int64 with 128 bytes.\n"
            "The name belongs to another tensor, or the method gives the buffer another type or "
            "size.\n"
            "A method does not find the value that another one stored.");
  EXPECT_EQ(FixOf(report, rule::kSharedLayout),
            "Give the buffer one type and size in all methods.");
}

TEST(ManifestExplanations, TellThatARegisteredValueIsNotInTheFile) {
  MethodBuilder b("step");
  const int32_t level = b.Planned(2, 0, {8}, "level");
  const int32_t out = b.Planned(1, 0, {8});
  b.Add(level, level, out);
  b.Copy(level, out);
  const Report report = CheckWith(ProgramOf({b.Build()}), R"({"pteproof": 1, "buffers": {
      "level": {"initial": "stored"}}})");
  EXPECT_EQ(ExplanationOf(report, rule::kReadBeforeWrite),
            "Buffer v0 'level' bank 2 [0,32) of 'step' has a registered initial value that the "
            "file does not hold for this method.\n"
            "If the method is called first, it reads bytes that nothing has written.\n"
            "Its results are wrong from the first call on.");
  EXPECT_EQ(FixOf(report, rule::kReadBeforeWrite),
            "Export the initial value: name 'level' in `InitializedMutableBufferPass`.");
}

// What the program returns for an input or a buffer may be a copy, and what the program does not
// have is nothing that another value stands in the place of.
TEST(ManifestExplanations, AreNoneForCopiesAndForWhatIsNotThere) {
  const auto misbound = [](int32_t first, int32_t second, std::string_view stated) {
    return LinesOf(CheckWith(Updates(first, second), Stated(stated)), rule::kOutputMisbound);
  };
  EXPECT_THAT(misbound(3, 3, R"({"mutates_inputs": [1], "outputs": [{"value": "result"}]})"),
              testing::IsEmpty());
  EXPECT_THAT(misbound(1, 3, R"({"mutates_inputs": [2], "outputs": [{"value": "result"}]})"),
              testing::IsEmpty());
  EXPECT_THAT(misbound(3, 1, R"({"outputs": [{"value": "result"},
                                             {"value": "entry", "of_input": 2}]})"),
              testing::IsEmpty());
  EXPECT_THAT(misbound(3, 1, R"({"outputs": [{"value": "result"},
                                             {"value": "entry", "of": "gone"}]})"),
              testing::IsEmpty());
}

}  // namespace
}  // namespace pteproof
