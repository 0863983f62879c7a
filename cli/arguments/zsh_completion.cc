#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "cli/arguments/completions.h"

namespace pteproof {
namespace {

// Inside single quotes, with `special` characters of _arguments and _describe.
std::string ZshQuoted(std::string_view text, std::string_view special) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  return quoted;
}

std::string ZshAction(const ArgumentInfo& argument) {
  switch (argument.kind) {
    case ArgumentKind::kWord:
      return fmt::format("({})", fmt::join(argument.words, " "));
    case ArgumentKind::kFile:
      return "_files";
    case ArgumentKind::kFolder:
      return "_files -/";
    case ArgumentKind::kNone:
    case ArgumentKind::kOther:
      break;
  }
  return " ";
}

// "'*--data[Weights ...]:FILE:_files'" for each name of the flag.
std::string ZshFlag(const ArgumentInfo& flag) {
  std::string value;
  if (flag.kind != ArgumentKind::kNone) {
    value = fmt::format(":{}:{}", ZshQuoted(flag.value, "[]:\\"), ZshAction(flag));
  }
  std::string lines;
  for (const std::string& name : flag.names) {
    lines += fmt::format(" \\\n        '{}{}[{}]{}'",
                         flag.repeated ? "*" : fmt::format("({})", fmt::join(flag.names, " ")),
                         name, ZshQuoted(flag.text, "[]:\\"), value);
  }
  return lines;
}

std::string ZshVerb(const VerbInfo& verb) {
  std::string text = fmt::format("    {})\n      _arguments -s", verb.name);
  for (const ArgumentInfo& flag : verb.flags) text += ZshFlag(flag);
  for (const ArgumentInfo& value : verb.values) {
    text += fmt::format(" \\\n        '{}:{}:{}'", value.repeated ? "*" : "", value.names.front(),
                        ZshAction(value));
  }
  return text + "\n      ;;\n";
}

}  // namespace

std::string ZshCompletion(const CommandInfo& command) {
  std::string verbs;
  std::string cases;
  for (const VerbInfo& verb : command.verbs) {
    verbs += fmt::format("    '{}:{}'\n", verb.name, ZshQuoted(verb.text, ":\\"));
    cases += ZshVerb(verb);
  }
  std::string flags;
  for (const ArgumentInfo& flag : command.command.flags) flags += ZshFlag(flag);
  return fmt::format(
      R"(#compdef pteproof
# Completion of pteproof for zsh; made from the command's own description.
_pteproof() {{
  local -a verbs
  verbs=(
{}  )
  if (( CURRENT == 2 )); then
    if [[ $words[2] == -* ]]; then
      _arguments -s{}
    else
      _describe 'verb' verbs
    fi
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{}  esac
}}
_pteproof "$@"
)",
      verbs, flags, cases);
}

}  // namespace pteproof
