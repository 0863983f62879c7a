#include <algorithm>
#include <memory>
#include <thread>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/standard_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/check_command.h"

namespace pteproof {
namespace {

struct CheckArguments {
  CheckRequest request;
  bool json = false;
  bool sarif = false;
  std::string format;
};

Choices<OutputForm> Forms() {
  return {{"text", OutputForm::kText},        {"json", OutputForm::kJson},
          {"sarif", OutputForm::kSarif},      {"junit", OutputForm::kJunit},
          {"github", OutputForm::kGithub},    {"html", OutputForm::kHtml},
          {"markdown", OutputForm::kMarkdown}};
}

CheckRequest RequestOf(const CheckArguments& arguments) {
  CheckRequest request = arguments.request;
  if (arguments.json) request.form = OutputForm::kJson;
  if (arguments.sarif) request.form = OutputForm::kSarif;
  for (const auto& [word, form] : Forms()) {
    if (arguments.format == word) request.form = form;
  }
  if (request.patch && request.form == OutputForm::kText) request.form = OutputForm::kPatch;
  return request;
}

void AddReportForms(CLI::App& check, CheckArguments& arguments) {
  CheckRequest& request = arguments.request;
  CLI::Option* json = AddJson(check, arguments.json, "One JSON object per file, each on a line");
  CLI::Option* sarif =
      check.add_flag("--sarif", arguments.sarif, "SARIF 2.1.0, one run over all files");
  sarif->excludes(json);
  check
      .add_option("--html", request.html,
                  "Also write one page with verdicts, findings and maps; - is standard output, "
                  "instead of the text")
      ->type_name("FILE");
  check
      .add_option("--certificate", request.certificate,
                  "Also write what confirms the verdict here, as JSON; of several files a folder")
      ->type_name("FILE");
  std::vector<std::string> words;
  for (const auto& [word, form] : Forms()) words.push_back(word);
  check
      .add_option("--format", arguments.format,
                  "The form of standard output; --json and --sarif are short forms of it (default: "
                  "text)")
      ->check(OneOf(words))
      ->type_name("WORD")
      ->excludes(json)
      ->excludes(sarif);
  AddQuiet(check, request.quiet, "Only the verdict line of each file");
  check.add_flag("--all", request.all,
                 "Every finding, however many of one rule, and the lines that called its line");
  check
      .add_flag("--patch", request.patch,
                "Print, instead of the text, the clones in the model that fix findings, as a "
                "unified diff (patch -p0). With --json: in each finding")
      ->excludes(sarif);
  check.add_option("-j,--jobs", request.jobs, "Files checked at once (default: all cores)")
      ->check(WholeNumber(1, 1024))
      ->type_name("NUMBER");
  check.add_flag("--watch", request.watch,
                 "Check again whenever a file that was read changes, until Ctrl-C");
}

void AddUse(CLI::App& check, Use& use) {
  AddChoice<Use, Use>(check, "--use", use,
                      {{"reload", Use::kReload}, {"concurrent", Use::kConcurrent}},
                      "Also check another use of the program object: loading each method a second "
                      "time (reload), or calling several methods at the same time (concurrent)");
}

}  // namespace

Verb AddCheck(CLI::App& app) {
  CLI::App& check = *app.add_subcommand("check", "Say whether memory plans are safe");
  const auto arguments = std::make_shared<CheckArguments>();
  CheckRequest& request = arguments->request;
  request.jobs = std::max(1U, std::thread::hardware_concurrency());
  check
      .add_option("FILE", request.files,
                  "Programs (.pte, .bpte, .pteasm), folders, or - for standard input")
      ->required()
      ->type_name("FILE");
  AddPolicy(check, request.policy, "the manifest's, else all three are judged", &request.loader);
  AddLoaderFile(check, request.loader_file);
  AddOperatorsOf(check, request.operators_of,
                 "The operators that the runtime has: those of ExecuTorch's wheel (wheel), or of a "
                 "file with one full name a line (default: those of --loader, if they are known)");
  AddLoad(check, request.all_first);
  AddUse(check, request.use);
  AddManifest(check, request.manifest);
  AddData(check, request.data);
  CLI::Option* optimum = check.add_flag("--optimum", request.optimum,
                                        "Search for the smallest size that each bank could have");
  AddTimeout(check, request.optimum_seconds, "bank of --optimum (default: equal work, up to 2 s)")
      ->needs(optimum);
  AddReportForms(check, *arguments);
  AddStandard(check, request.standard);
  check.footer(
      "Exit codes: 0 safe, 1 unsafe or refused by --loader, 2 malformed, 3 undecided or depends on "
      "the loader, 64 usage,\n"
      "66 a file that cannot be read, 70 internal. Of many files the worst counts. With a "
      "standard\n"
      "(pteproof.toml, --select to --write-baseline): 0 it is met, 1 or 3 it is not.\n"
      "Example: pteproof check model.pte --policy share-all --data model.ptd");
  return {&check, [arguments] { return RunCheck(RequestOf(*arguments)); }};
}

}  // namespace pteproof
