#include "cli/forms/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/io/quote.h"
#include "cli/map/xml.h"
#include "cli/render/render_text.h"

namespace pteproof {
namespace {

bool IsError(const FileReport& report) {
  return report.outcome != Outcome::kJudged;
}

bool IsFailure(const FileReport& report) {
  return !IsError(report) && ExitCodeOf(report) != ExitCode::kSafe;
}

// In one line: the verdict, and the demands that are not met.
std::string MessageOf(const FileReport& report) {
  std::string message(VerdictWord(report));
  if (!report.standing) return message;
  for (const std::string& broken : report.standing->broken) message += "; " + broken;
  return message;
}

std::string CaseOf(const FileReport& report) {
  std::string text = fmt::format("<testcase classname=\"pteproof\" name=\"{}\">\n",
                                 Xml(report.file, kLongestLine));
  const std::string told = XmlLines(RenderText(report, {}));
  if (IsError(report) || IsFailure(report)) {
    const std::string_view element = IsError(report) ? "error" : "failure";
    text += fmt::format("<{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element,
                        VerdictWord(report), Xml(MessageOf(report), kLongestLine), told);
  } else {
    text += fmt::format("<system-out>{}</system-out>\n", told);
  }
  return text + "</testcase>\n";
}

}  // namespace

std::string RenderJunit(std::span<const FileReport> reports) {
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"",
                                         reports.size(), std::ranges::count_if(reports, IsFailure),
                                         std::ranges::count_if(reports, IsError));
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pteproof\" {0}>\n"
      "<testsuite name=\"pteproof\" {0}>\n",
      counts);
  for (const FileReport& report : reports) text += CaseOf(report);
  return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace pteproof
