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

TEST(TrainingOutputs, AreWrongWhereTwoParametersHaveOneConstant) {
  EXPECT_THAT(Judged(TrainsConstants(1, 1)),
              ElementsAre(HasSubstr("error output-misbound forward v1")));
}

}  // namespace
}  // namespace pteproof
