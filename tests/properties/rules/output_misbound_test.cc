#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/finding_names.h"
#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "pteproof/manifest.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Mutates buffer 'cache' (v0) and input v1. Outputs: `first`, then the sum.
enum class First : uint8_t { kInput, kBuffer };

Program Step(First first) {
  MethodBuilder b("step");
  const int32_t cache = b.Planned(1, 96, {8}, "cache");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(cache, x, sum);
  const int32_t product = b.Planned(1, 64, {8});
  b.Mul(sum, x, product);
  b.Copy(x, product);
  if (first == First::kInput) b.Copy(cache, sum);
  b.Output(first == First::kInput ? x : cache);
  b.Output(sum);
  return ProgramOf({b.Build()});
}

constexpr std::string_view kMutatesInput = R"({"pteproof": 1, "methods": {"step": {
    "mutates_inputs": [0], "outputs": [{"value": "result"}]}}})";

// The buffer stands where the mutated input should.
TEST(OutputMisbound, TellsOfABufferInAMutatedInputsPlace) {
  const Report report = CheckWith(Step(First::kBuffer), kMutatesInput);
  EXPECT_THAT(LinesOf(report, rule::kOutputMisbound),
              ElementsAre("error output-misbound step v0 bank 1 [96,128)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(ExplanationOf(report, rule::kOutputMisbound), HasSubstr("Output 0"));
}

TEST(OutputMisbound, IsSilentForTheMutatedInputItself) {
  EXPECT_THAT(LinesOf(CheckWith(Step(First::kInput), kMutatesInput)), IsEmpty());
}

TEST(OutputMisbound, NeedsTheManifest) {
  EXPECT_THAT(LinesOf(Check(Step(First::kBuffer)), rule::kOutputMisbound), IsEmpty());
}

TEST(OutputMisbound, TellsOfAnotherNumberOfOutputsThanTheModelReturns) {
  const Report report = CheckWith(Step(First::kInput), R"({"pteproof": 1, "methods": {"step": {
      "mutates_inputs": [0], "outputs": [{"value": "result"}, {"value": "result"}]}}})");
  EXPECT_THAT(LinesOf(report, rule::kOutputMisbound), ElementsAre(HasSubstr("step v1 v2")));
}

// As the exporter writes it with the in-place rewrite: buffer v0 gets a row in place, and stands in
// the outputs where input v1, which is stored to, is missing. Before 1.3.1 it does so under the
// name that the update returns.
enum class Returned : uint8_t { kBuffer, kItsName, kInputToo, kOtherValue };

Program RowPutInPlace(Returned returned) {
  MethodBuilder b("step");
  const int32_t cache = b.Planned(2, 0, {8}, "cache");
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t row = b.Planned(1, 32, {1});
  const int32_t index = b.Planned(1, 40, {1}, {}, ScalarType::kInt64);
  for (const int32_t v : {x, row, index}) b.Input(v);
  const int32_t sum = b.Planned(1, 64, {8});
  b.Add(cache, x, sum);
  const int32_t slot = returned == Returned::kItsName ? b.Planned(1, 96, {8}) : cache;
  b.Call("aten::index_put_", {cache, b.OptionalTensorList({index}), row, b.Bool(false), slot});
  b.Copy(x, sum);
  if (returned == Returned::kInputToo) b.Output(x);
  b.Output(returned == Returned::kOtherValue ? sum : slot);
  b.Output(sum);
  return ProgramOf({b.Build()});
}

TEST(OutputMisbound, IsUndecidedOfAnUpdatedBufferWhereAnUpdatedInputIsMissing) {
  const Program program = RowPutInPlace(Returned::kBuffer);
  const Report report = Check(program);
  EXPECT_THAT(LinesOf(report, rule::kOutputMisbound),
              ElementsAre("note output-misbound step#2 v0 bank 2 [0,32) undecided"));
  EXPECT_EQ(ExplanationOf(report, rule::kOutputMisbound),
            "Instruction 2 (aten::copy_) stores to an input that the program does not return.\n"
            "Output 0 is buffer v0 'cache' bank 2 [0,32), which instruction 1 (aten::index_put_) "
            "updates in place.\n"
            "If the model returns the input's new value there, the caller gets another tensor.");
  for (const Returned returned : {Returned::kBuffer, Returned::kItsName}) {
    EXPECT_EQ(VerdictRow(Check(RowPutInPlace(returned))), "undecided undecided undecided");
    EXPECT_EQ(proofs::Prove(RowPutInPlace(returned), {}).verdicts[0], Verdict::kUndecided);
  }
}

TEST(OutputMisbound, IsSilentIfTheUpdatedInputComesBackOrTheBufferDoesNot) {
  for (const Returned returned : {Returned::kInputToo, Returned::kOtherValue}) {
    EXPECT_THAT(TroubleOf(Check(RowPutInPlace(returned))), IsEmpty());
    EXPECT_EQ(proofs::Prove(RowPutInPlace(returned), {}).verdicts[0], Verdict::kSafe);
  }
}

