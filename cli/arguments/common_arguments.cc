#include "cli/arguments/common_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/finding_names.h"
#include "base/nearest.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "properties/loaders.h"

namespace pteproof {

CLI::Validator OneOf(const std::vector<std::string>& words) {
  const auto check = [words](const std::string& typed) -> std::string {
    if (std::ranges::find(words, typed) != words.end()) return "";
    const std::string all = fmt::format("{}", fmt::join(words, ", "));
    const std::string_view nearest = NearestName(typed, words);
    if (nearest.empty()) return fmt::format("'{}' is not one of {}", typed, all);
    // A long list is cut, so that it comes last.
    return fmt::format("'{}' is not known; did you mean '{}'? Allowed: {}", typed, nearest, all);
  };
  return CLI::Validator(check, fmt::format("{{{}}}", fmt::join(words, ",")));
}

CLI::Option* AddProgram(CLI::App& verb, std::string& file) {
  return verb.add_option("FILE", file, "A program (.pte, .bpte, .pteasm), or - for standard input")
      ->required()
      ->type_name("FILE");
}

CLI::Option* AddPolicy(CLI::App& verb, std::optional<Policy>& policy, const std::string& otherwise,
                       std::string* loader) {
  Choices<Policy> choices;
  for (const Policy each : kAllPolicies) choices.emplace_back(Name(each), each);
  CLI::Option* chosen = AddChoice(
      verb, "--policy", policy, choices,
      fmt::format("The loader in use: which banks methods share (default: {})", otherwise));
  const auto check = [](const std::string& typed) -> std::string {
    const auto known = PolicyOfLoader(typed);
    return known.ok() ? "" : known.error();
  };
  const auto take = [&policy, loader](const std::string& typed) {
    if (const auto known = PolicyOfLoader(typed); known.ok()) policy = known.value();
    if (loader != nullptr) *loader = typed;
    if (const std::string warning = WarningOfLoader(typed); !warning.empty()) {
      Complain("--loader: " + Quote(warning, kLongestLine));
    }
  };
  verb.add_option_function<std::string>(
          "--loader", take, "A loader of ExecuTorch by name and version, instead of a policy")
      ->check(CLI::Validator(check, ""))
      ->type_name("NAME@VERSION")
      ->excludes(chosen);
  return chosen;
}

CLI::Option* AddList(CLI::App& verb, const std::string& name, std::vector<std::string>& list,
                     const std::string& text, const std::string& type) {
  return verb.add_option(name, list, text)
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name(type);
}

CLI::Option* AddLoaderFile(CLI::App& verb, std::string& file) {
  return verb
      .add_option("--loader-file", file,
                  "A loader of your own, as TOML: the banks that it shares, with their sizes and "
                  "devices (docs/reference/loaders.md)")
      ->type_name("FILE")
      ->excludes(verb.get_option("--policy"))
      ->excludes(verb.get_option("--loader"));
}

CLI::Option* AddOperatorsOf(CLI::App& verb, std::string& runtime, const std::string& text) {
  return verb.add_option("--operators-of", runtime, text)->type_name("wheel|FILE");
}

CLI::Option* AddOperators(CLI::App& verb, std::vector<std::string>& operators) {
  return AddList(verb, "--operators", operators,
                 "Signatures of operators that the built-in table does not know, one a line, in "
                 "PyTorch's notation; may be repeated",
                 "FILE");
}

void AddManifest(CLI::App& verb, ManifestChoice& choice) {
  CLI::Option* named =
      verb.add_option("--manifest", choice.named,
                      "The facts of the source model (default: NAME.manifest.json beside NAME.pte, "
                      "which never improves a verdict)")
          ->type_name("FILE");
  CLI::Option* none = verb.add_flag("--no-manifest", choice.none, "Use the program file alone");
  none->excludes(named);
  verb.add_flag("--trust-manifests", choice.trust,
                "A manifest that is found beside a file counts as if it were named")
      ->excludes(none);
  AddOperators(verb, choice.operators);
}

CLI::Option* AddLoad(CLI::App& verb, std::optional<bool>& all_first) {
  return AddChoice<std::optional<bool>, bool>(
      verb, "--load", all_first, {{"lazy", false}, {"all-first", true}},
      "The time at which a method is loaded: at its first call, or before all calls "
      "(default: the manifest's or the recording's, else lazy)");
}

CLI::Option* AddData(CLI::App& verb, std::vector<std::string>& data) {
  return AddList(verb, "--data", data, "Weights outside the program (.ptd); may be repeated",
                 "FILE");
}

CLI::Option* AddJson(CLI::App& verb, bool& json, const std::string& what) {
  return verb.add_flag("--json", json, what);
}

CLI::Option* AddOutput(CLI::App& verb, std::string& output, const std::string& text) {
  return verb.add_option("-o,--output", output, text)->type_name("FILE");
}

CLI::Option* AddProgramOutput(CLI::App& verb, std::string& output, const std::string& text) {
  const auto check = [](const std::string& name) -> std::string {
    if (name.empty()) return "a file without a name";
    if (!name.ends_with(".pteasm")) return "";
    return fmt::format(
        "'{}': programs are written as files (.pte); `pteproof inspect --format "
        "pteasm` prints their text",
        name);
  };
  return AddOutput(verb, output, text)->check(CLI::Validator(check, ""));
}

CLI::Option* AddHtml(CLI::App& verb, std::string& html, const std::string& what) {
  return verb.add_option("--html", html, "Write here " + what + "; - is standard output")
      ->type_name("FILE");
}

namespace {

// A number for which `holds`, or the answer that it is not `what`.
template <class Number, class Holds>
CLI::Validator Checked(Holds holds, std::string what) {
  const auto check = [holds, what = std::move(what)](const std::string& typed) -> std::string {
    Number number = 0;
    const bool minus = std::is_unsigned_v<Number> && typed.starts_with('-');
    if (!minus && CLI::detail::lexical_cast(typed, number) && holds(number)) return "";
    return fmt::format("'{}' is not {}", typed, what);
  };
  return CLI::Validator(check, "");
}

}  // namespace

CLI::Validator WholeNumber(uint64_t least, uint64_t most) {
  const bool ends = most < static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return Checked<uint64_t>(
      [least, most](uint64_t number) { return least <= number && number <= most; },
      fmt::format("a whole number from {} {}", least, ends ? fmt::format("to {}", most) : "on"));
}

CLI::Validator NumberFrom(double least, double most) {
  const bool ends = most < std::numeric_limits<double>::max();
  return Checked<double>(
      [least, most](double number) { return least <= number && number <= most; },
      fmt::format("a number from {} {}", least, ends ? fmt::format("to {}", most) : "on"));
}

CLI::Validator NumberAboveZero() {
  return Checked<double>([](double number) { return number > 0; }, "a number above 0");
}

CLI::Validator PowerOfTwo() {
  const auto check = [](const std::string& typed) -> std::string {
    int64_t number = 0;
    const char* end = typed.data() + typed.size();
    const auto [rest, error] = std::from_chars(typed.data(), end, number);
    const bool whole = error == std::errc() && rest == end && number > 0;
    if (whole && std::has_single_bit(static_cast<uint64_t>(number))) return "";
    return fmt::format("'{}' is not a power of two", typed);
  };
  return CLI::Validator(check, "");
}

CLI::Option* AddSeed(CLI::App& verb, uint64_t& seed, const std::string& what) {
  return verb.add_option("--seed", seed, what + " (default: 0)")
      ->check(WholeNumber(0))
      ->type_name("NUMBER");
}

namespace {

constexpr double kLongestSeconds = 86'400.0 * 30;

CLI::Option* AddSeconds(CLI::App& verb, const std::string& name, std::optional<double>& seconds,
                        const std::string& what) {
  return verb.add_option(name, seconds, what)
      ->check(NumberFrom(0, kLongestSeconds))
      ->type_name("SECONDS");
}

}  // namespace

CLI::Option* AddTime(CLI::App& verb, std::optional<double>& seconds, const std::string& what) {
  return AddSeconds(verb, "--time", seconds, "Time for the whole command: " + what);
}

CLI::Option* AddTimeout(CLI::App& verb, std::optional<double>& seconds, const std::string& what) {
  return AddSeconds(verb, "--timeout", seconds, "Time for each " + what);
}

CLI::Option* AddQuiet(CLI::App& verb, bool& quiet, const std::string& what) {
  return verb.add_flag("-q,--quiet", quiet, what);
}

}  // namespace pteproof
