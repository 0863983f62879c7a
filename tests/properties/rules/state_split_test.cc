#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "pteproof/manifest.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string ProvedRow(const Program& program, std::string_view manifest) {
  const Manifest parsed = ParseManifest(manifest).value();
  return pteproof::ProvedRow(program, &parsed);
}

// Stores its input in the state, beside which the method may keep a local value. A buffer of its
// model, which it does not use, may have a number before the state's.
Method PutIn(uint32_t bank, std::string_view name, bool local_beside = false,
             bool buffer_ahead = false) {
  MethodBuilder b("put");
  if (buffer_ahead) b.Constant(1, {2});
  const int32_t state = b.Planned(bank, 0, {8}, name);
  const int32_t x = b.Planned(1, 64, {8});
  b.Input(x);
  const int32_t sum = b.Planned(local_beside ? bank : 1, 96, {8});
  b.Add(x, x, sum);
  b.Copy(state, sum);
  return b.Build();
}

Method GetFrom(uint32_t bank, std::string_view name) {
  MethodBuilder b("get");
  const int32_t state = b.Planned(bank, 0, {8}, name);
  const int32_t out = b.Planned(1, 64, {8});
  b.Call("aten::relu.out", {state, out, out});
  b.Output(out);
  return b.Build();
}

// A buffer of some rows, stored by one method and returned by the other. `onto_itself`: all that is
// stored is what is there.
Program CopiesRows(int32_t rows, bool onto_itself) {
  MethodBuilder put("put");
  const int32_t stored = put.Planned(2, 0, {rows, 4}, "rows");
  const int32_t x = put.Planned(1, 0, {rows, 4});
  put.Input(x);
  put.Copy(stored, onto_itself ? stored : x);
  MethodBuilder get("get");
  get.Output(get.Planned(2, 0, {rows, 4}, "rows"));
  return ProgramOf({put.Build(), get.Build()});
}

TEST(StateSplit, IsSilentForACopyOfNoBytesOntoItself) {
  const Program program = CopiesRows(0, true);
  EXPECT_THAT(TroubleOf(Check(program)), IsEmpty());
  EXPECT_EQ(ProvedRow(program), "safe safe safe");
  const Program stores = CopiesRows(1, false);
  EXPECT_THAT(TroubleOf(Check(stores)), ElementsAre(HasSubstr("error state-split")));
}

TEST(StateSplit, IsAnErrorUnderPrivateBanksWhereThePlanIsLaidOutForSharing) {
  const Report report = Check(ProgramOf({PutIn(2, "state"), GetFrom(2, "state")}));
  EXPECT_THAT(LinesOf(report, rule::kStateSplit),
              ElementsAre("error state-split get v0 bank 2 [0,32) under private"));
  EXPECT_EQ(VerdictRow(report), "unsafe safe safe");
  const std::string explanation = ExplanationOf(report, rule::kStateSplit);
  EXPECT_THAT(explanation, HasSubstr("'put'"));
  EXPECT_THAT(explanation, HasSubstr("'get'"));
  EXPECT_THAT(explanation, HasSubstr("'state'"));
}

