// This executable's own operator new: it counts allocations, and fails those that a test asks for.
#ifndef PTEPROOF_TESTS_ALLOCATIONS_FAILING_NEW_H_
#define PTEPROOF_TESTS_ALLOCATIONS_FAILING_NEW_H_

#include <cstdint>
#include <utility>

namespace pteproof {

enum class Fails : uint8_t {
  kNone,     // they are counted
  kOne,      // the n-th one; those after it succeed
  kAllFrom,  // the n-th one, and every later one: there is no memory for an explanation either
};

// Counts, and fails, what is allocated while it lives. One at a time.
class FailingNew {
 public:
  explicit FailingNew(Fails which, int64_t n = 1);
  ~FailingNew();
  FailingNew(const FailingNew&) = delete;
  FailingNew& operator=(const FailingNew&) = delete;

  [[nodiscard]] int64_t count() const;
  // The most bytes that were in use at one time of what was allocated since.
  [[nodiscard]] int64_t peak() const;
};

// Does `work` with the n-th allocation failing. `reached`: whether there were so many.
template <class Work>
[[nodiscard]] auto WithFailure(Fails which, int64_t n, bool& reached, const Work& work) {
  const FailingNew failing(which, n);
  auto given = work();
  reached = failing.count() >= n;
  return given;
}

// How many allocations `work` makes.
template <class Work>
[[nodiscard]] int64_t AllocationsIn(const Work& work) {
  const FailingNew counting(Fails::kNone);
  work();
  return counting.count();
}

// The most bytes that `work` has in use at one time. What it gives back is not counted in the end.
template <class Work>
[[nodiscard]] int64_t PeakBytesOf(const Work& work) {
  const FailingNew counting(Fails::kNone);
  work();
  return counting.peak();
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_ALLOCATIONS_FAILING_NEW_H_
