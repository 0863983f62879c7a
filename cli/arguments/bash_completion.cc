#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments/completions.h"

namespace pteproof {
namespace {

std::string WordListOf(const std::vector<std::string>& words) {
  return fmt::format("'{}'", fmt::join(words, " "));
}

// What `compgen` is asked for a value; empty: nothing can be said of it.
std::string CompgenOf(const ArgumentInfo& argument) {
  switch (argument.kind) {
    case ArgumentKind::kWord:
      return "-W " + WordListOf(argument.words);
    case ArgumentKind::kFile:
      return "-f";
    case ArgumentKind::kFolder:
      return "-d";
    case ArgumentKind::kNone:
    case ArgumentKind::kOther:
      break;
  }
  return "";
}

std::string Reply(const std::string& what) {
  return what.empty() ? "" : fmt::format("mapfile -t COMPREPLY < <(compgen {} -- \"$cur\");", what);
}

// After a flag that takes a value.
std::string ValueCases(const VerbInfo& verb) {
  std::string cases;
  for (const ArgumentInfo& flag : verb.flags) {
    if (flag.kind == ArgumentKind::kNone) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : flag.names) {
      patterns.push_back(fmt::format("'{} {}'", verb.name, name));
    }
    cases +=
        fmt::format("    {}) {} return ;;\n", fmt::join(patterns, "|"), Reply(CompgenOf(flag)));
  }
  return cases;
}

std::string FlagNamesOf(const VerbInfo& verb) {
  std::vector<std::string> names;
  for (const ArgumentInfo& flag : verb.flags) {
    names.insert(names.end(), flag.names.begin(), flag.names.end());
  }
  return WordListOf(names);
}

}  // namespace

std::string BashCompletion(const CommandInfo& command) {
  std::vector<std::string> verbs;
  std::string value_cases = ValueCases(command.command);
  std::string flags = fmt::format("    '') flags={} ;;\n", FlagNamesOf(command.command));
  std::string values;
  for (const VerbInfo& verb : command.verbs) {
    verbs.push_back(verb.name);
    value_cases += ValueCases(verb);
    flags += fmt::format("    {}) flags={} ;;\n", verb.name, FlagNamesOf(verb));
    if (verb.values.empty()) continue;
    values += fmt::format("    {}) {} ;;\n", verb.name, Reply(CompgenOf(verb.values.front())));
  }
  values += fmt::format("    '') {} ;;\n", Reply("-W " + WordListOf(verbs)));
  return fmt::format(
      R"(# Completion of pteproof for bash; made from the command's own description.
_pteproof() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} verb='' flags='' word
  COMPREPLY=()
  if [[ $prev == '=' ]]; then
    prev=${{COMP_WORDS[COMP_CWORD-2]}}
  elif [[ $cur == '=' ]]; then
    cur=''
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in
      dev) verb=dev ;;
      {}) verb=$word; break ;;
    esac
  done
  case "$verb $prev" in
{}  esac
  case $verb in
{}  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$cur")
    return
  fi
  case $verb in
{}  esac
}}
complete -o filenames -F _pteproof pteproof
)",
      fmt::join(verbs, "|"), value_cases, flags, values);
}

}  // namespace pteproof
