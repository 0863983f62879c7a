#include "fuzz/bounds.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <ctime>

#include "fuzz/require.h"
#include "pteproof/read.h"

namespace pteproof::fuzz {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
// Reading takes nanoseconds a byte; sanitizers and a crowded machine make it hundreds.
constexpr int64_t kTimePerByte = 2'000;
constexpr int64_t kTimeAtLeast = kSecond / 2;
constexpr int64_t kTimeOfRun = 5 * kSecond;

// Of this thread.
int64_t ProcessorTime() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

}  // namespace

void ReaderBounds::Require(size_t input, const std::function<void()>& read) const {
  const auto bytes = static_cast<int64_t>(input);
  const int64_t taken = heap_.Peak();
  if (taken > 16 * bytes + (int64_t{1} << 20)) {
    Fail("memory is at most 16 x the input + 1 MB", fmt::format("{} for {} bytes", taken, bytes));
  }
  const std::chrono::nanoseconds most(kTimeAtLeast + kTimePerByte * bytes);
  if (std::chrono::steady_clock::now() - started_ <= most) return;
  const int64_t before = ProcessorTime();
  read();
  const int64_t spent = ProcessorTime() - before;
  if (spent > most.count()) {
    Fail("time is in proportion to the input", fmt::format("{} ns for {} bytes", spent, bytes));
  }
}

WorkBound::WorkBound() : started_(ProcessorTime()) {}

void WorkBound::Require(std::string_view what) const {
  const int64_t spent = ProcessorTime() - started_;
  if (spent > kTimeOfRun) {
    Fail("a run ends within a bound on work", fmt::format("{}: {} ns", what, spent));
  }
}

void RequireReasons(const std::vector<Finding>& refusal) {
  fuzz::Require(!refusal.empty(), "a refusal has a reason");
  fuzz::Require(refusal.size() <= kMaxFileFindings, "a refusal is not endless");
  for (const Finding& finding : refusal) {
    const bool named = finding.rule.starts_with("file-") && !finding.explanation.empty();
    fuzz::Require(named && finding.severity == Severity::kError, "a refusal names rules");
  }
}

}  // namespace pteproof::fuzz
