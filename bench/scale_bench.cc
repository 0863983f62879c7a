// How time and memory grow with the number of planned storages: one row per size, each read and
// checked in a process of its own, so that its peak memory is its own. Prints, never judges.
#include <fmt/core.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "bench/synthetic_program.h"
#include "pteproof/check.h"
#include "pteproof/read.h"

namespace pteproof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<uint32_t, 7> kSizes = {1'000,   3'000,   10'000,   30'000,
                                            100'000, 300'000, 1'000'000};
constexpr double kKilo = 1e3;
constexpr double kMega = 1e6;

struct Times {
  double read = 0;   // seconds
  double check = 0;  // seconds
};

struct Row {
  Times times;
  double peak_megabytes = 0;
};

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::optional<Times> ReadAndCheck(const std::vector<std::byte>& file) {
  Times times;
  const auto start = Clock::now();
  const auto program = ReadProgram(file);
  times.read = SecondsSince(start);
  if (!program.ok()) {
    fmt::print(stderr, "refused: {}\n", program.error().front().explanation);
    return std::nullopt;
  }
  const auto check_start = Clock::now();
  const Report report = Check(program.value());
  times.check = SecondsSince(check_start);
  if (report.verdicts.front() == Verdict::kSafe) return times;
  fmt::print(stderr, "not safe: {}\n",
             report.findings.empty() ? "?" : report.findings.front().explanation);
  return std::nullopt;
}

// Runs in a child; the peak counts the file's bytes too, as they lie in memory when a file is
// checked.
std::optional<Row> Measure(const std::vector<std::byte>& file) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return std::nullopt;
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    const auto times = ReadAndCheck(file);
    const bool sent = times && write(ends[1], &*times, sizeof *times) == sizeof *times;
    _exit(sent ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  close(ends[1]);
  Row row;
  const bool received = read(ends[0], &row.times, sizeof row.times) == sizeof row.times;
  close(ends[0]);
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  row.peak_megabytes = static_cast<double>(usage.ru_maxrss) * 1024 / kMega;
  if (!received || status != 0) return std::nullopt;
  return row;
}

bool PrintRow(uint32_t storages) {
  const std::vector<std::byte> file = SyntheticProgram(storages);
  malloc_trim(0);
  const auto row = Measure(file);
  if (!row) return false;
  const double n = storages;
  const double total = row->times.read + row->times.check;
  fmt::print("{:>10} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>12.3f} {:>10.1f}\n", storages,
             static_cast<double>(file.size()) / kMega, row->times.read * kKilo,
             row->times.check * kKilo, total * kKilo, total * 1e9 / (n * std::log2(n)),
             row->peak_megabytes);
  return true;
}

}  // namespace
}  // namespace pteproof

int main() {
  fmt::print("{:>10} {:>10} {:>10} {:>10} {:>10} {:>12} {:>10}\n", "storages", "file MB", "read ms",
             "check ms", "total ms", "ns/(n lg n)", "peak MB");
  for (const uint32_t storages : pteproof::kSizes) {
    if (!pteproof::PrintRow(storages)) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
