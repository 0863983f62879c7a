#include "cli/arguments/description.h"

#include <algorithm>
#include <string_view>

#include "cli/arguments/help_format.h"
#include "pteproof/rules.h"

namespace pteproof {
namespace {

std::vector<std::string> RuleNames() {
  std::vector<std::string> names;
  for (const RuleInfo& rule : AllRules()) names.emplace_back(rule.name);
  return names;
}

ArgumentKind KindOf(const ArgumentInfo& argument) {
  if (argument.value.empty()) return ArgumentKind::kNone;
  if (!argument.words.empty()) return ArgumentKind::kWord;
  if (argument.value == "FILE") return ArgumentKind::kFile;
  return argument.value == "FOLDER" ? ArgumentKind::kFolder : ArgumentKind::kOther;
}

ArgumentInfo ArgumentOf(const CLI::Option& option) {
  ArgumentInfo argument;
  for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  if (option.get_positional()) argument.names = {option.get_name(true, false)};
  argument.value = ValueName(option);
  argument.words = ChoicesOf(option);
  if (argument.value == "RULE") argument.words = RuleNames();
  argument.kind = KindOf(argument);
  argument.text = option.get_description();
  argument.required = option.get_required();
  argument.repeated = option.get_expected_max() >= CLI::detail::expected_max_vector_size ||
                      option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return argument;
}

// The footer's lines "Example: ..." and "Exit codes: ...".
void AddFooter(std::string_view footer, VerbInfo& verb) {
  constexpr std::string_view kExample = "Example: ";
  constexpr std::string_view kExit = "Exit codes: ";
  bool in_codes = false;
  while (!footer.empty()) {
    const size_t end = std::min(footer.find('\n'), footer.size());
    const std::string_view line = footer.substr(0, end);
    footer.remove_prefix(std::min(end + 1, footer.size()));
    in_codes = line.starts_with(kExit) || (in_codes && !line.starts_with(kExample));
    if (line.starts_with(kExample)) verb.examples.emplace_back(line.substr(kExample.size()));
    if (!in_codes) continue;
    if (!verb.exit_codes.empty()) verb.exit_codes += ' ';
    verb.exit_codes += line.substr(line.starts_with(kExit) ? kExit.size() : 0);
  }
}

VerbInfo VerbOf(const CLI::App& app) {
  VerbInfo verb;
  verb.name = app.get_parent() == nullptr ? "" : app.get_name();
  verb.text = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? verb.values : verb.flags).push_back(ArgumentOf(*option));
  }
  AddFooter(app.get_footer(), verb);
  return verb;
}

}  // namespace

CommandInfo Describe(const CLI::App& app) {
  CommandInfo info;
  info.command = VerbOf(app);
  for (const CLI::App* verb : app.get_subcommands({})) info.verbs.push_back(VerbOf(*verb));
  return info;
}

}  // namespace pteproof
