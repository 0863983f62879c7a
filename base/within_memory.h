// Where memory runs out, functions that callers see give an error value, and no exception.
#ifndef PTEPROOF_BASE_WITHIN_MEMORY_H_
#define PTEPROOF_BASE_WITHIN_MEMORY_H_

#include <new>
#include <stdexcept>

#include "base/unwind.h"

namespace pteproof {

// What `work` gives; what `otherwise` gives where an allocation failed in it, or was asked for that
// no memory can hold. `otherwise` must not allocate.
template <class Work, class Otherwise>
[[nodiscard]] auto WithinMemory(const Work& work, const Otherwise& otherwise) -> decltype(work()) {
  const auto none = [&](const std::exception&) { return otherwise(); };
  return Catching<std::bad_alloc>([&] { return Catching<std::length_error>(work, none); }, none);
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_WITHIN_MEMORY_H_
