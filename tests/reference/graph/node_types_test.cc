// Nodes against their operators' signatures and type rules, and control flow against its regions: a
// method with one good or wrong statement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "reference/graph/parse.h"
#include "reference/graph/validate.h"

namespace pteproof::graph {
namespace {

// The reason that the parser gives for a method with these statements.
std::string ReasonFor(const std::string& statements) {
  const auto module = Parse(
      "buffer @b: float32[4]\nmethod m(%x: float32[4], %k: int, %f: real, %p: bool, "
      "%i: int64[4], %rows: float32[3, 4]) {\n" +
      statements + "\nreturn }");
  return module.ok() ? "good" : module.error().message;
}

TEST(NodeTypes, WantsViewsToPickElementsOnly) {
  EXPECT_EQ(ReasonFor("%y: float32[4] = view aten::neg.out(%x)"),
            "%y = aten::neg.out: a view needs an operator that only selects and orders elements of "
            "operand 0");
  EXPECT_EQ(ReasonFor("%y: float32[4] = view aten::alias_copy.out(%x) in_place(0)"),
            "%y = aten::alias_copy.out: a view is not computed in place");
  EXPECT_EQ(ReasonFor("%y: float32[4] = view aten::alias_copy.out(%x)"), "good");
}

TEST(NodeTypes, WantsInPlaceToNameATensor) {
  EXPECT_EQ(ReasonFor("%y: float32[4] = delegate \"D\"(%x) in_place(0)"),
            "%y = delegate \"D\": only a functional operator can be computed in place");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::relu_(%x) in_place(0)"),
            "%y = aten::relu_: only a functional operator can be computed in place");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::relu.out(%x) in_place(1)"),
            "%y = aten::relu.out: in_place names a missing operand");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::add.out(%x, %x, 1) in_place(2)"),
            "%y = aten::add.out: in_place names an operand that is not a tensor");
  // Another type is a finding of the in-place conditions, not malformed.
  EXPECT_EQ(ReasonFor("%y: float32[1] = my::op(%x) in_place(0)"), "good");
}

TEST(NodeTypes, WantsOperandsThatFitTheSignature) {
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::exp.out()"),
            "%y = aten::exp.out: operand 'self' is missing");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::exp.out(%x, 1)"),
            "%y = aten::exp.out: there are 2 operands, and the operator takes 1");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::exp.out(%k)"),
            "%y = aten::exp.out: operand 'self' must be a tensor");
  EXPECT_EQ(ReasonFor("%y: float32[8] = aten::cat.out([%x, None], 0)"),
            "%y = aten::cat.out: operand 'tensors' must be a list of tensors");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::index.Tensor_out(%x, %i)"),
            "%y = aten::index.Tensor_out: operand 'indices' must be a list of tensors and None");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::mul.Scalar_out(%x, %x)"),
            "%y = aten::mul.Scalar_out: operand 'other' must be a number");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::cumsum.out(%x, 0.0, None)"),
            "%y = aten::cumsum.out: operand 'dim' must be an integer");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::cumsum.out(%x, 0, %f)"),
            "%y = aten::cumsum.out: operand 'dtype' must be an integer or None");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::_softmax.out(%x, 0, %p)"),
            "%y = aten::_softmax.out: operand 'half_to_float' must be true or false");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::logit.out(%x, 1)"),
            "%y = aten::logit.out: operand 'eps' must be a float, with a dot or an exponent or "
            "None");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::gelu.out(%x, 1)"),
            "%y = aten::gelu.out: operand 'approximate' must be a text");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::flip.out(%x, [0.0])"),
            "%y = aten::flip.out: operand 'dims' must be a list of integers");
  EXPECT_EQ(ReasonFor("executorch_prim::et_view.default(%x, [4])"),
            "executorch_prim::et_view.default: the operator has no result: use its functional form "
            "in a Module");
}

TEST(NodeTypes, TakesNumbersThatAreValues) {
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::mul.Scalar_out(%x, %f)"), "good");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::add.out(%x, %x, %k)"), "good");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::arange.out(%k)"),
            "%y = aten::arange.out: the size of the result must be known");
}

