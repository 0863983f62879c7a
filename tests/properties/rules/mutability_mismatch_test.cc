#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Method Writer() {
  MethodBuilder b("put");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Copy(state, x);
  return b.Build();
}

// Reads v0: a constant, or the planned buffer.
Method Reader(bool constant) {
  MethodBuilder b("get");
  const int32_t state = constant ? b.Constant(1, {8}) : b.Planned(2, 0, {8}, "state");
  const int32_t out = b.Planned(1, 0, {8});
  b.Call("aten::relu.out", {state, out, out});
  b.Output(out);
  return b.Build();
}

Program PutAndGet(bool constant) {
  Program program = ProgramOf({Writer(), Reader(constant)});
  program.constants.emplace_back();
  return program;
}

constexpr std::string_view kManifest = R"({"pteproof": 1, "methods": {
    "put": {"reads": [], "mutates": ["state"]},
    "get": {"reads": ["state"], "mutates": [], "values": {"0": "state"}}}})";

// The reader was exported without knowledge of the writer.
TEST(MutabilityMismatch, TellsOfAConstantThatAnotherMethodMutates) {
  const Report report = CheckWith(PutAndGet(true), kManifest);
  EXPECT_THAT(TroubleOf(report), ElementsAre("error mutability-mismatch get v0"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  const std::string explanation = ExplanationOf(report, rule::kMutabilityMismatch);
  EXPECT_THAT(explanation,
              HasSubstr("The model's 'get' reads buffer 'state', which 'put' mutates."));
  EXPECT_THAT(explanation, HasSubstr("as constant v0"));
  EXPECT_THAT(explanation, HasSubstr("'get' always reads the value of the time of export."));
}

TEST(MutabilityMismatch, TellsOfExternalDataThatAnotherMethodStoresTo) {
  MethodBuilder b("get");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  b.TensorAt(state).planned = false;
  b.TensorAt(state).external = true;
  const int32_t out = b.Planned(1, 0, {8});
  b.Call("aten::relu.out", {state, out, out});
  b.Output(out);
  const Report report = Check(ProgramOf({Writer(), b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kMutabilityMismatch),
              ElementsAre("error mutability-mismatch get v0"));
  const std::string explanation = ExplanationOf(report, rule::kMutabilityMismatch);
  EXPECT_EQ(explanation,
            "'get' holds v0 'state' (data of a .ptd) as external data.\n"
            "'put' stores to the buffer of that name.\n"
            "'get' always reads the external value.");
  EXPECT_EQ(FixOf(report, rule::kMutabilityMismatch),
            "Leave the buffer out of the external data, and plan the methods with "
            "`share_mutable_buffers=True`.");
}

// Folded into a delegate, it is nowhere in the method.
TEST(MutabilityMismatch, TellsOfABufferThatTheReaderDoesNotHaveAtAll) {
  constexpr std::string_view kNoValues = R"({"pteproof": 1, "methods": {
      "put": {"mutates": ["state"]}, "get": {"reads": ["state"]}}})";
  EXPECT_THAT(TroubleOf(CheckWith(PutAndGet(true), kNoValues)),
              ElementsAre("error mutability-mismatch get"));
}

// Without names it is not known which of two buffers the reader lacks.
TEST(MutabilityMismatch, IsToldOnceAMethodWhereNothingNamesTheBuffers) {
  const Report report = CheckWith(PutAndGet(true), R"({"pteproof": 1, "methods": {
      "put": {"mutates": ["a", "b"]}, "get": {"reads": ["a", "b"]}}})");
  EXPECT_THAT(LinesOf(report, rule::kMutabilityMismatch),
              ElementsAre("error mutability-mismatch get"));
  const std::string explanation = ExplanationOf(report, rule::kMutabilityMismatch);
  EXPECT_THAT(LineLengths(explanation), testing::SizeIs(3));
  EXPECT_THAT(explanation, HasSubstr("'get' reads 2 buffers that methods mutate, 'a' among them."));
  EXPECT_THAT(explanation, HasSubstr("plans only 0 of the 2 buffers that the method uses"));
}

TEST(MutabilityMismatch, IsSilentWhereTheReaderHasTheBufferInPlannedMemory) {
  EXPECT_THAT(LinesOf(CheckWith(PutAndGet(false), kManifest), rule::kMutabilityMismatch),
              IsEmpty());
}

TEST(MutabilityMismatch, IsSilentForAConstantThatNobodyMutates) {
  constexpr std::string_view kNobody = R"({"pteproof": 1, "methods": {
      "put": {"mutates": []}, "get": {"reads": ["state"], "values": {"0": "state"}}}})";
  EXPECT_THAT(LinesOf(CheckWith(PutAndGet(true), kNobody), rule::kMutabilityMismatch), IsEmpty());
}

// A file does not name its constants.
TEST(MutabilityMismatch, NeedsTheManifestForAnUnnamedConstant) {
  EXPECT_THAT(LinesOf(Check(PutAndGet(true)), rule::kMutabilityMismatch), IsEmpty());
}

// The constant is what the method's code uses, whatever else has the buffer's name.
TEST(MutabilityMismatch, TellsOfAConstantBesideThePlannedBuffer) {
  MethodBuilder b("get");
  const int32_t constant = b.Constant(1, {8});
  b.Planned(2, 0, {8}, "state");
  const int32_t out = b.Planned(1, 0, {8});
  b.Call("aten::relu.out", {constant, out, out});
  b.Output(out);
  Program program = ProgramOf({Writer(), b.Build()});
  program.constants.resize(2);
  EXPECT_THAT(LinesOf(CheckWith(program, kManifest), rule::kMutabilityMismatch),
              ElementsAre("error mutability-mismatch get v0"));
}

TEST(MutabilityMismatch, TellsThatAValueThatIsNotThereHoldsNothing) {
  const Program program = PutAndGet(true);
  const std::string past = std::to_string(program.methods[1].values.size());
  const Report report = CheckWith(program, R"({"pteproof": 1, "methods": {
      "put": {"mutates": ["state"]},
      "get": {"reads": ["state"], "values": {")" +
                                               past + R"(": "state"}}}})");
  EXPECT_THAT(ExplanationOf(report, rule::kMutabilityMismatch),
              HasSubstr("holds the buffer nowhere in planned memory."));
}

// Each method that lacks a buffer without a name is told of by itself.
TEST(MutabilityMismatch, TellsOfEachMethodWhichBufferItLacks) {
  Program program = PutAndGet(true);
  program.methods.push_back(program.methods[1]);
  program.methods.back().name = "show";
  const Report report = CheckWith(program, R"({"pteproof": 1, "methods": {
      "put": {"mutates": ["a", "b"]}, "get": {"reads": ["a"]}, "show": {"reads": ["b"]}}})");
  std::vector<std::string> starts;
  for (const Finding& finding : report.findings) {
    if (finding.rule == rule::kMutabilityMismatch)
      starts.push_back(finding.explanation.substr(0, finding.explanation.find('\n')));
  }
  EXPECT_THAT(starts, ElementsAre("The model's 'get' reads buffer 'a', which 'put' mutates.",
                                  "The model's 'show' reads buffer 'b', which 'put' mutates."));
}

}  // namespace
}  // namespace pteproof
