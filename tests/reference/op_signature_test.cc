#include "reference/op_signature.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

TEST(ParseSignature, ReadsNameArgumentsAndOut) {
  const auto s =
      ParseSignature("aten::add.out(Tensor self, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)");
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.value().name, "aten::add.out");
  ASSERT_EQ(s.value().args.size(), 3U);
  EXPECT_EQ(s.value().args[0].name, "self");
  EXPECT_EQ(s.value().args[0].kind, ArgKind::kTensor);
  EXPECT_EQ(s.value().args[0].access, Access::kRead);
  EXPECT_FALSE(s.value().args[0].returned);
  EXPECT_EQ(s.value().args[1].name, "alpha");
  EXPECT_EQ(s.value().args[1].kind, ArgKind::kScalar);
  EXPECT_FALSE(s.value().args[1].optional);
  EXPECT_EQ(s.value().args[2].name, "out");
  EXPECT_EQ(s.value().args[2].access, Access::kWrite);
  EXPECT_TRUE(s.value().args[2].returned);
  EXPECT_EQ(s.value().returns, ReturnSlot::kWritten);
  EXPECT_FALSE(s.value().in_place);
  EXPECT_FALSE(s.value().is_view);
}

TEST(ParseSignature, UpdatesWhatIsWrittenBeforeTheStar) {
  const auto s = ParseSignature("a::put_(Tensor(a!) self, Tensor?[] indices) -> Tensor(a!)");
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.value().args[0].access, Access::kUpdate);
  EXPECT_TRUE(s.value().args[0].returned);
  EXPECT_EQ(s.value().args[1].kind, ArgKind::kOptionalTensorList);
  EXPECT_TRUE(s.value().in_place);
}

TEST(ParseSignature, ReturnsOnlyTheNamedOneOfSeveralWrittenArguments) {
  const auto s = ParseSignature("a::b(Tensor(a!) cache, *, Tensor(b!) out) -> Tensor(b!)");
  ASSERT_TRUE(s.ok());
  EXPECT_FALSE(s.value().args[0].returned);
  EXPECT_TRUE(s.value().args[1].returned);
}

TEST(ParseSignature, ReturnsAListOfSeveralOuts) {
  const auto s =
      ParseSignature("a::max(*, Tensor(a!) max, Tensor(b!) at) -> (Tensor(a!) x, Tensor(b!) y)");
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.value().returns, ReturnSlot::kWrittenList);
  EXPECT_TRUE(s.value().args[0].returned);
  EXPECT_TRUE(s.value().args[1].returned);
}

TEST(ParseSignature, ReturnsAWrittenListEvenUnderAnEmptyReturn) {
  const auto s = ParseSignature("a::split(Tensor self, *, Tensor(a!)[] out) -> ()");
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.value().returns, ReturnSlot::kWrittenList);
  EXPECT_EQ(s.value().args[1].kind, ArgKind::kTensorList);
  EXPECT_EQ(s.value().args[1].access, Access::kWrite);
}

TEST(ParseSignature, SeesAViewInAnUnwrittenSharedSet) {
  const auto view = ParseSignature("p::view(Tensor(a) self, Tensor(a) out) -> ()");
  ASSERT_TRUE(view.ok());
  EXPECT_TRUE(view.value().is_view);
  EXPECT_EQ(view.value().returns, ReturnSlot::kNone);
  const auto two_sets = ParseSignature("p::view(Tensor(a) self, Tensor(b) out) -> ()");
  ASSERT_TRUE(two_sets.ok());
  EXPECT_FALSE(two_sets.value().is_view);
}