TEST(NodeTypes, KnowsWhichNumbersPrimOperatorsReturn) {
  EXPECT_EQ(ReasonFor("%y: int = executorch_prim::add.Scalar(%k, 1)"), "good");
  EXPECT_EQ(ReasonFor("%y: real = executorch_prim::add.Scalar(%k, 1.5)"), "good");
  EXPECT_EQ(ReasonFor("%y: real = executorch_prim::mul.Scalar(%f, %k)"), "good");
  EXPECT_EQ(ReasonFor("%y: int = executorch_prim::sym_int.Scalar(%f)"), "good");
  EXPECT_EQ(ReasonFor("%y: real = executorch_prim::truediv.Scalar(%k, 2)"), "good");
  EXPECT_EQ(ReasonFor("%y: real = executorch_prim::sym_float.Scalar(%k)"), "good");
  EXPECT_EQ(ReasonFor("%y: bool = executorch_prim::le.Scalar(%f, %k)"), "good");
  EXPECT_EQ(ReasonFor("%y: bool = executorch_prim::sym_not.Scalar(%p)"), "good");
  EXPECT_EQ(ReasonFor("%y: int = aten::sym_size.int(%x, 0)"), "good");
  EXPECT_EQ(ReasonFor("%y: real = aten::_local_scalar_dense(%x)"), "good");
  EXPECT_EQ(ReasonFor("%y: int = aten::_local_scalar_dense(%i)"), "good");
  EXPECT_EQ(ReasonFor("%y: bool = executorch_prim::add.Scalar(%k, 1)"),
            "%y = executorch_prim::add.Scalar: result 0 is int, declared as bool");
}

TEST(NodeTypes, WantsDeclaredTypesToBeThoseOfTheRules) {
  EXPECT_EQ(ReasonFor("%y: float64[4] = aten::exp.out(%x)"),
            "%y = aten::exp.out: result 0 is float32[4], declared as float64[4]");
  EXPECT_EQ(ReasonFor("%y: float32[4], %z: float32[4] = aten::exp.out(%x)"),
            "%y, %z = aten::exp.out: there are 2 results, and the node gives 1");
  EXPECT_EQ(ReasonFor("%y: int8[4] = aten::relu_(%x)"),
            "%y = aten::relu_: result 0 is float32[4], declared as int8[4]");
  EXPECT_EQ(ReasonFor("%y: float32[4] = aten::relu_(%x)"), "good");
  EXPECT_EQ(ReasonFor("%y: float32[7] = my::op(%x)"), "good");
}

TEST(NodeTypes, WantsPredicatesOfConds) {
  const std::string regions = " { (%a: float32[4]) { return %a } (%a: float32[4]) { return %a } }";
  EXPECT_EQ(ReasonFor("%y: float32[4] = cond(%p, %x)" + regions), "good");
  EXPECT_EQ(ReasonFor("%y: float32[4] = cond(%k, %x)" + regions),
            "%y = cond: the first operand must be a bool, or a bool tensor of one element");
  EXPECT_EQ(ReasonFor("%y: float32[4] = cond(true, %x)" + regions),
            "%y = cond: the operands must be values");
  EXPECT_EQ(ReasonFor("%q: bool[1] = my::op() %y: float32[4] = cond(%q, %x)" + regions), "good");
  EXPECT_EQ(ReasonFor("%q: bool[2] = my::op() %y: float32[4] = cond(%q, %x)" + regions),
            "%y = cond: the first operand must be a bool, or a bool tensor of one element");
}

