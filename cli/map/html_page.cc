#include "cli/map/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/finding_names.h"
#include "cli/io/terminal.h"
#include "cli/map/style.h"
#include "cli/map/svg_findings.h"
#include "cli/map/svg_map.h"
#include "cli/map/xml.h"
#include "cli/render/finding_text.h"
#include "cli/render/trust_words.h"
#include "properties/bank_waste.h"
#include "properties/picture/picture_of.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

using picture::MethodAxis;
using picture::Picture;

constexpr std::string_view kPageStyle =
    R"(:root{color-scheme:light dark}
body{margin:2rem auto;max-width:1660px;padding:0 1.5rem;line-height:1.45;
color:#1f2328;background:#fff;
font-family:system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,sans-serif;font-size:15px}
h1{font-size:1.5rem}
h2{font-size:1.15rem;margin:2.5rem 0 .4rem;padding-top:1rem;
border-top:1px solid #d1d9e0;overflow-wrap:anywhere}
code,pre,h2,.file{
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
table{border-collapse:collapse;margin:.8rem 0;font-size:.9rem}
th,td{padding:.2rem .8rem;border-bottom:1px solid #d1d9e0;text-align:left}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
a{color:inherit}
details{margin:.6rem 0}
summary{cursor:pointer;padding:.2rem 0}
.scroll{overflow-x:auto}
.finding{margin:.7rem 0}
.finding pre{margin:.15rem 0 0 2rem;white-space:pre-wrap;font-size:.85rem;color:#59636e}
.number{display:inline-block;min-width:1.3rem;margin-right:.5rem;border-radius:.7rem;
text-align:center;font-size:.8rem;font-weight:700;color:#59636e}
.marked{color:#fff;background:#cf222e}
.grey{color:#59636e}
.verdict{font-weight:600}
.v-safe{color:#1a7f37}
.v-warning{color:#9a6700}
.v-error{color:#cf222e}
@media (prefers-color-scheme:dark){
body{color:#e6edf3;background:#0d1117}
h2,th,td{border-color:#30363d}
.finding pre,.grey,.number{color:#9198a1}
.marked{color:#0d1117;background:#ff6a69}
.v-safe{color:#4ac26b}
.v-warning{color:#e3b341}
.v-error{color:#ff6a69}
}
)";

std::string Word(std::string_view word) {
  return fmt::format("<span class=\"verdict v-{}\">{}</span>", ColourClass(word), word);
}

std::string PolicyCells(const FileReport& report) {
  std::string cells;
  for (const Policy policy : kAllPolicies) {
    cells += fmt::format("<td>{}</td>", Word(VerdictWord(report, policy)));
  }
  return cells;
}

std::string FindingHtml(const Finding& finding, const FindingSource* source, int number,
                        bool file_alone) {
  std::string text =
      fmt::format("<div class=\"finding\"><span class=\"number{}\">{}</span>{} {}\n<pre>{}</pre>",
                  IsGrave(finding) && number > 0 ? " marked" : "",
                  number > 0 ? fmt::to_string(number) : "\u2013", Word(SeverityWord(finding)),
                  Xml(Headline(finding, " \u00b7 "), kLongestLine),
                  XmlLines((source == nullptr ? "" : TextOf(*source)) + WithFix(finding)));
  if (!finding.suppressed_because.empty()) {
    text +=
        fmt::format("<p class=\"grey\">{}: {}</p>", IsAccepted(finding) ? "Accepted" : "Suppressed",
                    Xml(finding.suppressed_because, kLongestLine));
  }
  if (file_alone) {
    text += "<p class=\"grey\">Only without the manifest, which is not trusted.</p>";
  }
  return text + "</div>\n";
}

std::string FindingsHtml(const FileReport& report, bool all) {
  constexpr size_t kMostShown = 40;
  const std::vector<Finding>& findings = report.report.findings;
  std::vector<int> numbers(findings.size(), 0);
  if (report.picture) numbers = FindingNumbers(report, *report.picture);
  const size_t shown = all ? findings.size() : std::min(findings.size(), kMostShown);
  std::string text;
  for (size_t f = 0; f < shown; ++f) {
    text += FindingHtml(findings[f], SourceOf(report, f), numbers[f], IsOfFileAlone(report, f));
  }
  if (shown < findings.size()) {
    text += fmt::format("<p class=\"grey\">and {} more (--all shows them)</p>\n",
                        findings.size() - shown);
  }
  return text;
}

std::string BanksHtml(const Report& report) {
  if (report.banks.empty()) return "";
  std::string text =
      "<table><tr><th>method</th><th class=\"n\">bank</th><th class=\"n\">size</th>"
      "<th class=\"n\">peak</th><th class=\"n\">live</th><th class=\"n\">waste</th>"
      "<th class=\"n\">phantom</th>";
  const bool has_early_stores =
      std::ranges::any_of(report.banks, [](const BankUse& use) { return use.early_stores > 0; });
  text += has_early_stores ? "<th class=\"n\">early stores</th></tr>\n" : "</tr>\n";
  for (const BankUse& use : report.banks) {
    const std::string early =
        has_early_stores ? fmt::format("<td class=\"n\">{}</td>", use.early_stores) : "";
    text += fmt::format(
        "<tr><td class=\"file\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{} ({}%)</td>"
        "<td class=\"n\">{}</td>{}</tr>\n",
        Xml(use.method), use.bank, use.size, use.peak, use.load, WasteOf(use), WastePercentOf(use),
        use.phantom, early);
  }
  return text + "</table>\n";
}

std::string Folded(std::string_view title, const std::string& inside, bool is_open) {
  return fmt::format(
      "<details{}><summary>{}</summary>\n<div class=\"scroll\">\n{}</div></details>\n",
      is_open ? " open=\"open\"" : "", title, inside);
}

// All methods side by side, then each alone.
std::string MapsHtml(const FileReport& report) {
  constexpr size_t kMostAlone = 64;
  if (!report.picture) return "";
  const Picture& picture = *report.picture;
  const std::string banks =
      picture.methods.size() < 2
          ? ""
          : fmt::format(": all methods, banks as under {}", Name(picture.policy));
  std::string text = Folded("Map" + banks, InlineSvgMap(report, picture), true);
  if (picture.methods.size() < 2) return text;
  for (size_t m = 0; m < std::min(picture.methods.size(), kMostAlone); ++m) {
    const std::string& name = picture.methods[m].name;
    text += Folded(fmt::format("Map of <code>{}</code> alone", Xml(name)),
                   InlineSvgMap(report, OnlyMethod(picture, name)), false);
  }
  return text;
}

std::string LoaderText(const FileReport& report) {
  if (report.outcome != Outcome::kJudged || !report.policy) return "";
  return fmt::format(" with {} ({})", LoaderName(*report.policy), Name(*report.policy));
}

std::string SectionOf(const FileReport& report, size_t number, bool all) {
  std::string text = fmt::format("<section id=\"file-{}\"><h2>{}</h2>\n<p>{}{}{}</p>\n", number,
                                 Xml(ShortPath(report.file, kLongestLine), kLongestLine),
                                 Word(VerdictWord(report)), LoaderText(report),
                                 Xml(TrustWords(report), kLongestLine));
  if (!report.error.empty()) text += fmt::format("<p>{}</p>\n", XmlLines(report.error));
  if (!report.unused_source.empty()) {
    text += fmt::format("<p class=\"grey\">source lines: {}</p>\n",
                        Xml(report.unused_source, kLongestLine));
  }
  text += FindingsHtml(report, all);
  for (const std::string& assumption : report.report.assumptions) {
    text += fmt::format("<p class=\"grey\">assumes {}</p>\n", Xml(assumption, kLongestLine));
  }
  return text + BanksHtml(report.report) + MapsHtml(report) + "</section>\n";
}

}  // namespace

void HtmlPage::Add(const FileReport& report) {
  ++files_;
  contents_ += fmt::format(
      "<tr><td class=\"file\"><a href=\"#file-{}\">{}</a></td><td>{}{}</td>{}</tr>\n", files_,
      Xml(ShortPath(report.file, kLongestLine), kLongestLine), Word(VerdictWord(report)),
      Xml(TrustWords(report), kLongestLine), PolicyCells(report));
  sections_ += SectionOf(report, files_, all_);
}

std::string HtmlPage::Text() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>pteproof check</title>\n"
      "<style>\n{}{}</style></head>\n<body>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"map\" width=\"0\" height=\"0\" "
      "style=\"position:absolute\">{}</svg>\n<h1>pteproof check</h1>\n"
      "<table><tr><th>file</th><th>verdict</th><th>private</th><th>share-1-2</th><th>share-all</th>"
      "</tr>\n{}</table>\n{}</body></html>\n",
      kPageStyle, MapStyle(), MapPatterns(), contents_, sections_);
}

}  // namespace pteproof
