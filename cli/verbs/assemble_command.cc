#include "cli/verbs/assemble_command.h"

#include <fmt/format.h>

#include <span>

#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/known_file.h"
#include "cli/load/load_assembly.h"

namespace pteproof {

ExitCode RunAssemble(const AssembleRequest& request) {
  const std::string name = QuotePath(request.file, kLongestLine);
  const auto bytes = LoadFile(request.file);
  if (!bytes.ok()) {
    Complain(fmt::format("{}: {}", name, bytes.error().why));
    return ExitCode::kUnreadable;
  }
  const auto known = KnownFileOf(*bytes.value());
  if (known && known->kind != KnownKind::kAssembly) {
    Complain(fmt::format("{}: {}", name, SentencesOf(*known)));
    return ExitCode::kMalformed;
  }
  const auto made = AssembleFile(request.file, *bytes.value());
  if (!made.ok()) {
    for (const pteasm::TextError& error : made.error()) {
      Complain(fmt::format("{}:{}:{}: {}: {}", name, error.line, error.column, error.rule,
                           Quote(error.message, kLongestLine)));
    }
    return ExitCode::kMalformed;
  }
  return StoreFile(request.output, std::span<const std::byte>(made.value().file));
}

}  // namespace pteproof
