#include "cli/verbs/init_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file_name.h"
#include "base/finding_names.h"
#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/beside.h"
#include "cli/load/file_walk.h"
#include "cli/load/trust.h"
#include "cli/standard/load_standard.h"
#include "cli/standard/standard.h"
#include "pteproof/manifest.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWorkflow = ".github/workflows/pteproof.yml";
constexpr size_t kMostTrustCommands = 5;

// A program of the folder.
struct InitProgram {
  std::string name;                   // from the folder
  bool manifest = false;              // one lies beside it
  std::optional<Policy> policy = {};  // which that states
};

std::optional<Policy> StatedPolicy(const std::string& manifest) {
  const auto bytes = LoadFile(manifest);
  if (!bytes) return std::nullopt;
  const Bytes& read = *bytes.value();
  const auto parsed = ParseManifest({reinterpret_cast<const char*>(read.data()), read.size()});
  return parsed ? parsed.value().policy : std::nullopt;
}

std::vector<InitProgram> ProgramsIn(const std::string& folder) {
  std::vector<InitProgram> programs;
  const std::vector<std::string> names = {folder};
  for (const FoundFile& file : FindFiles(names)) {
    if (!file.error.empty()) continue;
    const std::string beside = Beside(file.path, kManifestSuffix);
    InitProgram program = {NameIn(folder, file.path), !beside.empty()};
    if (program.manifest) program.policy = StatedPolicy(beside);
    programs.push_back(std::move(program));
  }
  return programs;
}

// The folder below which all programs lie, as a shell and YAML take it; "." is the whole one.
std::string FolderOfPrograms(const std::vector<InitProgram>& programs) {
  if (programs.empty()) return ".";
  fs::path common = FilePath(programs.front().name).parent_path();
  for (const InitProgram& program : programs) {
    const fs::path folder = FilePath(program.name).parent_path();
    const auto [end, unused] =
        std::mismatch(common.begin(), common.end(), folder.begin(), folder.end());
    fs::path shared;
    for (auto part = common.begin(); part != end; ++part) shared /= *part;
    common = shared;
  }
  const std::string name = PortableName(common);
  return name.empty() || ShellWord(name) != name ? "." : name;
}

// One that all manifests with a policy state.
std::optional<Policy> CommonPolicy(const std::vector<InitProgram>& programs) {
  std::optional<Policy> common;
  for (const InitProgram& program : programs) {
    if (!program.policy) continue;
    if (common && common != program.policy) return std::nullopt;
    common = program.policy;
  }
  return common;
}

bool StateOthers(const std::vector<InitProgram>& programs) {
  return !CommonPolicy(programs) &&
         std::ranges::any_of(programs, [](const auto& each) { return each.policy.has_value(); });
}

// A pattern that fits that name alone; empty: the name cannot be one.
std::string PatternOf(const std::string& name) {
  constexpr std::string_view kSpecial = "*?\"\\";
  const bool plain = name.find_first_of(kSpecial) == std::string::npos && Quote(name) == name;
  return plain ? name : "";
}

std::string ConfigText(const std::vector<InitProgram>& programs) {
  std::string text = "# What `pteproof check` holds the programs of this repository to.\n";
  if (const auto policy = CommonPolicy(programs)) {
    text += fmt::format(
        "\n# The loader in use, as the manifests state it: private, share-1-2 or share-all.\n"
        "policy = \"{}\"\n",
        Name(*policy));
  } else if (!StateOthers(programs)) {
    text +=
        "\n# The loader in use: private, share-1-2 or share-all. Without it a program must be safe "
        "under all.\n# policy = \"share-all\"\n";
  }
  text +=
      "\n# What fails: an unsafe program, one that is undecided, one that depends on the loader.\n"
      "fail-on = [\"error\", \"undecided\", \"depends\"]\n";
  if (!StateOthers(programs)) return text;
  text += "\n# The loader of each program, as its manifest states it.\n";
  for (const InitProgram& program : programs) {
    const std::string pattern = PatternOf(program.name);
    if (!program.policy || pattern.empty()) continue;
    text +=
        fmt::format("[[path]]\nglob = \"{}\"\npolicy = \"{}\"\n\n", pattern, Name(*program.policy));
  }
  text.pop_back();
  return text;
}

