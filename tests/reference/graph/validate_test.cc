// Every rule that makes a Module well-formed: silent on a good one, and firing on the same with one
// thing changed.
#include "reference/graph/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/graph/limits.h"
#include "reference/graph/parse.h"

namespace pteproof::graph {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// Nodes: 0 entry's user, 1 in place, 2 view, 3 delegate, 4 cond, 5 while, 6 scan, 7 map, 8 a
// number.
constexpr const char* kGood = R"(
buffer @s: float32[4] shared = [1.0, 2.0, 3.0, 4.0]
buffer @d: float32[8]
method m(%x: float32[4], %p: bool, %k: int, %rows: float32[n, 4]) dims(n in 1..8 hint 2) {
  %s = entry @s
  %a: float32[4] = aten::add.out(%s, %x, 1)
  %b: float32[4] = aten::relu.out(%a) in_place(0) after(%x)
  %v: float32[2] = view aten::slice_copy.Tensor_out(%b, 0, 0, 2, 1)
  %e: float32[4] = delegate "D"(%v) uses(@d writes)
  %c: float32[4] = cond(%p, %b) { (%u: float32[4]) { return %u } (%u: float32[4]) { return %u } }
  %w: int = while carried 1 (%k, %x) {
    (%i: int, %y: float32[4]) { %t: bool = executorch_prim::lt.Scalar(%i, 3) return %t }
    (%i: int, %y: float32[4]) { %j: int = executorch_prim::add.Scalar(%i, 1) return %j }
  }
  %l: float32[4], %q: float32[n, 4] = scan carried 1 mapped 1 (%c, %rows) {
    (%z: float32[4], %row: float32[4]) { return %z, %row }
  }
  %r: float32[n, 4] = map mapped 1 (%rows) { (%row: float32[4]) { return %row } }
  %o: int = executorch_prim::add.Scalar(%k, %w)
  return %e, %q, %r, %o
  store @s = %l
  store %x = %b
}
method other() { %d = entry @d return %d }
)";

Module Good() {
  auto module = Parse(kGood);
  EXPECT_TRUE(module.ok()) << module.error().line << ": " << module.error().message;
  return module.ok() ? std::move(module).value() : Module{};
}

std::vector<std::string> ExplanationsOf(const Module& module) {
  std::vector<std::string> explanations;
  for (const Problem& problem : Validate(module)) explanations.push_back(problem.explanation);
  return explanations;
}

// What is found after a change to the good Module, to its first method, or to one of its nodes.
template <class Change>
std::vector<std::string> AfterModule(Change change) {
  Module module = Good();
  change(module);
  return ExplanationsOf(module);
}
template <class Change>
std::vector<std::string> AfterMethod(Change change) {
  return AfterModule([&](Module& module) { change(module.methods[0]); });
}
template <class Change>
std::vector<std::string> AfterNode(size_t node, Change change) {
  return AfterMethod([&](Method& method) { change(method.body.nodes[node]); });
}

TEST(Validate, FindsNothingInAGoodModule) {
  EXPECT_THAT(Validate(Good()), IsEmpty());
  EXPECT_THAT(Validate(Module{}), IsEmpty());
}

TEST(Validate, NamesTheMethod) {
  Module module = Good();
  module.methods[1].body.results = {7};
  EXPECT_THAT(Validate(module), ElementsAre(Problem{"other", "value 7 does not exist"}));
}

TEST(Validate, WantsDifferentIdentifiersForBuffers) {
  EXPECT_THAT(AfterModule([](Module& m) { m.buffers[1].name = "s"; }),
              ElementsAre("buffer @s: the name is used twice"));
  EXPECT_THAT(AfterModule([](Module& m) { m.buffers[1].name = "a b"; }),
              ElementsAre("buffer @a b: the name is not that of a buffer"));
}

TEST(Validate, WantsSizesOfBuffersToBeNumbersThatFit) {
  const std::string explanation =
      "buffer @d: the sizes must be numbers whose product fits in 63 bits";
  for (const SizeExpr& size : {SizeExpr(-1), SizeExpr::Symbol(0), SizeExpr(INT64_MAX)}) {
    EXPECT_THAT(AfterModule([&](Module& m) { m.buffers[1].type.sizes = {size}; }),
                Contains(explanation));
  }
}

TEST(Validate, WantsInitialValuesOfTheBuffersType) {
  const auto is_refused = ElementsAre("buffer @s: the initial value is of another type");
  EXPECT_THAT(AfterModule([](Module& m) { m.buffers[0].initial->bytes.pop_back(); }), is_refused);
  EXPECT_THAT(AfterModule([](Module& m) { m.buffers[0].initial->sizes = {2, 2}; }), is_refused);
  EXPECT_THAT(AfterModule([](Module& m) { m.buffers[0].initial->dtype = ScalarType::kInt32; }),
              is_refused);
}

