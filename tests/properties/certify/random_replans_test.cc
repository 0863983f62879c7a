// A new plan of a random Module's program is shown right, whatever made the old one and whatever
// may move.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "planner/plan.h"
#include "planner/replan/dropped_copies.h"
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

// Of most cases a solver is not asked what numbers alone decide: that is most of the work.
bool IsFast(uint64_t seed) {
  return seed % 8 != 0;
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
                     .certify = {.fast = IsFast(seed), .calls = 4, .seed = seed}});
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
    const ShownReplan after = ReplanShown(
        {&before, nullptr, nullptr}, {.plan = {.in_place = true, .operators = IndexPut()},
                                      .move_state = seed % 2 == 1,
                                      .certify = {.fast = IsFast(seed), .calls = 4, .seed = seed}});
    if (after.certificate.open) {
      ++open[after.certificate.failure];
      continue;
    }
    EXPECT_EQ(after.certificate.failure, "") << "seed " << seed;
    // No attempt fails before, either: the finder alone is right.
    const std::vector<Operator> form = IndexPut();
    const planner::UpdatedInPlace alone =
        planner::UpdateInPlaces(before, planner::WebsOf(before, nullptr), {.operators = form});
    const Certificate certificate = Certify(
        {&before, nullptr, nullptr}, {&alone.program, nullptr, nullptr},
        {.fast = IsFast(seed), .calls = 4, .now_at = alone.now_at, .updates = alone.updates});
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

// Straight code at random over matrices of few rows: sums, copies, views and slices by copy,
// concatenations, stores to a buffer. All values have places of their own.
class RandomCopies {
 public:
  explicit RandomCopies(uint64_t seed) : random_(seed) {
    buffer_ = Matrix(4, "state");
    m_.Input(Matrix(4));
    none_ = m_.None();
    for (int32_t n = 0; n <= kMostRows; ++n) numbers_.push_back(m_.Int(n));
  }

  Program Make() {
    for (uint64_t steps = 5 + Below(random_, 8); steps > 0; --steps) Step();
    for (uint64_t outputs = 1 + Below(random_, 2); outputs > 0; --outputs) {
      const int32_t any = Any();
      const int32_t y = outputs == 1 ? Matrix(RowsOf(any)) : any;
      if (y != any) m_.Add(any, any, y);
      const auto& told = m_.method().outputs;
      if (std::ranges::find(told, y) == told.end()) m_.Output(y);
    }
    m_.Copy(buffer_, Sum(buffer_, buffer_));
    return ProgramOf({m_.Build()});
  }

 private:
  static constexpr int32_t kMostRows = 8;

  int32_t Matrix(int32_t rows, std::string_view name = {}) {
    const uint64_t at = std::exchange(end_, end_ + 16 * static_cast<uint64_t>(rows));
    values_.push_back(m_.Planned(1, at, {rows, 4}, name));
    return values_.back();
  }
  int32_t Any() { return values_[Below(random_, values_.size())]; }
  int32_t RowsOf(int32_t v) { return m_.method().Ints(m_.TensorAt(v).sizes)[0]; }
  int32_t Number(int32_t n) { return numbers_[static_cast<size_t>(n)]; }
  int32_t Sum(int32_t a, int32_t b) {
    const int32_t sum = Matrix(RowsOf(a));
    m_.Add(a, b, sum);
    return sum;
  }

  void Step() {
    const int32_t from = Any();
    const int32_t rows = RowsOf(from);
    const uint64_t kind = Below(random_, 7);
    if (kind == 0) {
      const int32_t to = Matrix(rows);
      m_.Call("aten::clone.out", {from, none_, to, to});
    } else if (kind == 1) {
      const auto first = static_cast<int32_t>(Below(random_, static_cast<uint64_t>(rows)));
      const auto count =
          1 + static_cast<int32_t>(Below(random_, static_cast<uint64_t>(rows - first)));
      const int32_t to = Matrix(count);  // and its literals behind it, as an exporter numbers them
      const int32_t dim = m_.Int(0);
      const int32_t start = m_.Int(first);
      const int32_t end = m_.Int(first + count);
      m_.Call("aten::slice_copy.Tensor_out", {from, dim, start, end, m_.Int(1), to, to});
    } else if (kind == 2) {
      const int32_t other = Any();
      if (rows + RowsOf(other) > kMostRows) return;
      const int32_t to = Matrix(rows + RowsOf(other));
      m_.Call("aten::cat.out", {m_.TensorList({from, other}), Number(0), to, to});
    } else if (kind == 3 && rows == 4) {
      m_.Copy(buffer_, from);
    } else if (kind == 4) {
      const int32_t to = Matrix(rows);
      m_.Call("aten::view_copy.out", {from, m_.IntList({Number(rows), Number(4)}), to, to});
    } else {
      Sum(from, from);
    }
  }

