#include "cli/forms/compare_markdown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/forms/markdown_text.h"
#include "properties/bank_waste.h"

namespace pteproof {
namespace {

// "+1,024 (+3.1%)"; empty if nothing has changed.
std::string ChangeText(uint64_t before, uint64_t after) {
  constexpr double kPercent = 100.0;
  if (before == after) return "";
  const char sign = after > before ? '+' : '-';
  const uint64_t by = after > before ? after - before : before - after;
  const std::string bytes = fmt::format("{}{}", sign, DigitGroups(by));
  if (before == 0) return bytes;
  return fmt::format("{} ({}{:.1f}%)", bytes, sign,
                     static_cast<double>(by) / static_cast<double>(before) * kPercent);
}

std::string MemoryTable(const ComparedFiles& files, const compare::ProgramComparison& comparison) {
  std::string text = MarkdownHead(
      {"method", "bank", "before", "after", "change", "waste before", "waste after"}, 1);
  for (const compare::MemoryRow& row : comparison.memory) {
    text += MarkdownRow({MarkdownCode(row.method), fmt::to_string(row.bank),
                         DigitGroups(row.old_use.size), DigitGroups(row.new_use.size),
                         ChangeText(row.old_use.size, row.new_use.size),
                         DigitGroups(WasteOf(row.old_use)), DigitGroups(WasteOf(row.new_use))});
  }
  return text + MarkdownRow({"the file", "", DigitGroups(files.old_sizes.file),
                             DigitGroups(files.new_sizes.file),
                             ChangeText(files.old_sizes.file, files.new_sizes.file), "", ""});
}

std::string ChangedFindings(const std::vector<Finding>& findings, std::string_view which) {
  constexpr size_t kMost = 20;
  std::string text;
  for (size_t f = 0; f < findings.size() && f < kMost; ++f) {
    const Finding& finding = findings[f];
    const std::string first = finding.explanation.substr(0, finding.explanation.find('\n'));
    text += fmt::format("- {}: {} {} {}: {}\n", which, Name(finding.severity),
                        MarkdownCode(finding.rule), MarkdownCode(finding.method),
                        MarkdownCode(first, kLongestLine));
  }
  if (findings.size() > kMost)
    text += fmt::format("- {} more {}\n", findings.size() - kMost, which);
  return text;
}

}  // namespace

std::string CompareMarkdown(const ComparedFiles& files,
                            const compare::ProgramComparison& comparison,
                            const std::vector<std::string>& failed) {
  std::string text = fmt::format(
      "### {}: {}\n\n", MarkdownCode(files.new_file),
      failed.empty() ? "nothing fails" : fmt::format("**fails: {}**", fmt::join(failed, ", ")));
  text += fmt::format("Interface {}, computation {}, findings {} new and {} gone.\n\n",
                      Name(comparison.interface.answer), Name(comparison.computation),
                      comparison.findings.added.size(), comparison.findings.gone.size());
  text += MemoryTable(files, comparison);
  const std::string findings = ChangedFindings(comparison.findings.added, "new") +
                               ChangedFindings(comparison.findings.gone, "gone");
  if (!findings.empty()) text += "\n" + findings;
  return text + "\n<details><summary>All parts</summary>\n\n" +
         MarkdownBlock(CompareText(files, comparison)) + "\n</details>\n";
}

}  // namespace pteproof
