#include "cli/map/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/finding_names.h"
#include "cli/io/terminal.h"
#include "cli/map/page_data.h"
#include "cli/map/page_parts.h"
#include "cli/map/svg_findings.h"
#include "cli/map/xml.h"
#include "cli/render/finding_text.h"
#include "cli/render/trust_words.h"
#include "properties/bank_waste.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

using Json = nlohmann::ordered_json;

std::string Word(std::string_view word) {
  return fmt::format("<span class=\"verdict v-{}\">{}</span>", ColourClass(word), word);
}

std::string NameOfFile(const FileReport& report) {
  return Xml(ShortPath(report.file, kLongestLine), kLongestLine);
}

std::string PolicyCells(const FileReport& report) {
  std::string cells;
  for (const Policy policy : kAllPolicies) {
    cells += fmt::format("<td>{}</td>", Word(VerdictWord(report, policy)));
  }
  return cells;
}

std::string FindingHtml(const Finding& finding, const FindingSource& source, size_t index,
                        int number, bool file_alone) {
  const bool is_marked = IsGrave(finding) && number > 0;
  std::string text = fmt::format(
      "<details class=\"finding\" open=\"open\" data-finding=\"{}\"><summary>"
      "<span class=\"number{}\">{}</span>{} {}</summary>\n<pre>{}</pre>",
      index,
      !is_marked          ? ""
      : finding.undecided ? " marked doubt"
                          : " marked",
      number > 0 ? fmt::to_string(number) : "\u2013", Word(SeverityWord(finding)),
      Xml(Headline(finding, " \u00b7 "), kLongestLine),
      XmlLines(TextOf(source, true) + WithFix(finding)));
  if (!finding.suppressed_because.empty()) {
    text +=
        fmt::format("<p class=\"grey\">{}: {}</p>", IsAccepted(finding) ? "Accepted" : "Suppressed",
                    Xml(finding.suppressed_because, kLongestLine));
  }
  if (file_alone) {
    text += "<p class=\"grey\">Only without the manifest, which is not trusted.</p>";
  }
  return fmt::format("{}<p class=\"grey\">More: <code>pteproof rules {}</code></p></details>\n",
                     text, Xml(finding.rule));
}

std::string FindingsHtml(const FileReport& report, bool all) {
  constexpr size_t kMostShown = 40;
  const std::vector<Finding>& findings = report.report.findings;
  std::vector<int> numbers(findings.size(), 0);
  if (report.picture) numbers = FindingNumbers(report, *report.picture);
  const size_t shown = all ? findings.size() : std::min(findings.size(), kMostShown);
  std::string text;
  for (size_t f = 0; f < shown; ++f) {
    text += FindingHtml(findings[f], SourceOf(findings[f], report.source), f, numbers[f],
                        IsOfFileAlone(report, f));
  }
  if (shown < findings.size()) {
    text += fmt::format("<p class=\"grey\">and {} more (--all shows them)</p>\n",
                        findings.size() - shown);
  }
  if (findings.empty()) return "<p class=\"grey\">No findings.</p>\n";
  return "<h3>Findings</h3>\n" + text;
}

std::string BanksHtml(const Report& report) {
  if (report.banks.empty()) return "";
  std::string text =
      "<h3>Banks, in bytes</h3>\n<div class=\"scroll\"><table><thead><tr><th>method</th>"
      "<th class=\"n\">bank</th><th class=\"n\">size</th><th class=\"n\">peak</th>"
      "<th class=\"n\">peak live</th><th class=\"n\">waste</th><th class=\"n\">phantom</th>";
  const bool has_early_stores =
      std::ranges::any_of(report.banks, [](const BankUse& use) { return use.early_stores > 0; });
  text += has_early_stores ? "<th class=\"n\">early stores</th></tr></thead>\n<tbody>"
                           : "</tr></thead>\n<tbody>";
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
  return text + "</tbody></table></div>\n";
}

std::string LoaderText(const FileReport& report) {
  if (report.outcome != Outcome::kJudged || !report.policy) return "";
  if (IsRefused(report)) {
    return fmt::format(": {} refuses to load it", Xml(report.loader, kLongestLine));
  }
  return fmt::format(" with {} ({})", LoaderName(*report.policy), Name(*report.policy));
}

// The standard, and each demand that the file does not meet.
std::string StandingHtml(const FileReport& report) {
  if (!report.standing) return "";
  const Standing& standing = *report.standing;
  std::string text = fmt::format("<p class=\"{}\">Standard: {}</p>\n",
                                 standing.broken.empty() ? "standard grey" : "standard",
                                 Xml(StandardLine(standing), kLongestLine));
  if (standing.broken.empty()) return text;
  text += "<ul>\n";
  for (const std::string& broken : standing.broken) {
    text += fmt::format("<li>{}</li>\n", Xml(broken, kLongestLine));
  }
  return text + "</ul>\n";
}

