#include "cli/render/render_json.h"

#include <nlohmann/json.hpp>

#include "base/finding_names.h"
#include "cli/io/json_text.h"
#include "properties/bank_waste.h"

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

Json ToJson(const Finding& finding) {
  Json object;
  object["rule"] = finding.rule;
  object["severity"] = Name(finding.severity);
  object["policy"] = ToJson(finding.policies);
  object["method"] = OrNull(finding.method);
  object["instruction"] = finding.instruction < 0 ? Json(nullptr) : Json(finding.instruction);
  object["values"] = finding.values;
  object["bank"] = finding.bank == 0 ? Json(nullptr) : Json(finding.bank);
  object["bytes"] =
      finding.bytes ? Json::array({finding.bytes->lo, finding.bytes->hi}) : Json(nullptr);
  object["explanation"] = finding.explanation;
  object["fix"] = finding.fix;
  if (finding.undecided) object["undecided"] = true;
  if (!finding.suppressed_because.empty()) object["suppressed"] = finding.suppressed_because;
  return object;
}

Json ToJson(const BankUse& use) {
  return {{"method", use.method},  {"bank", use.bank}, {"size", use.size},
          {"peak", use.peak},      {"load", use.load}, {"waste", WasteOf(use)},
          {"phantom", use.phantom}};
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

}  // namespace

std::string RenderJson(const FileReport& report) {
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
  }
  object["banks"] = ToJsonList(report.report.banks);
  for (size_t b = 0; b < report.optima.size(); ++b) {
    const BankOptimum& best = report.optima[b];
    object["banks"][b]["best"] = Json::array({best.at_least, best.at_most});
  }
  object["assumptions"] = report.report.assumptions;
  object["overlays"] = ToJsonList(report.report.overlays);
  object["policy"] = report.policy ? Json(Name(*report.policy)) : Json(nullptr);
  object["manifest"] = OrNull(report.manifest);
  object["trusted"] = report.manifest.empty() ? Json(nullptr) : Json(report.trusted);
  if (report.by_word) object["by_word"] = Name(*report.by_word);
  if (!report.error.empty()) object["error"] = report.error;
  return JsonText(object) + "\n";
}

}  // namespace pteproof