TEST(NodeTypes, WantsBranchesThatTakeTheOperandsAndReturnTheSame) {
  EXPECT_EQ(ReasonFor("cond(%p, %x) { (%a: int) { return } (%a: float32[4]) { return } }"),
            "cond: then-branch: parameter 0 is int, not float32[4]");
  EXPECT_EQ(ReasonFor("cond(%p, %x) { (%a: float32[4]) { return } () { return } }"),
            "cond: else-branch: there are 0 parameters for 1 operands");
  EXPECT_EQ(ReasonFor("%y: int = cond(%p, %k, %f) { (%a: int, %b: real) { return %a }"
                      "(%a: int, %b: real) { return %b } }"),
            "%y = cond: else-branch: result 0 is real, not int");
  EXPECT_EQ(ReasonFor("%y: real = cond(%p, %k) { (%a: int) { return %a }"
                      "(%a: int) { return %a } }"),
            "%y = cond: result 0 is int, declared as real");
}

TEST(NodeTypes, WantsWhilesThatTestAndKeepTheirTypes) {
  const std::string test = "(%a: int) { %t: bool = executorch_prim::lt.Scalar(%a, 3) return %t }";
  const std::string body = "(%a: int) { return %a }";
  EXPECT_EQ(ReasonFor("%y: int = while carried 1 (%k) {" + test + body + "}"), "good");
  EXPECT_EQ(ReasonFor("while carried 0 (%k) {" + test + body + "}"),
            "while: at least one operand must be carried");
  EXPECT_EQ(ReasonFor("while carried 2 (%k) {" + test + body + "}"),
            "while: the numbers of carried and mapped operands exceed the number of operands");
  EXPECT_EQ(ReasonFor("%y: int = while carried 1 (%k) {" + body + body + "}"),
            "%y = while: the test must return a bool, or a bool tensor of one element");
  EXPECT_EQ(ReasonFor("%y: int = while carried 1 (%k) { (%a: real) { return %a }" + body + "}"),
            "%y = while: test: parameter 0 is real, not int");
  EXPECT_EQ(ReasonFor("%y: int = while carried 1 (%k) {" + test + "(%a: int) { return } }"),
            "%y = while: body: there are 0 results for 1 carried operands");
}

TEST(NodeTypes, WantsMappedOperandsToHaveEqualRows) {
  const std::string body = " { (%a: float32[4]) { return %a } }";
  EXPECT_EQ(ReasonFor("%y: float32[3, 4] = map mapped 1 (%rows)" + body), "good");
  EXPECT_EQ(ReasonFor("%y: float32[4] = map mapped 1 (%rows)" + body),
            "%y = map: result 0 is float32[3, 4], declared as float32[4]");
  EXPECT_EQ(ReasonFor("map mapped 0 (%rows)" + body), "map: at least one operand must be mapped");
  const std::string unequal = "map: the mapped operands must be tensors with equal sizes of dim 0";
  EXPECT_EQ(ReasonFor("map mapped 1 (%k)" + body), unequal);
  EXPECT_EQ(ReasonFor("map mapped 2 (%rows, %x)" + body), unequal);
  EXPECT_EQ(ReasonFor("map mapped 1 (%rows) { (%a: float32[3, 4]) { return } }"),
            "map: body: parameter 0 is float32[3, 4], not float32[4]");
  EXPECT_EQ(ReasonFor("map mapped 1 (%rows, %k) { (%a: float32[4], %b: int) { return %b } }"),
            "map: body: result 0 is not a tensor and cannot be stacked");
}

TEST(NodeTypes, WantsScansToReturnWhatTheyCarry) {
  EXPECT_EQ(ReasonFor("%y: int, %z: float32[3, 4] = scan carried 1 mapped 1 (%k, %rows) {"
                      "(%a: int, %b: float32[4]) { return %a, %b } }"),
            "good");
  EXPECT_EQ(ReasonFor("scan carried 1 mapped 1 (%k, %rows) {"
                      "(%a: int, %b: float32[4]) { return } }"),
            "scan: body: a carried value is not returned");
  EXPECT_EQ(ReasonFor("scan carried 1 mapped 1 (%k, %rows) {"
                      "(%a: int, %b: float32[4]) { return %b } }"),
            "scan: body: result 0 is float32[4], not int");
}

}  // namespace
}  // namespace pteproof::graph
