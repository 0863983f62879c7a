// The makings of each name, in listing order: a write, or the take-over of the content of other
// names.
#ifndef PTEPROOF_MEANING_NAME_EVENTS_H_
#define PTEPROOF_MEANING_NAME_EVENTS_H_

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "meaning/method_flow.h"

namespace pteproof::meaning {

// A point within an instruction, so that points compare as they happen.
// kEnd is after all of it.
enum class Step : uint8_t { kBefore, kRead, kRename, kWrite, kAfter, kEnd };

struct Point {
  int32_t instruction = 0;
  Step step = Step::kBefore;
  auto operator<=>(const Point&) const = default;
};

enum class MakeKind : uint8_t {
  kMade,     // every byte is new: what was there before is not needed
  kUpdated,  // a part is new; the rest was read by the same instruction
  kTaken,    // the name takes over what others hold (a transfer)
};

struct Make {
  Point at;
  MakeKind kind = MakeKind::kMade;
  int32_t transfer = -1;  // kTaken: index in Aliases::transfers
};

[[nodiscard]] Point PointOf(const Transfer& transfer);

class NameEvents {
 public:
  explicit NameEvents(const MethodFlow& flow);  // O(accesses)
  // Writes of parts that leave the rest unchanged and do not read it (stacked outputs). They make a
  // name known, but the content before is still wanted. In listing order.
  struct Fill {
    int32_t name = 0;
    int32_t instruction = 0;
  };
  [[nodiscard]] std::span<const Fill> fills() const { return fills_; }
  // All makes of a name but the fills, ascending.
  [[nodiscard]] std::span<const Make> Of(int32_t name) const;
  // The last make of a name before `at` and not before instruction `from`, or null. Of transfers at
  // that very point those come before it that stand before `transfer`.
  [[nodiscard]] const Make* LastBefore(int32_t name, Point at, int32_t from,
                                       int32_t transfer = 0) const;

 private:
  std::vector<uint32_t> first_;
  std::vector<Make> makes_;
  std::vector<Fill> fills_;
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_NAME_EVENTS_H_
