#include "cli/map/page_data.h"

#include <span>
#include <vector>

#include "cli/io/json_text.h"
#include "cli/io/quote.h"
#include "cli/io/terminal.h"
#include "cli/map/facts.h"
#include "cli/map/svg_findings.h"
#include "cli/render/peak_tree.h"
#include "properties/bank_waste.h"
#include "properties/picture/peak.h"

namespace pteproof {
namespace {

using Json = nlohmann::ordered_json;
using picture::How;
using picture::MethodAxis;
using picture::Panel;
using picture::Part;
using picture::Picture;
using picture::Storage;

constexpr size_t kMostFlames = 1000;

Json BytesJson(uint64_t lo, uint64_t hi) {
  return Json::array({lo, hi});
}

Json Span(const PointSpan& span) {
  return Json::array({span.lower, span.upper});
}

Json Spans(std::span<const PointSpan> spans) {
  Json list = Json::array();
  for (const PointSpan& span : spans) list.push_back(Span(span));
  return list;
}

std::string_view HowWord(How how) {
  switch (how) {
    case How::kFirst:
      return "first";
    case How::kView:
      return "view";
    case How::kInPlace:
      return "in place";
    case How::kBranch:
      return "branch";
  }
  return "";
}

// Where the value comes from in the model: its line, and its name if the file has no other.
void AddSource(const Part& part, const MethodAxis& axis, const SourceLines& lines, Json& json) {
  const NamedSource source = SourceOf(
      axis.name, part.value, part.live.front().lower < 0 ? -1 : part.live.front().lower / 2, lines);
  if (source.line) json["source"] = Quote(TextOf(*source.line), kLongestLine);
  if (!source.name.empty() && source.name != part.name) json["model"] = Quote(source.name);
}

Json PartJson(const Part& part, const MethodAxis& axis, const SourceLines& lines) {
  Json json = {{"value", part.value},
               {"how", HowWord(part.how)},
               {"label", Quote(LabelOf(part, axis))},
               {"type", TypeText(part)},
               {"bytes", BytesJson(part.lo, part.hi)},
               {"live", Spans(part.live)}};
  if (!part.name.empty()) json["name"] = Quote(part.name);
  if (part.input >= 0) json["input"] = part.input;
  if (part.output >= 0) json["output"] = part.output;
  AddSource(part, axis, lines, json);
  return json;
}

Json StorageJson(const Storage& storage, const MethodAxis& axis, const SourceLines& lines) {
  Json json = {{"kind", KindWord(storage.kind)},
               {"label", Quote(LabelOf(storage, axis))},
               {"bytes", BytesJson(storage.lo, storage.hi)},
               {"live", Spans(storage.live)},
               {"writes", storage.writes},
               {"reads", storage.reads},
               {"parts", Json::array()}};
  for (const Part& part : storage.parts) {
    json["parts"].push_back(PartJson(part, axis, lines));
  }
  return json;
}

Json MarkJson(const picture::Mark& mark) {
  return {{"finding", mark.finding},
          {"elsewhere", mark.elsewhere},
          {"bytes", BytesJson(mark.lo, mark.hi)},
          {"time", Span(mark.at)},
          {"event", mark.is_event},
          {"storages", mark.storages}};
}

Json PanelJson(const Panel& panel, const MethodAxis& axis, const SourceLines& lines) {
  if (!panel.is_there) return nullptr;
  const int64_t peak = PeakOf(panel);
  Json json = {{"method", panel.method},
               {"size", panel.use.size},
               {"peak", panel.use.peak},
               {"live", panel.use.load},
               {"waste", WasteOf(panel.use)},
               {"wastePercent", WastePercentOf(panel.use)},
               {"phantom", panel.use.phantom},
               {"earlyStores", panel.use.early_stores},
               {"phantoms", Json::array()},
               {"peakAt", peak},
               {"atPeak", StoragesAt(panel, peak)},
               {"storages", Json::array()},
               {"marks", Json::array()}};
  for (const ByteRange& range : panel.use.phantoms) {
    json["phantoms"].push_back(BytesJson(range.lo, range.hi));
  }
  for (const Storage& storage : panel.storages) {
    json["storages"].push_back(StorageJson(storage, axis, lines));
  }
  for (const picture::Mark& mark : panel.marks) json["marks"].push_back(MarkJson(mark));
  if (lines.methods.empty()) return json;
  json["flame"] = Json::array();
  for (const PeakLine& line : PeakTreeOf(axis, panel, lines, kMostFlames).lines) {
    json["flame"].push_back({line.depth, line.bytes, Quote(line.text, kLongestLine)});
  }
  return json;
}

Json BankJson(const picture::Bank& bank, const Picture& picture, const SourceLines& lines) {
  Json json = {{"id", bank.id}, {"shared", bank.shared}, {"panels", Json::array()}};
  for (const Panel& panel : bank.panels) {
    json["panels"].push_back(PanelJson(panel, picture.methods[panel.method], lines));
  }
  return json;
}

Json MethodJson(const MethodAxis& axis) {
  Json operators = Json::array();
  for (const std::string& name : axis.operators) operators.push_back(Quote(name));
  return {{"name", Quote(axis.name)},
          {"complete", axis.complete},
          {"operators", std::move(operators)},
          {"at", axis.operator_of},
          {"shown", Span(axis.Shown())}};
}

Json FindingsJson(const FileReport& report, const Picture& picture) {
  const std::vector<int> numbers = FindingNumbers(report, picture);
  Json findings = Json::array();
  for (size_t f = 0; f < numbers.size(); ++f) {
    const Finding& finding = report.report.findings[f];
    Json& json = findings.emplace_back(
        Json{{"number", numbers[f]}, {"open", finding.undecided}, {"rule", finding.rule}});
    if (finding.policies == PolicySet::All()) continue;
    json["policies"] = Json::array();
    for (const Policy policy : kAllPolicies) {
      if (finding.policies.Has(policy)) json["policies"].push_back(Name(policy));
    }
  }
  return findings;
}

}  // namespace

Json PictureJson(const FileReport& report, const Picture& picture) {
  Json json = {{"name", ShortPath(Quote(report.file, kLongestLine), kLongestLine)},
               {"policy", Name(picture.policy)},
               {"findings", FindingsJson(report, picture)},
               {"methods", Json::array()},
               {"banks", Json::array()},
               {"without", Json::array()}};
  for (const MethodAxis& axis : picture.methods) json["methods"].push_back(MethodJson(axis));
  for (const picture::Bank& bank : picture.banks) {
    json["banks"].push_back(BankJson(bank, picture, report.source));
  }
  for (const std::string& name : picture.without_memory) json["without"].push_back(Quote(name));
  return json;
}

std::string ScriptData(const Json& json) {
  std::string escaped;
  for (const char c : JsonText(json)) {
    // Outside of strings JSON has none of these.
    switch (c) {
      case '<':
        escaped += "\\u003c";
        break;
      case '>':
        escaped += "\\u003e";
        break;
      case '&':
        escaped += "\\u0026";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace pteproof
