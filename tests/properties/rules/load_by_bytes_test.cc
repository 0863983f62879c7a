// The load of each bank, counted byte by byte over random methods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ByteSet = std::set<std::pair<uint32_t, uint64_t>>;  // bank, 16 bytes of it

// Straight code: what each instruction reads and writes is known as it is put together.
struct RandomMethod {
  MethodBuilder b;
  std::vector<std::vector<int32_t>> reads;
  std::vector<int32_t> writes;
  std::vector<int32_t> states;
};

uint32_t DrawBelow(std::mt19937& random, uint32_t count) {
  return static_cast<uint32_t>(random() % count);
}

// Sizes need not be multiples of 16 bytes, places are.
int32_t DrawValue(std::mt19937& random, MethodBuilder& b) {
  return b.Planned(1 + DrawBelow(random, 2), uint64_t{16} * DrawBelow(random, 12),
                   {static_cast<int32_t>(1 + DrawBelow(random, 9))});
}

RandomMethod DrawMethod(std::mt19937& random, int state_count = 0) {
  RandomMethod m;
  std::vector<int32_t> known;
  for (int s = 0; s < state_count; ++s) {
    m.states.push_back(m.b.Planned(1 + DrawBelow(random, 2), uint64_t{16} * DrawBelow(random, 12),
                                   {static_cast<int32_t>(1 + DrawBelow(random, 9))},
                                   "state " + std::to_string(s)));
    known.push_back(m.states.back());
  }
  for (uint32_t i = 0; i <= DrawBelow(random, 3); ++i) {
    known.push_back(DrawValue(random, m.b));
    m.b.Input(known.back());
  }
  const auto any = [&] { return known[DrawBelow(random, static_cast<uint32_t>(known.size()))]; };
  for (uint32_t i = 0; i < 3 + DrawBelow(random, 6); ++i) {
    const int32_t left = any();
    const int32_t right = any();
    const bool again = DrawBelow(random, 4) == 0;
    const int32_t out = again ? any() : DrawValue(random, m.b);
    m.b.Mul(left, right, out);
    m.reads.push_back({left, right});
    m.writes.push_back(out);
    known.push_back(out);
  }
  for (uint32_t i = 0; i < DrawBelow(random, 3); ++i) m.b.Output(any());
  return m;
}

// Whole pieces of 16 bytes, as a planner reserves them.
void AddBytes(const Method& method, int32_t v, ByteSet& bytes) {
  const Tensor& tensor = *method.TensorOf(v);
  for (uint64_t at = tensor.offset; at < tensor.offset + tensor.nbytes; at += 16) {
    bytes.insert({tensor.bank, at});
  }
}

// The most bytes of each bank that are needed at one time: those of values that are read later, and
// those that the instruction at hand reads and writes; at entry, all inputs. The next call reads
// state. `always`: values whose bytes are needed at all times.
std::map<uint32_t, uint64_t> LoadByBytes(const RandomMethod& m, const Method& method,
                                         const std::vector<int32_t>& always) {
  std::map<uint32_t, uint64_t> load;
  std::set<int32_t> live(method.outputs.begin(), method.outputs.end());
  live.insert(m.states.begin(), m.states.end());
  const auto count = [&](const std::vector<int32_t>& besides) {
    ByteSet bytes;
    for (const int32_t v : always) AddBytes(method, v, bytes);
    for (const int32_t v : live) AddBytes(method, v, bytes);
    for (const int32_t v : besides) AddBytes(method, v, bytes);
    std::map<uint32_t, uint64_t> now;
    for (const auto& [bank, at] : bytes) now[bank] += 16;
    for (const auto& [bank, size] : now) load[bank] = std::max(load[bank], size);
  };
  for (size_t i = m.writes.size(); i-- > 0;) {
    std::vector<int32_t> besides = m.reads[i];
    besides.push_back(m.writes[i]);
    count(besides);
    live.erase(m.writes[i]);
    live.insert(m.reads[i].begin(), m.reads[i].end());
  }
  count(method.inputs);
  return load;
}

TEST(LoadByBytes, IsWhatCountingBytesGives) {
  std::mt19937 random(20);
  int sound = 0;
  for (int i = 0; i < 6000; ++i) {
    const RandomMethod m = DrawMethod(random);
    const Analysed a(m.b);
    if (!IsSound(m.b)) continue;  // what is lost is needed by nobody any more
    ++sound;
    auto expected = LoadByBytes(m, a.method, {});
    for (uint32_t bank = 1; bank < a.check.walk.load.size(); ++bank) {
      ASSERT_EQ(a.check.walk.load[bank], expected[bank]) << "method " << i << ", bank " << bank;
    }
  }
  EXPECT_GT(sound, 100);
}

// State always needs its bytes, though from its last read to its store they hold nothing.
TEST(LoadByBytes, CountsStateAtAllTimes) {
  RecordProperty("slow", "draws many random cases");
  std::mt19937 random(21);
  int sound = 0;
  int less = 0;
  for (int i = 0; i < 12'000; ++i) {
    const RandomMethod m = DrawMethod(random, 1 + i % 2);
    const Analysed a(m.b);
    if (!IsSound(m.b)) continue;
    ++sound;
    auto always = LoadByBytes(m, a.method, m.states);
    auto wanted = LoadByBytes(m, a.method, {});
    for (uint32_t bank = 1; bank < a.check.walk.load.size(); ++bank) {
      ASSERT_EQ(a.check.walk.load[bank], always[bank]) << "method " << i << ", bank " << bank;
      ASSERT_EQ(a.check.walk.load_of_wanted[bank], wanted[bank]) << i << ", bank " << bank;
      if (wanted[bank] < always[bank]) ++less;
    }
  }
  EXPECT_GT(sound, 100);
  EXPECT_GT(less, 20);
}

// What is lost is needed by nobody, from its loss back to where it was made.
TEST(LoadByBytes, LeavesOutWhatIsLost) {
  MethodBuilder b;
  const int32_t x = b.Planned(2, 0, {4});
  b.Input(x);
  const int32_t v = b.Planned(1, 0, {4});
  b.Mul(x, x, v);
  const int32_t extra = b.Planned(1, 64, {4});
  b.Mul(x, x, extra);
  b.Mul(extra, x, b.Planned(3, 0, {4}));
  b.Mul(x, x, b.Planned(1, 8, {4}));  // over half of v
  b.Mul(v, x, b.Planned(3, 0, {4}));
  EXPECT_EQ(Analysed(b).check.walk.load[1], 24U);
}

}  // namespace
}  // namespace pteproof::checks
