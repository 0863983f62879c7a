#include "cli/render/render_sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "base/finding_names.h"
#include "cli/io/json_text.h"
#include "cli/io/load_file.h"
#include "cli/render/documentation_uri.h"
#include "cli/render/finding_text.h"
#include "pteproof/rules.h"
#include "pteproof/version.h"

namespace pteproof {
namespace {

using Json = nlohmann::ordered_json;

Json Message(std::string_view text) {
  return {{"text", text}};
}

Json ToJson(const RuleInfo& rule) {
  Json object;
  object["id"] = rule.name;
  object["shortDescription"] = Message(rule.summary);
  object["fullDescription"] = Message(fmt::format("{} {}", rule.invariant, rule.meaning));
  object["helpUri"] = DocumentationUri("docs/reference/rules.md#" + std::string(rule.name));
  object["help"] = Message(fmt::format("Example: {}\nFix: {}", rule.example, rule.fix));
  object["defaultConfiguration"] = {{"level", Name(rule.severity)}};
  return object;
}

// Where in the program: the method, and the instruction in it.
Json LogicalLocation(const Finding& finding) {
  Json location;
  location["name"] = finding.method;
  location["fullyQualifiedName"] = finding.instruction < 0
                                       ? finding.method
                                       : fmt::format("{}/{}", finding.method, finding.instruction);
  location["kind"] = "function";
  return location;
}

Json Location(const FileReport& report, const Finding& finding) {
  Json physical;
  physical["artifactLocation"] = {{"uri", ToUri(report.file)}};
  const bool place_in_file = report.outcome != Outcome::kJudged && finding.bytes.has_value();
  if (place_in_file && finding.bytes->hi >= finding.bytes->lo) {
    physical["region"] = {{"byteOffset", finding.bytes->lo},
                          {"byteLength", finding.bytes->hi - finding.bytes->lo}};
  }
  Json location;
  location["physicalLocation"] = physical;
  if (!finding.method.empty()) {
    location["logicalLocations"] = Json::array({LogicalLocation(finding)});
  }
  return location;
}

Json Properties(const Finding& finding) {
  Json properties;
  properties["policies"] = Json::array();
  for (const Policy policy : kAllPolicies) {
    if (finding.policies.Has(policy)) properties["policies"].push_back(Name(policy));
  }
  if (finding.instruction >= 0) properties["instruction"] = finding.instruction;
  if (!finding.values.empty()) properties["values"] = finding.values;
  if (finding.bank != 0) properties["bank"] = finding.bank;
  if (finding.bytes) properties["bytes"] = {finding.bytes->lo, finding.bytes->hi};
  if (finding.undecided) properties["undecided"] = true;
  if (!finding.other_method.empty()) properties["otherMethod"] = finding.other_method;
  if (!finding.instances.empty()) properties["count"] = finding.instances.size();
  return properties;
}

Json ResultOf(const FileReport& report, size_t f, std::span<const RuleInfo> rules) {
  const Finding& finding = report.report.findings[f];
  Json result;
  result["ruleId"] = finding.rule;
  const auto rule = std::ranges::find(rules, finding.rule, &RuleInfo::name);
  if (rule != rules.end()) result["ruleIndex"] = rule - rules.begin();
  result["level"] = Name(finding.severity);
  result["message"] = Message(finding.explanation.empty() ? finding.rule : WithFix(finding));
  result["locations"] = Json::array({Location(report, finding)});
  if (!finding.suppressed_because.empty()) {
    Json suppression = {{"kind", "external"}};
    // So that nobody's tool takes the result for settled.
    const bool settled = report.standing ? WeightOf(report, f) == Weight::kNothing : report.trusted;
    if (!settled) suppression["status"] = "underReview";
    suppression["justification"] = finding.suppressed_because;
    result["suppressions"] = Json::array({suppression});
  }
  result["properties"] = Properties(finding);
  return result;
}

// The line of the model is the place that people see; that in the program is related to it.
void AddSarifSource(const FindingSource& source, Json& result) {
  for (const auto& [value, name] : source.names) {
    result["properties"]["names"][std::to_string(value)] = name;
  }
  if (!source.line) return;
  Json region = {{"startLine", std::max<int64_t>(source.line->line, 1)}};
  if (!source.line->text.empty()) region["snippet"] = Message(source.line->text);
  Json location = result["locations"][0];
  result["relatedLocations"] = Json::array({location});
  location["physicalLocation"] = {{"artifactLocation", {{"uri", ToUri(source.line->file)}}},
                                  {"region", region}};
  result["locations"][0] = location;
}

Json Artifact(const FileReport& report) {
  Json artifact;
  artifact["location"] = {{"uri", ToUri(report.file)}};
  artifact["properties"]["verdict"] = VerdictWord(report);
  artifact["properties"]["accepted"] = AcceptedOf(report);
  if (report.loads) artifact["properties"]["loads"] = *report.loads;
  if (report.by_word) artifact["properties"]["byWord"] = Name(*report.by_word);
  if (report.standing) {
    artifact["properties"]["standard"] = {{"source", report.standing->source},
                                          {"met", report.standing->broken.empty()},
                                          {"broken", report.standing->broken}};
  }
  for (const Policy policy : kAllPolicies) {
    artifact["properties"]["policies"][std::string(Name(policy))] = VerdictWord(report, policy);
  }
  return artifact;
}

Json Notification(const FileReport& report) {
  Json notification;
  notification["level"] = "error";
  notification["message"] = Message(report.error);
  notification["locations"] =
      Json::array({{{"physicalLocation", {{"artifactLocation", {{"uri", ToUri(report.file)}}}}}}});
  return notification;
}

Json Invocation(std::span<const FileReport> reports) {
  Json notifications = Json::array();
  ExitCode worst = ExitCode::kSafe;
  for (const FileReport& report : reports) {
    worst = Worse(worst, ExitCodeOf(report));
    if (!report.error.empty()) notifications.push_back(Notification(report));
  }
  Json invocation;
  invocation["executionSuccessful"] = notifications.empty();
  invocation["exitCode"] = static_cast<int>(worst);
  invocation["toolExecutionNotifications"] = notifications;
  return invocation;
}

Json Driver(std::span<const RuleInfo> rules) {
  Json driver;
  driver["name"] = "pteproof";
  driver["semanticVersion"] = Version();
  driver["informationUri"] = DocumentationUri("README.md");
  driver["rules"] = Json::array();
  for (const RuleInfo& rule : rules) driver["rules"].push_back(ToJson(rule));
  return driver;
}

}  // namespace

std::string ToUri(const std::string& path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  if (path == kStandardInput) return "file:///dev/stdin";
  std::string_view rest = path;
  while (rest.starts_with('/')) rest.remove_prefix(1);
  std::string uri = rest.size() < path.size() ? "file:///" : "";
  for (const char c : rest) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

std::string RenderSarif(std::span<const FileReport> reports) {
  const std::vector<RuleInfo> rules = AllRules();
  Json run;
  run["tool"]["driver"] = Driver(rules);
  run["invocations"] = Json::array({Invocation(reports)});
  run["artifacts"] = Json::array();
  run["results"] = Json::array();
  std::set<std::string> known;
  for (const FileReport& report : reports) {
    if (known.insert(ToUri(report.file)).second) run["artifacts"].push_back(Artifact(report));
    for (size_t f = 0; f < report.report.findings.size(); ++f) {
      const Finding& finding = report.report.findings[f];
      if (report.policy && !finding.policies.Has(*report.policy)) continue;
      run["results"].push_back(ResultOf(report, f, rules));
      auto& result = run["results"].back();
      if (f < report.fingerprints.size()) {
        result["partialFingerprints"]["pteproof/1"] = report.fingerprints[f];
      }
      AddSarifSource(SourceOf(finding, report.source), result);
      if (IsOfFileAlone(report, f)) run["results"].back()["properties"]["fileAlone"] = true;
    }
  }
  Json log;
  log["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  log["version"] = "2.1.0";
  log["runs"] = Json::array({run});
  return JsonText(log, 1) + "\n";
}

}  // namespace pteproof
