// What a reader may take, of which each input is proof.
#ifndef PTEPROOF_FUZZ_BOUNDS_H_
#define PTEPROOF_FUZZ_BOUNDS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "fuzz/heap_meter.h"
#include "pteproof/finding.h"

namespace pteproof::fuzz {

// Made before a reader is called. Then it has taken no more than readers promise: memory of 16 x
// the input + 1 MB, and time in proportion to the input, with all that a sanitizer adds.
class ReaderBounds {
 public:
  // Aborts where it was more. `read` is the same work again: asking for processor time takes longer
  // than reading a small file, so that only what was slow by the clock on the wall is measured.
  void Require(size_t input, const std::function<void()>& read) const;

 private:
  HeapMeter heap_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

// Made before a run starts. Then it has taken no more processor time than a small program may, with
// all that a sanitizer adds.
class WorkBound {
 public:
  WorkBound();
  // Aborts where it was more.
  void Require(std::string_view what) const;

 private:
  int64_t started_ = 0;  // of this thread
};

// A refusal says why: at least one finding, not more than fit, each an error of a file-* rule with
// an explanation.
void RequireReasons(const std::vector<Finding>& refusal);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_BOUNDS_H_