  std::mt19937_64 random_;
  MethodBuilder m_;
  uint64_t end_ = 0;
  int32_t buffer_ = 0;
  int32_t none_ = 0;
  std::vector<int32_t> numbers_;
  std::vector<int32_t> values_;
};

TEST(RandomDroppedCopies, AreShownRight) {
  uint64_t shown_right = 0;
  uint64_t dropped = 0;
  uint64_t kept = 0;
  std::map<std::string, int> open;  // by the reason
  const uint64_t first = NumberFrom("PTEPROOF_RANDOM_FIRST", 0);
  const uint64_t cases = Cases(10, 100);
  for (uint64_t seed = first; seed < first + cases; ++seed) {
    const Program before = RandomCopies(seed).Make();
    const ShownReplan after = ReplanShown(
        {&before, nullptr, nullptr}, {.plan = {.in_place = true},
                                      .move_state = seed % 2 == 1,
                                      .reorder = seed % 3 == 1,
                                      .certify = {.fast = IsFast(seed), .calls = 4, .seed = seed}});
    // No attempt fails before, either: the finder alone is right.
    const planner::DroppedCopies alone = planner::DropCopies(before, nullptr);
    const Certificate certificate = Certify(
        {&before, nullptr, nullptr}, {&alone.program, nullptr, nullptr},
        {.fast = IsFast(seed), .calls = 4, .now_at = alone.now_at, .dropped = alone.dropped});
    if (certificate.open) {
      ++open[certificate.failure];
      continue;
    }
    EXPECT_EQ(certificate.failure, "") << "seed " << seed;
    EXPECT_EQ(after.certificate.failure, "") << "seed " << seed;
    shown_right += certificate.holds() ? 1 : 0;
    dropped += alone.changes() ? 1 : 0;
    kept += alone.changes() && after.replanned.dropped.empty() ? 1 : 0;
  }
  EXPECT_GE(shown_right, cases / 2);
  EXPECT_GE(dropped, cases / 10);
  for (const auto& [why, count] : open) RecordProperty(why, std::to_string(count));
  RecordProperty("shown_right", std::to_string(shown_right));
  RecordProperty("dropped", std::to_string(dropped));
  RecordProperty("kept", std::to_string(kept));
}

// Of every set of three options, and each option of the set alone away: bytes do not rise with more
// of them.
void ExpectNoOptionCostsBytes(const Program& before, uint64_t seed) {
  std::map<unsigned, uint64_t> bytes;  // by set
  for (unsigned set = 0; set < 8; ++set) {
    const ShownReplan after = ReplanShown(
        {&before, nullptr, nullptr}, {.plan = {.in_place = (set & 1) != 0, .operators = IndexPut()},
                                      .move_state = (set & 2) != 0,
                                      .reorder = (set & 4) != 0,
                                      .certify = {.calls = 1, .seed = seed}});
    if (!after.unwritable.empty() || !after.certificate.holds()) continue;
    bytes[set] = BytesOf(after.replanned.program);
    for (const unsigned less : {set & ~1U, set & ~2U, set & ~4U}) {
      if (!bytes.contains(less)) continue;
      EXPECT_LE(bytes[set], bytes[less]) << "seed " << seed << ", options " << set << ", " << less;
    }
  }
}

TEST(RandomOptions, MakeNoPlanLarger) {
  RecordProperty("slow", "eight plans of each program are shown right");
  const uint64_t first = NumberFrom("PTEPROOF_RANDOM_FIRST", 0);
  for (uint64_t seed = first; seed < first + Cases(4, 60); ++seed) {
    ExpectNoOptionCostsBytes(RandomCopies(seed).Make(), seed);
    ExpectNoOptionCostsBytes(RandomUpdates(seed).Make(), seed);
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    const auto planned = planner::Plan(c.module, OptionsOf(seed));
    if (planned.ok()) ExpectNoOptionCostsBytes(planned.value().program, seed);
  }
}

}  // namespace
}  // namespace pteproof::certify
