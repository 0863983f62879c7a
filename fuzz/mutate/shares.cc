#include "fuzz/mutate/shares.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>

#include "fuzz/mutate/mutate_bytes.h"
#include "fuzz/runnable.h"
#include "properties/oracles/diff_program.h"
#include "pteproof/read.h"
#include "runtime/file_rules.h"

namespace pteproof::fuzz {
namespace {

// Why a file is refused before any of its tables is looked at.
constexpr std::array<std::string_view, 6> kContainerRules = {
    rule::kFileTooShort, rule::kFileIdentifier, rule::kFileSize,
    rule::kFileHeader,   rule::kFileRoot,       rule::kFileFlatbuffer};

// Of this thread: what else the machine does is left out.
double ProcessorSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool IsOfContainer(const Finding& finding) {
  return std::ranges::find(kContainerRules, finding.rule) != kContainerRules.end();
}

bool Runs(const Program& program, uint64_t seed) {
  return DiffProgram(program, {.policy = Policy::kPrivate,
                               .seed = seed,
                               .sequences = 1,
                               .longest = 4,
                               .fuel = kFuel})
             .compared > 0;
}

void Count(Bytes output, Shares& shares) {
  ++shares.outputs;
  const auto program = ReadProgram(output);
  if (!program.ok()) {
    if (std::ranges::none_of(program.error(), IsOfContainer)) ++shares.contained;
    return;
  }
  ++shares.contained;
  ++shares.read;
  if (!IsRunnable(program.value())) return;
  ++shares.judged;
  if (Runs(program.value(), SeedOf(output))) ++shares.ran;
}

}  // namespace

Shares MeasureShares(const std::vector<Buffer>& inputs, size_t count, const Mutate& mutate) {
  Shares shares;
  for (size_t i = 0; i < count && !inputs.empty(); ++i) {
    const double before = ProcessorSeconds();
    const std::optional<Buffer> output = mutate(inputs[i % inputs.size()], i);
    shares.seconds += ProcessorSeconds() - before;
    if (output) Count(*output, shares);
  }
  return shares;
}

Mutate Under(const Mutator& mutator) {
  return [&mutator](Bytes input, uint64_t seed) {
    constexpr size_t kLeast = 4096;
    const size_t max_size = std::max(kLeast, 4 * input.size());
    return mutator.mutate(input, seed, max_size, SimpleByteMutator(seed));
  };
}

}  // namespace pteproof::fuzz