// Loaders with shared arenas share ids 1 and 2 only.
TEST(StateSplit, HoldsUnderSharedArenasTooForHigherBanks) {
  const Report report = Check(ProgramOf({PutIn(3, "state"), GetFrom(3, "state")}));
  EXPECT_THAT(LinesOf(report, rule::kStateSplit),
              ElementsAre("error state-split get v0 bank 3 [0,32) under private share-1-2"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe safe");
}

TEST(StateSplit, IsUndecidedWhereStateLiesAmongLocalValues) {
  const Program program = ProgramOf({PutIn(1, "state", true), GetFrom(1, "state")});
  const Report report = Check(program);
  EXPECT_THAT(LinesOf(report, rule::kStateSplit),
              ElementsAre("note state-split get v0 bank 1 [0,32) under private undecided"));
  EXPECT_EQ(VerdictRow(report), "undecided safe safe");
  EXPECT_EQ(ProvedRow(program), "undecided safe safe");
  EXPECT_EQ(FixOf(report, rule::kStateSplit),
            "One buffer or two? Say in a manifest whether the buffer is `shared`.");
}

// One buffer or two: the file does not tell.
TEST(StateSplit, IsUndecidedIfAStateWithoutNameIsLaidOutForSharing) {
  const Program program = ProgramOf({PutIn(2, {}), GetFrom(2, {})});
  const Report report = Check(program);
  EXPECT_THAT(LinesOf(report, rule::kStateSplit),
              ElementsAre("note state-split get v0 bank 2 [0,32) under private undecided"));
  EXPECT_EQ(VerdictRow(report), "undecided safe safe");
  EXPECT_EQ(ProvedRow(program), "undecided safe safe");
  EXPECT_THAT(FixOf(report, rule::kStateSplit), HasSubstr("emit_mutable_buffer_names"));
}

TEST(StateSplit, IsUndecidedIfStatesWithoutNamesAmongLocalValuesHaveOneNumber) {
  const Program program = ProgramOf({PutIn(1, {}, true), GetFrom(1, {})});
  EXPECT_THAT(LinesOf(Check(program), rule::kStateSplit),
              ElementsAre("note state-split get v0 bank 1 [0,32) under private undecided"));
  EXPECT_EQ(AgreedRow(program), "undecided safe safe");
}

TEST(StateSplit, OnlyWarnsIfTheirNumbersAreOfTwoModels) {
  const Program program = ProgramOf({PutIn(1, {}, true, true), GetFrom(1, {})});
  const Report report = Check(program);
  EXPECT_THAT(LinesOf(report, rule::kStateSplit),
              ElementsAre("warning state-split get v0 bank 1 [0,32) under private"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
  EXPECT_EQ(ProvedRow(program), "safe safe safe");
}

// One of the two buffers of a model is state of this method, the other one is a constant of it.
Method MoveOne(std::string name, bool first, std::vector<int32_t> sizes_of_constant) {
  MethodBuilder b(std::move(name));
  const auto constant = [&] { return b.Constant(1, sizes_of_constant); };
  if (!first) constant();
  const int32_t state = b.Planned(2, 0, {8});
  if (first) constant();
  const int32_t x = b.Planned(1, 64, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 96, {8});
  b.Add(state, x, sum);
  const int32_t product = b.Planned(1, 128, {8});
  b.Mul(sum, x, product);
  const int32_t out = b.Planned(1, 160, {8});
  b.Mul(product, x, out);
  b.Output(out);
  b.Copy(state, sum);
  return b.Build();
}

// Value 0 of the one is a constant of the other: they are two buffers, which no loader may make
// one.
TEST(StateSplit, IsSilentWithoutNamesIfTheExportersNumbersTellTwoBuffers) {
  Program program = ProgramOf({MoveOne("left", true, {8}), MoveOne("right", false, {8})});
  program.constants.resize(2);
  EXPECT_THAT(LinesOf(Check(program), rule::kStateSplit), IsEmpty());
  EXPECT_EQ(VerdictRow(Check(program)), "safe unsafe unsafe");
  EXPECT_EQ(ProvedRow(program), "safe unsafe unsafe");
}

// Then they are not methods of one model.
TEST(StateSplit, IsUndecidedWithoutNamesIfTheMethodsHaveOtherTensorsAheadOfTheirInputs) {
  Program program = ProgramOf({MoveOne("left", true, {8}), MoveOne("right", false, {4, 2})});
  program.constants.resize(2);
  EXPECT_EQ(VerdictRow(Check(program)), "undecided safe safe");
  EXPECT_EQ(ProvedRow(program), "undecided safe safe");
}

// Two caches of one type and size, which `step` updates and `look` reads. Nothing has a name.
Program TwoCaches(uint64_t first_of_step, uint64_t second_of_step) {
  MethodBuilder step("step");
  const int32_t k = step.Planned(2, first_of_step, {8});
  const int32_t v = step.Planned(2, second_of_step, {8});
  const int32_t x = step.Planned(1, 0, {8});
  step.Input(x);
  const int32_t sum = step.Planned(1, 32, {8});
  const int32_t product = step.Planned(1, 64, {8});
  step.Add(k, x, sum);
  step.Mul(v, x, product);
  step.Copy(k, sum);
  step.Copy(v, product);
  MethodBuilder look("look");
  const int32_t k_too = look.Planned(2, 0, {8});
  const int32_t v_too = look.Planned(2, 32, {8});
  const int32_t y = look.Planned(1, 0, {8});
  look.Input(y);
  const int32_t out = look.Planned(1, 32, {8});
  look.Add(k_too, v_too, out);
  look.Output(out);
  return ProgramOf({step.Build(), look.Build()});
}

std::string ManifestOfCaches(std::string_view step, std::string_view look, std::string_view shared,
                             std::string_view values = "") {
  const auto buffer = [&](std::string_view name) {
    return fmt::format(R"("{}": {{"dtype": "float32", "sizes": [8], "initial": "zero"{}}})", name,
                       shared);
  };
  return fmt::format(
      R"({{"pteproof": 1, "buffers": {{{}, {}, {}, {}}}, "methods": {{
          "step": {{"reads": [{}], "mutates": [{}], "mutates_inputs": []{}}},
          "look": {{"reads": [{}], "mutates": [], "mutates_inputs": []}}}}}})",
      buffer("k"), buffer("v"), buffer("l"), buffer("w"), step, step, values, look);
}

