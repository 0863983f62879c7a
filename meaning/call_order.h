// Which calls can come after which: any, or only those of the protocol that a manifest states.
#ifndef PTEPROOF_MEANING_CALL_ORDER_H_
#define PTEPROOF_MEANING_CALL_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

// A call of a history that is looked for.
struct CallStep {
  int32_t method = 0;                 // index in the program
  std::vector<int32_t> without = {};  // none of them is called since the step before
};

class CallOrder {
 public:
  // Any calls in any order.
  CallOrder() = default;
  CallOrder(const CallPattern& pattern, const Program& program);

  [[nodiscard]] bool IsAny() const { return follow_.empty(); }
  // Whether some history has a call of the method.
  [[nodiscard]] bool IsCalled(int32_t method) const;
  // Whether some history has these calls, one after the other, with others between them.
  // O(names^2) a step.
  [[nodiscard]] bool Has(std::initializer_list<CallStep> steps) const;

 private:
  using Places = std::vector<size_t>;

  // The places of a part of the expression: those that a word of it may begin and end with.
  struct Ends {
    bool empty = false;  // whether it has a word without calls
    Places first;
    Places last;
  };

  Ends Add(const CallPattern& pattern, const Program& program);
  Ends AddSequence(const CallPattern& pattern, const Program& program);
  void Join(const Places& last, const Places& first);

  std::vector<int32_t> method_of_;  // per place; -1: the start, or no method of the program
  std::vector<Places> follow_;      // per place: which may come next; empty: any calls
};

// The order that the manifest states; without one, or if it states none, any.
[[nodiscard]] CallOrder CallOrderOf(const Program& program, const Manifest* manifest);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_CALL_ORDER_H_
