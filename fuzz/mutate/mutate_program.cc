#include "fuzz/mutate/mutate_program.h"

#include <optional>

#include "fuzz/mutate/mutate_bytes.h"
#include "fuzz/mutate/mutate_words.h"
#include "fuzz/mutate/plan/extremes.h"
#include "fuzz/mutate/plan/mutate_plan.h"
#include "fuzz/mutate/random.h"
#include "fuzz/mutate/wire/grow_vector.h"
#include "fuzz/mutate/wire/mutate_wire.h"
#include "fuzz/vocabulary.h"
#include "runtime/file_kind.h"

namespace pteproof::fuzz {
namespace {

// A share of bytes' changes for what is decoded too: a fuzzer's own mutator knows what the target
// compares with what.
constexpr size_t kDataWirePercent = 70;
constexpr size_t kManifestWordsPercent = 70;
constexpr size_t kGrowOneIn = 4;  // of the wire's changes

bool Fits(const std::optional<Buffer>& changed, size_t max_size) {
  return changed && changed->size() <= max_size;
}

}  // namespace

Buffer MutateProgram(const LayerShares& shares, Bytes input, uint64_t seed, size_t max_size,
                     const ByteMutator& bytes) {
  Random random(seed);
  const size_t layer = random.Below(100);
  if (layer < shares.plan) {
    auto changed = plan::Mutate(input, random);
    if (Fits(changed, max_size)) return *std::move(changed);
  }
  if (layer < shares.plan + shares.wire) {
    auto changed = random.OneIn(kGrowOneIn) ? wire::GrowVector(input, random, max_size)
                                            : wire::Mutate(input, random);
    if (Fits(changed, max_size)) return *std::move(changed);
  }
  if (layer < shares.plan + shares.wire + shares.extremes) {
    auto changed = plan::MutateExtremes(input, random);
    if (Fits(changed, max_size)) return *std::move(changed);
  }
  return MutateBytes(input, max_size, bytes);
}

Buffer CrossPrograms(Bytes a, Bytes b, uint64_t seed, size_t max_size) {
  Random random(seed);
  if (!random.OneIn(8)) {
    auto crossed = plan::Cross(a, b, random);
    if (Fits(crossed, max_size)) return *std::move(crossed);
  }
  return CrossBytes(a, b, random, max_size);
}

Buffer MutateData(Bytes input, uint64_t seed, size_t max_size, const ByteMutator& bytes) {
  Random random(seed);
  if (Sniff(input) == FileKind::kUnknown) {
    if (random.Percent(kManifestWordsPercent)) {
      return MutateWords(input, ManifestWords(), random, max_size);
    }
  } else if (random.Percent(kDataWirePercent)) {
    auto changed = wire::Mutate(input, random);
    if (Fits(changed, max_size)) return *std::move(changed);
  }
  return MutateBytes(input, max_size, bytes);
}

}  // namespace pteproof::fuzz
