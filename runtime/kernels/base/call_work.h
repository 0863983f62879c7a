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
  // Some milliseconds of the slowest kernels.
  static constexpr int64_t kShare = int64_t{1} << 16;

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
  // Of work that was taken at once: so much of it passes now. Asks for the stop every so often.
  void Pass(int64_t elements = 1) {
    passed_ += elements;
    if (passed_ < kShare) return;
    passed_ = 0;
    Ask();
  }
  // Calls each(first, count) for pieces of so many elements, and asks between them.
  template <class Each>
  void InPieces(int64_t elements, const Each& each) {
    for (int64_t first = 0; first < elements; first += kShare) {
      const int64_t count = std::min(kShare, elements - first);
      each(first, count);
      Pass(count);
    }
  }
  // How often the wish to stop was asked for.
  [[nodiscard]] int64_t questions() const { return questions_; }
  // A product of sizes, whatever it is.
  void TakeProduct(int64_t a, int64_t b) {
    int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) GiveUp(CallFault{kTooMuchWork});
    Take(product);
  }

 private:
  void NextShare() {
    share_ = given_ = std::min(left_, kShare);
    left_ -= share_;
  }
  void Ask() {
    ++questions_;
    EndIfStopped();
  }
  void Renew() {
    Ask();
    // Calls of one comparison have a limit for all together, too.
    const int64_t spent = given_ - share_;
    if (Work* all = WorkOfThread(); all != nullptr) all->Spend(spent);
    if (-share_ > left_) GiveUp(CallFault{kTooMuchWork});
    left_ += share_;
    NextShare();
  }

  int64_t share_ = 0;  // until the next question
  int64_t given_ = 0;  // so much of it was there
  int64_t left_ = 0;   // beyond that
  int64_t passed_ = 0;
  int64_t questions_ = 0;
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_CALL_WORK_H_
