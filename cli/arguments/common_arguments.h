// Arguments that several verbs take. A flag has one meaning, which is stated here once.
#ifndef PTEPROOF_CLI_ARGUMENTS_COMMON_ARGUMENTS_H_
#define PTEPROOF_CLI_ARGUMENTS_COMMON_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/load/trust.h"
#include "pteproof/finding.h"

namespace pteproof {

// One of a few words. Another word is an error that names the nearest of them.
[[nodiscard]] CLI::Validator OneOf(const std::vector<std::string>& words);

// A whole number from `least` to `most`. Of unsigned numbers too: without a check the library takes
// a minus sign for them.
[[nodiscard]] CLI::Validator WholeNumber(uint64_t least,
                                         uint64_t most = std::numeric_limits<int64_t>::max());

// A number from `least` to `most`.
[[nodiscard]] CLI::Validator NumberFrom(double least,
                                        double most = std::numeric_limits<double>::max());

[[nodiscard]] CLI::Validator NumberAboveZero();

[[nodiscard]] CLI::Validator PowerOfTwo();

// `--alignment`, in bytes: a power of two up to 2^62.
template <typename Int>
CLI::Option* AddAlignment(CLI::App& verb, Int& alignment, const std::string& text) {
  return verb.add_option("--alignment", alignment, text)->check(PowerOfTwo())->type_name("BYTES");
}

template <typename T>
using Choices = std::vector<std::pair<std::string, T>>;

// `--NAME WORD`, which sets `target` to what the word stands for.
template <typename Target, typename T>
CLI::Option* AddChoice(CLI::App& verb, const std::string& name, Target& target,
                       const Choices<T>& choices, const std::string& text) {
  std::vector<std::string> words;
  for (const auto& choice : choices) words.push_back(choice.first);
  const auto take = [&target, choices](const std::string& word) {
    for (const auto& [name_of, value] : choices) {
      if (name_of == word) target = value;
    }
  };
  return verb.add_option_function<std::string>(name, take, text)
      ->check(OneOf(words))
      ->type_name("WORD");
}

// An option that may be repeated, and takes one word each time.
CLI::Option* AddList(CLI::App& verb, const std::string& name, std::vector<std::string>& list,
                     const std::string& text, const std::string& type);

// The program, as verbs take it that read one.
CLI::Option* AddProgram(CLI::App& verb, std::string& file);

// `--policy`, and `--loader`, which sets it by name and version; `loader` gets these words.
CLI::Option* AddPolicy(CLI::App& verb, std::optional<Policy>& policy, const std::string& otherwise,
                       std::string* loader = nullptr);

// `--loader-file`, in place of `--policy` and `--loader`, which the verb has.
CLI::Option* AddLoaderFile(CLI::App& verb, std::string& file);

// `--operators-of`: the runtime whose operators are meant.
CLI::Option* AddOperatorsOf(CLI::App& verb, std::string& runtime, const std::string& text);

// `--load`.
CLI::Option* AddLoad(CLI::App& verb, std::optional<bool>& all_first);

// `--data`, which may be repeated.
CLI::Option* AddData(CLI::App& verb, std::vector<std::string>& data);

// `--json`.
CLI::Option* AddJson(CLI::App& verb, bool& json, const std::string& what);

// `-o`, where `-` is standard output.
CLI::Option* AddOutput(CLI::App& verb, std::string& output, const std::string& text);
// The same for a program, which is never written as a text.
CLI::Option* AddProgramOutput(CLI::App& verb, std::string& output, const std::string& text);

// `--html`, a page for a browser; `-` is standard output.
CLI::Option* AddHtml(CLI::App& verb, std::string& html, const std::string& what);

// `--seed`.
CLI::Option* AddSeed(CLI::App& verb, uint64_t& seed, const std::string& what);

// `--time`: of the whole command.
CLI::Option* AddTime(CLI::App& verb, std::optional<double>& seconds, const std::string& what);

// `--timeout`: of one piece of the work.
CLI::Option* AddTimeout(CLI::App& verb, std::optional<double>& seconds, const std::string& what);

// `-q`.
CLI::Option* AddQuiet(CLI::App& verb, bool& quiet, const std::string& what);

// `--operators`, which may be repeated.
CLI::Option* AddOperators(CLI::App& verb, std::vector<std::string>& operators);

// `--manifest`, `--no-manifest`, `--trust-manifests` and `--operators`.
void AddManifest(CLI::App& verb, ManifestChoice& choice);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_COMMON_ARGUMENTS_H_
