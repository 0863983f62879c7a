#include "planner/run_all.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <vector>

#include "base/stop.h"

namespace pteproof {

void RunAll(size_t count, size_t threads, const std::function<void(size_t)>& run) {
  std::atomic<size_t> next = 0;
  const std::atomic<bool>* const stop = StopFlagOfThread();
  const auto work = [&] {
    const WorksFor caller(stop);
    for (size_t i = next++; i < count; i = next++) run(i);
  };
  std::vector<std::future<void>> others;
  for (size_t t = 1; t < std::min(threads, count); ++t) {
    others.push_back(std::async(std::launch::async, work));
  }
  work();
  for (std::future<void>& other : others) other.get();  // and what it threw
}

}  // namespace pteproof
