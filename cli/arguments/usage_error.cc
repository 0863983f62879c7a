#include "cli/arguments/usage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/nearest.h"
#include "cli/io/quote.h"

namespace pteproof {
namespace {

std::string DidYouMean(std::string_view typed, const std::vector<std::string>& names) {
  const std::string_view nearest = NearestName(typed, names);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

std::vector<std::string> VerbNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> FlagNames(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

bool IsFlag(std::string_view word) {
  return word.size() > 1 && word.starts_with('-');
}

// The words that no argument takes.
std::string Unexpected(const CLI::App& verb, const std::vector<std::string>& left) {
  const auto flag = std::ranges::find_if(left, IsFlag);
  if (flag == left.end()) {
    const std::string_view advice =
        verb.get_name() == "diff" ? "; two files are compared with: pteproof compare OLD NEW" : "";
    return fmt::format("'{}' is one argument too many{}", Quote(left.front()), advice);
  }
  const std::string name = flag->substr(0, flag->find('='));
  return fmt::format("there is no flag '{}'{}", Quote(name), DidYouMean(name, FlagNames(verb)));
}

// Of the first that is missing: what to write, and what it is.
std::string Missing(const CLI::App& verb, std::string what) {
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    const auto& letters = option->get_snames();
    const std::string name = letters.empty() ? option->get_name() : "-" + letters.front() + " FILE";
    return fmt::format("{} is required: {}", name, option->get_description());
  }
  return what;
}

std::string WithoutVerb(const CLI::App& app, const std::vector<std::string>& words) {
  const auto typed = std::ranges::find_if_not(words, IsFlag);
  if (typed != words.end() && *typed == "hunt") {
    return "hunt needs PyTorch and ExecuTorch, and is in the Python package: pip install pteproof, "
           "then python -m pteproof hunt";
  }
  if (typed != words.end()) {
    return fmt::format("there is no verb '{}'{}\nall verbs: pteproof help", Quote(*typed),
                       DidYouMean(*typed, VerbNames(app)));
  }
  if (words.empty())
    return "a verb is missing, as in 'pteproof check FILE'\nall verbs: pteproof help";
  return Unexpected(app, words) + "\nall verbs: pteproof help";
}

}  // namespace

std::string UsageProblem(const CLI::App& app, const std::vector<std::string>& words,
                         const CLI::ParseError& error) {
  const auto verbs = app.get_subcommands();
  const CLI::App* verb = verbs.empty() ? nullptr : verbs.front();
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  const bool extra = kind == CLI::ExitCodes::ExtrasError;
  if (verb == nullptr && (extra || kind == CLI::ExitCodes::RequiredError)) {
    return WithoutVerb(app, words);
  }
  std::string what = Quote(error.what(), kLongestLine);
  if (kind == CLI::ExitCodes::RequiredError) what = Missing(*verb, what);
  if (extra) {
    const auto left = verb->remaining();
    what = Unexpected(*verb, left.empty() ? app.remaining() : left);
  }
  if (verb == nullptr) return what + "\nall verbs: pteproof help";
  return fmt::format("{}: {}\nall flags: pteproof help {}", verb->get_name(), what,
                     verb->get_name());
}

}  // namespace pteproof
