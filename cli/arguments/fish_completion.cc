#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "cli/arguments/completions.h"

namespace pteproof {
namespace {

std::string FishQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string FishFlag(const std::string& condition, const ArgumentInfo& flag) {
  std::string line = "complete -c pteproof" + condition;
  for (const std::string& name : flag.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  switch (flag.kind) {
    case ArgumentKind::kNone:
      break;
    case ArgumentKind::kWord:
      line += fmt::format(" -x -a '{}'", fmt::join(flag.words, " "));
      break;
    case ArgumentKind::kFile:
      line += " -r -F";
      break;
    case ArgumentKind::kFolder:
      line += " -x -a '(__fish_complete_directories)'";
      break;
    case ArgumentKind::kOther:
      line += " -x";
      break;
  }
  return line + " -d " + FishQuoted(flag.text) + "\n";
}

}  // namespace

std::string FishCompletion(const CommandInfo& command) {
  std::string text =
      "# Completion of pteproof for fish; made from the command's own description.\n";
  for (const ArgumentInfo& flag : command.command.flags) {
    text += FishFlag(" -n __fish_use_subcommand", flag);
  }
  for (const VerbInfo& verb : command.verbs) {
    const std::string seen = fmt::format(" -n '__fish_seen_subcommand_from {}'", verb.name);
    text += fmt::format("complete -c pteproof -n __fish_use_subcommand -f -a {} -d {}\n", verb.name,
                        FishQuoted(verb.text));
    for (const ArgumentInfo& flag : verb.flags) text += FishFlag(seen, flag);
    for (const ArgumentInfo& value : verb.values) {
      if (value.kind != ArgumentKind::kWord) continue;
      text += fmt::format("complete -c pteproof{} -f -a '{}'\n", seen, fmt::join(value.words, " "));
    }
  }
  return text;
}

}  // namespace pteproof
