// What work in progress may cost: the elements that it reads and writes, and the bytes that it
// holds at a time. A small file can ask for any amount of both.
//
// Whoever starts a run sets the limits (DrawsOn); what works on elements counts them, before the
// loop over them where their number is known (Paced). Without limits nothing is counted, and the
// stop is asked for all the same.
#ifndef PTEPROOF_BASE_WORK_H_
#define PTEPROOF_BASE_WORK_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/checked_math.h"
#include "base/stop.h"
#include "base/unwind.h"

namespace pteproof {

// Defaults: some seconds, and less than a phone has. Runs of programs may take more, in proportion
// to what these bring (runtime/execute/run_limits.h).
inline constexpr int64_t kMostWork = int64_t{1} << 28;
inline constexpr int64_t kMostMemory = int64_t{384} << 20;

// What work beyond a limit throws, to where the limit was set or a call is told of. It is not a
// std::exception, so that nothing takes it for a failure on its way.
struct OverLimit {
  enum class Of : uint8_t { kElements, kBytes };
  Of of = Of::kElements;
  int64_t asked = 0;  // in all
  int64_t limit = 0;
};

[[nodiscard]] inline std::string ExplanationOf(const OverLimit& over) {
  const bool bytes = over.of == OverLimit::Of::kBytes;
  return (bytes ? "the call's values take " : "the call's work is ") + std::to_string(over.asked) +
         (bytes ? " bytes" : " elements") + "; the limit is " + std::to_string(over.limit);
}

// Bytes held at a time. Threads may share it: contents outlive the call that made them.
class MemoryCount {
 public:
  explicit MemoryCount(int64_t limit) : limit_(limit) {}

  void Take(uint64_t bytes) {
    const int64_t most = std::numeric_limits<int64_t>::max();
    const auto more = static_cast<int64_t>(std::min<uint64_t>(bytes, most));
    const int64_t held = held_.fetch_add(more, std::memory_order_relaxed);
    if (more <= limit_ - held) return;
    held_.fetch_sub(more, std::memory_order_relaxed);
    GiveUp(OverLimit{OverLimit::Of::kBytes, CheckedAdd(held, more).value_or(most), limit_});
  }
  void Free(uint64_t bytes) {
    held_.fetch_sub(static_cast<int64_t>(bytes), std::memory_order_relaxed);
  }

 private:
  std::atomic<int64_t> held_ = 0;
  int64_t limit_;
};

// Elements of one call, or of all calls of one comparison, and where its bytes are counted.
class Work {
 public:
  explicit Work(std::shared_ptr<MemoryCount> memory, int64_t elements = kMostWork)
      : memory_(std::move(memory)), limit_(elements), left_(elements) {}

  void Spend(int64_t elements) {
    if (elements > left_) {
      const int64_t most = std::numeric_limits<int64_t>::max();
      GiveUp(OverLimit{OverLimit::Of::kElements,
                       CheckedAdd(limit_ - left_, elements).value_or(most), limit_});
    }
    left_ -= elements;
  }
  [[nodiscard]] int64_t left() const { return left_; }
  [[nodiscard]] const std::shared_ptr<MemoryCount>& memory() const { return memory_; }

 private:
  std::shared_ptr<MemoryCount> memory_;
  int64_t limit_;
  int64_t left_;
};

// The limits of the work that this thread does; null: none.
inline Work*& WorkOfThread() {
  thread_local Work* work = nullptr;
  return work;
}

// This thread's work counts there while one lives.
class DrawsOn {
 public:
  explicit DrawsOn(Work* work) : before_(std::exchange(WorkOfThread(), work)) {}
  ~DrawsOn() { WorkOfThread() = before_; }
  DrawsOn(const DrawsOn&) = delete;
  DrawsOn& operator=(const DrawsOn&) = delete;

 private:
  Work* before_;
};

// The limits of a call, or of several together, unless the thread's work has limits already.
class WithinLimits {
 public:
  explicit WithinLimits(std::shared_ptr<MemoryCount> memory, int64_t elements = kMostWork)
      : own_(std::move(memory), elements),
        draws_(WorkOfThread() == nullptr ? &own_ : WorkOfThread()) {}
  explicit WithinLimits(int64_t elements = kMostWork)
      : WithinLimits(std::make_shared<MemoryCount>(kMostMemory), elements) {}

 private:
  Work own_;
  DrawsOn draws_;
};

// A product of numbers that are not negative; the largest that there is where it does not fit.
[[nodiscard]] inline int64_t CappedProduct(std::initializer_list<int64_t> factors) {
  int64_t product = 1;
  for (const int64_t factor : factors) {
    if (factor == 0) return 0;
    product = CheckedMul(product, factor).value_or(std::numeric_limits<int64_t>::max());
  }
  return product;
}

// Counts elements. Some nanoseconds.
inline void Spend(int64_t elements) {
  EndIfStopped();
  if (Work* work = WorkOfThread(); work != nullptr) work->Spend(elements);
}

// Before a loop over so many elements, of which each step passes some: refuses them all at once if
// they are too many, and asks for the stop every few thousand. A local variable of the loop.
class Paced {
 public:
  explicit Paced(int64_t elements) { Spend(elements); }

  void Step(int64_t elements = 1) {
    passed_ += elements;
    if (passed_ < kEvery) return;
    passed_ = 0;
    EndIfStopped();
  }

 private:
  static constexpr int64_t kEvery = 1 << 14;
  int64_t passed_ = 0;
};

// Calls each(i) for so many elements.
template <class Each>
void ForEachElement(int64_t count, const Each& each) {
  Paced pace(count);
  for (int64_t i = 0; i < count; ++i) {
    pace.Step();
    each(i);
  }
}

// Memory of a vector that holds as many numbers as a tensor has elements, counted like the tensor's
// own while it lives. Vectors are not passed from work with one count to work with another.
template <class T>
struct CountedMemory {
  using value_type = T;

  CountedMemory() = default;
  template <class U>
  CountedMemory(const CountedMemory<U>&) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] T* allocate(size_t count) {
    MemoryCount* const memory = Count();
    if (memory != nullptr) memory->Take(BytesOf(count));
    Taken taken{memory, BytesOf(count)};
    T* const at = std::allocator<T>().allocate(count);
    taken.memory = nullptr;
    return at;
  }
  void deallocate(T* at, size_t count) {
    std::allocator<T>().deallocate(at, count);
    if (MemoryCount* memory = Count()) memory->Free(BytesOf(count));
  }
  bool operator==(const CountedMemory&) const { return true; }

 private:
  // Given back if the allocation fails.
  struct Taken {
    MemoryCount* memory;
    uint64_t bytes;
    ~Taken() {
      if (memory != nullptr) memory->Free(bytes);
    }
  };

  static uint64_t BytesOf(size_t count) {
    return CheckedMul<uint64_t>(count, sizeof(T)).value_or(~uint64_t{0} >> 1);
  }
  static MemoryCount* Count() {
    const Work* work = WorkOfThread();
    return work == nullptr ? nullptr : work->memory().get();
  }
};
template <class T>
using Numbers = std::vector<T, CountedMemory<T>>;

}  // namespace pteproof

#endif  // PTEPROOF_BASE_WORK_H_
