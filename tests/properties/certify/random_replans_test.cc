// A new plan of a random Module's program is shown right, whatever made the old one and whatever
// may move.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "planner/plan.h"
#include "planner/replan/updates_in_place.h"
#include "properties/certify/shown_replan.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/oracles/random_inputs.h"
#include "reference/op_schema.h"
#include "tests/support/counts.h"
#include "tests/support/method_builder.h"

namespace pteproof::certify {
namespace {

uint64_t NumberFrom(const char* variable, uint64_t otherwise) {
  const char* asked = std::getenv(variable);
  return asked == nullptr ? otherwise : std::strtoull(asked, nullptr, 10);
}

planner::PlanOptions OptionsOf(uint64_t seed) {
  planner::PlanOptions options;
  const auto count = std::size(placement::kAlgorithms);
  options.algorithm = placement::kAlgorithms[seed % count];
  if (seed / count % 2 == 1) options.passes = {false, false, false, false, false, false};
  if (seed / count % 3 == 1) options.alignment = 1;
  options.policy = kAllPolicies[seed % kAllPolicies.size()];
  options.plan_inputs = seed % 5 != 1;
  options.plan_outputs = seed % 5 != 2;
  return options;
}

struct MayMove {
  std::string name;
  bool in_place = false;  // results over operands, stores
  bool state = false;
  std::vector<Operator> operators = {};  // of the runtime
  bool order = false;
};

std::vector<Operator> IndexPut() {
  return {{"aten::index_put_", FindOperator("aten::index_put_")}};
}

class RandomReplans : public testing::TestWithParam<MayMove> {};

uint64_t BytesOf(const Program& program) {
  uint64_t bytes = 0;
  for (const Method& method : program.methods) {
    for (const uint64_t size : method.bank_sizes) bytes += size;
  }
  return bytes;
}

TEST_P(RandomReplans, AreShownRight) {
  uint64_t shown_right = 0;
  uint64_t smaller = 0;
  uint64_t early = 0;
  uint64_t updated = 0;
  uint64_t ordered = 0;
  uint64_t open = 0;
  // The variables make a campaign of it, in parts.
  const uint64_t first = NumberFrom("PTEPROOF_RANDOM_FIRST", 0);
  const uint64_t cases = Cases(10, 150);
  for (uint64_t seed = first; seed < first + cases; ++seed) {
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    const auto planned = planner::Plan(c.module, OptionsOf(seed));
    if (!planned.ok()) continue;
    const Program& before = planned.value().program;
    const ShownReplan after =
        ReplanShown({&before, nullptr, nullptr},
                    {.plan = {.in_place = GetParam().in_place, .operators = GetParam().operators},
                     .move_state = GetParam().state,
                     .reorder = GetParam().order,
                     .certify = {.calls = 4, .seed = seed}});
    EXPECT_EQ(after.unwritable, "") << "seed " << seed;
    if (after.certificate.open) {
      ++open;
      continue;
    }
    EXPECT_EQ(after.certificate.failure, "") << "seed " << seed;
    if (!after.certificate.holds()) continue;
    ++shown_right;
    early += after.replanned.now_at.empty() ? 0 : 1;
    updated += after.replanned.updates.empty() ? 0 : 1;
    ordered += after.replanned.values_at.empty() ? 0 : 1;
    smaller += BytesOf(after.replanned.program) < BytesOf(before) ? 1 : 0;
    for (const auto& bank : after.replanned.banks) {
      EXPECT_LE(bank.after, bank.before) << "seed " << seed;
    }
  }
  EXPECT_GE(shown_right, cases * 8 / 10);
  EXPECT_GE(smaller, cases / 10);
  RecordProperty("shown_right", std::to_string(shown_right));
  RecordProperty("open", std::to_string(open));
  RecordProperty("smaller", std::to_string(smaller));
  RecordProperty("early", std::to_string(early));
  RecordProperty("updated", std::to_string(updated));
  RecordProperty("ordered", std::to_string(ordered));
}

INSTANTIATE_TEST_SUITE_P(MayMove, RandomReplans,
                         testing::Values(MayMove{"Values"}, MayMove{"Stores", true},
                                         MayMove{"State", false, true},
                                         MayMove{"StoresAndState", true, true, IndexPut()},
                                         MayMove{"Order", false, false, {}, true},
                                         MayMove{"All", true, true, IndexPut(), true}),
                         [](const auto& info) { return info.param.name; });

// Straight code at random over two buffers of three rows: sums, rows written to a copy of a buffer,
// and stores. All values have places of their own, so that the program is right.
class RandomUpdates {
 public:
  explicit RandomUpdates(uint64_t seed) : random_(seed) {
    for (const char* name : {"one", "two"}) buffers_.push_back(Whole(name));
    whole_ = buffers_;
    at_ = m_.Planned(1, Place(8), {1}, {}, ScalarType::kInt64);
    row_ = m_.Planned(1, Place(16), {1, 4});
    m_.Input(at_);
    m_.Input(row_);
    no_ = m_.Bool(false);
    list_ = m_.OptionalTensorList({at_});
  }

