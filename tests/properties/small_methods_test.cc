// A method with few values beside others: their numbering tells of its views too. Check, proof and
// runs follow it alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

// x, y = relu(x) at the place of x, and a view at that place, which is returned. By its number it
// is a view of y, or else of x, whose bytes are gone.
Method Viewing(bool of_x) {
  MethodBuilder b("viewing");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t first = b.Planned(1, 0, of_x ? std::vector{2, 4} : std::vector{8});
  const int32_t second = b.Planned(1, 0, of_x ? std::vector{8} : std::vector{2, 4});
  const int32_t y = of_x ? second : first;
  b.Call("aten::relu.out", {x, y, y});
  b.Output(of_x ? first : second);
  return b.Build();
}

Method InOrder(const std::string& name) {
  MethodBuilder b(name);
  const int32_t x = b.Planned(1, 64, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 96, {8});
  b.Call("aten::relu.out", {x, y, y});
  const int32_t z = b.Planned(1, 128, {8});
  b.Call("aten::neg.out", {y, z, z});
  b.Output(z);
  return b.Build();
}

TEST(SmallMethods, LeaveAViewOpenIfTheyAreAlone) {
  EXPECT_EQ(AgreedRow(ProgramOf({Viewing(false)})), "undecided undecided undecided");
  EXPECT_EQ(AgreedRow(ProgramOf({Viewing(true)})), "undecided undecided undecided");
}

TEST(SmallMethods, HaveTheOrderOfOtherMethods) {
  for (const bool of_x : {false, true}) {
    const Program program =
        ProgramOf({Viewing(of_x), InOrder("one"), InOrder("two"), InOrder("three")});
    EXPECT_EQ(AgreedRow(program), of_x ? "unsafe unsafe unsafe" : "safe safe safe");
  }
}

}  // namespace
}  // namespace pteproof
