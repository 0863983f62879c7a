// Manifests of files that are linked: what they tell the linker, and the one manifest that becomes
// of them.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_LINKED_H_
#define PTEPROOF_PROPERTIES_MANIFEST_LINKED_H_

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/link/link.h"
#include "planner/link/split.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof {

// A file with its manifest, which may be null, and its methods' new names by the old ones.
struct FileToLink {
  std::string name;
  const Program* program = nullptr;
  const Manifest* manifest = nullptr;
  std::map<std::string, std::string> renames = {};

  [[nodiscard]] std::string NewName(const std::string& method) const;
};

[[nodiscard]] planner::LinkedFile LinkedFileOf(const FileToLink& file);

// Of one file, with the names that methods and their state have in the linked program.
[[nodiscard]] Manifest RenamedManifest(const FileToLink& file, const planner::Linked& linked);

// Of the linked program. Without `policy` that of the files, if it shares banks, else share-1-2.
// Protocols of the files are left out: any order of calls counts, after et_module_init if there is
// one.
[[nodiscard]] Manifest LinkedManifest(std::span<const FileToLink> files,
                                      const planner::Linked& linked, std::optional<Policy> policy);

// "et_module_init (decode | prefill)*"; nothing if a name cannot stand in a protocol.
[[nodiscard]] std::optional<CallProtocol> InitialProtocol(const Program& program);

// Of a program with some of the methods. Without a manifest of the whole, it says which constants
// are buffers that methods share.
[[nodiscard]] Manifest SplitManifest(const Manifest* manifest, const planner::SplitProgram& split);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_LINKED_H_
