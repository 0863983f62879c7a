#include "cli/forms/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/forms/markdown_text.h"
#include "cli/map/xml.h"
#include "cli/render/render_text.h"
#include "cli/standard/limit.h"
#include "properties/bank_waste.h"

namespace pteproof {
namespace {

// Job pages and comments take a mebibyte or less; a table of very many rows is no help anyway.
constexpr size_t kMostTableRows = 200;

std::string StandardCell(const FileReport& report) {
  if (report.outcome != Outcome::kJudged || !report.standing) return "";
  return MeetsStandard(report) ? "met" : "**not met**";
}

std::string FileRow(const FileReport& report) {
  const auto count = [&](Weight weight) {
    size_t found = 0;
    if (report.outcome == Outcome::kJudged) {
      for (size_t f = 0; f < report.report.findings.size(); ++f) {
        found += WeightOf(report, f) == weight ? 1 : 0;
      }
    }
    return fmt::to_string(found);
  };
  const std::string_view mark = ExitCodeOf(report) == ExitCode::kSafe ? "" : "**";
  return MarkdownRow({MarkdownCode(report.file),
                      fmt::format("{0}{1}{0}", mark, VerdictWord(report)), StandardCell(report),
                      count(Weight::kError), count(Weight::kUndecided), count(Weight::kWarning),
                      fmt::to_string(AcceptedOf(report)),
                      DigitGroups(TotalBytes(report.report.banks, report.policy))});
}

std::string FilesTable(std::span<const FileReport> reports) {
  std::string text = MarkdownHead(
      {"file", "verdict", "standard", "errors", "undecided", "warnings", "accepted", "bytes"}, 3);
  for (const FileReport& report : reports.first(std::min(reports.size(), kMostTableRows))) {
    text += FileRow(report);
  }
  if (reports.size() > kMostTableRows) {
    text += fmt::format("\n{} more files are not shown.\n", reports.size() - kMostTableRows);
  }
  return text;
}

std::string MemoryTable(std::span<const FileReport> reports) {
  std::string rows;
  size_t count = 0;
  for (const FileReport& report : reports) {
    for (const BankUse& use : report.report.banks) {
      if (++count > kMostTableRows) continue;
      rows += MarkdownRow({MarkdownCode(report.file), MarkdownCode(use.method),
                           fmt::to_string(use.bank), DigitGroups(use.size), DigitGroups(use.load),
                           DigitGroups(WasteOf(use))});
    }
  }
  if (rows.empty()) return "";
  if (count > kMostTableRows)
    rows += fmt::format("\n{} more banks are not shown.\n", count - kMostTableRows);
  return "\n<details><summary>Memory</summary>\n\n" +
         MarkdownHead({"file", "method", "bank", "bytes", "peak live bytes", "waste"}, 2) + rows +
         "\n</details>\n";
}

// What there is to tell of a file: that of the text form.
std::string Told(std::span<const FileReport> reports, bool all) {
  std::string text;
  TextOptions options;
  options.all = all;
  size_t count = 0;
  for (const FileReport& report : reports) {
    const bool told =
        !report.report.findings.empty() || !report.error.empty() || !MeetsStandard(report);
    if (!told || ++count > kMostTableRows) continue;
    text +=
        fmt::format("\n<details><summary>{}: {}</summary>\n\n{}\n</details>\n", Xml(report.file),
                    VerdictWord(report), MarkdownBlock(RenderText(report, options)));
  }
  return text;
}

}  // namespace

std::string RenderMarkdown(std::span<const FileReport> reports,
                           const std::vector<std::string>& remarks, bool all) {
  Tally tally;
  for (const FileReport& report : reports) tally.Add(report);
  std::string text = "### pteproof: " + RenderTally(tally, {}) + "\n";
  text += FilesTable(reports) + MemoryTable(reports) + Told(reports, all);
  if (remarks.empty()) return text;
  std::string lines;
  for (const std::string& remark : remarks) lines += remark + "\n";
  return text + "\n" + MarkdownBlock(lines);
}

}  // namespace pteproof
