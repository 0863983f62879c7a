#include "cli/load/load_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "cli/io/hosted.h"
#include "cli/io/load_file.h"
#include "cli/io/quote.h"
#include "cli/load/known_file.h"
#include "cli/load/module_data.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

// A file in the Module's folder or below it; of a Module in the caller's memory one that lies there
// under the Module's name, '#' and its own.
Result<ModuleFile, std::string> OpenBeside(const std::string& module, const std::string& name) {
  if (const Hosted* host = HostOfThread(); host != nullptr && host->files.contains(module)) {
    const auto lent = host->files.find(module + "#" + name);
    if (lent != host->files.end()) return ModuleFile{lent->second, nullptr, true};
    return fmt::format("the values lie in file \"{}\", which was not given with the text", name);
  }
  if (module == kStandardInput) return std::string("a Module from standard input has no files");
  const fs::path path(name);
  const bool inside = path.is_relative() && path.has_filename() &&
                      std::ranges::find(path, fs::path("..")) == path.end();
  if (!inside) {
    return fmt::format("the file \"{}\" must lie in the Module's folder, or below it", name);
  }
  // One file has one name, so that it is read once.
  if (const std::string plain = path.lexically_normal().string(); plain != name) {
    return fmt::format("the file \"{}\" must be named \"{}\"", name, plain);
  }
  auto bytes = LoadFile((fs::path(module).parent_path() / path).string());
  if (!bytes.ok()) return fmt::format("the file \"{}\": {}", name, bytes.error().why);
  auto owner = std::make_shared<const HeldBytes>(std::move(bytes).value());
  const Bytes held = **owner;
  return ModuleFile{held, std::move(owner), false};
}

}  // namespace

NoModule NotAModule(const std::string& file, std::string_view text,
                    const graph::ParseError& error) {
  const std::string name = QuotePath(file, kLongestLine);
  const auto known = KnownFileOf(std::as_bytes(std::span(text)));
  if (known && known->kind != KnownKind::kModule) {
    return {ExitCode::kMalformed, fmt::format("{}: {}", name, SentencesOf(*known))};
  }
  return {ExitCode::kMalformed, fmt::format("{}:{}:{}: {}", name, error.line, error.column,
                                            Quote(error.message, kLongestLine))};
}

Result<graph::Module, NoModule> LoadModule(const std::string& file) {
  const auto bytes = LoadFile(file);
  if (!bytes.ok()) {
    return NoModule{ExitCode::kUnreadable,
                    fmt::format("{}: {}", QuotePath(file, kLongestLine), bytes.error().why)};
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.value()->data()),
                              bytes.value()->size());
  ModuleData data([&](const std::string& name) { return OpenBeside(file, name); });
  auto module = graph::Parse(text, [&](const graph::DataRef& ref) { return data.Take(ref); });
  if (!module.ok()) return NotAModule(file, text, module.error());
  return std::move(module).value();
}

}  // namespace pteproof
