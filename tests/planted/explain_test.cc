// Failing cases of planners with a planted defect, of which it is known by hand what matters.
#include "properties/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "properties/differential/case_run.h"
#include "properties/explain/words.h"
#include "reference/graph/parse.h"
#include "reference/graph/print.h"
#include "planner/planted.h"

namespace pteproof::explain {
namespace {

using generators::RandomCase;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Explained {
  std::string kind;
  std::string text;  // the Module with its comments
  std::string summary;
  bool stays_together = false;
};

TensorValue Numbered(ScalarType dtype, Sizes sizes) {
  TensorValue tensor = Zeros(dtype, std::move(sizes));
  for (int64_t i = 0; i < ElementCount(tensor); ++i) SetInt(tensor, i, i + 1);
  return tensor;
}

// One call of the only method, each input numbered from 1.
RandomCase CaseOfText(const std::string& text) {
  RandomCase c;
  auto module = graph::Parse(text);
  EXPECT_TRUE(module.ok());
  if (!module.ok()) return c;
  c.module = std::move(module).value();
  c.calls.emplace_back();
  const graph::Method& method = c.module.methods[0];
  for (const graph::Input& input : method.inputs) {
    const TensorType& type = *graph::TensorTypeOf(method, input.value);
    Sizes sizes;
    for (const SizeExpr& size : type.sizes) sizes.push_back(*size.Constant());
    c.calls[0].inputs.emplace_back(Numbered(type.dtype, std::move(sizes)));
  }
  return c;
}

Explained ExplainWith(planner::Defect defect, const std::string& text) {
  const RandomCase c = CaseOfText(text);
  PlantDefect(defect);
  const Explanation explanation =
      Explain(c, [](const RandomCase& other) { return RunCase(other, {}).fault.kind; });
  PlantDefect(planner::Defect::kNone);
  return {explanation.kind, graph::Print(c.module, NotesOf(c, explanation)),
          SummaryOf(c, explanation), explanation.together == Together::kStays};
}

// Its first byte is zero, and it is not all zeros: 256 is 0x100. The second element is anything.
constexpr const char* kFirstByteZero = R"(buffer @k: int32[2] shared = [256, 5]

method m(%x: int32[2]) {
  %0 = entry @k
  %1: int32[2] = aten::mul.out(%x, %0)
  return %1
  store @k = %1
}
)";

TEST(ExplainPlanted, FindsTheElementThatIsTakenForZeros) {
  const Explained explained = ExplainWith(planner::Defect::kZeroByFirstByte, kFirstByteZero);
  EXPECT_THAT(explained.summary, HasSubstr("Essential: element 0 of the initial value of @k; "
                                           "all else may be anything"));
  EXPECT_THAT(explained.text,
              AllOf(HasSubstr("mul.out(%x, %0)  # any operator of its signature"),
                    HasSubstr("{  # any inputs will do"), HasSubstr("= [256, 5]\n")));
  EXPECT_TRUE(explained.stays_together);
}

// A product of matrices reads rows and columns, so that its result may not lie over an operand.
// Element by element it might: there the planner is right, and the operator matters.
constexpr const char* kProduct = R"(method m(%x: float32[2, 2], %y: float32[2, 2]) {
  %0: float32[2, 2] = aten::neg.out(%x)
  %1: float32[2, 2] = aten::mm.out(%0, %y)
  return %1
}
)";

TEST(ExplainPlanted, FindsTheOperatorThatIsNotElementwise) {
  const Explained explained = ExplainWith(planner::Defect::kAnyOperatorInPlace, kProduct);
  EXPECT_EQ(explained.kind, "in-place-alias");
  EXPECT_THAT(explained.summary, AllOf(HasSubstr("Essential: %1 (aten::mm.out) in m, but not with"),
                                       Not(HasSubstr("%0"))));
  EXPECT_THAT(explained.text, AllOf(HasSubstr("neg.out(%x)  # any operator of its signature"),
                                    HasSubstr("mm.out(%0, %y)\n")));
  EXPECT_TRUE(explained.stays_together);
}

TEST(ExplainPlanted, IsSilentWithoutADefect) {
  for (const char* text : {kFirstByteZero, kProduct}) {
    const Explained explained = ExplainWith(planner::Defect::kNone, text);
    EXPECT_EQ(explained.kind, "");
    EXPECT_EQ(explained.summary, "");
    EXPECT_EQ(explained.text, text);
  }
}

}  // namespace
}  // namespace pteproof::explain