TEST(OutputMisbound, IsDecidedByAManifestThatSaysWhichInputsAreMutated) {
  constexpr std::string_view kMutated = R"({"pteproof": 1, "methods": {"step": {
      "mutates_inputs": [0], "outputs": [{"value": "result"}]}}})";
  constexpr std::string_view kNone = R"({"pteproof": 1, "methods": {"step": {
      "mutates_inputs": [], "outputs": [{"value": "result"}, {"value": "result"}]}}})";
  const auto proved = [](const Program& program, std::string_view text) {
    const auto manifest = ParseManifest(text);
    return proofs::Prove(program, {.manifest = &manifest.value()}).verdicts[0];
  };
  for (const Returned returned : {Returned::kBuffer, Returned::kItsName}) {
    const Program program = RowPutInPlace(returned);
    EXPECT_THAT(LinesOf(CheckWith(program, kMutated), rule::kOutputMisbound),
                ElementsAre(HasSubstr("error output-misbound step v")));
    EXPECT_EQ(proved(program, kMutated), Verdict::kUnsafe);
    EXPECT_THAT(LinesOf(CheckWith(program, kNone), rule::kOutputMisbound), IsEmpty());
    EXPECT_EQ(proved(program, kNone), Verdict::kSafe);
  }
}

// Returns the entry value of one of two buffers.
Program ReturnsOneBuffer(std::string_view returned) {
  MethodBuilder b("show");
  const int32_t first = b.Planned(1, 0, {8}, "a");
  const int32_t second = b.Planned(1, 32, {8}, "b");
  b.TensorAt(first).data_index = 1;
  b.TensorAt(second).data_index = 1;
  const int32_t sum = b.Planned(1, 64, {8});
  b.Add(first, second, sum);
  b.Output(sum);
  b.Output(returned == "a" ? first : second);
  Program program = ProgramOf({b.Build()});
  program.initial_values.emplace_back();
  return program;
}

TEST(OutputMisbound, TellsOfAnotherBufferThanTheOneReturned) {
  constexpr std::string_view kReturnsA = R"({"pteproof": 1, "methods": {"show": {
      "outputs": [{"value": "result"}, {"value": "entry", "of": "a"}]}}})";
  EXPECT_THAT(LinesOf(CheckWith(ReturnsOneBuffer("b"), kReturnsA), rule::kOutputMisbound),
              ElementsAre("error output-misbound show v1 bank 1 [32,64)"));
  EXPECT_THAT(LinesOf(CheckWith(ReturnsOneBuffer("a"), kReturnsA), rule::kOutputMisbound),
              IsEmpty());
}

TEST(OutputMisbound, TellsOfAnotherInputThanTheOneReturned) {
  constexpr std::string_view kReturnsSecond = R"({"pteproof": 1, "methods": {"show": {
      "outputs": [{"value": "entry", "of_input": 1}]}}})";
  for (const bool other : {false, true}) {
    MethodBuilder b("show");
    const int32_t x = b.Planned(1, 0, {8});
    const int32_t y = b.Planned(1, 32, {8});
    b.Input(x);
    b.Input(y);
    b.Mul(x, y, b.Planned(1, 64, {8}));
    b.Output(other ? x : y);
    const Report report = CheckWith(ProgramOf({b.Build()}), kReturnsSecond);
    EXPECT_EQ(LinesOf(report, rule::kOutputMisbound).size(), other);
    if (other) {
      EXPECT_THAT(ExplanationOf(report, rule::kOutputMisbound), HasSubstr("the entry value of v1"));
    }
  }
}

// A second value with the name and the place of a buffer is that buffer.
TEST(OutputMisbound, TellsOfAnotherBuffersSecondName) {
  constexpr std::string_view kReturnsA = R"({"pteproof": 1, "methods": {"show": {
      "outputs": [{"value": "entry", "of": "a"}]}}})";
  for (const bool other : {false, true}) {
    MethodBuilder b("show");
    const int32_t first = b.Planned(1, 0, {8}, "a");
    const int32_t second = b.Planned(1, 32, {8}, "b");
    b.TensorAt(first).data_index = 1;
    b.TensorAt(second).data_index = 1;
    b.Add(first, second, b.Planned(1, 64, {8}));
    b.Output(b.Planned(1, other ? 32 : 0, {2, 4}, other ? "b" : "a"));
    Program program = ProgramOf({b.Build()});
    program.initial_values.emplace_back();
    EXPECT_EQ(LinesOf(CheckWith(program, kReturnsA), rule::kOutputMisbound).size(), other);
    const auto manifest = ParseManifest(kReturnsA);
    ASSERT_TRUE(manifest.ok());
    EXPECT_EQ(proofs::Prove(program, {.manifest = &manifest.value()}).verdicts[0],
              other ? Verdict::kUnsafe : Verdict::kSafe);
  }
}

