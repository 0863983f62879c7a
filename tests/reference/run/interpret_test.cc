// What a call does, on Modules worked by hand.
#include "reference/run/interpret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/run/run_module.h"

namespace pteproof {
namespace {

using testing::ElementsAre;

// a <- b, b <- a + x: both see what was there at entry.
TEST(CallMethod, StoresAllAtOnce) {
  RunModule m(R"(
    buffer @a: float32[1] shared = [1.0]
    buffer @b: float32[1] shared = [10.0]
    method m(%x: float32[1]) {
      %0 = entry @a
      %1 = entry @b
      %2: float32[1] = aten::add.out(%0, %x, 1)
      return %0
      store @a = %1
      store @b = %2
    })");
  EXPECT_THAT(m.Elements("m", {Vector({5})}), ElementsAre(1));
  EXPECT_THAT(m.Buffer(0), ElementsAre(10));
  EXPECT_THAT(m.Buffer(1), ElementsAre(6));
  EXPECT_THAT(m.Elements("m", {Vector({5})}), ElementsAre(10));
}

TEST(CallMethod, KeepsPrivateBuffersApart) {
  RunModule m(R"(
    buffer @p: float32[1]
    method put(%x: float32[1]) { return store @p = %x }
    method get() { %0 = entry @p return %0 })");
  static_cast<void>(m.Call("put", {Vector({3})}));
  EXPECT_THAT(m.Elements("get", {}), ElementsAre(0));
}

TEST(CallMethod, SeesAStoreThroughAViewInEveryName) {
  RunModule m(R"(
    method m(%x: float32[3]) {
      %0: float32[3] = aten::mul.Scalar_out(%x, 2.0)
      %1: float32[1] = view aten::slice_copy.Tensor_out(%0, 0, 1, 2, 1)
      %2: float32[1] = aten::mul_.Scalar(%1, 10.0)
      return %0
    })");
  EXPECT_THAT(m.Elements("m", {Vector({1, 2, 3})}), ElementsAre(2, 40, 6));
}

TEST(CallMethod, FindsADimInAnySizeThatIsLinearInIt) {
  RunModule m(R"(
    method m(%x: float32[2*n + 1], %y: float32[n + k]) dims(n in 1..8, k in 0..9) {
      %0: float32[n] = aten::slice_copy.Tensor_out(%x, 0, 0, n, 1)
      return %0
    })");
  EXPECT_THAT(m.Elements("m", {Vector({1, 2, 3, 4, 5}), Vector({1, 2, 3})}), ElementsAre(1, 2));
  static_cast<void>(m.Call("m", {Vector({1, 2}), Vector({1})}));
  EXPECT_EQ(m.error(), "input %x of 'm' has another size");
  static_cast<void>(m.Call("m", {Vector({1}), Vector({1})}));
  EXPECT_EQ(m.error(), "'m': dim n is 0, outside its range 1..8");
}

TEST(CallMethod, RefusesInputsOfAnotherKind) {
  RunModule m("method m(%i: int, %b: bool, %r: real) { return %i }");
  EXPECT_THAT(m.Call("m", {int64_t{1}, true, int64_t{2}}), testing::SizeIs(1));
  static_cast<void>(m.Call("m", {2.5, true, 2.5}));
  EXPECT_EQ(m.error(), "input %i of 'm' is not an integer");
  static_cast<void>(m.Call("m", {int64_t{1}, int64_t{1}, 2.5}));
  EXPECT_EQ(m.error(), "input %b of 'm' is not a bool");
  static_cast<void>(m.Call("m", {int64_t{1}, true, std::monostate{}}));
  EXPECT_EQ(m.error(), "input %r of 'm' is not a number");
}

// Fuel counts rounds as well as nodes: neither loop has any.
TEST(CallMethod, EndsLoopsThatHaveNoNodes) {
  RunModule m(R"(
    method forever(%x: bool[]) {
      %0: bool[] = while carried 1 (%x) {
        (%1: bool[]) { return %1 }
        (%2: bool[]) { return %2 }
      }
      return %0
    }
    method rows(%x: float32[1000000000000, 0]) {
      %0: float32[1000000000000, 0] = map mapped 1 (%x) { (%1: float32[0]) { return %1 } }
      return %0
    })");
  static_cast<void>(m.Call("forever", {Ints(ScalarType::kBool, {}, {1})}));
  EXPECT_EQ(m.error(), "the call does not end: the limit on executed steps is reached");
  static_cast<void>(m.Call("rows", {Zeros(ScalarType::kFloat32, {1'000'000'000'000, 0})}));
  EXPECT_EQ(m.error(), "the call does not end: the limit on executed steps is reached");
}

TEST(CallMethod, RefusesResultsThatNoDeviceHolds) {
  RunModule m(
      "method m(%x: float32[1]) { %0: float32[4611686018427387904] = my::op(%x) return %0 }",
      Semantics::kHash);
  EXPECT_TRUE(m.Call("m", {Vector({1})}).empty());
  EXPECT_EQ(m.error(), "the size of a result is out of range");
}

}  // namespace
}  // namespace pteproof
