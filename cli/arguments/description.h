// The command line as plain data, for the completions and the manual page.
#ifndef PTEPROOF_CLI_ARGUMENTS_DESCRIPTION_H_
#define PTEPROOF_CLI_ARGUMENTS_DESCRIPTION_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace pteproof {

enum class ArgumentKind : uint8_t { kNone, kWord, kFile, kFolder, kOther };

// A flag, or a value without one.
struct ArgumentInfo {
  std::vector<std::string> names;  // "-q", "--quiet"; of a value without a flag its one name
  ArgumentKind kind = ArgumentKind::kNone;
  std::string value;               // what it is called: "FILE"; empty: it is a switch
  std::vector<std::string> words;  // kWord: those that it can be
  std::string text;
  bool required = false;
  bool repeated = false;
};

struct VerbInfo {
  std::string name;  // empty: the command itself
  std::string text;
  std::vector<ArgumentInfo> flags;
  std::vector<ArgumentInfo> values;   // without a flag, in their order
  std::vector<std::string> examples;  // "pteproof check model.pte"
  std::string exit_codes;
};

struct CommandInfo {
  VerbInfo command;
  std::vector<VerbInfo> verbs;
};

[[nodiscard]] CommandInfo Describe(const CLI::App& app);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_DESCRIPTION_H_
