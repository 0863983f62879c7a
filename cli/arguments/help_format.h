// The form of help texts: options in two columns that fit a terminal.
#ifndef PTEPROOF_CLI_ARGUMENTS_HELP_FORMAT_H_
#define PTEPROOF_CLI_ARGUMENTS_HELP_FORMAT_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pteproof {

class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* verb) const override;
  std::string make_footer(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
};

// The help text of the verb that was parsed, else of the whole command.
[[nodiscard]] std::string HelpText(const CLI::App& app);

// The line of a verb in a list of verbs.
[[nodiscard]] std::string VerbRow(const CLI::App& verb);

// The words that an option takes; none if it takes no choice of words.
[[nodiscard]] std::vector<std::string> ChoicesOf(const CLI::Option& option);

// "--policy WORD", "-q", "FILE...": the form of the value without the words.
[[nodiscard]] std::string ValueName(const CLI::Option& option);

// Whether it stands alone, without a value.
[[nodiscard]] bool IsSwitch(const CLI::Option& option);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_HELP_FORMAT_H_
