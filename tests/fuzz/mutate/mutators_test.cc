// What holds for every mutator, whatever it is given.
#include "fuzz/mutate/mutators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "fuzz/envelope.h"
#include "fuzz/mutate/mutate_bytes.h"
#include "fuzz/mutate/random.h"
#include "fuzz/mutate/shares.h"
#include "fuzz/target.h"
#include "tests/fuzz/mutate/inputs.h"

namespace pteproof {
namespace {

using fuzz::Buffer;
using fuzz::Random;
using fuzz::Target;

// One of each kind that some target takes.
std::vector<Buffer> InputsOfAllKinds() {
  std::vector<Buffer> inputs = SeedPrograms();
  for (const char* extension : {".ptd", ".bpte", ".pte"}) {
    const auto crafted = CorpusInputs("crafted", extension);
    inputs.insert(inputs.end(), crafted.begin(), crafted.end());
  }
  for (const auto& [folder, extension] :
       {std::pair{"modules", ".module"}, std::pair{"manifests", ".json"}}) {
    const auto texts = CorpusInputs(folder, extension);
    inputs.insert(inputs.end(), texts.begin(), texts.end());
  }
  return inputs;
}

Buffer MutatedBy(const Target& target, Bytes input, uint64_t seed, size_t max_size) {
  return target.mutator->mutate(input, seed, max_size, fuzz::SimpleByteMutator(seed));
}

Buffer RandomBytes(Random& random, size_t at_most) {
  Buffer bytes(random.Below(at_most + 1));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.Next());
  return bytes;
}

TEST(Mutators, GiveEqualOutputsForEqualSeeds) {
  const std::vector<Buffer> inputs = InputsOfAllKinds();
  for (const Target& target : fuzz::AllTargets()) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Buffer& other = inputs[(i * 7 + 1) % inputs.size()];
      EXPECT_EQ(MutatedBy(target, inputs[i], i, 8192), MutatedBy(target, inputs[i], i, 8192));
      EXPECT_EQ(target.mutator->cross(inputs[i], other, i, 8192),
                target.mutator->cross(inputs[i], other, i, 8192));
    }
  }
}

TEST(Mutators, GiveDifferentOutputsForDifferentSeeds) {
  for (const Target& target : fuzz::AllTargets()) {
    const Buffer input = SeedPrograms().front();
    std::set<Buffer> outputs;
    for (uint64_t seed = 0; seed < 100; ++seed)
      outputs.insert(MutatedBy(target, input, seed, 8192));
    EXPECT_GE(outputs.size(), 60U) << target.name;
  }
}

TEST(Mutators, NeverExceedTheLargestSize) {
  RecordProperty("slow", "draws many random cases");
  const std::vector<Buffer> inputs = InputsOfAllKinds();
  for (const Target& target : fuzz::AllTargets()) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Buffer& other = inputs[(i * 5 + 3) % inputs.size()];
      for (const size_t most : {size_t{1}, size_t{2}, size_t{9}, size_t{64}, inputs[i].size()}) {
        EXPECT_LE(MutatedBy(target, inputs[i], i, most).size(), most) << target.name;
        EXPECT_LE(target.mutator->cross(inputs[i], other, i, most).size(), most) << target.name;
      }
    }
  }
}

TEST(Mutators, SurviveArbitraryBytes) {
  RecordProperty("slow", "draws many random cases");
  Random random(1);
  constexpr std::array<std::string_view, 4> kMarks = {"", "ET12", "FT01", "BP08"};
  for (int i = 0; i < 10'000; ++i) {
    Buffer a = RandomBytes(random, 200);
    const Buffer b = RandomBytes(random, 200);
    const std::string_view mark = random.Of(kMarks);
    if (a.size() >= 8) std::ranges::copy(std::as_bytes(std::span(mark)), a.begin() + 4);
    for (const Target& target : fuzz::AllTargets()) {
      const auto seed = static_cast<uint64_t>(i);
      EXPECT_LE(MutatedBy(target, a, seed, 300).size(), 300U);
      EXPECT_LE(target.mutator->cross(a, b, seed, 300).size(), 300U);
    }
  }
}

TEST(Mutators, SurviveFilesThatAreCutOff) {
  RecordProperty("slow", "draws many random cases");
  const std::vector<Buffer> inputs = InputsOfAllKinds();
  Random random(2);
  for (const Buffer& input : inputs) {
    // In a block of its own size, so that a sanitizer sees a read behind it.
    const Buffer cut(input.begin(),
                     input.begin() + static_cast<ptrdiff_t>(random.Below(input.size())));
    for (const Target& target : fuzz::AllTargets()) {
      for (uint64_t seed = 0; seed < 10; ++seed) {
        EXPECT_LE(MutatedBy(target, cut, seed, 20'000).size(), 20'000U);
        EXPECT_LE(target.mutator->cross(cut, input, seed, 20'000).size(), 20'000U);
      }
    }
  }
}

TEST(Mutators, KeepMostProgramsReadable) {
  RecordProperty("slow", "draws many random cases");
  const fuzz::Shares shares =
      fuzz::MeasureShares(SeedPrograms(), 2'000, fuzz::Under(fuzz::kProgramMutator));
  EXPECT_GE(shares.PercentOf(shares.read), 40);
  EXPECT_GE(shares.PercentOf(shares.ran), 15);
}

TEST(Mutators, KeepMoreProgramsReadableThanPlainBytes) {
  const auto programs = SeedPrograms();
  const auto plain = fuzz::MeasureShares(programs, 1'000, fuzz::Under(fuzz::kPlainMutator));
  const auto reader = fuzz::MeasureShares(programs, 1'000, fuzz::Under(fuzz::kReaderMutator));
  EXPECT_GE(reader.contained, plain.contained);
  EXPECT_GT(reader.PercentOf(reader.contained), 50);
}

TEST(Mutators, TakeChoicesOutOfTheirEnvelope) {
  const std::string module = "method f() {\n  return\n}\n";
  const Buffer choices(34, std::byte{7});
  const Buffer sealed = fuzz::SealEnvelope({choices, module});
  const Target& diff = *fuzz::TargetNamed("fuzz_diff");
  for (uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(MutatedBy(diff, sealed, seed, 4096), MutatedBy(diff, choices, seed, 4096));
  }
}

TEST(Mutators, ChangeWholeItemsOfSevenBytes) {
  const Target& plan = *fuzz::TargetNamed("fuzz_plan");
  Buffer items;
  for (int i = 0; i < 5 * 7; ++i) items.push_back(static_cast<std::byte>(i / 7));
  int whole = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    if (MutatedBy(plan, items, seed, 4096).size() % 7 == 0) ++whole;
  }
  EXPECT_GE(whole, 120);
}

}  // namespace
}  // namespace pteproof
