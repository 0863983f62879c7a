// Buffers without names that have one number in several methods: the exporter numbers a model's
// parameters and buffers in one order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

// Values 0 and 1 of a method: a parameter and a buffer.
struct Head {
  uint32_t parameter = 1;  // index of its data
  uint64_t offset = 0;     // of the buffer, in bank 1
  std::string_view name = {};
  int32_t first_size = 4;  // of the buffer
  bool more = false;       // one more parameter is ahead
};

// Stores an input to the buffer.
Method Put(const Head& head) {
  MethodBuilder b("put");
  const int32_t weight = b.Constant(head.parameter, {4});
  const int32_t buffer = b.Planned(1, head.offset, {head.first_size}, head.name);
  const int32_t x = b.Planned(1, 0, {head.first_size});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {4});
  b.Add(weight, weight, y);
  b.Copy(buffer, x);
  b.Output(y);
  return b.Build();
}

// Adds an input to the buffer.
Method Sum(const Head& head) {
  MethodBuilder b("sum");
  const int32_t more = head.more ? b.Constant(3, {4, 4}) : -1;
  const int32_t weight = b.Constant(head.parameter, {4});
  const int32_t buffer = b.Planned(1, head.offset, {4}, head.name);
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {4});
  b.Mul(weight, x, y);
  const int32_t z = b.Planned(1, 64, {4});
  b.Add(buffer, y, z);
  b.Copy(buffer, z);
  if (more >= 0) b.Add(more, more, b.Planned(1, 192, {4, 4}));
  b.Output(z);
  return b.Build();
}

TEST(NumberedBuffers, AreOneOrTwoIfTheirPlacesDiffer) {
  const Program program = ProgramOf({Put({.offset = 96}), Sum({.offset = 128})});
  EXPECT_EQ(AgreedRow(program), "undecided undecided undecided");
  const std::string explanation = ExplanationOf(Check(program), rule::kSharedLayout);
  EXPECT_THAT(explanation, HasSubstr("'put' stores a buffer without a name in v1"));
  EXPECT_THAT(explanation, HasSubstr("'sum' does not see the stored value"));
}

TEST(NumberedBuffers, AreOneOrTwoIfTheirBankIsPrivate) {
  const Program program = ProgramOf({Put({.offset = 96}), Sum({.offset = 96})});
  EXPECT_EQ(AgreedRow(program), "undecided safe safe");
}

// The exporter leaves out the parameters that a method does not use.
TEST(NumberedBuffers, AreOneOrTwoBehindOtherParameters) {
  for (const Head& head : {Head{.offset = 128, .more = true}, Head{.parameter = 2, .offset = 128},
                           Head{.parameter = 2, .offset = 128, .more = true}}) {
    EXPECT_EQ(AgreedRow(ProgramOf({Put({.offset = 96}), Sum(head)})),
              "undecided undecided undecided");
  }
}

// Updates one of the model's two buffers. The other one is a constant that it does not use.
Method UpdateOne(const std::string& name, bool is_first, uint64_t offset) {
  MethodBuilder b(name);
  const int32_t weight = b.Constant(1, {2});
  if (!is_first) b.Constant(2, {4});
  const int32_t buffer = b.Planned(1, offset, {4});
  if (is_first) b.Constant(2, {4});
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Add(weight, weight, b.Planned(1, 32, {2}));
  const int32_t y = b.Planned(1, 64, {4});
  b.Add(buffer, x, y);
  b.Copy(buffer, y);
  b.Output(y);
  return b.Build();
}

// The exporter leaves out no buffer, so that the second one is not the first of the other method.
TEST(NumberedBuffers, AreTwoIfABufferThatIsNotUsedTellsThemApart) {
  EXPECT_EQ(AgreedRow(ProgramOf({UpdateOne("m", true, 96), UpdateOne("n", false, 128)})),
            "safe safe safe");
  EXPECT_EQ(AgreedRow(ProgramOf({UpdateOne("m", true, 96), UpdateOne("n", true, 128)})),
            "undecided undecided undecided");
}

// One method with enough values in order tells that an exporter numbered both.
TEST(NumberedBuffers, AreOneOrTwoIfOneMethodHasFewValues) {
  MethodBuilder b("keep");
  const int32_t buffer = b.Planned(1, 96, {4});
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Copy(buffer, x);
  EXPECT_EQ(AgreedRow(ProgramOf({b.Build(), Sum({.offset = 128})})),
            "undecided undecided undecided");
}

TEST(NumberedBuffers, AreTwoIfTheirSizesDiffer) {
  const Program program = ProgramOf({Put({.offset = 96, .first_size = 2}), Sum({.offset = 128})});
  EXPECT_EQ(AgreedRow(program), "safe safe safe");
}

TEST(NumberedBuffers, AreNotAskedAboutIfTheyHaveNames) {
  const Program program =
      ProgramOf({Put({.offset = 96, .name = "a"}), Sum({.offset = 128, .name = "b"})});
  EXPECT_EQ(AgreedRow(program), "safe safe safe");
}

// A store that nobody is meant to see: the other method stores too, and reads nothing.
TEST(NumberedBuffers, AreNotAskedAboutIfTheOtherMethodReadsNothing) {
  Method other = Put({.offset = 128});
  other.name = "again";
  const Program program = ProgramOf({Put({.offset = 96}), other});
  EXPECT_EQ(AgreedRow(program), "safe safe safe");
}

}  // namespace
}  // namespace pteproof
