#include "reference/op_signature.h"

#include <gtest/gtest.h>

#include <optional>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

TEST(ParseSignature, ReadsNameArgumentsAndOut) {
  const auto s =
      ParseSignature("aten::add.out(Tensor self, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)");
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->name, "aten::add.out");
  ASSERT_EQ(s->args.size(), 3U);
  EXPECT_EQ(s->args[0].name, "self");
  EXPECT_EQ(s->args[0].kind, ArgKind::kTensor);
  EXPECT_EQ(s->args[0].access, Access::kRead);
  EXPECT_FALSE(s->args[0].returned);
  EXPECT_EQ(s->args[1].name, "alpha");
  EXPECT_EQ(s->args[1].kind, ArgKind::kScalar);
  EXPECT_FALSE(s->args[1].optional);
  EXPECT_EQ(s->args[2].name, "out");
  EXPECT_EQ(s->args[2].access, Access::kWrite);
  EXPECT_TRUE(s->args[2].returned);
  EXPECT_EQ(s->returns, ReturnSlot::kWritten);
  EXPECT_FALSE(s->in_place);
  EXPECT_FALSE(s->is_view);
}

TEST(ParseSignature, UpdatesWhatIsWrittenBeforeTheStar) {
  const auto s = ParseSignature("a::put_(Tensor(a!) self, Tensor?[] indices) -> Tensor(a!)");
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->args[0].access, Access::kUpdate);
  EXPECT_TRUE(s->args[0].returned);
  EXPECT_EQ(s->args[1].kind, ArgKind::kOptionalTensorList);
  EXPECT_TRUE(s->in_place);
}

TEST(ParseSignature, ReturnsOnlyTheNamedOneOfSeveralWrittenArguments) {
  const auto s = ParseSignature("a::b(Tensor(a!) cache, *, Tensor(b!) out) -> Tensor(b!)");
  ASSERT_TRUE(s.has_value());
  EXPECT_FALSE(s->args[0].returned);
  EXPECT_TRUE(s->args[1].returned);
}

TEST(ParseSignature, ReturnsAListOfSeveralOuts) {
  const auto s =
      ParseSignature("a::max(*, Tensor(a!) max, Tensor(b!) at) -> (Tensor(a!) x, Tensor(b!) y)");
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->returns, ReturnSlot::kWrittenList);
  EXPECT_TRUE(s->args[0].returned);
  EXPECT_TRUE(s->args[1].returned);
}

TEST(ParseSignature, ReturnsAWrittenListEvenUnderAnEmptyReturn) {
  const auto s = ParseSignature("a::split(Tensor self, *, Tensor(a!)[] out) -> ()");
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->returns, ReturnSlot::kWrittenList);
  EXPECT_EQ(s->args[1].kind, ArgKind::kTensorList);
  EXPECT_EQ(s->args[1].access, Access::kWrite);
}

TEST(ParseSignature, SeesAViewInAnUnwrittenSharedSet) {
  const auto view = ParseSignature("p::view(Tensor(a) self, Tensor(a) out) -> ()");
  ASSERT_TRUE(view.has_value());
  EXPECT_TRUE(view->is_view);
  EXPECT_EQ(view->returns, ReturnSlot::kNone);
  const auto two_sets = ParseSignature("p::view(Tensor(a) self, Tensor(b) out) -> ()");
  ASSERT_TRUE(two_sets.has_value());
  EXPECT_FALSE(two_sets->is_view);
}

TEST(ParseSignature, MapsEveryTypeToItsKind) {
  const auto s = ParseSignature(
      "a::b(int a, SymInt b, ScalarType c, MemoryFormat d, bool e, float f, str g, int[] h, "
      "SymInt[2] i=[], float[] j, bool[3] k, Tensor[] l, Scalar m) -> Scalar");
  ASSERT_TRUE(s.has_value());
  const ArgKind expected[] = {ArgKind::kInt,       ArgKind::kInt,      ArgKind::kInt,
                              ArgKind::kInt,       ArgKind::kBool,     ArgKind::kFloat,
                              ArgKind::kString,    ArgKind::kIntList,  ArgKind::kIntList,
                              ArgKind::kFloatList, ArgKind::kBoolList, ArgKind::kTensorList,
                              ArgKind::kScalar};
  ASSERT_EQ(s->args.size(), std::size(expected));
  for (size_t i = 0; i < s->args.size(); ++i) {
    EXPECT_EQ(s->args[i].kind, expected[i]) << s->args[i].name;
    EXPECT_FALSE(s->args[i].optional) << s->args[i].name;
  }
  EXPECT_EQ(s->returns, ReturnSlot::kScalar);
}

TEST(ParseSignature, SeesOptionalArguments) {
  const auto s = ParseSignature(
      "a::b(Tensor? a, int? b=None, int[1]? c=None, str? d, float[]? e, ScalarType? f) -> SymInt");
  ASSERT_TRUE(s.has_value());
  ASSERT_EQ(s->args.size(), 6U);
  for (const ArgSchema& arg : s->args) EXPECT_TRUE(arg.optional) << arg.name;
  EXPECT_EQ(s->args[2].kind, ArgKind::kIntList);
  EXPECT_EQ(s->args[2].name, "c");
}

TEST(ParseSignature, RefusesWhatIsNoSignature) {
  for (const char* text : {
           "",
           "aten::add",
           "(Tensor self) -> ()",
           "a::b(Tensor self)",
           "a::b(Tensor self) -> ",
           "a::b(Tensor) -> ()",
           "a::b(Tensr self) -> ()",
           "a::b(Tensor(a! self) -> ()",
           "a::b(Tensor] self) -> ()",
           "a::b(str[] names) -> ()",
           "a::b(int?[] items) -> ()",
           "a::b(Tensor(a!) self) -> Tensor(b!)",
           "a::b(Tensor(a!) self) -> (Tensor(a!), Tensor(b!))",
       }) {
    EXPECT_FALSE(ParseSignature(text).has_value()) << text;
  }
}

TEST(ParseSignature, RefusesAFreshTensorAsReturn) {
  EXPECT_FALSE(ParseSignature("aten::add.Tensor(Tensor self, Tensor other) -> Tensor").has_value());
}

}  // namespace
}  // namespace pteproof
