// Protocols for tests: random expressions over method names, and manifests that state nothing else.
#ifndef PTEPROOF_TESTS_SUPPORT_PROTOCOLS_H_
#define PTEPROOF_TESTS_SUPPORT_PROTOCOLS_H_

#include <random>
#include <span>
#include <string>

#include "pteproof/manifest.h"

namespace pteproof {

// An expression with at most 2^depth names.
[[nodiscard]] std::string RandomProtocol(std::mt19937_64& random,
                                         std::span<const std::string> names, int depth);

// The expression must be a good one.
[[nodiscard]] Manifest StatingCalls(const std::string& expression);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_PROTOCOLS_H_
