// ExecuTorch's own loaders: which policy each works under, by version. docs/reference/loaders.md
// has the table and the places in the code that it was read from.
#ifndef PTEPROOF_PROPERTIES_LOADERS_H_
#define PTEPROOF_PROPERTIES_LOADERS_H_

#include <span>
#include <string>
#include <string_view>

#include "pteproof/finding.h"
#include "pteproof/result.h"

namespace pteproof {

// A loader in the versions [first, last], "major.minor".
struct LoaderRow {
  std::string_view name;
  std::string_view first;
  std::string_view last;
  Policy policy = Policy::kPrivate;
};

// By name, then by version.
[[nodiscard]] std::span<const LoaderRow> LoaderRows();

// The policy of "NAME@VERSION", where VERSION is "1.4" or "1.4.1", and may be left out if all
// versions of the loader have one policy. A version that is newer than all known ones is taken for
// the last of them. An error names the nearest right word.
[[nodiscard]] Result<Policy, std::string> PolicyOfLoader(std::string_view text);

// That the version is newer than all known ones; empty where it is not.
[[nodiscard]] std::string WarningOfLoader(std::string_view text);

// Whether it is a loader of Python, of the release of the wheel that was asked
// (reference/op_wheel.h): then its runtime is the wheel's.
[[nodiscard]] bool IsOfWheel(std::string_view text);

// "Module, _load_for_executorch from 1.0": the loaders that work under a policy.
[[nodiscard]] std::string LoaderNames(Policy policy);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_LOADERS_H_
