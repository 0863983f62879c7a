#include "properties/manifest/admits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pteproof {
namespace {

// What is said of float tensors of these sizes.
std::string Said(const std::string& inputs, const std::vector<Sizes>& given) {
  const auto manifest =
      ParseManifest(R"({"pteproof": 1, "methods": {"f": {"inputs": )" + inputs + "}}}");
  if (!manifest.ok()) return manifest.error().front().what;
  std::vector<Datum> data;
  for (const Sizes& sizes : given) data.emplace_back(TensorValue{ScalarType::kFloat32, sizes, {}});
  return NotAdmitted(manifest.value().methods.at("f"), data).value_or("");
}

TEST(Admits, GoesByRangesAndSteps) {
  const std::string stated = R"([{"name": "x", "sizes": [{"min": 8, "max": 32, "step": 8}, 3]}])";
  EXPECT_EQ(Said(stated, {{16, 3}}), "");
  EXPECT_EQ(Said(stated, {{12, 3}}),
            "input 0 'x' has the size 12 in dimension 0, and the manifest admits 8 to 32 in steps "
            "of 8");
  EXPECT_EQ(Said(stated, {{40, 3}}).find("input 0 'x' has the size 40"), 0U);
  EXPECT_EQ(Said(stated, {{8, 4}}),
            "input 0 'x' has the size 4 in dimension 1, and the manifest admits 3");
  EXPECT_EQ(Said(stated, {{8}}), "input 0 'x' has 1 dimensions, and the manifest admits 2");
}

TEST(Admits, GoesByTheNamesOfDimensions) {
  const std::string stated = R"([{"sizes": [{"min": 1, "max": 8, "name": "n"}]},
                                 {"sizes": [{"min": 1, "max": 8, "name": "n"}]}])";
  EXPECT_EQ(Said(stated, {{4}, {4}}), "");
  EXPECT_EQ(Said(stated, {{4}, {5}}),
            "input 1 has the size 5 in dimension 0, and dimension 0 of input 0, which has the name "
            "'n' too, has 4");
}

TEST(Admits, TakesAnythingThatIsNotStated) {
  EXPECT_EQ(Said(R"([{"name": "x"}, {"sizes": [{"min": 2}]}])", {{4, 4}, {1000}}), "");
}

TEST(Admits, ReadsStepsThatLeadFromMinToMax) {
  EXPECT_EQ(Said(R"([{"sizes": [{"min": 1, "max": 8, "step": 2}]}])", {}),
            "is 2, and no number of steps leads from the min of 1 to the max of 8");
  EXPECT_EQ(Said(R"([{"sizes": [{"min": 1, "step": 0}]}])", {}), "is 0; a step is 1 or more");
  EXPECT_NE(Said(R"([{"name": "x", "range": {"min": 1, "step": 2}}])", {}), "");
}

}  // namespace
}  // namespace pteproof
