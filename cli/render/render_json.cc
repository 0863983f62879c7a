#include "cli/render/render_json.h"

#include <nlohmann/json.hpp>
#include <string>

#include "base/finding_names.h"
#include "cli/io/json_text.h"
#include "cli/patch/clone_patch.h"
#include "properties/bank_waste.h"
#include "properties/group_findings.h"

namespace pteproof {
namespace {

using Json = nlohmann::ordered_json;

Json OrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json ToJson(PolicySet policies) {
  if (policies == PolicySet::All()) return nullptr;
  Json names = Json::array();
  for (const Policy policy : kAllPolicies) {
    if (policies.Has(policy)) names.push_back(Name(policy));
  }
  return names;
}

// The place of a finding, or of one of its instances, and what happens there.
void AddPlace(const auto& place, Json& object) {
  object["instruction"] = place.instruction < 0 ? Json(nullptr) : Json(place.instruction);
  object["values"] = place.values;
  object["bank"] = place.bank == 0 ? Json(nullptr) : Json(place.bank);
  object["bytes"] = place.bytes ? Json::array({place.bytes->lo, place.bytes->hi}) : Json(nullptr);
  object["explanation"] = place.explanation;
}

void AddInstances(const Finding& finding, Json& object) {
  if (finding.instances.empty()) return;
  object["count"] = finding.instances.size();
  object["worst"] = WorstOf(finding.instances);
  object["instances"] = Json::array();
  for (const FindingInstance& instance : finding.instances) {
    AddPlace(instance, object["instances"].emplace_back());
  }
}

Json ToJson(const Finding& finding) {
  Json object;
  object["rule"] = finding.rule;
  object["severity"] = Name(finding.severity);
  object["policy"] = ToJson(finding.policies);
  object["method"] = OrNull(finding.method);
  AddPlace(finding, object);
  object["fix"] = finding.fix;
  if (!finding.other_method.empty()) object["other_method"] = finding.other_method;
  AddInstances(finding, object);
  if (finding.undecided) object["undecided"] = true;
  if (!finding.suppressed_because.empty()) object["suppressed"] = finding.suppressed_because;
  return object;
}

Json ToJson(const SourceLine& line) {
  return {{"file", line.file}, {"line", line.line}, {"text", line.text}};
}

void AddJsonSource(const FindingSource& source, Json& object) {
  if (source.line) object["source"] = ToJson(*source.line);
  for (const SourceLine& caller : source.called_from) {
    object["source"]["called_from"].push_back(ToJson(caller));
  }
  for (const auto& [value, name] : source.names) object["names"][std::to_string(value)] = name;
}

Json ToJson(const BankUse& use) {
  return {{"method", use.method},  {"bank", use.bank},
          {"size", use.size},      {"peak", use.peak},
          {"peak_live", use.load}, {"load", use.load},
          {"waste", WasteOf(use)}, {"phantom", use.phantom},
          {"guard", use.guard},    {"early_stores", use.early_stores}};
}

Json ToJson(const IoOverlay& overlay) {
  return {{"method", overlay.method}, {"output", overlay.output}, {"input", overlay.input}};
}

template <class T>
Json ToJsonList(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(ToJson(item));
  return list;
}

std::string_view WordOf(Weight weight) {
  switch (weight) {
    case Weight::kNothing:
      return "nothing";
    case Weight::kWarning:
      return "warning";
    case Weight::kUndecided:
      return "undecided";
    case Weight::kError:
      return "error";
  }
  return "";
}

// Only with a standard, so that the API, which has none, gives the same objects.
void AddStanding(const FileReport& report, Json& object) {
  if (!report.standing) return;
  const Standing& standing = *report.standing;
  object["standard"] = {
      {"source", standing.source}, {"met", standing.broken.empty()}, {"broken", standing.broken}};
  for (size_t f = 0; f < standing.weights.size(); ++f) {
    object["findings"][f]["counts_as"] = WordOf(standing.weights[f]);
    object["findings"][f]["fingerprint"] = report.fingerprints[f];
  }
}

void AddJsonPatches(const FileReport& report, Json& findings) {
  SourceTexts texts;
  for (size_t f = 0; f < report.report.findings.size(); ++f) {
    const Finding& finding = report.report.findings[f];
    if (!IsMendedByClone(finding)) continue;
    const ClonePatch patch = PatchOf(finding, report.source, texts);
    const bool found = patch.why_not.empty();
    findings[f][found ? "patch" : "no_patch"] = found ? DiffOf(patch, texts) : patch.why_not;
  }
}

}  // namespace

std::string RenderJson(const FileReport& report, bool patches) {
  Json object;
  object["file"] = report.file;
  object["verdict"] = VerdictWord(report);
  object["accepted"] = AcceptedOf(report);
  object["policies"] = Json::object();
  for (const Policy policy : kAllPolicies) {
    object["policies"][std::string(Name(policy))] = VerdictWord(report, policy);
  }
  object["findings"] = ToJsonList(report.report.findings);
  for (size_t f = 0; f < report.report.findings.size(); ++f) {
    if (IsOfFileAlone(report, f)) object["findings"][f]["file_alone"] = true;
    AddJsonSource(SourceOf(report.report.findings[f], report.source), object["findings"][f]);
  }
  if (patches) AddJsonPatches(report, object["findings"]);
  object["banks"] = ToJsonList(report.report.banks);
  for (size_t b = 0; b < report.optima.size(); ++b) {
    const BankOptimum& best = report.optima[b];
    object["banks"][b]["best"] = Json::array({best.at_least, best.at_most});
  }
  object["assumptions"] = report.report.assumptions;
  object["overlays"] = ToJsonList(report.report.overlays);
  object["policy"] = report.policy ? Json(Name(*report.policy)) : Json(nullptr);
  object["loader"] = OrNull(report.loader);
  object["loads"] = report.loads ? Json(*report.loads) : Json(nullptr);
  object["manifest"] = OrNull(report.manifest);
  object["trusted"] = report.manifest.empty() ? Json(nullptr) : Json(report.trusted);
  if (report.by_word) {
    object["by_word"] = Name(*report.by_word);
    object["settles"] = report.settled;
  }
  if (!report.source.unused.empty()) object["unused_source"] = report.source.unused;
  if (!report.error.empty()) object["error"] = report.error;
  AddStanding(report, object);
  return JsonText(object) + "\n";
}

}  // namespace pteproof