TEST(ParseSignature, MapsEveryTypeToItsKind) {
  const auto s = ParseSignature(
      "a::b(int a, SymInt b, ScalarType c, MemoryFormat d, bool e, float f, str g, int[] h, "
      "SymInt[2] i=[], float[] j, bool[3] k, Tensor[] l, Scalar m) -> Scalar");
  ASSERT_TRUE(s.ok());
  const ArgKind expected[] = {ArgKind::kInt,       ArgKind::kInt,      ArgKind::kInt,
                              ArgKind::kInt,       ArgKind::kBool,     ArgKind::kFloat,
                              ArgKind::kString,    ArgKind::kIntList,  ArgKind::kIntList,
                              ArgKind::kFloatList, ArgKind::kBoolList, ArgKind::kTensorList,
                              ArgKind::kScalar};
  ASSERT_EQ(s.value().args.size(), std::size(expected));
  for (size_t i = 0; i < s.value().args.size(); ++i) {
    EXPECT_EQ(s.value().args[i].kind, expected[i]) << s.value().args[i].name;
    EXPECT_FALSE(s.value().args[i].optional) << s.value().args[i].name;
  }
  EXPECT_EQ(s.value().returns, ReturnSlot::kScalar);
}

TEST(ParseSignature, SeesOptionalArguments) {
  const auto s = ParseSignature(
      "a::b(Tensor? a, int? b=None, int[1]? c=None, str? d, float[]? e, ScalarType? f) -> SymInt");
  ASSERT_TRUE(s.ok());
  ASSERT_EQ(s.value().args.size(), 6U);
  for (const ArgSchema& arg : s.value().args) EXPECT_TRUE(arg.optional) << arg.name;
  EXPECT_EQ(s.value().args[2].kind, ArgKind::kIntList);
  EXPECT_EQ(s.value().args[2].name, "c");
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
    EXPECT_FALSE(ParseSignature(text).ok()) << text;
  }
}

TEST(ParseSignature, WritesAFreshResultIntoTheSlot) {
  const auto s = ParseSignature("my::norm(Tensor x, float eps=1e-05) -> Tensor");
  ASSERT_TRUE(s.ok());
  ASSERT_EQ(s.value().args.size(), 3U);
  EXPECT_EQ(s.value().args[2].kind, ArgKind::kTensor);
  EXPECT_EQ(s.value().args[2].access, Access::kWrite);
  EXPECT_TRUE(s.value().args[2].out);
  EXPECT_EQ(s.value().returns, ReturnSlot::kNone);
  const auto two = ParseSignature("my::norm(Tensor x) -> (Tensor y, Tensor scale)");
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(two.value().args[1].kind, ArgKind::kTensorList);
  EXPECT_EQ(two.value().args[1].access, Access::kWrite);
}

TEST(ParseSignature, TakesOneResultInBracketsForOne) {
  const auto s = ParseSignature("my::f.out(Tensor x, *, Tensor(a!) y) -> (Tensor(a!) y)");
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.value().returns, ReturnSlot::kWritten);
  EXPECT_TRUE(s.value().args[1].returned);
}

TEST(ParseSignature, PointsTheSlotAtAnOperandOfItsSet) {
  const auto s = ParseSignature("my::fold(Tensor x, Tensor(a) self, int n) -> Tensor(a)");
  ASSERT_TRUE(s.ok());
  EXPECT_TRUE(s.value().is_view);
  EXPECT_EQ(s.value().viewed, 1U);
  ASSERT_EQ(s.value().args.size(), 4U);
  EXPECT_EQ(s.value().args[1].access, Access::kNone);
  EXPECT_EQ(s.value().args[3].access, Access::kNone);
  EXPECT_FALSE(s.value().args[3].out);
}

TEST(ParseSignature, LeavesAnOutOfAnUnwrittenSetAtItsPlace) {
  const auto s = ParseSignature("my::part.out(Tensor(a) x, int at, *, Tensor(a) out) -> Tensor(a)");
  ASSERT_TRUE(s.ok());
  EXPECT_FALSE(s.value().is_view);
  EXPECT_FALSE(s.value().in_place);
  EXPECT_EQ(s.value().returns, ReturnSlot::kWritten);
  const ArgSchema& out = s.value().args[2];
  EXPECT_TRUE(out.out);
  EXPECT_TRUE(out.returned);
  EXPECT_EQ(out.access, Access::kNone);
  EXPECT_EQ(out.set, 'a');
  EXPECT_EQ(s.value().args[0].set, 'a');
  const auto list = ParseSignature("my::join.out(Tensor(a)[] xs, *, Tensor(a) out) -> Tensor(a)");
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list.value().args[0].kind, ArgKind::kTensorList);
  EXPECT_EQ(list.value().args[0].set, 'a');
}

