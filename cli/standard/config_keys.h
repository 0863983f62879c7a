// The keys of pteproof.toml. One list for the reader, its messages and the test that compares them
// with the published schema; docs/reference/gate.md has their meaning.
#ifndef PTEPROOF_CLI_STANDARD_CONFIG_KEYS_H_
#define PTEPROOF_CLI_STANDARD_CONFIG_KEYS_H_

#include <array>
#include <string_view>

namespace pteproof::config_keys {

inline constexpr std::array<std::string_view, 15> kTop = {
    "policy",   "load",     "trust-manifests", "operators", "data",
    "select",   "ignore",   "fail-on",         "max-bytes", "max-waste",
    "severity", "baseline", "suppress",        "path",      "trust"};
inline constexpr std::array<std::string_view, 6> kPath = {"glob",     "policy",    "ignore",
                                                          "severity", "max-bytes", "max-waste"};
inline constexpr std::array<std::string_view, 4> kSuppress = {"rule", "method", "path", "reason"};
inline constexpr std::array<std::string_view, 3> kTrust = {"manifest", "sha256", "policy"};

}  // namespace pteproof::config_keys

#endif  // PTEPROOF_CLI_STANDARD_CONFIG_KEYS_H_
