#include "cli/verbs/fmt_command.h"

#include <fmt/format.h>

#include <string>

#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/load_module.h"
#include "reference/graph/format.h"

namespace pteproof {
ExitCode RunFmt(const FmtRequest& request) {
  if (request.write && request.file == kStandardInput) {
    Complain("-w rewrites a file, and standard input cannot be rewritten: name a file");
    return ExitCode::kUsage;
  }
  const auto loaded = LoadText(request.file);
  if (!loaded) return ExitCode::kUnreadable;
  const std::string& text = *loaded;
  const auto canonical = graph::Format(text);
  if (!canonical) {
    const NoModule none = NotAModule(request.file, text, canonical.error());
    Complain(none.why);
    return none.code;
  }
  const bool same = canonical.value() == text;
  if (request.check) {
    if (same) return ExitCode::kSafe;
    Complain(fmt::format("{}: not canonical; 'pteproof dev fmt -w' rewrites it",
                         QuotePath(request.file)));
    return ExitCode::kUnsafe;
  }
  if (!request.write) {
    WriteOutput(canonical.value());
    return ExitCode::kSafe;
  }
  return same ? ExitCode::kSafe : StoreFile(request.file, canonical.value());
}

}  // namespace pteproof
