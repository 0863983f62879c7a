#include "cli/arguments/help_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "cli/io/terminal.h"

namespace pteproof {
namespace {

constexpr size_t kIndent = 2;
constexpr size_t kColumn = 28;     // where descriptions begin
constexpr size_t kNarrowest = 30;  // of a description

// " Not with --a, --b or --c."; empty for no options.
std::string Sentence(std::string_view words, const std::set<CLI::Option*>& options) {
  std::set<std::string> names;
  for (const CLI::Option* option : options) names.insert(option->get_name());
  std::string text;
  for (const std::string& name : names) {
    text += text.empty() ? words : name == *names.rbegin() ? " or " : ", ";
    text += name;
  }
  return text.empty() ? text : text + ".";
}

std::string Conditions(const CLI::Option& option) {
  const std::string text =
      Sentence(" Only with ", option.get_needs()) + Sentence(" Not with ", option.get_excludes());
  return text.empty() ? text : "." + text;
}

// "-q, --quiet".
std::string Names(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  for (const std::string& name : option.get_lnames()) names += "--" + name + ", ";
  return names.substr(0, names.size() - 2);
}

// "  name            what it is", over as many lines as it takes.
std::string Row(const std::string& name, const std::string& what) {
  const size_t columns = TerminalColumns();
  const size_t width = columns > kColumn + kNarrowest ? columns - kColumn : kNarrowest;
  const std::string indent(kColumn, ' ');
  std::string lines = Wrapped(what, width, indent);
  std::string head(kIndent, ' ');
  head += name;
  if (head.size() + 2 > kColumn) return head + "\n" + lines;
  return head + lines.substr(head.size());
}

}  // namespace

std::vector<std::string> ChoicesOf(const CLI::Option& option) {
  std::vector<std::string> words;
  const std::string type = option.get_type_name();
  const size_t begin = type.find('{');
  if (begin == std::string::npos) return words;
  size_t at = begin + 1;
  while (at < type.size()) {
    const size_t end = type.find_first_of(",}", at);
    words.push_back(type.substr(at, end - at));
    if (type[end] == '}') break;
    at = end + 1;
  }
  return words;
}

bool IsSwitch(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

std::string ValueName(const CLI::Option& option) {
  if (IsSwitch(option)) return "";
  const std::vector<std::string> words = ChoicesOf(option);
  if (!words.empty() && !option.get_positional()) return fmt::format("{}", fmt::join(words, "|"));
  return option.get_type_name().substr(0, option.get_type_name().find(":{"));
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  const std::string value = ValueName(*option);
  return value.empty() ? "" : " " + value;
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string name = is_positional
                               ? option->get_name(true, false)
                               : fmt::format("{}{}", Names(*option), make_option_opts(option));
  return Row(name, option->get_description() + Conditions(*option));
}

std::string VerbRow(const CLI::App& verb) {
  return Row(verb.get_name(), verb.get_description());
}

std::string HelpFormat::make_subcommand(const CLI::App* verb) const {
  return VerbRow(*verb);
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  std::string footer = app->get_footer();
  std::string lines;
  while (!footer.empty()) {
    const size_t end = std::min(footer.find('\n'), footer.size());
    const std::string line = footer.substr(0, end);
    footer.erase(0, end + 1);
    const bool fits = line.size() <= TerminalColumns();
    lines += fits ? line + "\n" : Wrapped(line, TerminalColumns(), "");
  }
  return lines;
}

std::string HelpFormat::make_usage(const CLI::App* app, std::string name) const {
  std::string usage = "Usage: " + name;
  if (!app->get_subcommands({}).empty()) return usage + " VERB [OPTIONS] ...\n";
  usage += " [OPTIONS]";
  for (const CLI::Option* option : app->get_options()) {
    if (option->get_positional()) usage += " " + make_option_usage(option);
  }
  return usage + "\n";
}

std::string HelpText(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  const CLI::App& asked = parsed.empty() ? app : *parsed.front();
  const std::string name =
      parsed.empty() ? app.get_name() : app.get_name() + " " + asked.get_name();
  return app.get_formatter()->make_help(&asked, name, CLI::AppFormatMode::Normal);
}

}  // namespace pteproof
