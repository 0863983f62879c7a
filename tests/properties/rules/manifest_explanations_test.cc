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
            "The model returns 3 and mutates 1 inputs, which come back too.\n"
            "Callers that go by position get the wrong ones: export anew, or correct the "
            "manifest.");
}

TEST(ManifestExplanations, TellWhatComesBackForAMutatedInput) {
  const Report report = CheckWith(
      Updates(1, 3), Stated(R"({"mutates_inputs": [1], "outputs": [{"value": "result"}]})"));
  EXPECT_EQ(ExplanationOf(report, rule::kOutputMisbound),
            "Output 0 should be the new value of input 1;\n"
            "the program returns v1 bank 1 [0,32).\n"
            "The caller gets another value: export the method anew, or correct the manifest.");
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
  EXPECT_THAT(ExplanationOf(report, rule::kOutputMisbound),
              testing::EndsWith("export without the in-place rewrite."));
}

TEST(ManifestExplanations, TellWhatComesBackForAnEntryValue) {
  const Report report = CheckWith(Updates(3, 0), Stated(R"({"outputs": [
      {"value": "result"}, {"value": "entry", "of_input": 0}]})"));
  EXPECT_EQ(ExplanationOf(report, rule::kOutputMisbound),
            "Output 1 should be the entry value of v1 bank 1 [0,32);\n"
            "the program returns v0 'level' bank 2 [0,32).\n"
            "The caller gets another value: export the method anew, or correct the manifest.");
}

TEST(ManifestExplanations, TellWhichStoreGoesOverAnEntryValue) {
  const Report report = CheckWith(Updates(3, 2), Stated(R"({"outputs": [
      {"value": "result"}, {"value": "entry", "of_input": 1}]})"));
  EXPECT_EQ(ExplanationOf(report, rule::kEntryValueLost),
            "Output 1 is the entry value of v2 bank 1 [32,64),\n"
            "but the program returns that storage itself, and instruction 1 (aten::copy_) writes "
            "it.\n"
            "The caller gets the stored value: clone the old one before the store.");
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
            "instruction 0 (aten::copy_) writes input 1 (v1), the caller's own memory.\n"
            "The model does not mutate it, nor does the caller allow it.\n"
            "The caller's tensor changes under it: copy the input before it is updated.");
}

TEST(ManifestExplanations, TellHowABufferIsRegistered) {
  const Report report = CheckWith(Updates(2, 3), R"({"pteproof": 1, "buffers": {
      "level": {"dtype": "int64", "sizes": [2, 8]}}})");
  EXPECT_EQ(ExplanationOf(report, rule::kSharedLayout),
            "Buffer v0 'level' bank 2 [0,32) of 'step' is registered as int64 with 128 bytes.\n"
            "The name stands at another tensor, or the method lays the buffer out differently.\n"
            "What one method stores, another does not find: give it one size everywhere.");
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
            "Buffer v0 'level' bank 2 [0,32) of 'step' has a registered value that the file does "
            "not hold for this method.\n"
            "Called first, the method reads bytes that nothing has written.\n"
            "Its results are wrong from the first call on: export the initial value.");
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
