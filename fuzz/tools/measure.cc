// fuzz_measure CORPUS [OUTPUTS]: how far the outputs of the mutators get that are made of the
// programs below a folder, in percent, and how fast they are made.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/mutate/mutators.h"
#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/mutate_plan.h"
#include "fuzz/mutate/shares.h"
#include "fuzz/mutate/wire/mutate_wire.h"
#include "fuzz/tools/contents.h"
#include "pteproof/read.h"
#include "pteproof/write.h"

namespace {

namespace fs = std::filesystem;
using namespace pteproof;        // NOLINT: a program of its own
using namespace pteproof::fuzz;  // NOLINT

constexpr size_t kOutputs = 10'000;
constexpr size_t kOutputsPerChange = 1'000;
constexpr size_t kLargest = 64 * 1024;

std::vector<Buffer> ProgramsBelow(const fs::path& folder) {
  std::vector<Buffer> programs;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".pte") continue;
    if (entry.file_size() > kLargest) continue;
    programs.push_back(ContentsOf(entry.path()));
  }
  return programs;
}

void Print(std::string_view name, const Shares& shares) {
  const double rate = static_cast<double>(shares.outputs) / std::max(shares.seconds, 1e-9);
  fmt::print("{:<28}{:>9}{:>8.1f}{:>8.1f}{:>8.1f}{:>8.1f}{:>10.0f}\n", name, shares.outputs,
             shares.PercentOf(shares.contained), shares.PercentOf(shares.read),
             shares.PercentOf(shares.judged), shares.PercentOf(shares.ran), rate);
  std::fflush(stdout);
}

// One change alone, not repaired.
Mutate Only(const plan::Change& change) {
  return [&change](Bytes input, uint64_t seed) -> std::optional<Buffer> {
    auto read = ReadProgram(input);
    if (!read.ok()) return std::nullopt;
    Program program = std::move(read).value();
    Random random(seed);
    if (!change.make(program, random)) return std::nullopt;
    auto written = WriteProgram(program);
    if (!written.ok()) return std::nullopt;
    return std::move(written).value();
  };
}

void Report(const std::vector<Buffer>& programs, size_t outputs) {
  fmt::print("{:<28}{:>9}{:>8}{:>8}{:>8}{:>8}{:>10}\n", "mutator", "outputs", "tables", "read",
             "judged", "ran", "a second");
  const auto layer = [](auto mutate) {
    return [mutate](Bytes input, uint64_t seed) {
      Random random(seed);
      return mutate(input, random);
    };
  };
  Print("plain bytes", MeasureShares(programs, outputs, Under(kPlainMutator)));
  Print("for the reader", MeasureShares(programs, outputs, Under(kReaderMutator)));
  Print("for checks and runs", MeasureShares(programs, outputs, Under(kProgramMutator)));
  Print("wire alone", MeasureShares(programs, outputs, layer(wire::Mutate)));
  Print("plan alone", MeasureShares(programs, outputs, layer(plan::Mutate)));
  Print("crossed", MeasureShares(programs, outputs, [&](Bytes input, uint64_t seed) {
          const Buffer& other = programs[Random(seed).Below(programs.size())];
          return std::optional(kProgramMutator.cross(input, other, seed, kLargest));
        }));
  for (const plan::Change& change : plan::AllChanges()) {
    Print(change.name, MeasureShares(programs, std::min(outputs, kOutputsPerChange), Only(change)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kUsage = 64;
  if (argc < 2 || !fs::is_directory(argv[1])) {
    fmt::print(stderr, "usage: fuzz_measure CORPUS [OUTPUTS], where CORPUS is a folder\n");
    return kUsage;
  }
  const std::vector<Buffer> programs = ProgramsBelow(argv[1]);
  if (programs.empty()) {
    fmt::print(stderr, "There is no .pte of at most {} bytes below '{}'.\n", kLargest, argv[1]);
    return EXIT_FAILURE;
  }
  Report(programs, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : kOutputs);
  return EXIT_SUCCESS;
}
