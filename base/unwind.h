// The one place that knows whether there are exceptions. Where a program is built without them, as
// the page is (web/), what would throw ends it: whoever started it sees that, and starts anew.
#ifndef PTEPROOF_BASE_UNWIND_H_
#define PTEPROOF_BASE_UNWIND_H_

#include <utility>

namespace pteproof {

// Leaves the work at hand, to whoever catches a `Why`.
template <class Why>
[[noreturn]] void GiveUp(Why why) {
#ifdef __cpp_exceptions
  throw std::move(why);
#else
  static_cast<void>(why);
  __builtin_trap();
#endif
}

// What `work` gives; what `otherwise` gives of what it was left with, if that is a `Caught`.
template <class Caught, class Work, class Otherwise>
[[nodiscard]] auto Catching(const Work& work, const Otherwise& otherwise) -> decltype(work()) {
#ifdef __cpp_exceptions
  try {
    return work();
  } catch (const Caught& caught) {
    return otherwise(caught);
  }
#else
  static_cast<void>(otherwise);
  return work();
#endif
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_UNWIND_H_
