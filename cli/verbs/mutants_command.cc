#include "cli/verbs/mutants_command.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "cli/io/output.h"

namespace pteproof {

ExitCode RunMutants(const std::vector<std::string>& arguments) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string other = (self.parent_path() / "pteproof-mutants").string();
  std::vector<std::string> words = {other};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  // The signals stay blocked meanwhile: one that comes now waits for the other program's watch.
  execv(other.c_str(), argv.data());
  Complain("mutants: " + other +
           " is not there. It is part of a Release build of the source tree only: run "
           "scripts/mutants there, which builds it and passes these arguments on.");
  return ExitCode::kUsage;
}

}  // namespace pteproof
