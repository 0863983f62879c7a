#include "cli/map/text_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/finding_names.h"
#include "cli/io/quote.h"
#include "cli/map/facts.h"
#include "cli/map/svg_findings.h"
#include "cli/map/text_grid.h"
#include "cli/map/text_group.h"
#include "cli/map/text_letters.h"
#include "cli/map/units.h"
#include "cli/map/xml.h"
#include "cli/render/text_tables.h"
#include "cli/render/trust_words.h"
#include "properties/bank_waste.h"

namespace pteproof {
namespace {

using picture::Bank;
using picture::Kind;
using picture::MethodAxis;
using picture::Panel;
using picture::Picture;
using picture::Storage;

bool IsEvent(const picture::Mark& mark) {
  return mark.is_event;
}

std::string UseText(const Picture& picture, const Panel& panel) {
  std::string text = fmt::format(
      "  {}: {}, peak live {}, waste {}%", Quote(picture.methods[panel.method].name),
      ExactBytesText(panel.use.size), BytesText(panel.use.load), WastePercentOf(panel.use));
  if (panel.use.phantom > 0) text += ", phantom " + BytesText(panel.use.phantom);
  if (panel.use.early_stores > 0) text += ", early stores " + BytesText(panel.use.early_stores);
  if (!picture.methods[panel.method].complete) {
    text += "; no lifetimes, the control flow is beyond the limit on work";
  }
  return text + "\n";
}

std::string LegendText(const Picture& picture, const std::vector<Lettered>& letters) {
  std::vector<std::vector<std::string>> rows;
  for (const Lettered& each : letters) {
    const MethodAxis& axis = picture.methods[each.panel->method];
    const Storage& storage = *each.storage;
    std::string lives;
    for (const PointSpan& span : storage.live) {
      lives += (lives.empty() ? "" : " ") + LifeText(span, axis);
    }
    rows.push_back({std::string(1, each.letter), Quote(LabelOf(storage, axis), 40),
                    std::string(KindWord(storage.kind)),
                    fmt::format("[{},{})", storage.lo, storage.hi), Quote(lives, 40),
                    TypeText(storage.parts.front())});
    if (picture.methods.size() > 1)
      rows.back().insert(rows.back().begin() + 1, Quote(axis.name, 40));
  }
  return rows.empty() ? "" : Aligned(rows, rows.front().size(), "  ");
}

std::string BankText(const Picture& picture, const Bank& bank, const TextMapOptions& options) {
  std::string text = fmt::format("\nbank {}", bank.id);
  if (picture.methods.size() > 1) {
    text += fmt::format(", {} under {}", bank.shared ? "one for all methods" : "one each",
                        Name(picture.policy));
  }
  text += "\n";
  for (const TextGroup& group : TextGroups(picture, bank, options.columns)) {
    const std::vector<Lettered> letters = LettersOf(group.panels);
    for (const Panel* panel : group.panels) text += UseText(picture, *panel);
    text += "\n" + GroupText(picture, group, letters, options.paint) + "\n";
    text += LegendText(picture, letters);
  }
  return text;
}

// What the cells mean that are not letters, as far as they occur.
std::string KeyText(const Picture& picture) {
  bool phantom = false;
  bool reserved = false;
  bool crowd = false;
  bool finding = false;
  for (const Bank& bank : picture.banks) {
    size_t storages = 0;  // that letters are shared among
    for (const Panel& panel : bank.panels) {
      storages = panel.storages.size() + (bank.shared ? storages : 0);
      crowd = crowd || storages > kMostLetters;
      phantom = phantom || panel.use.phantom > 0;
      reserved = reserved || std::ranges::any_of(panel.storages, IsReserved);
      finding = finding || std::ranges::any_of(panel.marks, IsEvent);
    }
  }
  std::string text = fmt::format("\n{} free   < peak live bytes", kFreeCell);
  if (phantom) text += fmt::format("   {} phantom", kPhantomCell);
  if (reserved) text += fmt::format("   {} reserved, empty", kReservedCell);
  if (crowd) text += fmt::format("   {} smaller ones", kCrowdCell);
  if (finding) text += fmt::format("   {} finding", kClashCell);
  return text + "\n";
}

std::string FindingLines(const FileReport& report, const Picture& picture, const Paint& paint) {
  constexpr int kMostLines = 24;
  const std::vector<int> numbers = FindingNumbers(report, picture);
  std::string text;
  int listed = 0;
  for (size_t f = 0; f < numbers.size(); ++f) {
    const Finding& finding = report.report.findings[f];
    if (numbers[f] == 0 || !Concerns(finding, picture) || listed++ >= kMostLines) continue;
    text += fmt::format("{} {}\n", paint.Word(SeverityWord(finding)), Headline(finding, "  "));
  }
  if (listed > kMostLines) text += fmt::format("and {} more\n", listed - kMostLines);
  const std::string elsewhere = FindingsElsewhere(report, picture, listed > 0);
  if (!elsewhere.empty()) text += elsewhere + "\n";
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string TextMap(const FileReport& report, const Picture& picture,
                    const TextMapOptions& options) {
  std::string banks;
  for (const Bank& bank : picture.banks) banks += BankText(picture, bank, options);
  if (banks.empty()) banks = "\nNo method has planned memory.\n";
  if (!picture.without_memory.empty()) banks += "\nwithout planned memory:";
  for (const std::string& name : picture.without_memory) banks += " " + Quote(name);
  if (!picture.without_memory.empty()) banks += "\n";
  return fmt::format("{}: {}{}\n{}{}{}", QuotePath(report.file, kLongestLine),
                     options.paint.Word(VerdictWord(report)), TrustWords(report), banks,
                     KeyText(picture), FindingLines(report, picture, options.paint));
}

}  // namespace pteproof
