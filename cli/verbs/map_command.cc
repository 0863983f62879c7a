#include "cli/verbs/map_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/data_files.h"
#include "cli/load/judge.h"
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
  return names;
}

std::string Drawn(const MapRequest& request, const FileReport& report, const Picture& picture) {
  if (!request.text) return SvgMap(report, picture);
  const bool is_file = !request.output.empty() && request.output != kStandardOutput;
  return TextMap(
      report, picture,
      {is_file ? Paint{} : PaintForStandardOutput(), is_file ? kPlainColumns : TerminalColumns()});
}

}  // namespace

ExitCode RunMap(const MapRequest& request) {
  const DataFiles data = LoadDataFiles(request.data);
  JudgeOptions options;
  options.policy = request.policy;
  options.all_first = request.all_first;
  options.manifest = request.manifest;
  options.data = data.files;
  options.picture = true;
  FileReport report = data.failures.empty()
                          ? Judge({request.file, ""}, options)
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
  const ExitCode written = StoreFile(request.output, Drawn(request, report, picture));
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
