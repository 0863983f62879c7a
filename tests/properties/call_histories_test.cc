// Two walks through one protocol, derived apart: that of the rules, and that of runs. Each is held
// against all words up to a length, made from the expression alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "meaning/call_order.h"
#include "properties/oracles/call_walk.h"
#include "tests/support/method_builder.h"
#include "tests/support/protocols.h"

namespace pteproof {
namespace {

using Word = std::vector<int32_t>;
using WordSet = std::set<Word>;

const std::vector<std::string> kNames = {"a", "b", "c"};
constexpr int32_t kMethods = 3;
constexpr size_t kLongest = 6;

Program ThreeMethods() {
  std::vector<Method> methods;
  for (const std::string& name : kNames) methods.push_back(MethodBuilder(name).Build());
  return ProgramOf(std::move(methods));
}

// All concatenations, cut to the longest length: a cut word stands for the words that it begins.
WordSet Joined(const WordSet& left, const WordSet& right) {
  WordSet joined;
  for (const Word& l : left) {
    if (l.size() == kLongest) {
      joined.insert(l);
      continue;
    }
    for (const Word& r : right) {
      Word word = l;
      word.insert(word.end(), r.begin(), r.end());
      if (word.size() > kLongest) word.resize(kLongest);
      joined.insert(word);
    }
  }
  return joined;
}

WordSet WordsOf(const CallPattern& pattern) {
  using Kind = CallPattern::Kind;
  if (pattern.kind == Kind::kCall) return {{pattern.method[0] - 'a'}};
  if (pattern.kind == Kind::kSequence) {
    WordSet words = {{}};
    for (const CallPattern& part : pattern.parts) words = Joined(words, WordsOf(part));
    return words;
  }
  WordSet words;
  for (const CallPattern& part : pattern.parts) words.merge(WordsOf(part));
  const WordSet once = words;
  const bool repeats = pattern.kind == Kind::kStar || pattern.kind == Kind::kPlus;
  for (size_t n = 0; repeats && n < kLongest; ++n) words.merge(Joined(words, once));
  if (pattern.kind == Kind::kStar || pattern.kind == Kind::kOptional) words.insert(Word{});
  return words;
}

WordSet PrefixesOf(const CallPattern& pattern) {
  WordSet prefixes;
  for (const Word& word : WordsOf(pattern)) {
    for (size_t n = 0; n <= word.size(); ++n)
      prefixes.insert({word.begin(), word.begin() + static_cast<int64_t>(n)});
  }
  return prefixes;
}

struct Sought {
  int32_t method;
  std::vector<int32_t> without;
};

bool IsIn(const Word& word, size_t at, const std::vector<Sought>& sought, size_t next) {
  if (next == sought.size()) return true;
  for (; at < word.size(); ++at) {
    if (word[at] == sought[next].method && IsIn(word, at + 1, sought, next + 1)) return true;
    const auto& without = sought[next].without;
    if (std::ranges::find(without, word[at]) != without.end()) return false;
  }
  return false;
}

std::vector<Sought> DrawSought(std::mt19937_64& random) {
  std::vector<Sought> sought;
  const size_t count = 1 + random() % 3;
  for (size_t s = 0; s < count; ++s) {
    sought.push_back({static_cast<int32_t>(random() % kMethods), {}});
    for (int32_t m = 0; m < kMethods; ++m) {
      if (random() % 4 == 0) sought.back().without.push_back(m);
    }
  }
  return sought;
}

bool Has(const meaning::CallOrder& order, const std::vector<Sought>& s) {
  const auto step = [&](size_t i) { return meaning::CallStep{s[i].method, s[i].without}; };
  if (s.size() == 1) return order.Has({step(0)});
  if (s.size() == 2) return order.Has({step(0), step(1)});
  return order.Has({step(0), step(1), step(2)});
}

// What a walk reaches in as many calls as the longest word has.
void Collect(const CallWalk& walk, Word& word, WordSet& words) {
  words.insert(word);
  if (word.size() == kLongest) return;
  for (const int32_t m : walk.Next()) {
    CallWalk next = walk;
    next.Call(m);
    word.push_back(m);
    Collect(next, word, words);
    word.pop_back();
  }
}

TEST(CallHistories, AreThePrefixesOfTheWords) {
  const Program program = ThreeMethods();
  for (uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const Manifest manifest = StatingCalls(RandomProtocol(random, kNames, 3));
    WordSet walked;
    Word word;
    Collect(CallWalk(program, &manifest), word, walked);
    EXPECT_EQ(walked, PrefixesOf(manifest.calls->pattern)) << manifest.calls->text;
  }
}

// Expressions of this size show each three calls in words of the longest length.
TEST(CallHistories, HaveASequenceOfCallsIfSomeHistoryHas) {
  const Program program = ThreeMethods();
  int found = 0;
  int missing = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const Manifest manifest = StatingCalls(RandomProtocol(random, kNames, 2));
    const meaning::CallOrder order = meaning::CallOrderOf(program, &manifest);
    const WordSet prefixes = PrefixesOf(manifest.calls->pattern);
    for (int question = 0; question < 20; ++question) {
      const std::vector<Sought> sought = DrawSought(random);
      const bool shown =
          std::ranges::any_of(prefixes, [&](const Word& word) { return IsIn(word, 0, sought, 0); });
      EXPECT_EQ(Has(order, sought), shown) << manifest.calls->text;
      ++(shown ? found : missing);
    }
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(missing, 500);
}

TEST(CallHistories, AreAllWithoutAProtocol) {
  const Program program = ThreeMethods();
  const Manifest silent;
  for (const Manifest* manifest : {static_cast<const Manifest*>(nullptr), &silent}) {
    EXPECT_TRUE(meaning::CallOrderOf(program, manifest).Has({{2}, {0, {1, 2}}, {2}}));
    CallWalk walk(program, manifest);
    walk.Call(2);
    EXPECT_THAT(walk.Next(), testing::ElementsAre(0, 1, 2));
  }
}

}  // namespace
}  // namespace pteproof
