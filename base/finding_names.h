// Which loader of ExecuTorch works under a policy, in words for output.
#ifndef PTEPROOF_BASE_FINDING_NAMES_H_
#define PTEPROOF_BASE_FINDING_NAMES_H_

#include <string_view>

#include "pteproof/finding.h"

namespace pteproof {

// The loader of ExecuTorch that works under this policy.
[[nodiscard]] constexpr std::string_view LoaderName(Policy policy) {
  switch (policy) {
    case Policy::kPrivate:
      return "C++ Module's default";
    case Policy::kShare12:
      return "Module with shared arenas";
    case Policy::kShareAll:
      return "the Python Runtime";
  }
  return "";
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_FINDING_NAMES_H_
