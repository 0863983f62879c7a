// Two ways to do the same, timed in turns, so that whatever else the machine does meets both.
#ifndef PTEPROOF_BENCH_RACE_H_
#define PTEPROOF_BENCH_RACE_H_

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace pteproof::bench {

// Seconds of one run: a quarter of the rounds were quicker. What else a machine does only adds.
struct RaceTimes {
  double first = 0;
  double second = 0;
};

struct RaceLength {
  double turn = 2e-3;  // seconds that a turn takes at least
  int rounds = 31;
};

// Seconds that `count` runs take.
template <class Run>
[[nodiscard]] double SecondsOf(int64_t count, const Run& run) {
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < count; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// So many runs that they take a turn's time.
template <class Run>
[[nodiscard]] int64_t RunsInTurn(double turn, const Run& run) {
  int64_t count = 1;
  while (SecondsOf(count, run) < turn) count *= 2;
  return count;
}

[[nodiscard]] inline double LowerQuarter(std::vector<double> numbers) {
  const auto place = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 4);
  std::ranges::nth_element(numbers, place);
  return *place;
}

template <class First, class Second>
[[nodiscard]] RaceTimes Race(const RaceLength& length, const First& first, const Second& second) {
  const int64_t runs_of_first = RunsInTurn(length.turn, first);
  const int64_t runs_of_second = RunsInTurn(length.turn, second);
  std::vector<double> firsts;
  std::vector<double> seconds;
  for (int round = 0; round < length.rounds; ++round) {
    firsts.push_back(SecondsOf(runs_of_first, first) / static_cast<double>(runs_of_first));
    seconds.push_back(SecondsOf(runs_of_second, second) / static_cast<double>(runs_of_second));
  }
  return {LowerQuarter(firsts), LowerQuarter(seconds)};
}

}  // namespace pteproof::bench

#endif  // PTEPROOF_BENCH_RACE_H_
