// What a reader may take, of which each input is proof.
#ifndef PTEPROOF_FUZZ_BOUNDS_H_
#define PTEPROOF_FUZZ_BOUNDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/finding.h"
#include "fuzz/heap_meter.h"

namespace pteproof::fuzz {

// Made before a reader is called. Then it has taken no more than readers promise: memory of 16 x
// the input + 1 MB, and time in proportion to the input, with all that a sanitizer adds.
class ReaderBounds {
 public:
  ReaderBounds();
  // Aborts where it was more.
  void Require(size_t input) const;

 private:
  HeapMeter heap_;
  int64_t started_;  // nanoseconds of the thread's processor time
};

// A refusal says why: at least one finding, not more than fit, each an error of a file-* rule with
// a story.
void RequireReasons(const std::vector<Finding>& refusal);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_BOUNDS_H_
