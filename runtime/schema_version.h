// The schema version that program files and data files state.
#ifndef PTEPROOF_RUNTIME_SCHEMA_VERSION_H_
#define PTEPROOF_RUNTIME_SCHEMA_VERSION_H_

#include <cstdint>

namespace pteproof {

// The highest that ExecuTorch 1.5.1 reads. Up to 1.4 its runtimes do not look at it.
inline constexpr uint32_t kSchemaVersion = 0;

inline constexpr const char* kFixOfVersion =
    "Export with an older ExecuTorch, or update pteproof and the runtime.";

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_SCHEMA_VERSION_H_
