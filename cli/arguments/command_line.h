// The whole command line: all verbs and their flags, from words to what is to be run. The parser,
// the help texts, the completions and the manual page come from this one description.
#ifndef PTEPROOF_CLI_ARGUMENTS_COMMAND_LINE_H_
#define PTEPROOF_CLI_ARGUMENTS_COMMAND_LINE_H_

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/verbs.h"

namespace pteproof {

class CommandLine {
 public:
  CommandLine();

  // The same for words that start with that verb: the others are left out, which takes a tenth of
  // the time.
  explicit CommandLine(std::string_view verb);

  // Parses the words after the command's name and runs the verb that they name. Help and version
  // are printed. Wrong words are explained on standard error, with the verb and the nearest right
  // word: kUsage.
  [[nodiscard]] ExitCode Run(const std::vector<std::string>& words);

  [[nodiscard]] const CLI::App& app() const { return app_; }

 private:
  CLI::App app_;
  std::string color_;
  std::vector<Verb> verbs_;
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_COMMAND_LINE_H_