std::string VerdictHtml(const FileReport& report) {
  std::string text = fmt::format("<p>{}{}{}</p>\n", Word(VerdictWord(report)), LoaderText(report),
                                 Xml(TrustWords(report), kLongestLine));
  if (!report.error.empty()) text += fmt::format("<p>{}</p>\n", XmlLines(report.error));
  if (!report.source.unused.empty()) {
    text += fmt::format("<p class=\"grey\">source lines: {}</p>\n",
                        Xml(report.source.unused, kLongestLine));
  }
  return text + StandingHtml(report);
}

// The unsafe ones first, then those without a verdict, those that are open, and the safe ones.
int RankOf(const FileReport& report) {
  if (report.outcome != Outcome::kJudged) return 1;
  constexpr std::array<std::string_view, 5> kOrder = {"unsafe", "", "depends", "undecided", "safe"};
  return static_cast<int>(std::ranges::find(kOrder, VerdictWord(report)) - kOrder.begin());
}

}  // namespace

std::string HtmlPage::Sheet(const FileReport& report) {
  std::string text = VerdictHtml(report);
  text += report.picture ? fmt::format(
                               "<div class=\"sheet\" data-picture=\"{}\">\n<div class=\"map\"><p "
                               "class=\"grey scripts\">The picture needs scripts; <code>pteproof "
                               "map</code> draws one without.</p></div>\n",
                               pictures_.size())
                         : "<div class=\"sheet\">\n";
  if (report.picture) pictures_.push_back(PictureJson(report, *report.picture));
  text += "<div class=\"words\">\n" + FindingsHtml(report, all_);
  for (const std::string& assumption : report.report.assumptions) {
    text += fmt::format("<p class=\"grey\">assumes {}</p>\n", Xml(assumption, kLongestLine));
  }
  return text + BanksHtml(report.report) + "</div>\n</div>\n";
}

void HtmlPage::Add(const FileReport& report) {
  const size_t number = sections_.size() + 1;
  Section section;
  section.rank = RankOf(report);
  section.row = fmt::format(
      "<tr data-verdict=\"{}\"><td class=\"file\"><a href=\"#file-{}\">{}</a></td>"
      "<td>{}{}</td>{}</tr>\n",
      VerdictWord(report), number, NameOfFile(report), Word(VerdictWord(report)),
      Xml(TrustWords(report), kLongestLine), PolicyCells(report));
  section.text = fmt::format("<section class=\"file\" id=\"file-{}\"><h2>{}</h2>\n{}</section>\n",
                             number, NameOfFile(report), Sheet(report));
  sections_.push_back(std::move(section));
}

void HtmlPage::AddPair(const FileReport& before, const FileReport& after, std::string_view told) {
  Section section;
  section.text = fmt::format(
      "<section class=\"file pair\" id=\"file-{}\"><pre class=\"told\">{}</pre>\n<div "
      "class=\"pair-of\">\n",
      sections_.size() + 1, XmlLines(told));
  for (const auto& [word, report] : {std::pair("Before", &before), std::pair("After", &after)}) {
    section.text += fmt::format("<div class=\"side\"><h2>{}: {}</h2>\n{}</div>\n", word,
                                NameOfFile(*report), Sheet(*report));
  }
  section.text += "</div></section>\n";
  sections_.push_back(std::move(section));
}

std::string HtmlPage::Text() const {
  std::vector<const Section*> order;
  for (const Section& section : sections_) order.push_back(&section);
  std::ranges::stable_sort(order, {}, &Section::rank);
  std::string rows;
  std::string texts;
  for (const Section* section : order) {
    rows += section->row;
    texts += section->text;
  }
  const std::string files =
      order.size() < 2 ? ""
                       : fmt::format(
                             "<div class=\"files\"><div class=\"scroll\"><table><thead><tr>"
                             "<th>file</th><th>verdict</th><th>private</th><th>share-1-2"
                             "</th><th>share-all</th></tr></thead>\n<tbody>{}</tbody>"
                             "</table></div></div>\n",
                             rows);
  const PagePart script = PageScript();
  const PagePart style = PageStyle();
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'{}'; style-src '{}'; base-uri 'none'; form-action 'none'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n<script>{}</script>\n</head>\n<body>\n"
      "<header><h1>{}</h1></header>\n<main>\n{}{}</main>\n"
      "<script type=\"application/json\" id=\"plans\">{}</script>\n</body></html>\n",
      SourceHash(script), SourceHash(style), title_, style.text, script.text, title_, files, texts,
      ScriptData(Json{{"pictures", pictures_}}));
}

}  // namespace pteproof
