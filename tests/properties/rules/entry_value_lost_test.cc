#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// prev <- view(cur); cur <- new. The view is v5 (made before the store of cur) or a later value.
Method ViewThenStore(bool view_made_first) {
  MethodBuilder b("step");
  const int32_t prev = b.Planned(2, 0, {8}, "prev");
  const int32_t cur = b.Planned(2, 32, {8}, "cur");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(prev, x, sum);
  int32_t view = -1;
  if (view_made_first) view = b.Planned(2, 32, {8});
  b.Copy(cur, sum);
  if (!view_made_first) view = b.Planned(2, 32, {8});
  b.Copy(prev, view);
  b.Output(sum);
  return b.Build();
}

TEST(EntryValueLost, TellsOfAViewThatIsReadAfterTheStoreToItsBuffer) {
  const Report report = Check(ProgramOf({ViewThenStore(true)}));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error entry-value-lost step#1 v5 v1 bank 2 [32,64)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  const std::string explanation = ExplanationOf(report, rule::kEntryValueLost);
  EXPECT_THAT(explanation, HasSubstr("Instruction 2"));  // reads it
  EXPECT_THAT(explanation, HasSubstr("instruction 1"));  // stored before
  EXPECT_THAT(explanation, HasSubstr("at entry"));
  EXPECT_EQ(FixOf(report, rule::kEntryValueLost),
            "Clone the old value in the model before the store.");
}

// What is made after the store means the new value.
TEST(EntryValueLost, IsSilentForAViewThatIsMadeAfterTheStore) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({ViewThenStore(false)}))), IsEmpty());
}

TEST(EntryValueLost, IsSilentWhereTheOldValueIsClonedFirst) {
  MethodBuilder b("step");
  const int32_t prev = b.Planned(2, 0, {8}, "prev");
  const int32_t cur = b.Planned(2, 32, {8}, "cur");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t clone = b.Planned(1, 32, {8});
  b.Call("aten::alias_copy.out", {cur, clone, clone});
  const int32_t sum = b.Planned(1, 64, {8});
  b.Add(prev, x, sum);
  b.Copy(cur, sum);
  b.Copy(prev, clone);
  b.Output(sum);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

TEST(EntryValueLost, OnlyWarnsWhereNobodyReadsTheBufferThatGetsTheWrongValue) {
  MethodBuilder b("step");
  const int32_t prev = b.Planned(2, 0, {8}, "prev");
  const int32_t cur = b.Planned(2, 32, {8}, "cur");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(cur, x, sum);
  const int32_t view = b.Planned(2, 32, {8});
  b.Copy(cur, sum);
  b.Copy(prev, view);
  b.Output(sum);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kEntryValueLost),
              ElementsAre("warning entry-value-lost step#1 v5 v1 bank 2 [32,64)"));
  EXPECT_THAT(LineLengths(ExplanationOf(report, rule::kEntryValueLost)), SizeIs(3));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
}

// Returns its buffer, and stores to it.
Method ReturnsBuffer(bool stores) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(2, 0, {8}, "newest");
  b.TensorAt(state).data_index = 1;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(state, x, out);
  if (stores) b.Copy(state, x);
  b.Output(state);
  b.Output(out);
  return b.Build();
}

TEST(EntryValueLost, TellsOfAnOutputThatIsTheOverwrittenBuffer) {
  Program program = ProgramOf({ReturnsBuffer(true)});
  program.initial_values.emplace_back();
  const Report report = Check(program);
  EXPECT_THAT(TroubleOf(report), ElementsAre("error entry-value-lost step#1 v0 bank 2 [0,32)"));
  EXPECT_EQ(ExplanationOf(report, rule::kEntryValueLost),
            "Output 0 must be the buffer v0 'newest' bank 2 [0,32) as it was before a store.\n"
            "The program returns that storage itself, and instruction 1 (aten::copy_) has "
            "overwritten it.\n"
            "The caller gets the stored value.");
  EXPECT_EQ(FixOf(report, rule::kEntryValueLost),
            "Clone the old value in the model before the store.");
}

// A second value with the buffer's name, at its place, is the buffer.
TEST(EntryValueLost, TellsOfAnOutputByTheSecondNameOfAStoredBuffer) {
  MethodBuilder b("step");
  b.Planned(2, 0, {8}, "newest");
  const int32_t second = b.Planned(2, 0, {8}, "newest");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Copy(second, x);
  b.Output(second);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))),
              ElementsAre("error entry-value-lost step#0 v1 bank 2 [0,32)"));
}

