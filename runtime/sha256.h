// SHA-256 of bytes: tells whether stored data are those that a manifest names. Not for secrets.
#ifndef PTEPROOF_RUNTIME_SHA256_H_
#define PTEPROOF_RUNTIME_SHA256_H_

#include <string>

#include "pteproof/program.h"

namespace pteproof {

// The digest of `bytes` as 64 lower-case hexadecimal digits (FIPS 180-4, section 6.2).
[[nodiscard]] std::string Sha256Hex(Bytes bytes);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_SHA256_H_
