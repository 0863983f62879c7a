// How the time of a comparison grows with the number of instructions: one row per size. Prints,
// never judges.
#include <fmt/core.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "bench/synthetic_program.h"
#include "properties/compare/computation.h"
#include "pteproof/read.h"

namespace pteproof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<uint32_t, 6> kSizes = {1'000, 3'000, 10'000, 30'000, 100'000, 300'000};

bool PrintRow(uint32_t instructions) {
  const std::vector<std::byte> file = SyntheticProgram(instructions);
  const auto program = ReadProgram(file);
  if (!program.ok()) return false;
  const compare::ComparedSide planned = {&program.value(), nullptr, nullptr};
  const compare::ComparedSide meant = {&program.value(), nullptr, nullptr, compare::ReadAs::kMeant};
  fmt::print("{:>12}", instructions);
  for (const compare::ComparedSide* old_side : {&planned, &meant}) {
    const auto start = Clock::now();
    const auto answers = compare::CompareComputation(*old_side, planned, {});
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (answers.front().answer != compare::Answer::kSame) return false;
    fmt::print(" {:>12.1f} {:>14.0f}", seconds * 1e3, seconds * 1e9 / instructions);
  }
  fmt::print("\n");
  return true;
}

}  // namespace
}  // namespace pteproof

int main() {
  fmt::print("{:>12} {:>12} {:>14} {:>12} {:>14}\n", "instructions", "planned ms", "ns/instruction",
             "meant ms", "ns/instruction");
  for (const uint32_t instructions : pteproof::kSizes) {
    if (!pteproof::PrintRow(instructions)) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
