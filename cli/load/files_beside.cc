#include "cli/load/files_beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/file_name.h"
#include "cli/io/hosted.h"
#include "cli/io/load_file.h"

namespace pteproof {

namespace fs = std::filesystem;

Result<ModuleFile, std::string> OpenBeside(const std::string& text, const std::string& name,
                                           std::string_view what) {
  if (const Hosted* host = HostOfThread(); host != nullptr && host->files.contains(text)) {
    const auto lent = host->files.find(text + "#" + name);
    if (lent != host->files.end()) return ModuleFile{lent->second, nullptr, true};
    return fmt::format("the values lie in file \"{}\", which was not given with the text", name);
  }
  if (text == kStandardInput)
    return fmt::format("a {} from standard input has no files: name the text's file", what);
  const fs::path path = FilePath(name);
  const bool inside = path.is_relative() && path.has_filename() &&
                      std::ranges::find(path, fs::path("..")) == path.end();
  if (!inside) {
    return fmt::format("the file \"{}\" must lie in the {}'s folder, or below it", name, what);
  }
  // One file has one name, so that it is read once.
  if (const std::string plain = PortableName(path.lexically_normal()); plain != name) {
    return fmt::format("the file \"{}\" must be named \"{}\"", name, plain);
  }
  auto bytes = LoadFile(FileName(FilePath(text).parent_path() / path));
  if (!bytes.ok()) return fmt::format("the file \"{}\": {}", name, bytes.error().why);
  auto owner = std::make_shared<const HeldBytes>(std::move(bytes).value());
  const Bytes held = **owner;
  return ModuleFile{held, std::move(owner), false};
}

}  // namespace pteproof
