// What the command asks the system for, of a page: its files are those that the reader dropped, and
// they lie in memory (cli/io/hosted.h). It has neither a terminal nor a second thread.
#include <algorithm>
#include <limits>

#include "cli/io/hosted.h"
#include "cli/io/load_file.h"
#include "cli/io/terminal.h"
#include "cli/load/beside.h"
#include "cli/load/load_assembly.h"
#include "cli/load/trust.h"
#include "planner/run_all.h"
#include "runtime/file_rules.h"
#include "runtime/os/os.h"

namespace pteproof {

Result<HeldBytes, LoadError> LoadFile(const std::string& path) {
  const auto& files = HostOfThread()->files;
  const auto found = files.find(path);
  if (found == files.end()) return LoadError{"it was not given to the page"};
  return HeldBytes(found->second);
}

std::string Beside(const std::string& file, std::string_view suffix) {
  const size_t dot = file.rfind('.');
  std::string beside = file.substr(0, dot) + std::string(suffix);
  return HostOfThread()->files.contains(beside) ? beside : "";
}

ManifestSource ManifestFor(const std::string& file, const ManifestChoice& choice) {
  if (choice.none) return {};
  if (!choice.named.empty()) return {.path = choice.named};
  std::string beside = Beside(file, kManifestSuffix);
  return {.path = beside, .trusted = beside.empty() || choice.trust};
}

bool IsAssembly(const std::string& path, Bytes /*bytes*/) {
  return path.ends_with(".pteasm");
}

Result<pteasm::Assembled, std::vector<pteasm::TextError>> AssembleFile(const std::string& /*path*/,
                                                                       Bytes /*bytes*/) {
  return std::vector<pteasm::TextError>{
      {1, 1, rule::kFileIdentifier,
       "The page reads programs, and no text. 'pteproof assemble' makes a program of it."}};
}

std::vector<Finding> FindingsOf(const std::vector<pteasm::TextError>& errors) {
  std::vector<Finding> findings;
  for (const pteasm::TextError& error : errors) {
    Finding& finding = findings.emplace_back();
    finding.rule = error.rule;
    finding.explanation = error.message;
  }
  return findings;
}

bool os::IsTerminal(int /*stream*/) {
  return false;
}

void os::SetVariable(const char* /*name*/, const char* /*value*/) {}

size_t TerminalColumns() {
  return kPlainColumns;
}

size_t TableColumns() {
  return std::numeric_limits<size_t>::max();
}

void RunAll(size_t count, size_t /*threads*/, const std::function<void(size_t)>& run) {
  for (size_t i = 0; i < count; ++i) run(i);
}

}  // namespace pteproof
