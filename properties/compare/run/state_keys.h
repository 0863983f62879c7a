// The state of a program by name: which bytes of which bank it is, under a loader policy.
#ifndef PTEPROOF_PROPERTIES_COMPARE_RUN_STATE_KEYS_H_
#define PTEPROOF_PROPERTIES_COMPARE_RUN_STATE_KEYS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::compare {

// A buffer that a method can see, as some method of the program names it.
struct StatePlace {
  std::string key;  // equal in both programs
  uint32_t bank = 0;
  uint64_t offset = 0;
  uint64_t nbytes = 0;
  bool operator==(const StatePlace&) const = default;
};

// Whether a key stands for bytes of a bank without a name (computation.cc makes such keys).
[[nodiscard]] inline bool IsUnnamedKey(std::string_view key) {
  return key.starts_with("\tbytes");
}

// Whether methods share the bank under that policy.
[[nodiscard]] bool IsShared(Policy policy, uint32_t bank);

// The name of a value that is a buffer, by the file or by the manifest; empty: it has none, or is
// none.
[[nodiscard]] std::string BufferName(const Method& method, int32_t value, const Manifest* manifest);

// All buffers with names in banks that the method has, those of other methods in shared banks among
// them. One name at two places gives two keys, numbered in the order of methods and values; with
// `as_meant` it is one buffer, and lies where the method itself has it.
[[nodiscard]] std::vector<StatePlace> StatesOf(const Program& program, size_t method, Policy policy,
                                               const Manifest* manifest, bool as_meant = false);

// Whether two methods of a program have the state of that key in one memory; nothing: one of them
// has no such state.
[[nodiscard]] std::optional<bool> ShareState(std::span<const StatePlace> a,
                                             std::span<const StatePlace> b, std::string_view key,
                                             Policy policy);

// Whether a buffer of the method has its name of the manifest alone.
[[nodiscard]] bool IsNamedByManifest(const Method& method, const Manifest* manifest);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RUN_STATE_KEYS_H_
