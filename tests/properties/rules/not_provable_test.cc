#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A delegate call with an input and a result.
Program DelegatedProgram() {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Delegate({x, out});
  b.Output(out);
  return ProgramOf({b.Build()});
}

TEST(NotProvable, NotesADelegateWhoseOutputsNobodyStates) {
  const Report report = Check(DelegatedProgram());
  EXPECT_THAT(LinesOf(report), ElementsAre("note not-provable forward"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
  EXPECT_THAT(FixOf(report, rule::kNotProvable), HasSubstr("manifest"));
}

TEST(NotProvable, IsSilentWhereTheManifestCountsTheDelegatesOutputs) {
  EXPECT_THAT(LinesOf(CheckWith(DelegatedProgram(), R"({"pteproof": 1, "methods": {"forward":
                  {"delegates": [{"index": 0, "outputs": 1}]}}})")),
              IsEmpty());
}

// The second argument was made before, so it is taken for an input; the manifest says otherwise.
TEST(NotProvable, DecidesAnOverlapByTheManifestsCount) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t kept = b.Planned(1, 32, {8});
  b.Add(x, x, kept);
  const int32_t scratch = b.Planned(1, 48, {4});
  b.Delegate({x, scratch});
  b.Output(kept);
  b.Output(scratch);
  const Report report = CheckWith(ProgramOf({b.Build()}), R"({"pteproof": 1, "methods": {"forward":
      {"delegates": [{"index": 0, "outputs": 1}]}}})");
  EXPECT_THAT(TroubleOf(report), ElementsAre("error plan-overlap forward#1 v1 v3 bank 1 [48,64)"));
}

// The list that is concatenated is another one than the file has for it, once a move has run.
Program ConcatOfMovedList(bool moved) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t early = b.Planned(1, 32, {8});
  b.Add(x, x, early);
  const int32_t late = b.Planned(1, 32, {8});
  b.Mul(x, x, late);
  const int32_t of_early = b.TensorList({early});
  const int32_t of_late = b.TensorList({late});
  const int32_t one = b.Int(1);
  const int32_t dim = b.Int(0);
  b.Move(one, dim);
  if (moved) b.Move(of_early, of_late);
  const int32_t out = b.Planned(1, 64, {8});
  b.Call("aten::cat.out", {of_late, dim, out, out});
  b.Output(out);
  return ProgramOf({b.Build()});
}

TEST(NotProvable, LeavesAMovedListOfTensorsUndecided) {
  const Program program = ConcatOfMovedList(true);
  const Report report = Check(program);
  EXPECT_THAT(TroubleOf(report), ElementsAre("note not-provable forward undecided"));
  EXPECT_EQ(VerdictRow(report), "undecided undecided undecided");
  EXPECT_THAT(ExplanationOf(report, rule::kNotProvable), HasSubstr("list of tensors"));
  EXPECT_EQ(proofs::Prove(program, {}).verdicts, report.verdicts);
}

TEST(NotProvable, TellsWhichInstructionMovesAList) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {8});
  b.Input(y);
  const int32_t of_x = b.TensorList({x});
  const int32_t of_y = b.TensorList({y});
  b.Move(of_x, of_y);
  const int32_t out = b.Planned(1, 64, {8});
  b.Call("aten::cat.out", {of_y, b.Int(0), out, out});
  b.Output(out);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kNotProvable),
            "Instruction 0 (move) puts one list of tensors in the place of another.\n"
            "The tensors that later instructions read and write through that list were not "
            "followed.\n"
            "The plan of this method is undecided.");
}

TEST(NotProvable, IsSilentWhereOnlyNumbersAreMoved) {
  const Program program = ConcatOfMovedList(false);
  EXPECT_EQ(VerdictRow(Check(program)), "safe safe safe");
  EXPECT_EQ(proofs::Prove(program, {}).verdicts, Check(program).verdicts);
}

MethodBuilder Stores(std::string_view name) {
  MethodBuilder b("put");
  const int32_t state = b.Planned(2, 0, {8}, name);
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Copy(state, x);
  return b;
}

TEST(NotProvable, NotesStateWithoutAName) {
  const Report report = Check(ProgramOf({Stores({}).Build()}));
  EXPECT_THAT(LinesOf(report), ElementsAre("note not-provable put v0 bank 2 [0,32)"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
}

TEST(NotProvable, IsSilentForStateThatTheFileOrTheManifestNames) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({Stores("state").Build()}))), IsEmpty());
  EXPECT_THAT(
      LinesOf(CheckWith(ProgramOf({Stores({}).Build()}), R"({"pteproof": 1, "methods": {"put":
                  {"values": {"0": "state"}}}})"),
              rule::kNotProvable),
      IsEmpty());
}

// v1 is read without a maker, and the numbering does not tell when it was made.
TEST(NotProvable, LeavesAViewUndecidedThatNothingPlacesInTime) {
  MethodBuilder b;
  const int32_t out = b.Planned(1, 64, {2, 4});
  const int32_t view = b.Planned(1, 32, {2, 4});
  const int32_t sum = b.Planned(1, 32, {8});
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Add(x, x, sum);
  b.Add(x, x, sum);
  b.Add(view, view, out);
  b.Output(out);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report),
              ElementsAre("note not-provable forward v1 bank 1 [32,64) undecided"));
  EXPECT_EQ(VerdictRow(report), "undecided undecided undecided");
  EXPECT_EQ(ExplanationOf(report, rule::kNotProvable),
            "No instruction makes v1 bank 1 [32,64), and the numbering of values does not tell "
            "when it is made.\n"
            "It may be a view of bytes as they were before the last write to them (1 such in "
            "'forward').\n"
            "In that case its readers get a wrong value.");
  EXPECT_EQ(FixOf(report, rule::kNotProvable),
            "Compare a run with the model, or export with the exporter's own numbering of "
            "values.");
}

// Renumbered at random, a plain overlap still shows.
TEST(NotProvable, DoesNotHideAnOverlapThatBytesAloneShow) {
  MethodBuilder b;
  const int32_t e = b.Planned(1, 96, {8});
  const int32_t d = b.Planned(1, 32, {8});
  const int32_t c = b.Planned(1, 32, {8});
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Add(x, x, c);
  b.Mul(x, x, d);
  b.Add(c, d, e);
  b.Output(e);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))),
              Contains("error plan-overlap forward#1 v2 v1 bank 1 [32,64)"));
}

}  // namespace
}  // namespace pteproof