// The manifest's names cannot be told apart by type and size; all that they can be is shared.
TEST(StateSplit, IsAnErrorWithoutNamesIfAllThatTheManifestAdmitsThereIsShared) {
  const Program program = TwoCaches(0, 32);
  const std::string text = ManifestOfCaches(R"("k", "v")", R"("k", "v")", R"(, "shared": true)");
  EXPECT_THAT(LinesOf(CheckWith(program, text), rule::kStateSplit),
              ElementsAre("error state-split look v0 bank 2 [0,32) under private",
                          "error state-split look v1 bank 2 [32,64) under private"));
  EXPECT_EQ(VerdictRow(CheckWith(program, text)), "unsafe safe safe");
  EXPECT_EQ(ProvedRow(program, text), "unsafe safe safe");
}

TEST(StateSplit, IsAnErrorIfTheManifestNamesTheValuesOfOneMethodOnly) {
  const Program program = TwoCaches(0, 32);
  const std::string text = ManifestOfCaches(R"("k", "v")", R"("k", "v")", R"(, "shared": true)",
                                            R"(, "values": {"0": "k", "1": "v"})");
  const Report report = CheckWith(program, text);
  EXPECT_EQ(VerdictRow(report), "unsafe safe safe");
  EXPECT_EQ(ProvedRow(program, text), "unsafe safe safe");
  EXPECT_THAT(ExplanationOf(report, rule::kStateSplit), HasSubstr("'k'"));
}

TEST(StateSplit, IsUndecidedWithoutNamesIfTheManifestDoesNotSayThatTheBufferIsShared) {
  const Program program = TwoCaches(0, 32);
  const std::string text = ManifestOfCaches(R"("k", "v")", R"("k", "v")", "");
  EXPECT_EQ(VerdictRow(CheckWith(program, text)), "undecided safe safe");
  EXPECT_EQ(ProvedRow(program, text), "undecided safe safe");
}

