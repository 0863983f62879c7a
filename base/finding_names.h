// The words for severities and policies, as they appear in output, options and manifests.
#ifndef PTEPROOF_BASE_FINDING_NAMES_H_
#define PTEPROOF_BASE_FINDING_NAMES_H_

#include <array>
#include <optional>
#include <string_view>

#include "pteproof/finding.h"

namespace pteproof {

inline constexpr std::array<Policy, kPolicyCount> kAllPolicies = {
    Policy::kPrivate, Policy::kShare12, Policy::kShareAll};

[[nodiscard]] constexpr std::string_view Name(Policy policy) {
  switch (policy) {
    case Policy::kPrivate:
      return "private";
    case Policy::kShare12:
      return "share-1-2";
    case Policy::kShareAll:
      return "share-all";
  }
  return "";
}

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

[[nodiscard]] constexpr std::optional<Policy> PolicyNamed(std::string_view name) {
  for (const Policy policy : kAllPolicies) {
    if (Name(policy) == name) return policy;
  }
  return std::nullopt;
}

[[nodiscard]] constexpr std::string_view Name(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "";
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_FINDING_NAMES_H_