TEST(ParseSignature, ReadsASetOfOneArgumentAsNothing) {
  const auto s = ParseSignature("my::f.out(Tensor(a) x, *, Tensor(b!) out) -> Tensor(b!)");
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.value().args[0].access, Access::kRead);
  EXPECT_EQ(s.value().args[0].set, '\0');
}

TEST(ParseSignature, SkipsDefaultsThatHoldCommasAndBrackets) {
  const auto s = ParseSignature(
      "my::pool.out(Tensor x, int[2] size=[1, 1], str mode='a, (b)', *,Tensor(a!) "
      "out)->Tensor(a!)");
  ASSERT_TRUE(s.ok());
  ASSERT_EQ(s.value().args.size(), 4U);
  EXPECT_EQ(s.value().args[1].kind, ArgKind::kIntList);
  EXPECT_EQ(s.value().args[2].name, "mode");
  EXPECT_EQ(s.value().args[3].access, Access::kWrite);
}

// Where the text is wrong, and a part of the words.
struct WrongSignature {
  std::string_view text;
  size_t at;
  std::string_view words;
};

TEST(ParseSignature, NamesThePlaceOfAFault) {
  for (const WrongSignature& wrong : {
           WrongSignature{"mine(Tensor x) -> Tensor", 0, "full name"},
           WrongSignature{"my::f(Tensor x)", 15, "what the call returns"},
           WrongSignature{"my::f(Tensr x) -> Tensor", 6, "did you mean \"Tensor\"?"},
           WrongSignature{"my::f(Tensor x, Device d) -> Tensor", 16, "is not a type"},
           WrongSignature{"my::f(Tensor x, Tensor) -> Tensor", 16, "a type and a name"},
           WrongSignature{"my::f(Tensor x, int x) -> Tensor", 20, "a second argument \"x\""},
           WrongSignature{"my::f(Tensor x, *, *, Tensor(a!) y) -> Tensor(a!)", 19, "a second"},
           WrongSignature{"my::f(Tensor x, *, Tensor(a!) y) -> Tensor(b!)", 36, "is returned"},
           WrongSignature{"my::f(Tensor x) -> str", 19, "does not return"},
           WrongSignature{"my::f(Tensor x, *, Tensor(a!) y) -> Tensor(a)", 36, "\"!\" in both"},
           WrongSignature{"my::f(Tensor x, *, Tensor(a!) y) -> Tensor(a!) y, ]", 47, "name"},
           WrongSignature{"my::f(Tensor x=) -> Tensor", 15, "default"},
           WrongSignature{"my::f(Tensor 7y) -> Tensor", 13, "name"},
           WrongSignature{"my::f(Tensor\tx) -> Tensor", 12, "a tab"},
           WrongSignature{
               "my::f(Tensor x, *, Tensor(a!) y, Tensor(b!) z) -> (Tensor(b!), Tensor(a!))", 63,
               "in the arguments' order"},
           WrongSignature{"my::f(Tensor x, *, Tensor(a!) y) -> (Tensor(a!), Tensor(a!))", 49,
                          "once"},
           WrongSignature{"my::f(Tensor x, *, Tensor(a!) y) -> (Tensor(a!), Tensor)", 36, "list"},
       }) {
    const auto parsed = ParseSignature(wrong.text);
    ASSERT_FALSE(parsed.ok()) << wrong.text;
    EXPECT_EQ(parsed.error().at, wrong.at) << wrong.text;
    EXPECT_NE(parsed.error().what.find(wrong.words), std::string::npos) << parsed.error().what;
  }
}

}  // namespace
}  // namespace pteproof