// Then they are not one buffer, and no loader may make them one.
TEST(StateSplit, IsSilentWithoutNamesIfTheManifestGivesTheMethodsDifferentBuffers) {
  const Program program = TwoCaches(0, 32);
  const std::string text = ManifestOfCaches(R"("k", "v")", R"("l", "w")", "");
  const Report report = CheckWith(program, text);
  EXPECT_THAT(LinesOf(report, rule::kStateSplit), IsEmpty());
  EXPECT_EQ(VerdictRow(report), "safe unsafe unsafe");
  EXPECT_EQ(ProvedRow(program, text), "safe unsafe unsafe");
}

// `look` has k or l at [0,32), so `step` has k there; else its manifest speaks of v.
TEST(StateSplit, NamesAStateByTheOneBufferThatBothMethodsUseThere) {
  const Program program = TwoCaches(0, 64);
  const std::string text = ManifestOfCaches(R"("k", "v")", R"("k", "l")", R"(, "shared": true)");
  const Report report = CheckWith(program, text);
  EXPECT_THAT(LinesOf(report, rule::kStateSplit),
              ElementsAre("error state-split look v0 bank 2 [0,32) under private"));
  EXPECT_THAT(ExplanationOf(report, rule::kStateSplit), HasSubstr("'k'"));
  EXPECT_EQ(ProvedRow(program, text), VerdictRow(report));
}

TEST(StateSplit, IsAnErrorWhereverTheManifestSaysThatTheBufferIsShared) {
  const Program program = ProgramOf({PutIn(1, "state", true), GetFrom(1, "state")});
  const Report report =
      CheckWith(program, R"({"pteproof": 1, "buffers": {"state": {"shared": true}}})");
  EXPECT_THAT(LinesOf(report, rule::kStateSplit),
              ElementsAre("error state-split get v0 bank 1 [0,32) under private"));
  EXPECT_EQ(VerdictRow(report), "unsafe safe safe");
}

TEST(StateSplit, IsSilentWhereTheManifestSaysThatEachMethodHasItsOwn) {
  const Program program = ProgramOf({PutIn(2, "state"), GetFrom(2, "state")});
  const Report report =
      CheckWith(program, R"({"pteproof": 1, "buffers": {"state": {"shared": false}}})");
  EXPECT_THAT(LinesOf(report, rule::kStateSplit), IsEmpty());
}

TEST(StateSplit, IsSilentForBuffersOfDifferentNames) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({PutIn(2, "one"), GetFrom(2, "two")})), rule::kStateSplit),
              IsEmpty());
}

TEST(StateSplit, IsSilentWhereOneMethodStoresAndReads) {
  MethodBuilder b("inc");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  MethodBuilder other("other");
  const int32_t y = other.Planned(1, 0, {8});
  other.Input(y);
  const int32_t out = other.Planned(1, 32, {8});
  other.Add(y, y, out);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build(), other.Build()}))), IsEmpty());
}

