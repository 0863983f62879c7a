// Programs that train: loss, gradients and the trained parameters are outputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

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

constexpr std::string_view kTrains = R"({"pteproof": 1, "methods": {"forward": {
    "mutates": [], "mutates_inputs": [],
    "outputs": [{"value": "result"}, {"value": "result"}, {"value": "result"},
                {"value": "entry", "of_parameter": "w"},
                {"value": "entry", "of_parameter": "b"}]}}})";

// loss = w * x + b, the gradients x and a sum. Returns the loss, both gradients, and the values at
// these positions among w, b, and the gradients.
Program Trains(int32_t first, int32_t second, bool named = false) {
  MethodBuilder b;
  const int32_t w = b.Planned(1, 0, {8}, named ? "w" : "");
  const int32_t bias = b.Planned(1, 32, {8}, named ? "b" : "");
  b.TensorAt(w).data_index = 1;
  b.TensorAt(bias).data_index = 2;
  const int32_t x = b.Planned(1, 64, {8});
  b.Input(x);
  const int32_t product = b.Planned(1, 96, {8});
  b.Mul(w, x, product);
  const int32_t loss = b.Planned(1, 128, {8});
  b.Add(product, bias, loss);
  const int32_t gradient_w = b.Planned(1, 160, {8});
  b.Mul(x, loss, gradient_w);
  const int32_t gradient_b = b.Planned(1, 192, {8});
  b.Add(loss, loss, gradient_b);
  const int32_t returned[] = {w, bias, gradient_w, gradient_b};
  for (const int32_t v : {loss, gradient_w, gradient_b, returned[first], returned[second]}) {
    b.Output(v);
  }
  Program program = ProgramOf({b.Build()});
  program.initial_values = {{}, {}, {}};
  return program;
}

// The lines of output-misbound; the proof shares the verdicts.
std::vector<std::string> Judged(const Program& program) {
  const auto manifest = ParseManifest(kTrains);
  EXPECT_TRUE(manifest.ok());
  const Report report = Check(program, {.manifest = &manifest.value()});
  const proofs::Proof proof =
      proofs::Prove(program, {.manifest = &manifest.value()}, {.fast = true});
  EXPECT_EQ(report.verdicts, proof.verdicts);
  return LinesOf(report, rule::kOutputMisbound);
}

TEST(TrainingOutputs, AreRightWhereTheParametersThemselvesAreReturned) {
  EXPECT_THAT(Judged(Trains(0, 1)), IsEmpty());
  EXPECT_THAT(Judged(Trains(0, 1, true)), IsEmpty());
}

TEST(TrainingOutputs, AreWrongWhereAParameterIsAValueOfTheCall) {
  EXPECT_THAT(Judged(Trains(0, 2)),
              ElementsAre("error output-misbound forward v6 bank 1 [160,192)"));
  EXPECT_THAT(ExplanationOf(CheckWith(Trains(0, 2), kTrains), rule::kOutputMisbound),
              HasSubstr("Output 4 must be the parameter 'b' itself."));
}

TEST(TrainingOutputs, AreWrongWhereOneParameterStandsForTwo) {
  EXPECT_THAT(Judged(Trains(0, 0)), ElementsAre("error output-misbound forward v0 bank 1 [0,32)"));
}

TEST(TrainingOutputs, AreInTheOrderOfTheirNamesWhereTheFileHasNames) {
  EXPECT_EQ(Judged(Trains(1, 0, true)).size(), 2U);
  EXPECT_THAT(Judged(Trains(1, 0)), IsEmpty());
}

TEST(TrainingOutputs, AreLeftOpenByAManifestOfTheUsersOutputs) {
  constexpr std::string_view kUsersOnly = R"({"pteproof": 1, "methods": {"forward": {
      "mutates": [], "mutates_inputs": [], "outputs": [{"value": "result"}]}}})";
  Program program = Trains(0, 1);
  EXPECT_EQ(VerdictRow(CheckWith(program, kUsersOnly)), "unsafe unsafe unsafe");
  program.methods.push_back(MethodBuilder("__et_training_gradients_index_forward").Build());
  EXPECT_EQ(VerdictRow(CheckWith(program, kUsersOnly)), "undecided undecided undecided");
  const auto manifest = ParseManifest(kUsersOnly);
  const proofs::Proof proof = proofs::Prove(program, {.manifest = &manifest.value()});
  EXPECT_EQ(proof.verdicts[0], Verdict::kUndecided);
}

// The same with both parameters in constant data.
Program TrainsConstants(uint32_t first, uint32_t second) {
  Program program = Trains(0, 1);
  Method& method = program.methods[0];
  for (size_t p = 0; p < 2; ++p) {
    Tensor& tensor = method.tensors[method.values[p].tensor];
    tensor.planned = false;
    tensor.bank = 0;
    tensor.data_index = p == 0 ? first : second;
  }
  program.constants = {{}, {}, {}};
  MethodBuilder index("__et_training_parameters_index_forward");
  index.Output(index.Int(3));
  program.methods.push_back(index.Build());
  return program;
}

TEST(TrainingOutputs, AreWarnedOfInConstantDataWithAndWithoutAManifest) {
  const Program program = TrainsConstants(1, 2);
  EXPECT_THAT(Judged(program), IsEmpty());
  for (const Report& report : {Check(program), CheckWith(program, kTrains)}) {
    EXPECT_THAT(LinesOf(report, rule::kMemoryMissing),
                ElementsAre("warning memory-missing forward v0 v1"));
    EXPECT_THAT(ExplanationOf(report, rule::kMemoryMissing), HasSubstr("1 more"));
  }
  EXPECT_THAT(LinesOf(CheckWith(Trains(0, 1), kTrains), rule::kMemoryMissing), IsEmpty());
}

TEST(TrainingOutputs, AreWrongWhereTwoParametersHaveOneConstant) {
  EXPECT_THAT(Judged(TrainsConstants(1, 1)),
              ElementsAre(HasSubstr("error output-misbound forward v1")));
}

TEST(TrainingOutputs, AreCounted) {
  Program program = Trains(0, 1);
  program.methods[0].outputs.pop_back();
  EXPECT_THAT(Judged(program), ElementsAre(HasSubstr("output-misbound forward")));
}

}  // namespace
}  // namespace pteproof