std::string StatedLoaderText(const std::vector<InitProgram>& programs) {
  if (const auto policy = CommonPolicy(programs)) {
    return fmt::format("  the loader: {}, as the manifests state it\n", Name(*policy));
  }
  if (StateOthers(programs)) return "  the loader of each program, as its manifest states it\n";
  return "  no manifest states a loader: set `policy` to the one that your application uses\n";
}

std::string NextText(const std::vector<InitProgram>& programs, const std::string& files) {
  if (programs.empty()) {
    return "no program (.pte, .bpte) is here yet: export one, then pteproof check .\n";
  }
  std::string text = fmt::format("next: pteproof check {}\n", files);
  size_t listed = 0;
  const auto count =
      static_cast<size_t>(std::ranges::count(programs, true, &InitProgram::manifest));
  for (const InitProgram& program : programs) {
    if (!program.manifest) continue;
    if (listed++ == kMostTrustCommands) {
      return text + fmt::format("      and for {} more manifests\n", count - kMostTrustCommands);
    }
    text += fmt::format("      {}  (if its manifest is right)\n", TrustCommand(program.name));
  }
  return text;
}

ExitCode WriteNew(const fs::path& file, const std::string& text) {
  std::error_code error;
  if (!file.parent_path().empty()) fs::create_directories(file.parent_path(), error);
  if (error) {
    Complain(fmt::format("{} cannot be made: {}", QuotePath(FileName(file.parent_path())),
                         error.message()));
    return ExitCode::kUnreadable;
  }
  return StoreFile(FileName(file), text);
}

}  // namespace

std::string InitWorkflow(std::string_view files) {
  return fmt::format(
      "name: pteproof\n"
      "on: [push, pull_request]\n"
      "permissions: {{ contents: read }}\n"
      "jobs:\n"
      "  memory-plans:\n"
      "    runs-on: ubuntu-24.04\n"
      "    steps:\n"
      "      - uses: actions/checkout@v4\n"
      "      - uses: actions/setup-python@v5\n"
      "        with: {{ python-version: \"3.12\" }}\n"
      "      - run: pip install pteproof-*.whl  # of a release, kept here\n"
      "      - run: pteproof check --format github {}\n",
      files);
}

ExitCode RunInit(const InitRequest& request) {
  const fs::path folder = FilePath(request.folder);
  std::error_code ignored;  // what cannot be looked at is not there
  if (!fs::is_directory(folder, ignored)) {
    Complain(fmt::format("{} is not a folder: name the repository's root",
                         QuotePath(request.folder, kLongestLine)));
    return ExitCode::kUsage;
  }
  const fs::path config = folder / kConfigName;
  const fs::path workflow = folder / kWorkflow;
  for (const fs::path& file : {config, workflow}) {
    if (!fs::exists(fs::symlink_status(file, ignored))) continue;
    Complain(
        fmt::format("{} is there already, and nothing is written: change it by hand, or "
                    "delete it first",
                    QuotePath(FileName(file.lexically_normal()), kLongestLine)));
    return ExitCode::kUsage;
  }
  const std::vector<InitProgram> programs = ProgramsIn(request.folder);
  const std::string files = FolderOfPrograms(programs);
  ExitCode code = WriteNew(config, ConfigText(programs));
  if (code == ExitCode::kSafe) code = WriteNew(workflow, InitWorkflow(files));
  if (code != ExitCode::kSafe) return code;
  const auto named = [](const fs::path& file) {
    return QuotePath(FileName(file.lexically_normal()), kLongestLine);
  };
  WriteOutput(fmt::format("{}: written\n{}{}: written, checks {}\n{}", named(config),
                          StatedLoaderText(programs), named(workflow),
                          files == "." ? "all programs of the repository" : files,
                          NextText(programs, files)));
  return ExitCode::kSafe;
}

}  // namespace pteproof
