// Files one after the other, and behind them their directory: a tree in JSON, which is written
// backwards, so that a reader begins with the last byte.
//
//   {"nodes": [{"name": "metadata.json", "dataRegion": {"offset": 0, "size": 141}, ...},
//              {"name": "model", "children": {"metadata.json": 0}, ...}]}    the root is the last
//
// All bytes are somebody else's: texts are parsed to a bounded depth, and a place that does not lie
// inside reads as absent. Cost: O(bytes).
#ifndef PTEPROOF_RUNTIME_DELEGATES_FILE_DIRECTORY_H_
#define PTEPROOF_RUNTIME_DELEGATES_FILE_DIRECTORY_H_

#include <cstddef>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "pteproof/program.h"

namespace pteproof::delegates {

using Json = nlohmann::json;

// Discarded, if the text is none. What is nested too deeply is left out.
[[nodiscard]] Json ParseBounded(std::string_view text);

// Null if there is none.
[[nodiscard]] const Json* Member(const Json* object, std::string_view key);

class FileDirectory {
 public:
  explicit FileDirectory(Bytes blob);
  FileDirectory(const FileDirectory&) = delete;
  FileDirectory& operator=(const FileDirectory&) = delete;

  // Whether the blob ends with a directory.
  [[nodiscard]] bool is_there() const { return nodes_ != nullptr; }

  // Nothing if there is no such file, or it does not lie in the blob.
  [[nodiscard]] std::optional<Bytes> File(std::initializer_list<std::string_view> path) const;

  // Files that are not empty and have none of these names, wherever they stand in the tree.
  // O(nodes).
  [[nodiscard]] size_t CountBeside(std::span<const std::string_view> names) const;

 private:
  Bytes blob_;
  Json root_;
  const Json* nodes_ = nullptr;  // in root_
};

}  // namespace pteproof::delegates

#endif  // PTEPROOF_RUNTIME_DELEGATES_FILE_DIRECTORY_H_