  Program Make() {
    for (uint64_t steps = 4 + Below(random_, 6); steps > 0; --steps) Step();
    const int32_t y = Whole({});
    m_.Add(whole_.back(), Any(whole_), y);
    m_.Output(y);
    for (const int32_t buffer : buffers_) m_.Copy(buffer, y);  // each has a store
    return ProgramOf({m_.Build()});
  }

 private:
  uint64_t Place(uint64_t bytes) { return std::exchange(end_, end_ + (bytes + 15) / 16 * 16); }
  int32_t Whole(const std::string& name) { return m_.Planned(1, Place(48), {3, 4}, name); }
  int32_t Any(const std::vector<int32_t>& values) { return values[Below(random_, values.size())]; }

  void Step() {
    const uint64_t kind = Below(random_, 5);
    if (kind < 2) {
      const int32_t buffer = Any(buffers_);
      const int32_t fresh = Whole({});
      m_.Call("aten::index_put.out", {buffer, list_, row_, no_, fresh, fresh});
      whole_.push_back(fresh);
      updates_.emplace_back(buffer, fresh);
    } else if (kind == 2) {
      const int32_t sum = Whole({});
      m_.Add(Any(whole_), Any(whole_), sum);
      whole_.push_back(sum);
    } else if (kind == 3 && !updates_.empty()) {
      const auto [buffer, fresh] = updates_[Below(random_, updates_.size())];
      m_.Copy(buffer, fresh);
    } else {
      const int32_t to = Any(buffers_);
      const int32_t from = Any(whole_);
      if (to != from) m_.Copy(to, from);
    }
  }

  std::mt19937_64 random_;
  MethodBuilder m_;
  uint64_t end_ = 0;
  int32_t at_ = 0;
  int32_t row_ = 0;
  int32_t no_ = 0;
  int32_t list_ = 0;
  std::vector<int32_t> buffers_;
  std::vector<int32_t> whole_;  // buffers, and values of their size
  std::vector<std::pair<int32_t, int32_t>> updates_;
};

TEST(RandomUpdatesInPlace, AreShownRight) {
  uint64_t shown_right = 0;
  uint64_t updated = 0;
  std::map<std::string, int> open;  // by the reason
  const uint64_t first = NumberFrom("PTEPROOF_RANDOM_FIRST", 0);
  const uint64_t cases = Cases(10, 100);
  for (uint64_t seed = first; seed < first + cases; ++seed) {
    const Program before = RandomUpdates(seed).Make();
    const ShownReplan after = ReplanShown({&before, nullptr, nullptr},
                                          {.plan = {.in_place = true, .operators = IndexPut()},
                                           .move_state = seed % 2 == 1,
                                           .certify = {.calls = 4, .seed = seed}});
    if (after.certificate.open) {
      ++open[after.certificate.failure];
      continue;
    }
    EXPECT_EQ(after.certificate.failure, "") << "seed " << seed;
    // No attempt fails before, either: the finder alone is right.
    const std::vector<Operator> form = IndexPut();
    const planner::UpdatedInPlace alone =
        planner::UpdateInPlaces(before, planner::WebsOf(before, nullptr), {.operators = form});
    const Certificate certificate =
        Certify({&before, nullptr, nullptr}, {&alone.program, nullptr, nullptr},
                {.calls = 4, .now_at = alone.now_at, .updates = alone.updates});
    EXPECT_EQ(certificate.failure, "") << "seed " << seed;
    shown_right += certificate.holds() ? 1 : 0;
    updated += alone.changes() ? 1 : 0;
  }
  EXPECT_GE(shown_right, cases / 2);
  EXPECT_GE(updated, cases / 10);
  for (const auto& [why, count] : open) RecordProperty(why, std::to_string(count));
  RecordProperty("shown_right", std::to_string(shown_right));
  RecordProperty("updated", std::to_string(updated));
}

}  // namespace
}  // namespace pteproof::certify
