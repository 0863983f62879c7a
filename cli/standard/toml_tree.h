// TOML text to the tree that the readers of manifests take, with the line of each of its places.
// Bounded in size and nesting; throws nothing.
#ifndef PTEPROOF_CLI_STANDARD_TOML_TREE_H_
#define PTEPROOF_CLI_STANDARD_TOML_TREE_H_

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "properties/manifest/errors.h"

namespace pteproof {

struct TomlTree {
  nlohmann::json tree = nlohmann::json::object();
  std::map<std::string, size_t> lines;  // by JSON pointer, from 1

  // Of the place, or of the nearest one that holds it; 0: of none.
  [[nodiscard]] size_t LineOf(std::string_view pointer) const;
};

inline constexpr size_t kMostTomlBytes = size_t{64} << 10;
// A key has a table for each of its dots, and to destroy them recurses.
inline constexpr size_t kMostTomlDots = 2000;

// An error of syntax goes to `errors` with line and column, and then the tree must not be used.
[[nodiscard]] TomlTree ParseToml(std::string_view text, ManifestErrors& errors);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_STANDARD_TOML_TREE_H_