TEST(Validate, WantsAnOwnedBufferToBeUsedByItsOwnerOnly) {
  const auto own = [](Module& m) {
    m.methods[0].body.nodes[3].buffers[0].role = DelegateRole::kOwns;
  };
  EXPECT_THAT(AfterModule(own),
              ElementsAre("buffer @d: a buffer that a delegate owns has no other user"));
  EXPECT_THAT(AfterModule([&](Module& m) {
                own(m);
                m.methods.pop_back();
              }),
              IsEmpty());
}

TEST(Validate, WantsDifferentIdentifiersForMethods) {
  EXPECT_THAT(AfterModule([](Module& m) { m.methods[1].name = "m"; }),
              ElementsAre("two methods have this name"));
  EXPECT_THAT(AfterModule([](Module& m) { m.methods[1].name = ""; }),
              ElementsAre("the name of the method is not an identifier"));
}

TEST(Validate, WantsDimsWithNamesAndRanges) {
  EXPECT_THAT(AfterMethod([](Method& m) { m.dims[0].name = "2"; }),
              ElementsAre("dim 2: the name is not an identifier"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.dims[0].name = "min"; }),
              ElementsAre("dim min: the name has another meaning in sizes"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.dims.push_back(m.dims[0]); }),
              ElementsAre("dim n: the name is used twice"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.dims[0].hi = 0; }),
              Contains("dim n: the range is empty or negative"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.dims[0].hint = 9; }),
              ElementsAre("dim n: the hint is out of range"));
  EXPECT_THAT(AfterMethod([](Method& m) {
                for (int d = 0; d < kMostDims; ++d) {
                  m.dims.push_back({"d" + std::to_string(d), 1, 2, {}});
                }
              }),
              ElementsAre("there are more than 64 dims"));
}

TEST(Validate, WantsSizesOverTheMethodsDims) {
  const auto sizes = [](Method& m) -> auto& { return std::get<TensorType>(m.values[0]).sizes; };
  EXPECT_THAT(AfterMethod([&](Method& m) { sizes(m) = {SizeExpr::Symbol(1)}; }),
              ElementsAre("%x: a size names a dim that the method does not declare"));
  EXPECT_THAT(AfterMethod([&](Method& m) { sizes(m) = {SizeExpr::Symbol(0) - 9}; }),
              ElementsAre("%x: the size n - 9 is negative"));
  EXPECT_EQ(Parse("method m(%x: float32[n - 8]) dims(n in 1..8) { return }").ok(), true);
}

TEST(Validate, WantsDifferentIdentifiersForInputs) {
  EXPECT_THAT(AfterMethod([](Method& m) { m.inputs[1].name = "x"; }),
              ElementsAre("input %x: the name is used twice"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.inputs[1].name = "0"; }),
              ElementsAre("input %0: the name is not an identifier"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.inputs[1].in_place = true; }),
              ElementsAre("input %p: only a tensor can be overwritten in place"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.inputs[0].in_place = true; }), IsEmpty());
}

TEST(Validate, WantsEntriesOfTheBuffersTypeOncePerBuffer) {
  EXPECT_THAT(AfterMethod([](Method& m) { m.buffers[0].buffer = 2; }),
              Contains("entry: the buffer does not exist"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.buffers[0].buffer = 1; }),
              ElementsAre("entry @d: its type differs from the type of the buffer"));
  EXPECT_THAT(AfterMethod([](Method& m) {
                m.values.push_back(m.values[0]);
                m.buffers.push_back({0, static_cast<ValueId>(m.values.size()) - 1});
              }),
              ElementsAre("entry @s: the buffer has a second entry"));
}

TEST(Validate, WantsEveryValueDefinedOnceBeforeItsUses) {
  EXPECT_THAT(AfterMethod([](Method& m) { m.values.push_back(m.values[0]); }),
              ElementsAre("value 26 is never defined"));
  EXPECT_THAT(AfterNode(1, [](Node& n) { n.results = {0}; }), Contains("%x is defined twice"));
  EXPECT_THAT(AfterMethod([](Method& m) { std::swap(m.body.nodes[1], m.body.nodes[2]); }),
              Contains(testing::HasSubstr("is used before it is defined")));
  EXPECT_THAT(AfterNode(1, [](Node& n) { n.after = {99}; }),
              ElementsAre("value 99 does not exist"));
  EXPECT_THAT(AfterNode(1, [](Node& n) { n.results = {-1}; }), Contains("value -1 does not exist"));
}

TEST(Validate, WantsValuesUsedInTheRegionThatDefinesThem) {
  EXPECT_THAT(AfterNode(4, [](Node& n) { n.regions[0].results = {0}; }),
              ElementsAre("%x belongs to another region; pass it as an operand"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.body.results = m.body.nodes[4].regions[0].params; }),
              ElementsAre("%6 belongs to another region; pass it as an operand"));
}

