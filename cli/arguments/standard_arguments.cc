#include "cli/arguments/standard_arguments.h"

#include <string>
#include <vector>

#include "cli/arguments/common_arguments.h"
#include "pteproof/rules.h"

namespace pteproof {
namespace {

// Words with commas between them.
CLI::Option* AddWords(CLI::App& verb, const std::string& name,
                      std::optional<std::vector<std::string>>& words, const CLI::Validator& known,
                      const std::string& type, const std::string& text) {
  const auto take = [&words](const std::vector<std::string>& typed) { words = typed; };
  return verb.add_option_function<std::vector<std::string>>(name, take, text)
      ->delimiter(',')
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->check(known)
      ->type_name(type);
}

CLI::Option* AddSizes(CLI::App& verb, const std::string& name, std::vector<std::string>& sizes,
                      const std::string& text) {
  return verb.add_option(name, sizes, text)
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("SIZE");
}

// Help texts do not list them: `pteproof rules` does.
CLI::Validator RulesOfPlans() {
  std::vector<std::string> names;
  for (const RuleInfo& rule : PlanRules()) names.emplace_back(rule.name);
  return OneOf(names).description("");
}

}  // namespace

void AddStandard(CLI::App& verb, StandardChoice& choice) {
  CLI::Option* config =
      verb.add_option("--config", choice.config,
                      "The standard that files are held to (default: pteproof.toml in the working "
                      "directory or the nearest folder above it, up to the repository's root)");
  config->type_name("FILE");
  verb.add_flag("--no-config", choice.no_config, "Use no pteproof.toml")->excludes(config);
  const CLI::Validator rules = RulesOfPlans();
  AddWords(verb, "--select", choice.select, rules, "RULE",
           "The rules that count, with commas between them; findings of others are accepted");
  AddWords(verb, "--ignore", choice.ignore, rules, "RULE",
           "Rules whose findings are accepted, with commas between them");
  std::vector<std::string> words(kFailOnWords.begin(), kFailOnWords.end());
  words.emplace_back("none");
  AddWords(verb, "--fail-on", choice.fail_on, OneOf(words), "WORD",
           "What fails, with commas between them: error, warning, undecided, depends, or none "
           "(default: error, undecided, depends)");
  AddSizes(verb, "--max-bytes", choice.max_bytes,
           "The most bytes of the program's banks, as 64KiB; forward=64KiB of a method, "
           "forward:1=4096 of a bank, :1=4096 of a bank of every method; may be repeated");
  AddSizes(verb, "--max-waste", choice.max_waste,
           "The most bytes or percent of each bank that are waste, as 4096 or 5%; forward:1=5% of "
           "a bank; may be repeated");
  CLI::Option* baseline = verb.add_option("--baseline", choice.baseline,
                                          "Findings that are known: they are accepted, new ones "
                                          "fail, and those that are gone are reported");
  baseline->type_name("FILE");
  verb.add_option("--write-baseline", choice.write_baseline,
                  "Write the findings of these files to a baseline, and accept them")
      ->type_name("FILE")
      ->excludes(baseline);
}

}  // namespace pteproof
