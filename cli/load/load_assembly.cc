#include "cli/load/load_assembly.h"

#include <fmt/format.h>

#include <new>
#include <string_view>

#include "base/unwind.h"
#include "cli/io/load_file.h"
#include "cli/load/files_beside.h"
#include "cli/load/known_file.h"
#include "cli/load/module_data.h"

namespace pteproof {

bool IsAssembly(const std::string& path, Bytes bytes) {
  if (path != kStandardInput) return path.ends_with(".pteasm");
  const auto known = KnownFileOf(bytes);
  return known && known->kind == KnownKind::kAssembly;
}

Result<pteasm::Assembled, std::vector<pteasm::TextError>> AssembleFile(const std::string& path,
                                                                       Bytes bytes) {
  ModuleData data([&](const std::string& name) { return OpenBeside(path, name, "program"); },
                  "program");
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto made = pteasm::Assemble(text, [&](const text::DataRef& ref) { return data.Take(ref); });
  if (!made.ok() && made.error().empty()) GiveUp(std::bad_alloc());
  return made;
}

std::vector<Finding> FindingsOf(const std::vector<pteasm::TextError>& errors) {
  std::vector<Finding> findings;
  for (const pteasm::TextError& error : errors) {
    Finding& finding = findings.emplace_back();
    finding.rule = error.rule;
    finding.explanation =
        fmt::format("Line {}, column {}: {}", error.line, error.column, error.message);
    finding.fix = "Correct the text there. The page \"Programs as text\" has the grammar.";
  }
  return findings;
}

}  // namespace pteproof
