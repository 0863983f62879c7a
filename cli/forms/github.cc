#include "cli/forms/github.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "cli/io/quote.h"
#include "cli/render/finding_text.h"
#include "cli/render/render_text.h"

namespace pteproof {
namespace {

// As the runner decodes it. In a property colons and commas mean something, too.
std::string GithubEscaped(std::string_view text, bool property) {
  std::string escaped;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (special) {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// `text`: several lines, not yet harmless.
std::string Annotation(std::string_view level, const std::string& file, size_t line,
                       std::string_view title, std::string_view text) {
  std::string lines = QuoteLines(text, "");
  while (lines.ends_with('\n')) lines.pop_back();
  const std::string at = line > 0 ? fmt::format(",line={}", line) : "";
  return fmt::format("::{} file={}{},title={}::{}\n", level,
                     GithubEscaped(Quote(file, kLongestLine), true), at,
                     GithubEscaped(Quote(title), true), GithubEscaped(lines, false));
}

std::string OfFinding(const FileReport& report, const Finding& finding, std::string_view level) {
  const std::string where = WhereText(finding);
  return Annotation(level, report.file, 0, fmt::format("pteproof: {}", finding.rule),
                    WithFix(finding) + (where.empty() ? "" : "\nAt: " + where));
}

}  // namespace

std::string GithubNotice(const std::string& file, size_t line, const std::string& text) {
  return Annotation("notice", file, line, "pteproof", text);
}

std::string RenderGithub(const FileReport& report, bool all) {
  std::string text;
  if (report.outcome != Outcome::kJudged) {
    for (const Finding& finding : report.report.findings)
      text += OfFinding(report, finding, "error");
    if (!report.error.empty()) {
      text += Annotation("error", report.file, 0, "pteproof", report.error);
    }
  } else {
    std::map<std::string_view, int> shown;
    for (size_t f = 0; f < report.report.findings.size(); ++f) {
      const Finding& finding = report.report.findings[f];
      const Weight weight = WeightOf(report, f);
      if (weight == Weight::kNothing) continue;
      if (!all && ++shown[finding.rule] > kShownPerRule) continue;
      const bool is_error = weight == Weight::kError && ExitCodeOf(report) != ExitCode::kSafe;
      text += OfFinding(report, finding, is_error ? "error" : "warning");
    }
  }
  if (report.standing) {
    for (const std::string& broken : report.standing->broken) {
      text += Annotation("error", report.file, 0, "pteproof: standard", broken);
    }
  }
  if (const size_t accepted = AcceptedOf(report); accepted > 0) {
    text += GithubNotice(report.file, 0, fmt::format("findings accepted: {}", accepted));
  }
  TextOptions quiet;
  quiet.quiet = true;
  return text + RenderText(report, quiet);
}

}  // namespace pteproof
