#include "runtime/own_operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(OwnOperators, AreReadFromTextAndFromAYamlList) {
  OwnOperators own;
  EXPECT_THAT(AddOperators("# mine\n"
                           "my::fuse.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)\n"
                           "\n"
                           "- func: my::roll_(Tensor(a!) self, int by) -> Tensor(a!)\n"
                           "- \"my::sum.out(Tensor[] xs, *, Tensor(a!) out) -> Tensor(a!)\"\n",
                           own),
              IsEmpty());
  ASSERT_EQ(own.schemas.size(), 3U);
  EXPECT_EQ(own.Find("my::roll_")->args[0].access, Access::kUpdate);
  EXPECT_TRUE(own.Find("my::roll_")->in_place);
  EXPECT_EQ(own.Find("my::fuse.out")->args[2].access, Access::kWrite);
  EXPECT_EQ(own.Find("my::fuse.out")->args[0].access, Access::kRead);
  EXPECT_EQ(own.Find("my::sum.out")->args[0].kind, ArgKind::kTensorList);
  EXPECT_EQ(own.Find("my::other"), nullptr);
}

TEST(OwnOperators, AreReadFromTheListThatExecuTorchGeneratesKernelsFrom) {
  OwnOperators own;
  EXPECT_THAT(AddOperators("- func: my::f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n"
                           "  kernels:\n"
                           "    - arg_meta: null\n"
                           "      kernel_name: my::f_out\n",
                           own),
              IsEmpty());
  EXPECT_EQ(own.schemas.size(), 1U);
}

TEST(OwnOperators, TellLineAndColumnOfAMistake) {
  OwnOperators own;
  const auto errors = AddOperators(
      "my::good.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n"
      "  my::bad.out(Tensor x, Tensr y, *, Tensor(a!) out) -> Tensor(a!)\n"
      "- my::text(Tensor x) -> str\n"
      "no signature\n",
      own);
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_EQ(errors[0].line, 2U);
  EXPECT_EQ(errors[0].column, 25U);
  EXPECT_THAT(errors[0].what, HasSubstr("did you mean \"Tensor\"?"));
  EXPECT_EQ(errors[1].line, 3U);
  EXPECT_THAT(errors[1].what, HasSubstr("does not return \"str\""));
  EXPECT_EQ(errors[2].line, 4U);
  EXPECT_EQ(own.schemas.size(), 1U);
}

TEST(OwnOperators, MayNotContradictTheTableOrEachOther) {
  OwnOperators own;
  const auto table =
      AddOperator("aten::neg.out(Tensor(b!) self, *, Tensor(a!) out) -> Tensor(a!)", own);
  ASSERT_TRUE(table.has_value());
  EXPECT_THAT(table->what, HasSubstr("contradicts the built-in table"));
  EXPECT_THAT(table->what, HasSubstr("aten::neg.out(Tensor self, *, Tensor(a!) out)"));
  EXPECT_FALSE(AddOperator("aten::neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", own));
  EXPECT_TRUE(own.schemas.empty()) << "the table knows it already";
  EXPECT_FALSE(AddOperator("my::f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", own));
  EXPECT_TRUE(AddOperator("my::f.out(Tensor(b!) x, *, Tensor(a!) out) -> Tensor(a!)", own));
  EXPECT_TRUE(AddOperator("my::f.out(Tensor x, Tensor(a!) out) -> Tensor(a!)", own))
      << "an update is not a result";
}

// The table knows that these read no bytes of an operand, which the notation cannot say.
TEST(OwnOperators, MayStateWhatTheTableSaysMoreOf) {
  OwnOperators own;
  for (const char* signature :
       {"aten::sym_size.int(Tensor self, int dim) -> SymInt",
        "aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)"}) {
    EXPECT_FALSE(AddOperator(signature, own).has_value()) << signature;
  }
  EXPECT_TRUE(own.schemas.empty());
}

// Two operators: one that a user describes, and one of the table.
Program Calls() {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {8});
  b.Call("my::f.out", {x, y, y});
  const int32_t z = b.Planned(1, 64, {8});
  b.Mul(x, y, z);
  b.Output(z);
  return ProgramOf({b.Build()});
}

TEST(BindOperators, GivesUnknownOperatorsTheirSignatures) {
  Program program = Calls();
  auto own = std::make_shared<OwnOperators>();
  ASSERT_FALSE(AddOperator("my::f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", *own));
  EXPECT_THAT(BindOperators(own, program), IsEmpty());
  own.reset();  // the program keeps them
  ASSERT_NE(program.methods[0].operators[0].schema, nullptr);
  EXPECT_EQ(program.methods[0].operators[0].schema->args.size(), 2U);
}

TEST(BindOperators, TellsOfTwoSignaturesOfOneOperator) {
  Program program = Calls();
  for (const bool again : {false, true}) {
    auto own = std::make_shared<OwnOperators>();
    ASSERT_FALSE(AddOperator("my::f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", *own));
    EXPECT_THAT(BindOperators(own, program), IsEmpty()) << again;
  }
  auto other = std::make_shared<OwnOperators>();
  ASSERT_FALSE(AddOperator("my::f.out(Tensor(b!) x, *, Tensor(a!) out) -> Tensor(a!)", *other));
  const auto misfits = BindOperators(other, program);
  ASSERT_EQ(misfits.size(), 1U);
  EXPECT_THAT(misfits[0].explanation, HasSubstr("two signatures of my::f.out"));
}

TEST(BindOperators, TellsOfACallThatDoesNotFit) {
  for (const std::string signature :
       {"my::f.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)",
        "my::f.out(int x, *, Tensor(a!) out) -> Tensor(a!)",
        "my::f.out(*, Tensor(a!) out) -> Tensor(a!)",
        "my::f.out(Tensor(a!) x, Tensor(b!) y) -> (Tensor(a!), Tensor(b!))"}) {
    Program program = Calls();
    auto own = std::make_shared<OwnOperators>();
    ASSERT_FALSE(AddOperator(signature, *own));
    const auto misfits = BindOperators(own, program);
    ASSERT_EQ(misfits.size(), 1U) << signature;
    EXPECT_EQ(misfits[0].rule, "file-arguments");
    EXPECT_THAT(misfits[0].explanation, HasSubstr(signature));
  }
}

}  // namespace
}  // namespace pteproof
