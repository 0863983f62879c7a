// The keys that each kind of object in a manifest may have. One list for the parser, its messages
// and the test that compares them with the published schema; the meaning of the keys is in
// docs/reference/manifest.md.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_KEYS_H_
#define PTEPROOF_PROPERTIES_MANIFEST_KEYS_H_

#include <array>
#include <string_view>

namespace pteproof::manifest_keys {

inline constexpr std::array<std::string_view, 9> kTop = {"pteproof", "program_sha256", "policy",
                                                         "load",     "calls",          "buffers",
                                                         "methods",  "operators",      "suppress"};
inline constexpr std::array<std::string_view, 6> kBuffer = {"dtype",   "sizes",          "shared",
                                                            "initial", "initial_sha256", "names"};
inline constexpr std::array<std::string_view, 8> kMethod = {
    "reads",  "mutates", "mutates_inputs", "in_place_inputs",
    "inputs", "outputs", "delegates",      "values"};
inline constexpr std::array<std::string_view, 3> kInput = {"name", "sizes", "range"};
inline constexpr std::array<std::string_view, 2> kRange = {"min", "max"};
inline constexpr std::array<std::string_view, 4> kDim = {"min", "max", "step", "name"};
inline constexpr std::array<std::string_view, 5> kOutput = {"value", "of", "of_input",
                                                            "of_parameter", "same_as"};
inline constexpr std::array<std::string_view, 3> kDelegate = {"index", "outputs", "updates"};
inline constexpr std::array<std::string_view, 3> kSuppression = {"rule", "method", "reason"};

}  // namespace pteproof::manifest_keys

#endif  // PTEPROOF_PROPERTIES_MANIFEST_KEYS_H_