// One loss is one finding, whoever knows of it and however many outputs show it.
TEST(EntryValueLost, IsToldOnceWithAManifestAndForSeveralOutputs) {
  Method method = ReturnsBuffer(true);
  method.outputs.push_back(method.outputs.front());
  Program program = ProgramOf({std::move(method)});
  program.initial_values.emplace_back();
  const std::string lost = "error entry-value-lost step#1 v0 bank 2 [0,32)";
  EXPECT_THAT(TroubleOf(Check(program)), ElementsAre(lost));
  EXPECT_THAT(TroubleOf(CheckWith(program, R"({"pteproof": 1, "methods": {"step":
                  {"mutates_inputs": [], "outputs": [{"value": "entry", "of": "newest"},
                   {"value": "result"}, {"value": "entry", "of": "newest"}]}}})")),
              ElementsAre(lost));
}

TEST(EntryValueLost, IsSilentForABufferThatIsReturnedAndNotStored) {
  Program program = ProgramOf({ReturnsBuffer(false)});
  program.initial_values.emplace_back();
  EXPECT_THAT(TroubleOf(Check(program)), IsEmpty());
}

// x <- x + x in the caller's memory; outputs are the mutated input, and then it again or the sum.
Method MutatedInput(bool returned_again) {
  MethodBuilder b("step");
  const int32_t kept = b.Planned(2, 0, {8}, "kept");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(x, kept, sum);
  b.Copy(kept, x);
  b.Copy(x, sum);
  b.Output(x);
  b.Output(returned_again ? x : sum);
  return b.Build();
}

// A mutated input comes back once on its own account.
TEST(EntryValueLost, TellsOfASecondOutputThatIsTheMutatedInput) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({MutatedInput(true)}))),
              ElementsAre("error entry-value-lost step#2 v1 bank 1 [0,32)"));
}

TEST(EntryValueLost, IsSilentForTheMutatedInputsOwnOutput) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({MutatedInput(false)}))), IsEmpty());
}

// The output is the result of an update in place of the buffer; a store may follow it.
Method ReturnsUpdate(bool stored_afterwards) {
  MethodBuilder b("step");
  const int32_t index = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t state = b.Planned(1, 64, {8}, "d");
  const int32_t y = b.Planned(1, 0, {8});
  const int32_t row = b.Planned(1, 32, {1});
  b.Input(y);
  b.Input(row);
  b.IndexPut(state, index, row);
  if (stored_afterwards) b.Copy(state, y);
  b.Output(state);
  return b.Build();
}

TEST(EntryValueLost, TellsOfAnInPlaceResultThatIsReturnedAfterALaterStore) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({ReturnsUpdate(true)}))),
              ElementsAre("error entry-value-lost step#1 v1 bank 1 [64,96)"));
}

TEST(EntryValueLost, IsSilentForAnInPlaceResultThatIsReturned) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({ReturnsUpdate(false)}))), IsEmpty());
}

TEST(EntryValueLost, IsSilentForABufferWithoutBytes) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(1, 64, {2, 0}, "newest");
  const int32_t x = b.Planned(1, 0, {2, 0});
  b.Input(x);
  b.Copy(state, x);
  b.Output(state);
  const Program program = ProgramOf({b.Build()});
  EXPECT_THAT(TroubleOf(Check(program)), IsEmpty());
  EXPECT_THAT(TroubleOf(CheckWith(program, R"({"pteproof": 1, "methods": {"step":
      {"outputs": [{"value": "entry", "of": "newest"}]}}})")),
              IsEmpty());
}

// The file alone takes an updated output for the result; the manifest knows better.
TEST(EntryValueLost, KnowsFromTheManifestWhatAnOutputMeans) {
  const Program program = ProgramOf({ReturnsUpdate(false)});
  const Report entry = CheckWith(program, R"({"pteproof": 1, "methods": {"step":
      {"outputs": [{"value": "entry", "of": "d"}]}}})");
  EXPECT_THAT(TroubleOf(entry), ElementsAre("error entry-value-lost step#0 v1 bank 1 [64,96)"));
  EXPECT_THAT(ExplanationOf(entry, rule::kEntryValueLost),
              HasSubstr("Output 0 must be the value of v1"));
  EXPECT_THAT(ExplanationOf(entry, rule::kEntryValueLost),
              HasSubstr("instruction 0 (aten::index_put_) writes it"));
  const Report result = CheckWith(
      program, R"({"pteproof": 1, "methods": {"step": {"outputs": [{"value": "result"}]}}})");
  EXPECT_THAT(TroubleOf(result), IsEmpty());
}

}  // namespace
}  // namespace pteproof
