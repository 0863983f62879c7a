// Warnings of updates in place that ExecuTorch's kernel takes or refuses; what it does was recorded
// from runs of the same calls, with ExecuTorch 0.7.0 to 1.5.1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Puts values into v0, float32[4, 4] in bank 2.
class CallRefused : public testing::Test {
 protected:
  CallRefused() : into_(b_.Planned(2, 0, {4, 4}, "cache")) {}

  int32_t Index(std::vector<int32_t> sizes, ScalarType dtype = ScalarType::kInt64) {
    const int32_t v = b_.Planned(1, 64 * used_++, std::move(sizes), {}, dtype);
    b_.Input(v);
    return v;
  }
  int32_t Values(std::vector<int32_t> sizes) {
    return Index(std::move(sizes), ScalarType::kFloat32);
  }
  void Put(std::vector<int32_t> indices, int32_t values, int32_t accumulate = -1) {
    const int32_t list = b_.OptionalTensorList(std::move(indices));
    const int32_t flag = accumulate < 0 ? b_.Bool(false) : accumulate;
    b_.Call("aten::index_put_", {into_, list, values, flag, into_});
  }

  // With what the constant of index 1 holds.
  [[nodiscard]] Program Made(std::span<const int64_t> numbers = {}) const {
    Program program = ProgramOf({b_.Build()});
    program.constants.resize(2);
    program.constants[1] = std::as_bytes(numbers);
    return program;
  }
  void ExpectTaken(const Program& program) const {
    EXPECT_THAT(LinesOf(Check(program), rule::kCallRefused), IsEmpty());
  }
  // `has` and `takes` are of the explanation.
  void ExpectRefused(const Program& program, std::string_view has, std::string_view takes) const {
    const Report report = Check(program);
    EXPECT_THAT(LinesOf(report, rule::kCallRefused),
                ElementsAre(HasSubstr("warning call-refused forward#0")));
    EXPECT_THAT(ExplanationOf(report, rule::kCallRefused), HasSubstr(std::string(has)));
    EXPECT_THAT(ExplanationOf(report, rule::kCallRefused), HasSubstr(std::string(takes)));
    EXPECT_EQ(VerdictRow(report), "safe safe safe");  // the plan is right
  }

  MethodBuilder b_;
  int32_t into_ = 0;
  uint64_t used_ = 0;
};

TEST_F(CallRefused, IsSilentForRowsAndColumnsOfTheirOwnSizes) {
  Put({Index({2})}, Values({2, 4}));
  Put({-1, Index({1})}, Values({4, 1}));
  Put({-1, Index({3}, ScalarType::kInt32)}, Values({4, 3}));
  Put({Index({0}), -1}, Values({0, 4}));
  ExpectTaken(Made());
}

TEST_F(CallRefused, TellsOfOneNumberForARow) {
  Put({Index({1})}, Values({1, 1}));
  const Program program = Made();
  ExpectRefused(program, "", "");
  EXPECT_EQ(ExplanationOf(Check(program), rule::kCallRefused),
            "Instruction 0 (aten::index_put_) puts v2 bank 1 [64,68) with the sizes [1, 1] into v0 "
            "'cache' bank 2 [0,64) with the sizes [4, 4].\n"
            "ExecuTorch's kernel of it broadcasts nothing: it takes values of the sizes [1, 4] "
            "only.\n"
            "The call ends with an error at run time.");
}

TEST_F(CallRefused, TellsOfOneRowForTwo) {
  Put({Index({2})}, Values({1, 4}));
  ExpectRefused(Made(), "with the sizes [1, 4]", "values of the sizes [2, 4] only");
}

TEST_F(CallRefused, TellsOfARowWithoutTheIndexedDimension) {
  Put({Index({1})}, Values({4}));
  ExpectRefused(Made(), "with the sizes [4]", "ends with an error");
}

// The kernel asks for a dimension of the values that is not there.
TEST_F(CallRefused, SaysWhereTheProcessEnds) {
  Put({-1, Index({1})}, Values({1}));
  ExpectRefused(Made(), "with the sizes [1]", "The call ends the process.");
}