// Two readers cannot tell one copy from two.
TEST(StateSplit, IsSilentWhereNobodyStores) {
  MethodBuilder twin("twin");
  const int32_t state = twin.Planned(2, 0, {8}, "state");
  const int32_t out = twin.Planned(1, 64, {8});
  twin.Call("aten::relu.out", {state, out, out});
  twin.Output(out);
  const Report report = Check(ProgramOf({GetFrom(2, "state"), twin.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kStateSplit), IsEmpty());
}

// Reads the state where the other method does not look for it.
Method GetAt(uint32_t bank, uint64_t offset) {
  MethodBuilder b("get");
  const int32_t state = b.Planned(bank, offset, {8}, "state");
  const int32_t out = b.Planned(1, 64, {8});
  b.Call("aten::relu.out", {state, out, out});
  b.Output(out);
  return b.Build();
}

// A loader that shares one of the banks only splits the buffer, too.
TEST(StateSplit, HoldsWhereOneOfTwoBanksIsPrivate) {
  EXPECT_THAT(
      LinesOf(Check(ProgramOf({PutIn(2, "state"), GetAt(3, 0)})), rule::kStateSplit),
      ElementsAre("note state-split get v0 bank 3 [0,32) under private share-1-2 undecided"));
}

TEST(StateSplit, IsUndecidedWhereTheMethodsLayTheBufferOutDifferently) {
  EXPECT_THAT(
      LinesOf(Check(ProgramOf({PutIn(3, "state"), GetAt(3, 64)})), rule::kStateSplit),
      ElementsAre("note state-split get v0 bank 3 [64,96) under private share-1-2 undecided"));
}

TEST(StateSplit, IsSilentForABufferThatOneMethodAloneUses) {
  MethodBuilder sums("sums");
  const int32_t state = sums.Planned(3, 0, {8}, "state");
  const int32_t x = sums.Planned(1, 64, {8});
  sums.Input(x);
  sums.Add(state, x, x);
  sums.Copy(state, x);
  MethodBuilder idle("idle");
  idle.Planned(3, 0, {8}, "state");
  idle.Output(idle.Int(7));
  for (const bool first : {true, false}) {
    const Program program =
        first ? ProgramOf({sums.Build(), idle.Build()}) : ProgramOf({idle.Build(), sums.Build()});
    EXPECT_THAT(LinesOf(Check(program), rule::kStateSplit), IsEmpty());
  }
}

TEST(StateSplit, IsSilentForABufferWithoutAPlace) {
  const auto unplaced = [](Method method) {
    method.tensors[0].planned = false;
    return method;
  };
  EXPECT_THAT(LinesOf(Check(ProgramOf({unplaced(PutIn(2, "state")), unplaced(GetAt(2, 0))})),
                      rule::kStateSplit),
              IsEmpty());
}

// State among local values is one buffer if the manifest says so.
TEST(StateSplit, GoesByWhatTheManifestSaysOfSharing) {
  const Program program = ProgramOf({PutIn(2, "state", true), GetFrom(2, "state")});
  const auto with = [&](std::string_view stated) {
    return LinesOf(CheckWith(program, R"({"pteproof": 1, "buffers": {"state": {)" +
                                          std::string(stated) + "}}}"),
                   rule::kStateSplit);
  };
  EXPECT_THAT(with(""),
              ElementsAre("note state-split get v0 bank 2 [0,32) under private undecided"));
  EXPECT_THAT(with(R"("shared": true)"),
              ElementsAre("error state-split get v0 bank 2 [0,32) under private"));
  EXPECT_THAT(with(R"("shared": false)"), IsEmpty());
}

TEST(StateSplit, IsUndecidedWhereTheVeryFirstValueIsALocalOne) {
  MethodBuilder b("put");
  const int32_t local = b.Planned(2, 32, {8});
  const int32_t x = b.Planned(1, 64, {8});
  b.Input(x);
  b.Add(x, x, local);
  b.Copy(b.Planned(2, 0, {8}, "state"), local);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build(), GetFrom(2, "state")})), rule::kStateSplit),
              ElementsAre("note state-split get v0 bank 2 [0,32) under private undecided"));
}

TEST(StateSplit, HoldsWhereTheWritersBankAloneIsPrivate) {
  EXPECT_THAT(
      LinesOf(Check(ProgramOf({PutIn(3, "state"), GetAt(2, 0)})), rule::kStateSplit),
      ElementsAre("note state-split get v0 bank 2 [0,32) under private share-1-2 undecided"));
}

// Another method has the buffer elsewhere, and leaves it alone.
TEST(StateSplit, IsOfTheMethodsThatUseTheBuffer) {
  MethodBuilder idle("idle");
  idle.Planned(3, 0, {8}, "state");
  idle.Output(idle.Int(7));
  EXPECT_THAT(LinesOf(Check(ProgramOf({PutIn(2, "state"), GetFrom(2, "state"), idle.Build()})),
                      rule::kStateSplit),
              ElementsAre("note state-split get v0 bank 2 [0,32) under private undecided"));
}

}  // namespace
}  // namespace pteproof
