#include "cli/arguments/command_line.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/help_format.h"
#include "cli/arguments/usage_error.h"
#include "cli/io/interruption.h"
#include "cli/io/output.h"
#include "cli/io/paint.h"
#include "pteproof/version.h"

namespace pteproof {
namespace {

struct VerbAdder {
  std::string_view name;
  Verb (*add)(CLI::App&);
};

// In the order of the help text.
constexpr auto kVerbs = std::to_array<VerbAdder>({
    {"check", AddCheck},     {"trust", AddTrust},     {"init", AddInit},
    {"prove", AddProve},     {"inspect", AddInspect}, {"assemble", AddAssemble},
    {"map", AddMap},         {"memory", AddMemory},   {"place", AddPlace},
    {"plan", AddPlan},       {"random", AddRandom},   {"eval", AddEval},
    {"run", AddRun},         {"test", AddTest},       {"diff", AddDiff},
    {"compare", AddCompare}, {"replan", AddReplan},   {"link", AddLink},
    {"split", AddSplit},     {"fmt", AddFmt},         {"lint", AddLint},
    {"rules", AddRules},     {"mutants", AddMutants}, {"dev", AddDev},
    {"help", AddHelp},
});

constexpr std::string_view kDev = "dev";

bool IsDevVerb(std::string_view verb) {
  return std::ranges::find(kDevVerbs, verb) != kDevVerbs.end();
}

bool IsVerb(std::string_view word) {
  return std::ranges::find(kVerbs, word, &VerbAdder::name) != kVerbs.end();
}

// Where "dev" stands before one of its verbs; else behind the last word.
auto DevIn(const std::vector<std::string>& words) {
  const auto verb = std::ranges::find_if(words, IsVerb);
  const bool is_dev = verb != words.end() && *verb == kDev && verb + 1 != words.end();
  return is_dev && IsDevVerb(verb[1]) ? verb : words.end();
}

// Those with that name; all if it is none of them, and for `help`, which describes them all.
std::vector<Verb> AddVerbs(CLI::App& app, std::string_view only) {
  const bool alone = only != "help" && only != kDev && IsVerb(only);
  std::vector<Verb> verbs;
  for (const VerbAdder& verb : kVerbs) {
    if (!alone || verb.name == only) verbs.push_back(verb.add(app));
  }
  return verbs;
}

// For each verb the first example of its own help.
std::string Examples(const std::vector<Verb>& verbs) {
  constexpr std::string_view kMark = "Example: ";
  std::string examples = "Examples:";
  for (const Verb& verb : verbs) {
    if (IsDevVerb(verb.app->get_name())) continue;
    const std::string footer = verb.app->get_footer();
    const size_t at = footer.find(kMark) + kMark.size();
    examples += "\n  " + footer.substr(at, footer.find('\n', at) - at);
  }
  return examples +
         "\nEach verb has a help text: pteproof help VERB. What a finding means: pteproof rules "
         "RULE.";
}

void AddColor(CLI::App& app, std::string& color) {
  AddChoice(app, "--color", color,
            Choices<std::string>{{"auto", "auto"}, {"always", "always"}, {"never", "never"}},
            "Colours: on a terminal, always or never (default: auto, if neither NO_COLOR nor "
            "FORCE_COLOR is set)");
}

}  // namespace

CommandLine::CommandLine() : CommandLine("") {}

CommandLine::CommandLine(std::string_view verb)
    : app_("Is the memory plan of an ExecuTorch program safe?", "pteproof"),
      verbs_(AddVerbs(app_, verb)) {
  const auto form = std::make_shared<HelpFormat>();
  form->label("Positionals", "Arguments");
  app_.formatter(form);
  app_.set_help_flag("-h,--help", "Print this help text");
  app_.set_version_flag("-V,--version", "pteproof " + std::string(Version()), "Print the version");
  app_.require_subcommand(1);
  AddColor(app_, color_);
  for (const Verb& verb : verbs_) {
    verb.app->formatter(form);
    verb.app->group(IsDevVerb(verb.app->get_name()) ? "" : "Verbs");
    verb.app->set_help_flag("-h,--help", "Print this help text");
    AddColor(*verb.app, color_);
  }
  app_.footer(Examples(verbs_));
}

ExitCode CommandLine::Run(const std::vector<std::string>& words) {
  const auto dev = DevIn(words);
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // as the parser takes them
    if (dev != words.end()) reversed.erase(reversed.end() - (dev - words.begin()) - 1);
    app_.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    WriteOutput(HelpText(app_));
    return ExitCode::kSafe;
  } catch (const CLI::CallForVersion&) {
    WriteOutput(app_.version() + "\n");
    return ExitCode::kSafe;
  } catch (const CLI::ParseError& error) {
    Complain(UsageProblem(app_, words, error));
    return ExitCode::kUsage;
  }
  // The environment is of the process: a call from within a program leaves it.
  if (!color_.empty() && HostOfThread() == nullptr) ChooseColours(color_);
  const auto asked = std::ranges::find_if(verbs_, [](const Verb& v) { return v.app->parsed(); });
  const std::string verb = asked->app->get_name();
  if (IsDevVerb(verb) && dev == words.end() && HostOfThread() == nullptr) {
    Complain("'pteproof " + verb + "' is now 'pteproof dev " + verb +
             "'; the old name still works");
  }
  NameInterrupted(verb);
  return asked->run();
}

}  // namespace pteproof
