// JSON text to a tree, for text that nobody vouches for: bounded in size and nesting, no key twice
// in one object, no exceptions. Knows nothing of manifests.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_JSON_TEXT_H_
#define PTEPROOF_PROPERTIES_MANIFEST_JSON_TEXT_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "properties/manifest/errors.h"

namespace pteproof {

inline constexpr size_t kMostJsonBytes = size_t{16} << 20;
inline constexpr size_t kDeepestJson =
    32;  // destroying a tree recurses, so its depth must be bounded

inline constexpr size_t kLongestJsonKey = 1024;  // keys make pointers, and each place below has one

// The kind of file that the text is of, for messages.
struct JsonSubject {
  std::string_view name = "a manifest";
  size_t levels = 7;  // of nesting, in one that uses all its keys
};

// Parses the text. Errors go to `errors`, and then the tree must not be used: syntax with line and
// column (both from 1, columns in bytes), too deep nesting, overlong and repeated keys with their
// JSON pointer.
[[nodiscard]] nlohmann::json ParseJsonText(std::string_view text, ManifestErrors& errors,
                                           const JsonSubject& subject = {});

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_JSON_TEXT_H_
