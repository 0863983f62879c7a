// What a method's call costs, counted in elements that its kernels read or write: whatever the file
// asks for, the call ends, and until then it listens to the wish that it stop.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_CALL_WORK_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_CALL_WORK_H_

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/stop.h"
#include "base/work.h"
#include "runtime/kernels/base/call_fault.h"

namespace pteproof {

class CallWork {
 public:
  explicit CallWork(int64_t limit = std::numeric_limits<int64_t>::max()) { Begin(limit); }

  // A call begins that may take so much.
  void Begin(int64_t limit) {
    left_ = limit;
    NextShare();
  }
  // Throws if that is too much, or the work is to stop. `elements` is not negative.
  void Take(int64_t elements) {
    share_ -= elements;
    if (share_ < 0) Renew();
  }
  // A product of sizes, whatever it is.
  void TakeProduct(int64_t a, int64_t b, int64_t c = 1) {
    int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product) || __builtin_mul_overflow(product, c, &product)) {
      throw CallFault{kTooMuchWork};
    }
    Take(product);
  }

 private:
  // Some milliseconds of the slowest kernels.
  static constexpr int64_t kShare = int64_t{1} << 16;

  void NextShare() {
    share_ = given_ = std::min(left_, kShare);
    left_ -= share_;
  }
  void Renew() {
    EndIfStopped();
    // Calls of one comparison have a limit for all together, too.
    const int64_t spent = given_ - share_;
    if (Work* all = WorkOfThread(); all != nullptr) all->Spend(spent);
    if (-share_ > left_) throw CallFault{kTooMuchWork};
    left_ += share_;
    NextShare();
  }

  int64_t share_ = 0;  // until the next question
  int64_t given_ = 0;  // so much of it was there
  int64_t left_ = 0;   // beyond that
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_CALL_WORK_H_
