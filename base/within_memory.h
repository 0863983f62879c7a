// Where memory runs out, functions that callers see give an error value, and no exception.
#ifndef PTEPROOF_BASE_WITHIN_MEMORY_H_
#define PTEPROOF_BASE_WITHIN_MEMORY_H_

#include <new>
#include <stdexcept>

#include "base/work.h"

namespace pteproof {

// What `work` gives; what `otherwise` gives where an allocation failed in it, was asked for that no
// memory can hold, or is beyond a limit (work.h). `otherwise` must not allocate.
template <class Work, class Otherwise>
[[nodiscard]] auto WithinMemory(const Work& work, const Otherwise& otherwise) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return otherwise();
  } catch (const std::length_error&) {
    return otherwise();
  } catch (const OverLimit&) {
    return otherwise();
  }
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_WITHIN_MEMORY_H_
