// Where memory runs out, functions that callers see give an error value, and no exception.
#ifndef PTEPROOF_BASE_WITHIN_MEMORY_H_
#define PTEPROOF_BASE_WITHIN_MEMORY_H_

#include <new>
#include <stdexcept>

namespace pteproof {

// What `work` gives; what `otherwise` gives where an allocation failed in it, or was asked for that
// no memory can hold. `otherwise` must not allocate.
template <class Work, class Otherwise>
[[nodiscard]] auto WithinMemory(const Work& work, const Otherwise& otherwise) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return otherwise();
  } catch (const std::length_error&) {
    return otherwise();
  }
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_WITHIN_MEMORY_H_
