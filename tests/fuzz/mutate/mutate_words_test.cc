#include "fuzz/mutate/mutate_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include "reference/graph/parse.h"
#include "tests/fuzz/mutate/inputs.h"

namespace pteproof {
namespace {

using fuzz::Buffer;
using fuzz::Random;

std::string TextOfBuffer(const Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

std::string Mutated(std::string_view text, uint64_t seed) {
  Random random(seed);
  return TextOfBuffer(
      fuzz::MutateWords(std::as_bytes(std::span(text)), {"vocabulary"}, random, 4096));
}

TEST(MutateWords, DropsRepeatsAndSwapsLines) {
  constexpr std::string_view kText = "a\nb\nc\n";
  std::map<std::string, int> seen;
  for (uint64_t seed = 0; seed < 2000; ++seed) ++seen[Mutated(kText, seed)];
  EXPECT_GT(seen["a\nc\n"], 0);
  EXPECT_GT(seen["a\nb\na\nc\n"], 0);
  EXPECT_GT(seen["c\nb\na\n"], 0);
}

TEST(MutateWords, ReplacesWordsByOthersOfTheTextOrOfTheVocabulary) {
  constexpr std::string_view kText = "aten::add.out(%x)\n";
  std::map<std::string, int> seen;
  for (uint64_t seed = 0; seed < 2000; ++seed) ++seen[Mutated(kText, seed)];
  EXPECT_GT(seen["x(%x)\n"], 0);
  EXPECT_GT(seen["aten::add.out(%vocabulary)\n"], 0);
  EXPECT_GT(seen["vocabulary(%x)\n"], 0);
  EXPECT_GT(seen["aten::add.out(%)\n"], 0);
}

TEST(MutateWords, KeepsAShareOfModulesReadable) {
  size_t made = 0;
  size_t parsed = 0;
  for (const Buffer& module : CorpusInputs("modules", ".module")) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      Random random(seed);
      const std::string text =
          TextOfBuffer(fuzz::MutateWords(module, fuzz::ModuleWords(), random, 16'384));
      ++made;
      if (graph::Parse(text).ok()) ++parsed;
    }
  }
  EXPECT_GE(made, 500U);
  EXPECT_GE(100 * parsed, 5 * made);
}

TEST(CrossLines, PutsWholeLinesTogether) {
  constexpr std::string_view kA = "a1\na2\n";
  constexpr std::string_view kB = "b1\nb2\n";
  std::map<std::string, int> seen;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    ++seen[TextOfBuffer(
        fuzz::CrossLines(std::as_bytes(std::span(kA)), std::as_bytes(std::span(kB)), random, 100))];
  }
  EXPECT_GT(seen["a1\nb2\n"], 0);
  EXPECT_GT(seen["a1\na2\nb1\nb2\n"], 0);
  EXPECT_EQ(seen.size(), 9U);
}

}  // namespace
}  // namespace pteproof
