#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/rule_names.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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

}  // namespace
}  // namespace pteproof
