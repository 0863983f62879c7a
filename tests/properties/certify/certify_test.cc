// Each step of a certificate where it fails, and one that holds.
#include "properties/certify/certify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/replan/updates_in_place.h"
#include "reference/op_schema.h"
#include "tests/support/method_builder.h"

namespace pteproof::certify {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Places {
  uint64_t x = 0;
  uint64_t a = 16;
  uint64_t b = 32;
  bool squares = false;
};

// a = x + x; b = x + a; the output is a + b at 48.
Program Sums(const Places& at) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, at.x, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, at.a, {4});
  const int32_t b = m.Planned(1, at.b, {4});
  const int32_t y = m.Planned(1, 48, {4});
  m.Add(x, x, a);
  if (at.squares) {
    m.Mul(x, a, b);
  } else {
    m.Add(x, a, b);
  }
  m.Add(a, b, y);
  m.Output(y);
  return ProgramOf({m.Build()});
}

Certificate Certified(const Program& before, const Program& after) {
  return Certify({&before, nullptr, nullptr}, {&after, nullptr, nullptr}, {.calls = 10});
}

TEST(Certify, HoldsForAPlanThatOnlyMoves) {
  const Certificate certificate = Certified(Sums({}), Sums({.x = 32, .b = 0}));
  EXPECT_EQ(certificate.failure, "");
  EXPECT_GT(certificate.proved, 0U);
  EXPECT_EQ(certificate.unproved, 0U);
  ASSERT_EQ(certificate.methods.size(), 1U);
  EXPECT_EQ(certificate.methods[0].answer, compare::Answer::kSame);
  ASSERT_EQ(certificate.runs.size(), 1U);
  EXPECT_GE(certificate.runs[0].calls, 10);
}

TEST(Certify, FailsIfMoreThanThePlanChanges) {
  const Certificate certificate = Certified(Sums({}), Sums({.squares = true}));
  EXPECT_THAT(certificate.failure, StartsWith("more than the plan has changed"));
}

TEST(Certify, FailsIfABankGrows) {
  Program larger = Sums({});
  larger.methods[0].bank_sizes[1] += 16;
  EXPECT_THAT(Certified(Sums({}), larger).failure, StartsWith("bank 1 of 'forward' is larger"));
}

TEST(Certify, FailsIfTheCheckFindsMore) {
  const Certificate certificate = Certified(Sums({}), Sums({.b = 16}));
  EXPECT_THAT(certificate.failure, HasSubstr("check has a new finding"));
  ASSERT_TRUE(certificate.added.has_value());
  EXPECT_EQ(certificate.added->severity, Severity::kError);
}

TEST(Certify, LeavesOpenWhatWasNeverSafe) {
  const Certificate certificate = Certified(Sums({.b = 16}), Sums({.b = 16}));
  EXPECT_TRUE(certificate.open);
  EXPECT_THAT(certificate.failure, HasSubstr("safe under no policy"));
}

// state = state + x, by way of b; the output is x + b.
Method Counting(const std::string& name, uint64_t state, uint64_t x) {
  MethodBuilder m(name);
  const int32_t s = m.Planned(1, state, {4});
  const int32_t in = m.Planned(1, x, {4});
  const int32_t b = m.Planned(1, 32, {4});
  const int32_t y = m.Planned(1, 48, {4});
  m.Input(in);
  m.Add(s, in, b);
  m.Add(in, b, y);
  m.Copy(s, b);
  m.Output(y);
  return m.Build();
}

Certificate CertifiedWithState(const Program& before, const Program& after,
                               const std::vector<std::vector<int32_t>>& nameless) {
  return Certify({&before, nullptr, nullptr}, {&after, nullptr, nullptr},
                 {.calls = 10, .nameless = nameless});
}

TEST(Certify, FollowsStateWithoutANameToItsNewPlace) {
  const Program before = ProgramOf({Counting("forward", 0, 16)});
  const Program after = ProgramOf({Counting("forward", 16, 0)});
  EXPECT_FALSE(Certified(before, after).holds());
  const Certificate certificate = CertifiedWithState(before, after, {{0}});
  EXPECT_EQ(certificate.failure, "");
  ASSERT_EQ(certificate.methods.size(), 1U);
  EXPECT_EQ(certificate.methods[0].answer, compare::Answer::kSame);
}

