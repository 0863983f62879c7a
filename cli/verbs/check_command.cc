#include "cli/verbs/check_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/counted.h"
#include "cli/forms/github.h"
#include "cli/forms/junit.h"
#include "cli/forms/markdown.h"
#include "cli/io/changes.h"
#include "cli/io/hosted.h"
#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/progress.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/beside.h"
#include "cli/load/certificate_file.h"
#include "cli/load/data_files.h"
#include "cli/load/file_walk.h"
#include "cli/load/judge.h"
#include "cli/load/runtime_operators.h"
#include "cli/map/html_page.h"
#include "cli/patch/clone_patch.h"
#include "cli/render/render_json.h"
#include "cli/render/render_sarif.h"
#include "cli/render/render_text.h"
#include "cli/standard/gate.h"
#include "cli/standard/loader_file.h"
#include "properties/loads.h"
#include "reference/op_wheel.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

std::string LineOf(const Remark& remark) {
  const std::string at = remark.line > 0 ? fmt::format(":{}", remark.line) : "";
  return fmt::format("{}{}: {}", QuotePath(remark.file, kLongestLine), at, remark.text);
}

// Holds reports to the standard, if there is one, and renders them one by one as they come; forms
// that are one document, at the end.
class Printer {
 public:
  Printer(const CheckRequest& request, Gate* gate, bool many)
      : form_(request.form),
        certificates_(request.certificate, many),
        text_{PaintForStandardOutput(), request.quiet, request.all},
        html_(request.html),
        page_(request.all),
        patch_(request.patch),
        gate_(gate) {
    if (html_ == kStandardOutput) form_ = OutputForm::kNone;
  }

  void Print(FileReport report) {
    if (gate_ != nullptr) gate_->Hold(report);
    tally_.Add(report);
    if (report.outcome == Outcome::kJudged) {
      stored_ = Worse(stored_, certificates_.Store(report.file, report.certificate, report.report));
    }
    if (!html_.empty() || form_ == OutputForm::kHtml) page_.Add(report);
    switch (form_) {
      case OutputForm::kText:
        text_.told = &told_;
        return WriteOutput(RenderText(report, text_));
      case OutputForm::kPatch:
        return patches_.Add(report);
      case OutputForm::kJson:
        return WriteReport(
            true, [&] { return RenderJson(report, patch_); },
            [&] { return RenderText(report, text_); });
      case OutputForm::kGithub:
        return WriteOutput(RenderGithub(report, text_.all));
      case OutputForm::kSarif:
      case OutputForm::kJunit:
      case OutputForm::kMarkdown:
        reports_.push_back(std::move(report));
        break;
      case OutputForm::kHtml:
      case OutputForm::kNone:
        break;
    }
  }

  ExitCode Finish() {
    const std::vector<Remark> remarks = gate_ == nullptr ? std::vector<Remark>() : gate_->Remarks();
    std::vector<std::string> lines;
    for (const Remark& remark : remarks) lines.push_back(LineOf(remark));
    if (form_ == OutputForm::kHtml) WriteOutput(page_.Text());
    if (form_ == OutputForm::kPatch) {
      WriteOutput(patches_.Text());
      for (const std::string& line : patches_.without()) Complain(line);
    }
    if (form_ == OutputForm::kSarif) WriteOutput(RenderSarif(reports_));
    if (form_ == OutputForm::kJunit) WriteOutput(RenderJunit(reports_));
    if (form_ == OutputForm::kMarkdown) {
      WriteOutput(RenderMarkdown(reports_, lines, text_.all));
    }
    const bool has_tally = form_ == OutputForm::kText || form_ == OutputForm::kGithub;
    if (has_tally && tally_.files > 1) WriteOutput(RenderTally(tally_, text_.paint));
    Tell(remarks, lines);
    const ExitCode worst = Worse(tally_.worst, stored_);
    return html_.empty() ? worst : Worse(worst, StoreFile(html_, page_.Text()));
  }

 private:
  // Forms that have no place for remarks get them on standard error.
  void Tell(const std::vector<Remark>& remarks, const std::vector<std::string>& lines) {
    if (form_ == OutputForm::kMarkdown) return;
    for (size_t r = 0; r < remarks.size(); ++r) {
      if (form_ == OutputForm::kText) {
        WriteOutput(lines[r] + "\n");
      } else if (form_ == OutputForm::kGithub) {
        WriteOutput(GithubNotice(remarks[r].file, remarks[r].line, remarks[r].text));
      } else {
        Complain(lines[r]);
      }
    }
  }

