#include "cli/load/load_module.h"

#include <fmt/format.h>

#include <span>
#include <string_view>
#include <utility>

#include "cli/io/load_file.h"
#include "cli/io/quote.h"
#include "cli/load/files_beside.h"
#include "cli/load/known_file.h"
#include "cli/load/module_data.h"

namespace pteproof {
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
  ModuleData data([&](const std::string& name) { return OpenBeside(file, name, "Module"); });
  auto module = graph::Parse(text, [&](const graph::DataRef& ref) { return data.Take(ref); });
  if (!module.ok()) return NotAModule(file, text, module.error());
  return std::move(module).value();
}

}  // namespace pteproof
