// The time of an event in a method: the instruction and, within it, the step. Moments compare in
// listing order; the possible orders of a run are in paths.h.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_MOMENT_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_MOMENT_H_

#include <compare>
#include <cstdint>

namespace pteproof::proofs {

enum class Step : uint8_t {
  kBefore,  // elided views that come about before an instruction
  kMove,    // et_view and moves
  kRead,
  kWrite,
  kReturn,  // the returned name of a written argument
  kEnd,
};

struct Moment {
  int32_t instruction = 0;  // -1: the caller sets the inputs; the instruction count: the end
  Step step = Step::kBefore;

  auto operator<=>(const Moment&) const = default;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_MOMENT_H_