  OutputForm form_;
  CertificateStore certificates_;
  ExitCode stored_ = ExitCode::kSafe;
  TextOptions text_;
  std::set<std::string_view> told_;
  Tally tally_;
  std::vector<FileReport> reports_;
  std::string html_;
  HtmlPage page_;
  bool patch_;
  PatchSet patches_;
  Gate* gate_;
};

// What is wrong with the request, empty when nothing is.
std::string_view UsageError(const CheckRequest& request, size_t files) {
  const auto inputs = std::ranges::count(request.files, kStandardInput) +
                      std::ranges::count(request.data, kStandardInput) +
                      (request.manifest.named == kStandardInput ? 1 : 0) +
                      (request.standard.config == kStandardInput ? 1 : 0) +
                      (request.standard.baseline == kStandardInput ? 1 : 0);
  if (request.html == kStandardOutput && request.form != OutputForm::kText) {
    return "standard output takes one form: name a file with --html, or leave --format, --json and "
           "--sarif out";
  }
  if (request.patch && request.form != OutputForm::kPatch && request.form != OutputForm::kJson) {
    return "--patch takes the place of the text, or goes with --json";
  }
  if (request.use != Use::kInTurn && !request.certificate.empty()) {
    return "a certificate confirms the verdict on calls in turn: leave --use or --certificate out";
  }
  if (request.watch && HostOfThread() != nullptr) return "a call ends: leave --watch out";
  if (request.watch && inputs > 0) return "standard input ('-') never changes: leave --watch out";
  if (inputs > 1) return "standard input ('-') can be read only once";
  if (!request.manifest.named.empty() && files > 1) {
    return "--manifest describes one program: name one file, or put a NAME.manifest.json beside "
           "each NAME.pte and say --trust-manifests";
  }
  return "";
}

// A file whose data cannot be used still gets its line.
FileReport NotJudged(const FoundFile& file, const std::string& data) {
  FileReport report;
  report.file = file.path;
  report.outcome = file.error.empty() ? Outcome::kNotJudged : Outcome::kUnreadable;
  report.error = file.error.empty() ? fmt::format("its data cannot be used: {}", data) : file.error;
  return report;
}

// What the files are judged with: the request's word, else the standard's.
JudgeOptions OptionsOf(const CheckRequest& request, const Standard* standard) {
  JudgeOptions options;
  options.policy = request.policy;
  options.all_first = request.all_first;
  options.use = request.use;
  options.manifest = request.manifest;
  options.optimum = request.optimum ? OptimumSearch::kFull : OptimumSearch::kQuick;
  options.optimum_seconds = request.optimum_seconds;
  options.certificate = !request.certificate.empty();
  options.picture = !request.html.empty() || request.form == OutputForm::kHtml;
  if (standard == nullptr) return options;
  if (!options.all_first) options.all_first = standard->all_first;
  if (options.manifest.operators.empty()) options.manifest.operators = standard->operators;
  options.manifest.trust = options.manifest.trust || standard->trust_manifests;
  options.manifest.entries = standard->trusted;
  return options;
}

// With the operators of --operators-of, if it is given.
Result<TargetRuntime, ManifestFailure> RuntimeOf(const CheckRequest& request) {
  TargetRuntime runtime = RuntimeOfLoader(request.loader);
  if (!request.loader_file.empty()) runtime.loader = request.loader_file;
  if (request.operators_of.empty()) return runtime;
  auto operators = RuntimeOperators(request.operators_of);
  if (!operators) return operators.error();
  runtime.is_wheel = request.operators_of == kWheelRuntime;
  runtime.name = runtime.is_wheel ? fmt::format("ExecuTorch's wheel {}", ReleaseOfWheel())
                                  : fmt::format("The runtime of {}",
                                                QuotePath(request.operators_of, kLongestLine));
  runtime.operators.clear();
  for (const Operator& op : operators.value()) runtime.operators.push_back(op.name);
  std::ranges::sort(runtime.operators);
  return runtime;
}