// The program may return a copy of the entry value.
TEST(OutputMisbound, IsSilentForACopyOfTheEntryValue) {
  MethodBuilder b("show");
  const int32_t first = b.Planned(1, 0, {8}, "a");
  const int32_t x = b.Planned(1, 32, {8});
  b.Input(x);
  const int32_t copy = b.Planned(1, 64, {8});
  b.Call("aten::alias_copy.out", {first, copy, copy});
  b.Copy(first, x);
  b.Output(copy);
  EXPECT_THAT(TroubleOf(CheckWith(ProgramOf({b.Build()}), R"({"pteproof": 1, "methods": {"show": {
                  "outputs": [{"value": "entry", "of": "a"}]}}})")),
              IsEmpty());
}

// A sum, of which a row is put in place; returned twice.
Program PutAndReturned(bool put, uint32_t inputs_mutated = 0) {
  MethodBuilder b("pad");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t row = b.Planned(1, 64, {1});
  const int32_t index = b.Planned(1, 80, {1}, {}, ScalarType::kInt64);
  for (const int32_t v : {x, row, index}) b.Input(v);
  const int32_t sum = b.Planned(1, 32, {4});
  b.Add(x, x, sum);
  if (put) b.IndexPut(sum, index, row);
  if (inputs_mutated > 0) {
    b.Copy(x, sum);
    b.Output(x);
  }
  b.Output(sum);
  b.Output(sum);
  return ProgramOf({b.Build()});
}

std::string StatedOutputs(std::string_view outputs, std::string_view mutated = "") {
  return R"({"pteproof": 1, "methods": {"pad": {"mutates_inputs": [)" + std::string(mutated) +
         R"(], "outputs": [)" + std::string(outputs) + "]}}}";
}

std::string ProvedWith(const Program& program, const std::string& text) {
  const auto manifest = ParseManifest(text);
  return std::string(
      Name(proofs::Prove(program, {.manifest = &manifest.value()}).verdicts.front()));
}

constexpr std::string_view kTwo = R"({"value": "result", "same_as": 0},
                                     {"value": "result", "same_as": 1})";
constexpr std::string_view kOne = R"({"value": "result", "same_as": 0},
                                     {"value": "result", "same_as": 0})";
constexpr std::string_view kUnsaid = R"({"value": "result"}, {"value": "result"})";

TEST(OutputMisbound, TellsOfTwoOutputsInOneStorageThatIsUpdatedInPlace) {
  const std::string text = StatedOutputs(kTwo);
  const Report report = CheckWith(PutAndReturned(true), text);
  EXPECT_THAT(LinesOf(report, rule::kOutputMisbound),
              ElementsAre("error output-misbound pad#1 v3 bank 1 [32,48)"));
  EXPECT_EQ(ExplanationOf(report, rule::kOutputMisbound),
            "Outputs 0 and 1 return one storage, v3 bank 1 [32,48).\n"
            "Instruction 1 (aten::index_put_) updates it in place after it was made.\n"
            "They are two values of the model: the caller gets one of them twice.");
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_EQ(ProvedWith(PutAndReturned(true), text), "unsafe");
}

TEST(OutputMisbound, CountsOutputsBehindThoseOfMutatedInputs) {
  const std::string text = StatedOutputs(kTwo, "0");
  EXPECT_THAT(LinesOf(CheckWith(PutAndReturned(true, 1), text), rule::kOutputMisbound),
              ElementsAre("error output-misbound pad#1 v3 bank 1 [32,48)"));
  EXPECT_EQ(ProvedWith(PutAndReturned(true, 1), text), "unsafe");
}

TEST(OutputMisbound, IsSilentIfBothOutputsAreOneValueOfTheModel) {
  const std::string text = StatedOutputs(kOne);
  EXPECT_THAT(TroubleOf(CheckWith(PutAndReturned(true), text)), IsEmpty());
  EXPECT_EQ(ProvedWith(PutAndReturned(true), text), "safe");
}

TEST(OutputMisbound, IsUndecidedIfNothingSaysWhichOutputsAreOne) {
  const Report alone = Check(PutAndReturned(true));
  EXPECT_THAT(LinesOf(alone, rule::kOutputMisbound),
              ElementsAre("note output-misbound pad#1 v3 bank 1 [32,48) undecided"));
  EXPECT_EQ(VerdictRow(alone), "undecided undecided undecided");
  EXPECT_THAT(FixOf(alone, rule::kOutputMisbound), HasSubstr("`same_as`"));
  EXPECT_EQ(Name(proofs::Prove(PutAndReturned(true), {}).verdicts.front()), "undecided");
  const std::string text = StatedOutputs(kUnsaid);
  EXPECT_EQ(VerdictRow(CheckWith(PutAndReturned(true), text)), "undecided undecided undecided");
  EXPECT_EQ(ProvedWith(PutAndReturned(true), text), "undecided");
}

// Exporters drop copies: a value that is made once may stand for several of the model.
TEST(OutputMisbound, IsSilentAboutAStorageThatIsMadeOnce) {
  EXPECT_THAT(TroubleOf(Check(PutAndReturned(false))), IsEmpty());
  const std::string text = StatedOutputs(kTwo);
  EXPECT_THAT(TroubleOf(CheckWith(PutAndReturned(false), text)), IsEmpty());
  EXPECT_EQ(ProvedWith(PutAndReturned(false), text), "safe");
}

}  // namespace
}  // namespace pteproof
