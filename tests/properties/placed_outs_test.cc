// Calls that do nothing, because a planner placed the out where its bytes already are: check, proof
// and runs follow them alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "properties/oracles/replay.h"
#include "runtime/own_operators.h"
#include "tests/support/method_builder.h"
#include "tests/support/renumber.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string PlacedVerdict(Program program, const std::vector<std::string>& signatures = {}) {
  auto own = std::make_shared<OwnOperators>();
  for (const std::string& signature : signatures) {
    EXPECT_FALSE(AddOperator(signature, *own).has_value()) << signature;
  }
  EXPECT_THAT(BindOperators(own, program), IsEmpty());
  return AgreedRow(program);
}

// whole [6, 4] at [64,160); its rows 2 and 3, which a call places at `offset`.
struct PlacedSlice {
  MethodBuilder b;
  int32_t x = b.Planned(1, 0, {2, 4});
  int32_t input = b.Planned(1, 256, {6, 4});
  int32_t whole = b.Planned(1, 64, {6, 4});
  int32_t part = 0;
  int32_t last = 0;

  explicit PlacedSlice(uint64_t offset = 64 + 32) {
    b.Input(x);
    b.Input(input);
    b.Mul(input, input, whole);
    part = b.Planned(1, offset, {2, 4});
  }

  void Call(int64_t start = 2, int64_t end = 4) { CallFrom(b.Int(start), end); }
  void CallFrom(int32_t start, int64_t end) {
    b.Call("aten::_slice_copy_nop.Tensor_out",
           {whole, b.Int(0), start, b.Int(end), b.Int(1), part, part});
  }

  // Something that takes the bytes from `offset` on.
  void Overwrite(uint64_t offset) {
    const int32_t other = b.Planned(1, offset, {2, 4});
    b.Mul(x, x, other);
    b.Output(other);
  }

  Program Use() {
    last = b.Planned(1, 384, {2, 4});
    b.Add(part, x, last);
    b.Output(last);
    return ProgramOf({b.Build()});
  }
};

TEST(PlacedOuts, OfASliceHaveItsBytes) {
  PlacedSlice slice;
  slice.Call();
  EXPECT_EQ(PlacedVerdict(slice.Use()), "safe safe safe");
}

TEST(PlacedOuts, OfASliceCountFromTheEndAsThePyTorchDoes) {
  PlacedSlice slice;
  slice.Call(-4, -2);
  EXPECT_EQ(PlacedVerdict(slice.Use()), "safe safe safe");
}

TEST(PlacedOuts, OutlastTheRestOfTheirWhole) {
  PlacedSlice slice;
  slice.Call();
  slice.Overwrite(64);
  EXPECT_EQ(PlacedVerdict(slice.Use()), "safe safe safe");
}

TEST(PlacedOuts, AreLostWhenTheirBytesAreTaken) {
  PlacedSlice slice;
  slice.Call();
  slice.Overwrite(64 + 48);
  EXPECT_EQ(PlacedVerdict(slice.Use()), "unsafe unsafe unsafe");
}

TEST(PlacedOuts, HoldNothingOfAnotherPlace) {
  PlacedSlice slice(192);
  slice.Call();
  EXPECT_EQ(PlacedVerdict(slice.Use()), "unsafe unsafe unsafe");
}

TEST(PlacedOuts, HoldNothingOfOtherRows) {
  PlacedSlice slice;
  slice.Call(1, 3);
  EXPECT_EQ(PlacedVerdict(slice.Use()), "unsafe unsafe unsafe");
}

// An instruction sets the start, so that the file does not tell which rows the call takes.
TEST(PlacedOuts, OfASliceWhoseNumbersVaryAreOpen) {
  for (const int64_t start : {2, 1}) {
    PlacedSlice slice;
    const int32_t varies = slice.b.Int(start);
    slice.b.Move(slice.b.Int(2), varies);
    slice.CallFrom(varies, 4);
    EXPECT_EQ(PlacedVerdict(slice.Use()), "undecided undecided undecided") << start;
  }
}

TEST(PlacedOuts, OfASelectionHaveItsBytes) {
  for (const int64_t index : {2, 3}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {4});
    const int32_t input = b.Planned(1, 256, {6, 4});
    b.Input(x);
    b.Input(input);
    const int32_t whole = b.Planned(1, 64, {6, 4});
    b.Mul(input, input, whole);
    const int32_t part = b.Planned(1, 64 + 32, {4});
    b.Call("aten::_select_copy_nop.int_out", {whole, b.Int(0), b.Int(index), part, part});
    const int32_t last = b.Planned(1, 384, {4});
    b.Add(part, x, last);
    b.Output(last);
    EXPECT_EQ(PlacedVerdict(ProgramOf({b.Build()})),
              index == 2 ? "safe safe safe" : "unsafe unsafe unsafe");
  }
}

// Two parts of 32 bytes at the offsets, and their concatenation at [128,192) along a dimension.
struct PlacedParts {
  MethodBuilder b;
  int32_t x = b.Planned(1, 0, {2, 4});
  int32_t whole = -1;

  PlacedParts(uint64_t first, uint64_t second, bool exchanged = false, int64_t dim = 0,
              std::string_view op = "aten::_cat_nop.out") {
    b.Input(x);
    const int32_t one = b.Planned(1, first, {2, 4});
    const int32_t two = b.Planned(1, second, {2, 4});
    b.Mul(x, x, one);
    b.Add(x, x, two);
    const auto list = b.TensorList(exchanged ? std::vector{two, one} : std::vector{one, two});
    whole = b.Planned(1, 128, dim == 0 ? std::vector{4, 4} : std::vector{2, 8});
    b.Call(op, {list, b.Int(dim), whole, whole});
  }