ExitCode JudgeFiles(const CheckRequest& request, const Gate* gate, std::vector<FoundFile> files,
                    Printer& printer) {
  const Standard* standard = gate == nullptr ? nullptr : &gate->standard();
  const bool own_data = standard == nullptr || !request.data.empty();
  const DataFiles data = LoadDataFiles(own_data ? request.data : standard->data);
  if (!data.failures.empty()) {
    for (const auto& [file, failure] : data.failures) printer.Print(ReportOf(file, failure));
    for (const FoundFile& file : files) {
      printer.Print(NotJudged(file, data.failures.front().file));
    }
    return printer.Finish();
  }
  if (standard != nullptr) {
    for (FoundFile& file : files) file.policy = PolicyFor(*standard, file.path);
  }
  auto runtime = RuntimeOf(request);
  if (!runtime) {
    Complain(runtime.error().error);
    return ExitCodeOf(runtime.error());
  }
  std::optional<LoaderTable> table;
  if (!request.loader_file.empty()) {
    auto loaded = LoadLoaderFile(request.loader_file);
    if (!loaded) {
      Complain(loaded.error().error);
      return ExitCodeOf(loaded.error());
    }
    table = std::move(loaded).value();
  }
  JudgeOptions options = OptionsOf(request, standard);
  options.table = table ? &*table : nullptr;
  options.data = data.files;
  options.runtime = std::move(runtime).value();
  GiveData(data.files, *options.runtime);
  for (const LoadedData& file : data.loaded) {
    if (options.certificate) options.data_sha256.push_back(Sha256Hex(*file.bytes));
  }
  Progress progress(files.size());
  JudgeAll(files, options, request.jobs, [&](FileReport report) {
    progress.Clear();
    report.in_standard = !request.standard.no_config;
    printer.Print(std::move(report));
    progress.Advance();
  });
  progress.Clear();
  return printer.Finish();
}

ExitCode CheckOnce(const CheckRequest& request) {
  std::vector<FoundFile> files = FindFiles(request.files);
  if (const std::string_view error = UsageError(request, files.size()); !error.empty()) {
    Complain(error);
    return ExitCode::kUsage;
  }
  auto opened = OpenGate(request.standard);
  if (!opened) {
    Complain(opened.error().why);
    return opened.error().code;
  }
  Gate* const gate = opened.value() ? &*opened.value() : nullptr;
  Printer printer(request, gate, files.size() != 1);
  const ExitCode code = JudgeFiles(request, gate, std::move(files), printer);
  const std::string& baseline = request.standard.write_baseline;
  if (baseline.empty()) return code;
  return Worse(code, StoreFile(baseline, BaselineText(gate->recorded())));
}

// All that the request reads, also what may come to lie beside a program.
std::vector<std::string> FilesReadBy(const CheckRequest& request) {
  std::vector<std::string> names = {request.manifest.named, ConfigOf(request.standard),
                                    request.standard.baseline, request.loader_file};
  if (request.operators_of != kWheelRuntime) names.push_back(request.operators_of);
  const auto add = [&](const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  add(request.data);
  add(request.manifest.operators);
  if (const auto opened = OpenGate(request.standard); opened && opened.value()) {
    add(opened.value()->standard().data);
    add(opened.value()->standard().operators);
  }
  for (const FoundFile& file : FindFiles(request.files)) {
    names.push_back(file.path);
    names.push_back(NameBeside(file.path, kManifestSuffix));
    names.push_back(NameBeside(file.path, kSourceSuffix));
  }
  std::erase(names, "");
  std::erase(names, request.standard.write_baseline);  // it changes each time
  return names;
}

}  // namespace

ExitCode RunCheck(const CheckRequest& request) {
  const bool is_wrong = !UsageError(request, FindFiles(request.files).size()).empty();
  if (!request.watch || is_wrong) return CheckOnce(request);
  FileChanges changes([&] { return FilesReadBy(request); });
  while (true) {
    (void)CheckOnce(request);  // the command has no end, and no exit code
    Complain(fmt::format("waiting for a change of {}; Ctrl-C ends",
                         Counted(FilesReadBy(request).size(), "file")));
    Complain(fmt::format("{} has changed", QuotePath(changes.Wait(), kLongestLine)));
  }
}

}  // namespace pteproof
