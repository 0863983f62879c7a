// Updates of buffers in methods put together by hand: which can be made where the buffer lies.
#include "planner/replan/updates_in_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "reference/op_schema.h"
#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// new = state with row `at`; y = new * new; state.copy_(new). All at places of their own.
struct CachedRow {
  MethodBuilder m;
  int32_t state = m.Planned(1, 0, {2, 4}, "state");
  int32_t at = m.Planned(1, 32, {1}, {}, ScalarType::kInt64);
  int32_t row = m.Planned(1, 48, {1, 4});
  int32_t no = m.Bool(false);
  int32_t fresh = m.Planned(1, 64, {2, 4});
  int32_t y = m.Planned(1, 96, {2, 4});

  CachedRow() {
    m.Input(at);
    m.Input(row);
    m.Output(y);
  }

  void Update() { Update(row, no); }
  void Update(int32_t rows, int32_t accumulate) {
    m.Call("aten::index_put.out",
           {state, m.OptionalTensorList({at}), rows, accumulate, fresh, fresh});
  }

  UpdatedInPlace Made() {
    const std::vector<Operator> form = {{"aten::index_put_", FindOperator("aten::index_put_")}};
    const Program program = ProgramOf({m.Build()});
    return UpdateInPlaces(program, WebsOf(program, nullptr), {.operators = form});
  }
  std::vector<int32_t> NowAt() { return Made().now_at.front(); }
};

TEST(UpdateInPlaceTest, PutsNewContentsIntoTheBufferAndDropsTheStore) {
  CachedRow cached;
  cached.Update();
  cached.m.Mul(cached.fresh, cached.fresh, cached.y);
  cached.m.Copy(cached.state, cached.fresh);
  const UpdatedInPlace made = cached.Made();
  EXPECT_TRUE(made.changes());
  EXPECT_THAT(made.now_at.front(), ElementsAre(0, 1, -1));
  EXPECT_THAT(made.updates.front(), ElementsAre(UpdateInPlace{0, 2}));
  const Method& method = made.program.methods[0];
  ASSERT_EQ(method.instructions.size(), 2U);
  const Instruction& call = method.instructions[0];
  EXPECT_EQ(method.operators[static_cast<size_t>(call.target)].name, "aten::index_put_");
  EXPECT_EQ(method.Ints(call.args).back(), cached.fresh);
  EXPECT_EQ(method.TensorOf(cached.fresh)->offset, 0U);
}

TEST(UpdateInPlaceTest, NeedsARuntimeWithTheOperator) {
  CachedRow cached;
  cached.Update();
  cached.m.Mul(cached.fresh, cached.fresh, cached.y);
  cached.m.Copy(cached.state, cached.fresh);
  const Program program = ProgramOf({cached.m.Build()});
  EXPECT_FALSE(UpdateInPlaces(program, WebsOf(program, nullptr), {}).changes());
}

TEST(UpdateInPlaceTest, KeepsTheOldContentsThatAreReadBeforeTheStore) {
  CachedRow cached;
  cached.Update();
  cached.m.Mul(cached.fresh, cached.state, cached.y);
  cached.m.Copy(cached.state, cached.fresh);
  EXPECT_THAT(cached.NowAt(), IsEmpty());
}

TEST(UpdateInPlaceTest, LetsOldContentsBeReadBeforeTheUpdate) {
  CachedRow cached;
  cached.m.Mul(cached.state, cached.state, cached.y);
  cached.Update();
  cached.m.Copy(cached.state, cached.fresh);
  EXPECT_THAT(cached.NowAt(), ElementsAre(0, 1, -1));
}

TEST(UpdateInPlaceTest, KeepsNewContentsThatTheCallerReads) {
  CachedRow cached;
  cached.Update();
  cached.m.Mul(cached.fresh, cached.fresh, cached.y);
  cached.m.Copy(cached.state, cached.fresh);
  cached.m.Output(cached.fresh);
  EXPECT_THAT(cached.NowAt(), IsEmpty());
}

TEST(UpdateInPlaceTest, KeepsNewContentsThatAreWrittenOver) {
  CachedRow cached;
  cached.Update();
  cached.m.Copy(cached.state, cached.fresh);
  cached.m.Add(cached.fresh, cached.fresh, cached.fresh);
  cached.m.Mul(cached.fresh, cached.fresh, cached.y);
  EXPECT_THAT(cached.NowAt(), IsEmpty());
}

TEST(UpdateInPlaceTest, KeepsNewContentsThatOutliveTheBuffers) {
  CachedRow cached;
  const int32_t other = cached.m.Planned(1, 128, {2, 4});
  cached.m.Add(cached.state, cached.state, other);
  cached.Update();
  cached.m.Copy(cached.state, cached.fresh);
  cached.m.Copy(cached.state, other);
  cached.m.Mul(cached.fresh, cached.fresh, cached.y);
  EXPECT_THAT(cached.NowAt(), IsEmpty());
}

TEST(UpdateInPlaceTest, KeepsAnUpdateThatAdds) {
  CachedRow cached;
  cached.Update(cached.row, cached.m.Bool(true));
  cached.m.Mul(cached.fresh, cached.fresh, cached.y);
  cached.m.Copy(cached.state, cached.fresh);
  EXPECT_THAT(cached.NowAt(), IsEmpty());
}

TEST(UpdateInPlaceTest, KeepsAnUpdateWithRowsOfTheBuffer) {
  CachedRow cached;
  const int32_t first = cached.m.Planned(1, 0, {1, 4});
  cached.Update(first, cached.no);
  cached.m.Mul(cached.fresh, cached.fresh, cached.y);
  cached.m.Copy(cached.state, cached.fresh);
  EXPECT_THAT(cached.NowAt(), IsEmpty());
}

TEST(UpdateInPlaceTest, KeepsAnUpdateThatIsStoredElsewhere) {
  CachedRow cached;
  const int32_t other = cached.m.Planned(1, 128, {2, 4}, "other");
  cached.Update();
  cached.m.Mul(cached.fresh, cached.fresh, cached.y);
  cached.m.Copy(other, cached.fresh);
  EXPECT_THAT(cached.NowAt(), IsEmpty());
}

// The second update finds the first one's contents in the buffer.
TEST(UpdateInPlaceTest, MakesOneUpdateAfterTheOther) {
  CachedRow cached;
  cached.Update();
  cached.m.Copy(cached.state, cached.fresh);
  const int32_t more = cached.m.Planned(1, 128, {2, 4});
  cached.m.Call("aten::index_put.out", {cached.state, cached.m.OptionalTensorList({cached.at}),
                                        cached.row, cached.no, more, more});
  cached.m.Mul(more, more, cached.y);
  cached.m.Copy(cached.state, more);
  EXPECT_THAT(cached.NowAt(), ElementsAre(0, -1, 1, 2, -1));
}

}  // namespace
}  // namespace pteproof::planner
