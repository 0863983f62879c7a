// How many random calls are made: as many as somebody asks for, or as are worth their cost.
#ifndef PTEPROOF_PROPERTIES_COMPARE_CALL_COUNT_H_
#define PTEPROOF_PROPERTIES_COMPARE_CALL_COUNT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace pteproof::compare {

// A proof says all of most programs, so that calls are worth seconds at most. Their cost is
// counted in elements that they read and write, which are the same on every machine.
struct CallCount {
  int most = 0;
  int64_t work = std::numeric_limits<int64_t>::max();  // no call is begun beyond it but the first

  constexpr CallCount(int calls) : most(calls) {}  // NOLINT(google-explicit-constructor): all

  // So many at most, and no more than take about two seconds of a core: the default of the verbs.
  static constexpr CallCount Worth(int most) {
    CallCount count(most);
    count.work = int64_t{1} << 28;
    return count;
  }
  // For each of so many methods.
  [[nodiscard]] constexpr CallCount SharedBy(size_t methods) const {
    CallCount count = *this;
    const bool is_bounded = work != std::numeric_limits<int64_t>::max();
    if (is_bounded && methods > 1) count.work /= static_cast<int64_t>(methods);
    return count;
  }
  // What `--runs` says, or else so many at most.
  static constexpr CallCount Of(std::optional<int> asked, int most) {
    return asked ? CallCount(*asked) : Worth(most);
  }
  // How many more follow those that took so much.
  [[nodiscard]] constexpr int After(int64_t calls, int64_t spent) const {
    if (calls >= most) return 0;
    if (spent >= work) return 0;
    if (calls == 0 || spent == 0) return most;
    const int64_t each = std::max<int64_t>(1, spent / calls);
    return static_cast<int>(std::min<int64_t>(most - calls, (work - spent) / each));
  }
};

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_CALL_COUNT_H_