TEST_F(CallRefused, TellsOfASum) {
  Put({Index({2})}, Values({2, 4}), b_.Bool(true));
  ExpectRefused(Made(), "adds to elements of v0", "only replaces elements");
}

TEST_F(CallRefused, TellsOfTwoIndicesAndOfNone) {
  const int32_t index = Index({1});
  Put({index, index}, Values({1}));
  ExpectRefused(Made(), "has 2 indices", "takes one index");
  b_ = MethodBuilder();
  into_ = b_.Planned(2, 0, {4, 4});
  Put({}, Values({4, 4}));
  ExpectRefused(Made(), "has no indices", "takes one index");
}

TEST_F(CallRefused, TellsOfAMask) {
  Put({Index({4}, ScalarType::kBool)}, Values({2, 4}));
  ExpectRefused(Made(), "of bool as its index", "int64 and int32 only");
}

TEST_F(CallRefused, TellsOfAnIndexOfOtherDimensionsThanOne) {
  for (const std::vector<int32_t>& sizes : {std::vector<int32_t>{}, {1, 2}}) {
    b_ = MethodBuilder();
    into_ = b_.Planned(2, 0, {4, 4});
    Put({Index(sizes)}, Values({4}));
    ExpectRefused(Made(), "gets the index v1", "one dimension itself");
  }
}

TEST_F(CallRefused, TellsOfAConstantIndexThatCountsFromTheEnd) {
  Put({b_.Constant(1, {2}, ScalarType::kInt64)}, Values({2, 4}));
  ExpectTaken(Made(std::array<int64_t, 2>{3, 0}));
  ExpectTaken(Made());  // not in the file
  const std::array<int64_t, 2> from_end = {0, -4};
  ExpectRefused(Made(from_end), "4 long, with -4", "counted from 0");
  EXPECT_THAT(Check(Made(from_end)).findings.front().fix, HasSubstr("Count from the start"));
  const std::array<int64_t, 2> beyond = {0, 4};
  ExpectRefused(Made(beyond), "4 long, with 4", "counted from 0");
  EXPECT_THAT(Check(Made(beyond)).findings.front().fix, HasSubstr("within the dimension"));
}

// The rank is fixed, and what is asked of the call itself.
TEST_F(CallRefused, JudgesOfSizesThatVaryOnlyTheRank) {
  const int32_t index = Index({2});
  const int32_t values = Values({3, 4});
  const int32_t row = Values({4});
  for (const int32_t v : {index, values, row}) b_.TensorAt(v).dynamism = Dynamism::kBounded;
  const MethodBuilder before = b_;
  Put({index}, values);
  ExpectTaken(Made());
  b_ = before;
  Put({index}, row);
  ExpectRefused(Made(), "with the sizes [4]", "values of the sizes [?, 4] only");
  b_ = before;
  Put({index}, values, b_.Bool(true));
  ExpectRefused(Made(), "adds to elements", "only replaces");
}

// At run time the name is one of another tensor.
TEST_F(CallRefused, DoesNotJudgeAValueThatAMoveRenames) {
  const int32_t row = Values({4});
  const int32_t rows = Values({2, 4});
  const int32_t index = Index({2});
  b_.Move(rows, row);
  Put({index}, row);
  EXPECT_THAT(LinesOf(Check(Made()), rule::kCallRefused), IsEmpty());
}

TEST_F(CallRefused, IsSilentWhereNoPathLeads) {
  const int32_t over = b_.JumpFalse(b_.Bool(false), 0);
  Put({Index({1})}, Values({4}));
  b_.SetTarget(over, b_.Next());
  ExpectTaken(Made());
}

// The kernel of the form with a result apart takes all of these.
TEST_F(CallRefused, IsSilentForTheSameUpdateMadeApart) {
  const int32_t out = b_.Planned(1, 512, {4, 4});
  b_.Call("aten::index_put.out",
          {into_, b_.OptionalTensorList({Index({1})}), Values({4}), b_.Bool(true), out, out});
  b_.Copy(into_, out);
  b_.Output(out);
  ExpectTaken(Made());
}

}  // namespace
}  // namespace pteproof
