#include "cli/verbs/map_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/stage_line.h"
#include "cli/io/store_file.h"
#include "cli/io/written_files.h"
#include "cli/load/data_files.h"
#include "cli/load/judge.h"
#include "cli/map/html_page.h"
#include "cli/map/svg_map.h"
#include "cli/map/text_map.h"
#include "cli/render/render_text.h"
#include "cli/render/unknown_method.h"
#include "properties/picture/picture_of.h"

namespace pteproof {
namespace {

using picture::MethodAxis;
using picture::Picture;

std::vector<std::string> NamesOf(const Picture& picture) {
  std::vector<std::string> names;
  for (const MethodAxis& axis : picture.methods) names.push_back(axis.name);
  names.insert(names.end(), picture.without_memory.begin(), picture.without_memory.end());
  return names;
}

// Why the part that is asked for cannot be drawn; empty: it can.
std::string WrongPart(const MapRequest& request, const Picture& picture) {
  const auto has_bank = [&](const picture::Bank& bank) { return bank.id == *request.bank; };
  if (request.bank && std::ranges::none_of(picture.banks, has_bank)) {
    std::vector<uint32_t> ids;
    for (const picture::Bank& bank : picture.banks) ids.push_back(bank.id);
    return fmt::format("there is no bank {}; the methods drawn have {}", *request.bank,
                       ids.empty() ? "none" : fmt::format("{}", fmt::join(ids, ", ")));
  }
  if (!request.around) return "";
  if (picture.methods.size() != 1) {
    return picture.methods.empty()
               ? "no method has planned memory around an instruction"
               : "--around needs one method with planned memory: name it with --method";
  }
  const int64_t count = picture.methods.front().instructions();
  if (*request.around >= 0 && *request.around < count) return "";
  return fmt::format("there is no instruction {}; '{}' has {}, and they count from 0",
                     *request.around, Quote(picture.methods.front().name), count);
}

std::string Drawn(const MapRequest& request, const FileReport& report, const Picture& picture) {
  if (!request.text) return SvgMap(report, picture);
  const bool is_file = !request.output.empty() && request.output != kStandardOutput;
  return TextMap(
      report, picture,
      {is_file ? Paint{} : PaintForStandardOutput(), is_file ? kPlainColumns : TerminalColumns()});
}

std::string MapPageOf(const FileReport& report) {
  const StageLine line("drawing the page");
  HtmlPage page(false, "pteproof map");
  page.Add(report);
  return page.Text();
}

// The page, or the picture; both if both have a file.
ExitCode Store(const MapRequest& request, FileReport report, const Picture& picture) {
  if (request.html.empty()) return StoreFile(request.output, Drawn(request, report, picture));
  if (!request.output.empty()) {
    const ExitCode written = StoreFile(request.output, Drawn(request, report, picture));
    if (written != ExitCode::kSafe) return written;
  }
  report.picture = picture;
  return StoreFile(request.html, MapPageOf(report));
}

// What the file is and holds, with its picture.
FileReport Judged(const MapRequest& request, const DataFiles& data) {
  const StageLine line("checking");
  JudgeOptions options;
  options.policy = request.policy;
  options.all_first = request.all_first;
  options.manifest = request.manifest;
  options.data = data.files;
  options.picture = true;
  return Judge({request.file, ""}, options);
}

}  // namespace

ExitCode RunMap(const MapRequest& request) {
  const std::array<WrittenFile, 2> files = {{{"-o", request.output}, {"--html", request.html}}};
  std::vector<std::string> read = request.data;
  read.insert(read.end(), {request.file, request.manifest.named});
  if (const std::string wrong = WhyNotWritten(files, read); !wrong.empty()) {
    Complain(wrong);
    return ExitCode::kUsage;
  }
  const DataFiles data = LoadDataFiles(request.data);
  FileReport report = data.failures.empty()
                          ? Judged(request, data)
                          : ReportOf(data.failures.front().file, data.failures.front().failure);
  if (report.outcome != Outcome::kJudged) {
    WriteOutput(RenderText(report, {PaintForStandardOutput()}));
    return ExitCodeOf(report);
  }
  Picture picture = *std::exchange(report.picture, std::nullopt);
  const std::vector<std::string> names = NamesOf(picture);
  if (!request.method.empty()) {
    if (std::ranges::find(names, request.method) == names.end()) {
      return UnknownMethod(request.method, names);
    }
    picture = OnlyMethod(std::move(picture), request.method);
  }
  if (const std::string wrong = WrongPart(request, picture); !wrong.empty()) {
    Complain(wrong);
    return ExitCode::kUsage;
  }
  if (request.bank) picture = OnlyBank(std::move(picture), *request.bank);
  if (request.around) picture = Around(std::move(picture), 0, *request.around);
  const ExitCode written = Store(request, report, picture);
  if (written != ExitCode::kSafe) return written;
  ExitCode code = ExitCode::kSafe;
  for (const MethodAxis& axis : picture.methods) {
    if (axis.complete) continue;
    Complain(
        fmt::format("method '{}': its control flow is beyond the limit on work, so that its "
                    "storages are not drawn",
                    Quote(axis.name)));
    code = ExitCode::kUndecided;
  }
  return code;
}

}  // namespace pteproof
