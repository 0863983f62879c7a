// What a verdict takes for granted: the stores that the manifest does not state, and memory that
// the caller brings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kStores = "the program has all stores of the source model";

// Stores its input to buffer 'memory'.
Method PutMemory(const std::string& name) {
  MethodBuilder b(name);
  const int32_t memory = b.Planned(2, 0, {4}, "memory");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Copy(memory, x);
  b.Output(x);
  return b.Build();
}

// Computes something, and keeps nothing.
Method Doubling(const std::string& name) {
  MethodBuilder b(name);
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t out = b.Planned(1, 16, {4});
  b.Add(x, x, out);
  b.Output(out);
  return b.Build();
}

// As the exporter makes methods from plain values.
Method PlainValue(const std::string& name) {
  MethodBuilder b(name);
  b.Output(b.Int(7));
  return b.Build();
}

std::vector<std::string> AssumptionsWith(std::vector<Method> methods, std::string_view manifest) {
  return CheckWith(ProgramOf(std::move(methods)), manifest).assumptions;
}

TEST(AssumedStores, AreToldWithoutAManifest) {
  EXPECT_THAT(Check(ProgramOf({PutMemory("put"), PlainValue("version")})).assumptions,
              ElementsAre(kStores));
}

TEST(AssumedStores, AreNotToldOfAProgramWithoutState) {
  EXPECT_THAT(Check(ProgramOf({Doubling("forward")})).assumptions, IsEmpty());
  EXPECT_THAT(AssumptionsWith({Doubling("forward")}, R"({"pteproof": 1})"), IsEmpty());
}

TEST(AssumedStores, AreToldWhereTheManifestStatesNone) {
  EXPECT_THAT(AssumptionsWith({PutMemory("put")}, R"({"pteproof": 1})"), ElementsAre(kStores));
  EXPECT_THAT(AssumptionsWith({PutMemory("put")}, R"({"pteproof": 1, "buffers": {"memory": {}},
                  "methods": {"put": {"reads": [], "mutates_inputs": []}}})"),
              ElementsAre(kStores));
}

TEST(AssumedStores, AreNotToldWhereTheManifestStatesAll) {
  EXPECT_THAT(
      AssumptionsWith({PutMemory("put"), Doubling("forward")}, R"({"pteproof": 1, "methods": {
                  "put": {"mutates": ["memory"]}, "forward": {"mutates": []}}})"),
      IsEmpty());
}

TEST(AssumedStores, AreToldOfTheMethodsThatTheManifestLeavesOpen) {
  EXPECT_THAT(
      AssumptionsWith({PutMemory("put"), PutMemory("set"), Doubling("forward")}, R"({"pteproof": 1,
                  "methods": {"put": {"mutates": ["memory"]}, "set": {"reads": []}}})"),
      ElementsAre(std::string(kStores) + " in 'set', 'forward'"));
}

TEST(AssumedStores, NameAFewMethodsOnly) {
  std::vector<Method> methods = {PutMemory("put")};
  for (int i = 0; i < 10; ++i) methods.push_back(Doubling("m" + std::to_string(i)));
  EXPECT_THAT(AssumptionsWith(std::move(methods),
                              R"({"pteproof": 1, "methods": {"put": {"mutates": ["memory"]}}})"),
              ElementsAre(std::string(kStores) +
                          " in 'm0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7' and 2 more"));
}

// Methods made from plain values have no entry in a manifest.
TEST(AssumedStores, AreNotToldOfPlainValues) {
  EXPECT_THAT(
      AssumptionsWith({PutMemory("put"), PlainValue("version")}, R"({"pteproof": 1, "methods": {
                  "put": {"mutates": ["memory"]}}})"),
      IsEmpty());
}

// One that has an entry was made from a module's method, and may have lost its stores.
TEST(AssumedStores, AreToldOfAPlainValueThatTheManifestKnows) {
  EXPECT_THAT(
      AssumptionsWith({PutMemory("put"), PlainValue("version")}, R"({"pteproof": 1, "methods": {
                  "put": {"mutates": ["memory"]}, "version": {}}})"),
      ElementsAre(std::string(kStores) + " in 'version'"));
}

constexpr std::string_view kMemory =
    "before each call the caller sets the memory of inputs and outputs that are not planned";

TEST(AssumedMemory, IsToldOfAnUnplannedInput) {
  MethodBuilder b("forward");
  const int32_t x = b.Unplanned({4});
  b.Input(x);
  const int32_t out = b.Planned(1, 0, {4});
  b.Add(x, x, out);
  b.Output(out);
  EXPECT_THAT(Check(ProgramOf({b.Build()})).assumptions, ElementsAre(kMemory));
}

TEST(AssumedMemory, IsToldOfAnUnplannedOutput) {
  MethodBuilder b("forward");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t out = b.Unplanned({4});
  b.Add(x, x, out);
  b.Output(out);
  EXPECT_THAT(Check(ProgramOf({b.Build(), Doubling("other")})).assumptions, ElementsAre(kMemory));
}

// Neither is a constant that a method returns, nor a number.
TEST(AssumedMemory, IsNotToldWhereNoneIsTheCallers) {
  MethodBuilder b("forward");
  b.Input(b.Int(3));
  b.Output(b.Constant(1, {4}));
  EXPECT_THAT(Check(ProgramOf({b.Build(), Doubling("other")})).assumptions, IsEmpty());
}

TEST(AssumedRows, AreToldOfWhereALoopCollectsThem) {
  MethodBuilder b("forward");
  const int32_t row = b.Planned(1, 0, {4});
  const int32_t all = b.Planned(1, 16, {2, 4});
  b.Input(row);
  b.Call("executorch_prim::et_copy_index.tensor", {all, row, b.Int(0)});
  b.Output(all);
  EXPECT_THAT(Check(ProgramOf({b.Build(), Doubling("other")})).assumptions,
              ElementsAre("loops fill all rows of the values that they collect"));
}

}  // namespace
}  // namespace pteproof
