// What a reader of a planned file has to find out by itself: the planner's truth about names.
#ifndef PTEPROOF_PLANNER_EMIT_ELIDED_NAME_H_
#define PTEPROOF_PLANNER_EMIT_ELIDED_NAME_H_

#include <cstdint>
#include <vector>

namespace pteproof::planner {

// A value of the file that no instruction makes: a view, a slice or a concatenation of others,
// which lies in their bytes. Values are indices in the method.
struct ElidedName {
  int32_t value = 0;
  std::vector<int32_t> of;  // one; of a concatenation its parts, in order
  int32_t made_before = 0;  // the instruction before which it has what the others hold
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_EMIT_ELIDED_NAME_H_