TEST(Certify, FailsIfStateOfTwoMethodsPartsCompany) {
  const Program before = ProgramOf({Counting("a", 0, 16), Counting("b", 0, 16)});
  const Program both = ProgramOf({Counting("a", 16, 0), Counting("b", 16, 0)});
  const Program one = ProgramOf({Counting("a", 16, 0), Counting("b", 0, 16)});
  EXPECT_EQ(CertifiedWithState(before, both, {{0}, {0}}).failure, "");
  EXPECT_FALSE(CertifiedWithState(before, one, {{0}, {0}}).holds());
}

// That a value is called state makes nothing the same that is not.
TEST(Certify, IsNotMisledByAValueThatIsCalledState) {
  const Program before = ProgramOf({Counting("forward", 0, 16)});
  Program after = ProgramOf({Counting("forward", 16, 0)});
  after.methods[0].tensors[2].offset = 48;  // b lies where y does
  EXPECT_FALSE(CertifiedWithState(before, after, {{0, 2, 3}}).holds());
}

// state with a row written, apart or in place; y = new * new.
Method RowWritten(bool in_place, bool other_row = false) {
  MethodBuilder m;
  const int32_t state = m.Planned(1, 0, {2, 4}, "state");
  const int32_t at = m.Planned(1, 32, {1}, {}, ScalarType::kInt64);
  const int32_t row = m.Planned(1, 48, {1, 4});
  const int32_t other = m.Planned(1, 64, {1, 4});
  for (const int32_t input : {at, row, other}) m.Input(input);
  const int32_t no = m.Bool(false);
  const int32_t list = m.OptionalTensorList({at});
  const int32_t fresh = m.Planned(1, in_place ? 0 : 96, {2, 4});
  const int32_t y = m.Planned(1, 128, {2, 4});
  const int32_t written = other_row ? other : row;
  // Both operators, in one order, as a new plan of the program has them.
  if (in_place) {
    m.method().operators.push_back({"aten::index_put.out", FindOperator("aten::index_put.out")});
    m.method().operators.push_back({"aten::mul.out", FindOperator("aten::mul.out")});
    m.method().operators.push_back({"aten::copy_", FindOperator("aten::copy_")});
    m.Call("aten::index_put_", {state, list, written, no, fresh});
  } else {
    m.Call("aten::index_put.out", {state, list, written, no, fresh, fresh});
  }
  m.Mul(fresh, fresh, y);
  if (!in_place) m.Copy(state, fresh);
  m.Output(y);
  return m.Build();
}

Certificate CertifiedUpdate(const Program& after, std::vector<std::vector<int32_t>> now_at,
                            std::vector<std::vector<planner::UpdateInPlace>> updates) {
  const Program before = ProgramOf({RowWritten(false)});
  return Certify({&before, nullptr, nullptr}, {&after, nullptr, nullptr},
                 {.calls = 10, .now_at = std::move(now_at), .updates = std::move(updates)});
}

TEST(Certify, HoldsForAnUpdateInPlaceThatIsStated) {
  const Program before = ProgramOf({RowWritten(false)});
  const std::vector<Operator> form = {{"aten::index_put_", FindOperator("aten::index_put_")}};
  const planner::UpdatedInPlace made =
      planner::UpdateInPlaces(before, planner::WebsOf(before, nullptr), {.operators = form});
  ASSERT_TRUE(made.changes());
  const Certificate certificate = CertifiedUpdate(made.program, made.now_at, made.updates);
  EXPECT_EQ(certificate.failure, "");
  ASSERT_EQ(certificate.methods.size(), 1U);
  EXPECT_EQ(certificate.methods[0].answer, compare::Answer::kSame);
}

TEST(Certify, FailsIfAnUpdateInPlaceIsNotStatedOrIsAnother) {
  const Program after = ProgramOf({RowWritten(true)});
  EXPECT_THAT(CertifiedUpdate(after, {}, {}).failure, StartsWith("more than the plan"));
  EXPECT_THAT(CertifiedUpdate(after, {{0, 1, -1}}, {}).failure, StartsWith("more than the plan"));
  const Program other = ProgramOf({RowWritten(true, true)});
  EXPECT_THAT(CertifiedUpdate(other, {{0, 1, -1}}, {{{0, 2}}}).failure,
              StartsWith("more than the plan"));
}

}  // namespace
}  // namespace pteproof::certify