TEST(Validate, WantsStoresThatFitOncePerBuffer) {
  EXPECT_THAT(AfterMethod([](Method& m) { m.stores[0].buffer = -1; }),
              ElementsAre("store: the buffer does not exist"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.stores.push_back(m.stores[0]); }),
              ElementsAre("store @s: a second store to the same place"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.stores[0].buffer = 1; }),
              Contains("store @d: a second store to the same place"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.stores[0].value = 2; }),
              ElementsAre("store @s: the value is int, not float32[4]"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.input_stores[0].input = 9; }),
              ElementsAre("store: the input does not exist"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.input_stores.push_back(m.input_stores[0]); }),
              ElementsAre("store %x: a second store to the same place"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.input_stores[0] = {3, 0}; }),
              ElementsAre("store %rows: the value is float32[4], not float32[n, 4]"));
  EXPECT_THAT(AfterMethod([](Method& m) { m.input_stores[0] = {2, 2}; }),
              ElementsAre("store %k: only a tensor can be stored"));
}

TEST(Validate, WantsOneDelegateToWriteABuffer) {
  EXPECT_THAT(AfterMethod([](Method& m) {
                Node again = m.body.nodes[3];
                again.results.clear();
                m.body.nodes.push_back(again);
              }),
              ElementsAre("two delegates write @d"));
}

TEST(Validate, WantsOperatorsByTheirNameAndSignature) {
  EXPECT_THAT(AfterNode(0, [](Node& n) { n.op = "add"; }),
              Contains("%1 = add: the name of the operator is malformed: names have the form "
                       "ns::name or ns::name.overload"));
  EXPECT_THAT(AfterNode(0, [](Node& n) { n.schema = nullptr; }),
              ElementsAre("%1 = aten::add.out: the signature is not the operator's"));
  EXPECT_THAT(AfterNode(4, [](Node& n) { n.op = "a::b"; }),
              ElementsAre("%5 = cond: control flow takes no operator"));
  EXPECT_THAT(AfterNode(3, [](Node& n) { n.regions.emplace_back(); }),
              ElementsAre("%4 = delegate \"D\": only control flow has regions"));
  EXPECT_THAT(AfterNode(4, [](Node& n) { n.carried = 1; }),
              ElementsAre("%5 = cond: only while and scan carry operands"));
  EXPECT_THAT(AfterNode(0, [](Node& n) { n.mapped = 1; }),
              ElementsAre("%1 = aten::add.out: only map and scan take mapped operands"));
  EXPECT_THAT(AfterNode(0, [](Node& n) { n.buffers = {{0, DelegateRole::kUses, false}}; }),
              ElementsAre("%1 = aten::add.out: only a delegate has buffers"));
}

TEST(Validate, WantsADelegatesBuffersToBeThereAndDifferent) {
  EXPECT_THAT(AfterNode(3, [](Node& n) { n.buffers[0].buffer = 5; }),
              ElementsAre("%4 = delegate \"D\": the buffer does not exist"));
  EXPECT_THAT(AfterNode(3, [](Node& n) { n.buffers.push_back({1, DelegateRole::kUses, false}); }),
              ElementsAre("%4 = delegate \"D\": a buffer is named twice"));
}

TEST(Validate, WantsAsManyRegionsAsTheKindHas) {
  EXPECT_THAT(AfterNode(7, [](Node& n) { n.regions.emplace_back(); }),
              ElementsAre("%19 = map: there are 2 regions, not 1"));
}

TEST(Validate, WantsNestingThatTheTextFormCanHold) {
  Module module = Good();
  Operand list;
  for (int d = 0; d <= kDeepestList; ++d) list.held = OperandList{list};
  module.methods[0].body.nodes[3].operands[0] = list;
  EXPECT_THAT(ExplanationsOf(module),
              ElementsAre("%4 = delegate \"D\": lists are nested deeper than 8"));
  Node node;
  node.kind = NodeKind::kMap;
  for (int d = 0; d <= kDeepestRegion; ++d) {
    Node outer;
    outer.kind = NodeKind::kMap;
    outer.regions.emplace_back().nodes.push_back(node);
    node = outer;
  }
  module.methods[0].body.nodes.push_back(node);
  EXPECT_THAT(ExplanationsOf(module), Contains("map: regions are nested deeper than 32"));
}

TEST(Validate, WantsABodyWithoutParameters) {
  EXPECT_THAT(AfterMethod([](Method& m) { m.body.params = {0}; }),
              ElementsAre("a method's body has no parameters"));
}

TEST(TypesOfNode, LeavesDelegatesAndUnknownOperatorsToTheirDeclarations) {
  const Module module = Good();
  const Method& method = module.methods[0];
  EXPECT_TRUE(TypesOfNode(method, method.body.nodes[3]).declared);
  Node unknown = method.body.nodes[0];
  unknown.schema = nullptr;
  EXPECT_TRUE(TypesOfNode(method, unknown).declared);
}

TEST(TypesOfNode, GivesTheTypesOfControlFlow) {
  const Module module = Good();
  const Method& method = module.methods[0];
  const NodeTypes types = TypesOfNode(method, method.body.nodes[6]);
  EXPECT_EQ(types.fault, "");
  EXPECT_THAT(types.types, ElementsAre(method.values[0], method.values[3]));
}

}  // namespace
}  // namespace pteproof::graph
