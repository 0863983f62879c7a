#include "cli/verbs/check_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/progress.h"
#include "cli/io/store_file.h"
#include "cli/load/data_files.h"
#include "cli/load/file_walk.h"
#include "cli/load/judge.h"
#include "cli/map/html_page.h"
#include "cli/render/render_json.h"
#include "cli/render/render_sarif.h"
#include "cli/render/render_text.h"

namespace pteproof {
namespace {

// Renders reports one by one as they come; SARIF, which is one document, at the end.
class Printer {
 public:
  explicit Printer(const CheckRequest& request)
      : form_(request.form),
        text_{PaintForStandardOutput(), request.quiet, request.all},
        html_(request.html),
        page_(request.all) {
    if (html_ == kStandardOutput) form_ = OutputForm::kNone;
  }

  void Print(FileReport report) {
    tally_.Add(report);
    if (!html_.empty()) page_.Add(report);
    switch (form_) {
      case OutputForm::kText:
        text_.told = &told_;
        return WriteOutput(RenderText(report, text_));
      case OutputForm::kJson:
        return WriteReport(
            true, [&] { return RenderJson(report); }, [&] { return RenderText(report, text_); });
      case OutputForm::kSarif:
        reports_.push_back(std::move(report));
        break;
      case OutputForm::kNone:
        break;
    }
  }

  ExitCode Finish() {
    if (form_ == OutputForm::kSarif) WriteOutput(RenderSarif(reports_));
    if (form_ == OutputForm::kText && tally_.files > 1) {
      WriteOutput(RenderTally(tally_, text_.paint));
    }
    if (html_.empty()) return tally_.worst;
    return Worse(tally_.worst, StoreFile(html_, page_.Text()));
  }

 private:
  OutputForm form_;
  TextOptions text_;
  std::set<std::string_view> told_;
  Tally tally_;
  std::vector<FileReport> reports_;
  std::string html_;
  HtmlPage page_;
};

// What is wrong with the request, empty when nothing is.
std::string_view UsageError(const CheckRequest& request, size_t files) {
  const auto inputs = std::ranges::count(request.files, kStandardInput) +
                      std::ranges::count(request.data, kStandardInput) +
                      (request.manifest.named == kStandardInput ? 1 : 0);
  if (request.html == kStandardOutput && request.form != OutputForm::kText) {
    return "standard output takes one form: name a file with --html, or leave --json and --sarif "
           "out";
  }
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

}  // namespace

ExitCode RunCheck(const CheckRequest& request) {
  const std::vector<FoundFile> files = FindFiles(request.files);
  if (const std::string_view error = UsageError(request, files.size()); !error.empty()) {
    Complain(error);
    return ExitCode::kUsage;
  }
  Printer printer(request);
  const DataFiles data = LoadDataFiles(request.data);
  if (!data.failures.empty()) {
    for (const auto& [file, failure] : data.failures) printer.Print(ReportOf(file, failure));
    for (const FoundFile& file : files) {
      printer.Print(NotJudged(file, data.failures.front().file));
    }
    return printer.Finish();
  }

  JudgeOptions options;
  options.policy = request.policy;
  options.all_first = request.all_first;
  options.manifest = request.manifest;
  options.optimum = request.optimum ? OptimumSearch::kFull : OptimumSearch::kQuick;
  options.optimum_seconds = request.optimum_seconds;
  options.data = data.files;
  options.picture = !request.html.empty();
  Progress progress(files.size());
  JudgeAll(files, options, request.jobs, [&](FileReport report) {
    progress.Clear();
    printer.Print(std::move(report));
    progress.Advance();
  });
  progress.Clear();
  return printer.Finish();
}

}  // namespace pteproof
