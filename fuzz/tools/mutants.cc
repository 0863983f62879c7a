// fuzz_mutants TARGET FILE COUNT LAST: tries so many mutants of a file, each made of it by one to
// four changes. The one that is being tried lies in file LAST, for where it ends the process.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "fuzz/mutate/mutate_bytes.h"
#include "fuzz/target.h"
#include "fuzz/tools/contents.h"

namespace {

using namespace pteproof;        // NOLINT: a program of its own
using namespace pteproof::fuzz;  // NOLINT

Buffer MutantOf(const Buffer& original, const Mutator& mutator, uint64_t seed) {
  constexpr size_t kRoom = 4096;
  Buffer mutant = original;
  for (uint64_t change = 0; change <= seed % 4; ++change) {
    const uint64_t draw = 4 * seed + change;
    mutant = mutator.mutate(mutant, draw, original.size() + kRoom, SimpleByteMutator(draw));
  }
  return mutant;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kUsage = 64;
  const Target* target = argc < 5 ? nullptr : TargetNamed(argv[1]);
  if (target == nullptr) {
    fmt::print(stderr, "usage: fuzz_mutants TARGET FILE COUNT LAST\n");
    return kUsage;
  }
  const Buffer original = ContentsOf(argv[2]);
  const uint64_t count = std::strtoull(argv[3], nullptr, 10);
  std::array<uint64_t, kStageCount> reached = {};
  for (uint64_t seed = 0; seed < count; ++seed) {
    const Buffer mutant = MutantOf(original, *target->mutator, seed);
    Put(mutant, argv[4]);
    ++reached[static_cast<size_t>(target->run(mutant))];
  }
  std::remove(argv[4]);
  fmt::print("{} refused, {} read, {} judged, {} run\n", reached[0], reached[1], reached[2],
             reached[3]);
  return EXIT_SUCCESS;
}
