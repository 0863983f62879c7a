#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using wire::AddFile;
using wire::File;

// The sound file with a call more, of an operator that the table knows or not.
File WithCall(const wire::Operator& op, const std::vector<wire::Value>& more_values,
              std::vector<int32_t> args) {
  File file = AddFile();
  for (const wire::Value& value : more_values) file.Add(value);
  file.method().operators->push_back(op);
  file.code().push_back(wire::Call(1, std::move(args)));
  return file;
}

File WithAddArgs(std::vector<int32_t> args) {
  File file = AddFile();
  file.code()[0].args = std::move(args);
  return file;
}

TEST(Arguments, RefusesAnotherNumberThanTheOperatorTakes) {
  EXPECT_THAT(RulesOf(WithAddArgs({1, 0, 3, 2})), RefusedBy(rule::kFileArguments));
  EXPECT_THAT(RulesOf(WithAddArgs({1, 0, 3, 2, 2, 2})), RefusedBy(rule::kFileArguments));
  EXPECT_THAT(RulesOf(WithAddArgs({})), RefusedBy(rule::kFileArguments));
}

TEST(Arguments, RefusesPrimitivesWithTooFew) {
  for (const std::vector<int32_t>& args : {std::vector<int32_t>{}, {3}, {3, 3}}) {
    EXPECT_THAT(RulesOf(WithCall({"executorch_prim::add", "Scalar"}, {}, args)),
                RefusedBy(rule::kFileArguments));
  }
  EXPECT_THAT(RulesOf(WithCall({"executorch_prim::add", "Scalar"}, {}, {3, 3, 3})), Accepted());
}

TEST(Arguments, RefusesKindsThatTheOperatorDoesNotTake) {
  EXPECT_THAT(RulesOf(WithAddArgs({3, 0, 3, 2, 2})), RefusedBy(rule::kFileArguments));
  EXPECT_THAT(RulesOf(WithAddArgs({1, 0, 0, 2, 2})), RefusedBy(rule::kFileArguments));
  EXPECT_THAT(RulesOf(WithAddArgs({1, 0, 3, 2, 3})), RefusedBy(rule::kFileArguments))
      << "return slot";
}

TEST(Arguments, TakesAnyNumberForAScalar) {
  for (const wire::Value& alpha : {wire::Int(2), wire::Double(2), wire::Bool(true)}) {
    File file = AddFile();
    file.value(3) = alpha;
    EXPECT_THAT(RulesOf(file), Accepted());
  }
  File file = AddFile();
  file.value(3) = wire::Null();
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileArguments));
}

// aten::clamp.out(Tensor self, Scalar? min, Scalar? max, *, Tensor out)
TEST(Arguments, TakesNullWhereAnArgumentIsOptional) {
  EXPECT_THAT(RulesOf(WithCall({"aten::clamp", "out"}, {wire::Null()}, {1, 3, 4, 2, 2})),
              Accepted());
  EXPECT_THAT(RulesOf(WithCall({"aten::clamp", "out"}, {wire::Null()}, {4, 3, 4, 2, 2})),
              RefusedBy(rule::kFileArguments));
}

TEST(Arguments, TakesAnEmptyResultSlotForANumber) {
  EXPECT_THAT(RulesOf(WithCall({"aten::sym_size", "int"}, {wire::Null()}, {1, 3, 4})), Accepted());
  EXPECT_THAT(RulesOf(WithCall({"aten::sym_size", "int"}, {}, {1, 3, 2})),
              RefusedBy(rule::kFileArguments));
}

TEST(Arguments, AreAnythingForAnUnknownOperator) {
  EXPECT_THAT(RulesOf(WithCall({"my::op", "out"}, {wire::Null()}, {0, 4, 3, 3, 2})), Accepted());
}

TEST(Arguments, NamesTheArgumentAndWhatItTakes) {
  const Finding finding = OnlyFinding(WithAddArgs({1, 0, 0, 2, 2}));
  EXPECT_EQ(finding.instruction, 0);
  EXPECT_EQ(
      finding.explanation,
      "Argument 2 (\"alpha\") of aten::add.out is value 0 (Tensor). The operator takes Int "
      "or Bool or Double there.\n"
      "A kernel that reads a value as another kind ends the process or reads foreign memory.");
}

TEST(Arguments, NamesWhatEachPositionTakes) {
  EXPECT_THAT(OnlyFinding(WithAddArgs({1, 0, 3, 2, 3})).explanation,
              testing::StartsWith("Argument 4 (\"return\") of aten::add.out is value 3 (Int). The "
                                  "operator takes Tensor there.\n"));
  EXPECT_THAT(OnlyFinding(WithCall({"aten::clamp", "out"}, {}, {1, 2, 3, 2, 2})).explanation,
              testing::StartsWith("Argument 1 (\"min\") of aten::clamp.out is value 2 (Tensor). "
                                  "The operator takes Null or Int or Bool or Double there.\n"));
  EXPECT_THAT(OnlyFinding(WithCall({"aten::index", "Tensor_out"}, {}, {1, 3, 2, 2})).explanation,
              testing::StartsWith("Argument 1 (\"indices\") of aten::index.Tensor_out is value 3 "
                                  "(Int). The operator takes OptionalTensorList there.\n"));
}

}  // namespace
}  // namespace pteproof
