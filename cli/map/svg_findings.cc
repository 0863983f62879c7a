#include "cli/map/svg_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/finding_names.h"
#include "cli/io/terminal.h"
#include "cli/map/layout.h"
#include "cli/map/xml.h"
#include "cli/render/finding_text.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

constexpr int kMostExplanations = 8;  // the first tell what is wrong
constexpr int kMostListed = 24;
constexpr double kLine = 15;
constexpr double kListX = kMapMargin + 24;
constexpr double kPitch = 6.4;  // of proportional text, on the safe side

// A warning or note that a manifest suppresses; what counts for a verdict always shows.
bool IsHidden(const Finding& finding) {
  return !finding.suppressed_because.empty() && !IsAccepted(finding);
}

// Harmless lines of at most `columns`, broken between words.
std::vector<std::string> BrokenLines(std::string_view text, size_t columns) {
  std::vector<std::string> lines;
  std::string quoted = QuoteLines(text, "");
  if (quoted.empty()) return lines;
  quoted.pop_back();
  const std::string wrapped = Wrapped(quoted, columns, "");
  for (std::string_view rest = wrapped; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back(Fitted(rest.substr(0, end), columns));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

// Returns its last line's place.
double DrawHeadline(const Finding& finding, int number, double y, size_t columns, SvgWriter& out) {
  const bool is_grave = IsGrave(finding);
  if (is_grave) {
    out.Circle(finding.undecided ? "badge-open" : "badge", kMapMargin + 7.5, y - 4, 7.5);
  }
  out.Text(is_grave ? "n" : "n plain", kMapMargin + 7.5, y - 0.4, fmt::to_string(number));
  const std::string_view word = SeverityWord(finding);
  const std::vector<std::string> lines = BrokenLines(Headline(finding, " \u00b7 "), columns);
  out.Raw(fmt::format("<text x=\"{}\" y=\"{}\"><tspan class=\"{} b\">{}</tspan> {}</text>\n",
                      Pixels(kListX), Pixels(y), ColourClass(word), word,
                      Xml(lines.front(), kLongestLine)));
  for (size_t i = 1; i < lines.size(); ++i) out.Text("", kListX, y += kLine, lines[i]);
  return y;
}

// Headline and, if asked for, explanation; where they end.
double DrawFinding(const Finding& finding, int number, double y, size_t columns, bool tells,
                   SvgWriter& out) {
  constexpr size_t kNarrower = 8;  // a headline begins with a word in bold
  y += kLine + 6;
  out.Open("");
  out.Title(finding.explanation);
  y = DrawHeadline(finding, number, y, columns - kNarrower, out);
  for (const std::string& line :
       tells ? BrokenLines(finding.explanation, columns) : std::vector<std::string>()) {
    out.Text("s", kListX, y += kLine, line);
  }
  out.Close();
  return y;
}

}  // namespace

std::vector<int> FindingNumbers(const FileReport& report, const picture::Picture& picture) {
  std::vector<int> numbers;
  int last = 0;
  for (const Finding& finding : report.report.findings) {
    const bool counts = finding.policies.Has(picture.policy) && !IsHidden(finding);
    numbers.push_back(counts ? ++last : 0);
  }
  return numbers;
}

std::string FindingsElsewhere(const FileReport& report, const picture::Picture& picture,
                              bool listed) {
  const auto count = std::ranges::count_if(report.report.findings, [&](const Finding& f) {
    return !f.policies.Has(picture.policy) && !IsHidden(f) && Concerns(f, picture);
  });
  if (count == 0) return "";
  const std::string_view word = listed ? "more" : count == 1 ? "finding" : "findings";
  return fmt::format("{} {} under other loaders than {}", count, word, Name(picture.policy));
}

std::string_view SeverityWord(const Finding& finding) {
  return finding.undecided ? "undecided" : Name(finding.severity);
}

std::string Headline(const Finding& finding, std::string_view separator) {
  std::string headline(finding.rule);
  for (const std::string& part : {PoliciesText(finding), WhereText(finding)}) {
    if (!part.empty()) headline += fmt::format("{}{}", separator, part);
  }
  if (IsAccepted(finding)) headline += fmt::format("{}accepted", separator);
  return headline;
}

std::string_view ColourClass(std::string_view word) {
  if (word == "safe") return "safe";
  if (word == "note") return "s";
  return word == "undecided" || word == "depends" || word == "warning" ? "warning" : "error";
}

bool Concerns(const Finding& finding, const picture::Picture& picture) {
  const auto& methods = picture.methods;
  return finding.method.empty() ||
         std::ranges::find(picture.without_memory, finding.method) !=
             picture.without_memory.end() ||
         std::ranges::find(methods, finding.method, &picture::MethodAxis::name) != methods.end();
}

double DrawFindings(const FileReport& report, const picture::Picture& picture, double y,
                    SvgWriter& out) {
  const std::vector<int> numbers = FindingNumbers(report, picture);
  const auto columns = static_cast<size_t>((MapWidth(picture) - kListX - kMapMargin) / kPitch);
  int listed = 0;
  int more = 0;
  for (size_t f = 0; f < numbers.size(); ++f) {
    const Finding& finding = report.report.findings[f];
    if (numbers[f] == 0 || !Concerns(finding, picture)) continue;
    if (listed == kMostListed) {
      ++more;
      continue;
    }
    if (listed++ == 0) out.Text("b", kMapMargin, y, "Findings");
    y = DrawFinding(finding, numbers[f], y, columns, listed <= kMostExplanations, out);
  }
  if (more > 0) {
    y += kLine + 6;
    out.Text("s", kListX, y, fmt::format("and {} more: 'pteproof check --all' shows them", more));
  }
  const std::string elsewhere = FindingsElsewhere(report, picture, listed > 0);
  if (!elsewhere.empty()) {
    y += listed > 0 ? kLine + 6 : 0;
    out.Text("s", listed > 0 ? kListX : kMapMargin, y, elsewhere);
    ++listed;
  }
  return listed == 0 ? y : y + kLine;
}

}  // namespace pteproof