  Program Use() {
    const auto sizes = b.method().Ints(b.TensorAt(whole).sizes);
    const int32_t last = b.Planned(1, 256, {sizes.begin(), sizes.end()});
    b.Mul(whole, whole, last);
    b.Output(last);
    return ProgramOf({b.Build()});
  }
};

TEST(PlacedOuts, OfAConcatenationHaveTheBytesOfItsParts) {
  EXPECT_EQ(PlacedVerdict(PlacedParts(128, 160).Use()), "safe safe safe");
}

TEST(PlacedOuts, OfAConcatenationNeedPartsInTheirOrder) {
  EXPECT_EQ(PlacedVerdict(PlacedParts(160, 128).Use()), "unsafe unsafe unsafe");
  EXPECT_EQ(PlacedVerdict(PlacedParts(160, 128, true).Use()), "safe safe safe");
}

TEST(PlacedOuts, OfAConcatenationNeedPartsWithoutAGap) {
  EXPECT_EQ(PlacedVerdict(PlacedParts(128, 64).Use()), "unsafe unsafe unsafe");
}

TEST(PlacedOuts, OfAConcatenationNeedWholeRows) {
  EXPECT_EQ(PlacedVerdict(PlacedParts(128, 160, false, 1).Use()), "unsafe unsafe unsafe");
}

TEST(PlacedOuts, AreStatedByAUsersSignature) {
  const std::vector<std::string> signatures = {
      "my::join.out(Tensor(a)[] parts, int dim, *, Tensor(a) out) -> Tensor(a)"};
  EXPECT_EQ(PlacedVerdict(PlacedParts(128, 160, false, 0, "my::join.out").Use(), signatures),
            "safe safe safe");
  EXPECT_EQ(PlacedVerdict(PlacedParts(128, 64, false, 0, "my::join.out").Use(), signatures),
            "unsafe unsafe unsafe");
}

// A write within the concatenation, after its making, that the exporter did not mean.
TEST(PlacedOuts, OfAConcatenationAreLostWhenAPartIsTaken) {
  PlacedParts parts(128, 160);
  const int32_t other = parts.b.Planned(1, 160, {2, 4});
  parts.b.Mul(parts.x, parts.x, other);
  parts.b.Output(other);
  EXPECT_EQ(PlacedVerdict(parts.Use()), "unsafe unsafe unsafe");
}

TensorValue RowsFrom(double first, int64_t rows) {
  TensorValue tensor = Zeros(ScalarType::kFloat32, {rows, 4});
  for (int64_t i = 0; i < 4 * rows; ++i) SetReal(tensor, i, first + static_cast<double>(i));
  return tensor;
}

TEST(PlacedOuts, HaveTheNumbersThatTheirCallMeans) {
  PlacedSlice slice;
  slice.Call();
  const Program program = slice.Use();
  const auto outputs =
      Replay(program, {}).Call(0, std::vector<Datum>{RowsFrom(0, 2), RowsFrom(0, 6)});
  ASSERT_TRUE(outputs.ok()) << outputs.error().explanation;
  const auto& sum = std::get<TensorValue>(outputs.value().front());
  std::vector<double> numbers;
  for (int64_t i = 0; i < ElementCount(sum); ++i) numbers.push_back(RealAt(sum, i));
  EXPECT_THAT(numbers, ElementsAre(64, 82, 102, 124, 148, 174, 202, 232));
}

// y = whole + ..., where no instruction writes `part`, which lies within the whole. The literals
// behind it are those of the slice that it was, or there are none.
Program ElidedSlice(uint64_t offset, bool literals, bool whole_is_read_later = true) {
  MethodBuilder b;
  const int32_t input = b.Planned(1, 256, {6, 4});
  b.Input(input);
  const int32_t whole = b.Planned(1, 64, {6, 4});
  b.Add(input, input, whole);
  const int32_t part = b.Planned(1, offset, {2, 4});
  if (literals) {
    for (const int64_t literal : {0, 2, 4, 1}) (void)b.Int(literal);
  }
  const int32_t last = b.Planned(1, 352, {2, 4});
  b.Add(part, part, last);
  const int32_t end = b.Planned(1, 384, {2, 4});
  b.Add(last, last, end);
  b.Output(end);
  if (whole_is_read_later) b.Output(whole);
  return ProgramOf({b.Build()});
}

TEST(ElidedSlices, AreSafeWithTheirLiterals) {
  EXPECT_EQ(PlacedVerdict(ElidedSlice(64 + 32, true)), "safe safe safe");
}

// The write may have been dropped: then the value holds bytes of another.
TEST(ElidedSlices, AreNeverSafeByTheirPlaceAlone) {
  EXPECT_EQ(PlacedVerdict(ElidedSlice(64 + 32, false)), "undecided undecided undecided");
  for (const bool later : {true, false}) {
    for (const uint64_t offset : {96U, 80U, 128U, 68U}) {
      const std::string verdict = PlacedVerdict(ElidedSlice(offset, false, later));
      EXPECT_NE(verdict, "safe safe safe") << offset << " " << later;
    }
  }
}

TEST(ElidedSlices, OfOtherNumbersAreNotJudgedMoreHarshly) {
  const Program program = ElidedSlice(64 + 32, true);
  for (uint32_t seed = 0; seed < 30; ++seed) {
    EXPECT_NE(PlacedVerdict(Renumbered(program, seed)), "unsafe unsafe unsafe") << seed;
  }
}

}  // namespace
}  // namespace pteproof
