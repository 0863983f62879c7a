// The arguments of a delegate call as its blob uses them.
#ifndef PTEPROOF_RUNTIME_DELEGATES_CALL_ROLES_H_
#define PTEPROOF_RUNTIME_DELEGATES_CALL_ROLES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {

enum class ArgumentRole : uint8_t {
  kRead,
  kWritten,
  kUpdated,    // read, and written back
  kUntouched,  // the blob neither reads nor writes it
};

// The positions of the i-th input and of the i-th output among the arguments.
[[nodiscard]] size_t PositionOfInput(const OpenedBlob& opened, size_t i);
[[nodiscard]] size_t PositionOfOutput(const OpenedBlob& opened, size_t i);

// Whether the blob is made for that number of arguments, each of them one of its inputs or outputs
// at most. O(arguments).
[[nodiscard]] bool Fits(const OpenedBlob& opened, size_t arguments);

// Nothing if the blob is unknown, damaged, or made for another number of arguments. What it leaves
// alone behind its first output counts as written: exporters list results last. O(arguments).
[[nodiscard]] std::optional<std::vector<ArgumentRole>> RolesOf(const Delegate& delegate,
                                                               size_t arguments);

}  // namespace pteproof::delegates

#endif  // PTEPROOF_RUNTIME_DELEGATES_CALL_ROLES_H_
