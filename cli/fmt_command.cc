#include "cli/fmt_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <string_view>

#include "cli/load_file.h"
#include "cli/output.h"
#include "cli/quote.h"
#include "reference/graph/format.h"

namespace pteproof {
namespace {

ExitCode CannotWrite(const std::string& file) {
  Complain(fmt::format("{}: it cannot be written", Quote(file)));
  return ExitCode::kUnreadable;
}

ExitCode Rewrite(const std::string& file, std::string_view text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  return stream ? ExitCode::kSafe : CannotWrite(file);
}

}  // namespace

ExitCode RunFmt(const FmtRequest& request) {
  if (request.write && request.file == kStandardInput) {
    Complain("-w rewrites a file; standard input is none");
    return ExitCode::kUsage;
  }
  const auto bytes = LoadFile(request.file);
  if (!bytes) {
    Complain(fmt::format("{}: {}", Quote(request.file), bytes.error().why));
    return ExitCode::kUnreadable;
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.value().data()),
                              bytes.value().size());
  const auto canonical = graph::Format(text);
  if (!canonical) {
    const graph::ParseError& error = canonical.error();
    fmt::print(stderr, "{}:{}:{}: {}\n", Quote(request.file), error.line, error.column,
               Quote(error.message, kLongestLine));
    return ExitCode::kMalformed;
  }
  const bool same = canonical.value() == text;
  if (request.check) {
    if (same) return ExitCode::kSafe;
    Complain(fmt::format("{}: not canonical; 'pteproof fmt -w' rewrites it", Quote(request.file)));
    return ExitCode::kUnsafe;
  }
  if (!request.write) {
    WriteOutput(canonical.value());
    return ExitCode::kSafe;
  }
  return same ? ExitCode::kSafe : Rewrite(request.file, canonical.value());
}

}  // namespace pteproof
