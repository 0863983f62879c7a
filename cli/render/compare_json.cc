#include "cli/render/compare_json.h"

#include <nlohmann/json.hpp>

#include "cli/io/json_text.h"
#include "cli/render/file_sections.h"
#include "properties/bank_waste.h"

namespace pteproof {
namespace {

using Json = nlohmann::ordered_json;

Json NumberOrNull(int32_t number) {
  return number < 0 ? Json(nullptr) : Json(number);
}

Json SideJson(const compare::DifferenceSide& side) {
  return {{"instruction", NumberOrNull(side.instruction)},
          {"value", NumberOrNull(side.value)},
          {"term", side.term}};
}

Json MethodJson(const compare::MethodComparison& method) {
  Json policies = Json::array();
  for (const Policy policy : kAllPolicies) {
    if (method.policies.Has(policy)) policies.push_back(Name(policy));
  }
  Json json = {{"method", method.method},
               {"policies", std::move(policies)},
               {"answer", Name(method.answer)},
               {"proved", method.answer == compare::Answer::kSame},
               {"reason", method.reason},
               {"paths", method.paths},
               {"loops", method.loops},
               {"sizes", method.sizes},
               {"assumes", method.assumed},
               {"runs", method.runs},
               {"run_difference", method.run_difference},
               {"difference", nullptr}};
  if (!method.difference) return json;
  json["difference"] = {{"where", method.difference->where},
                        {"old", SideJson(method.difference->old_side)},
                        {"new", SideJson(method.difference->new_side)}};
  return json;
}

Json BankJson(const BankUse& use) {
  return {{"size", use.size}, {"peak_live", use.load}, {"waste", WasteOf(use)}};
}

Json FindingsJson(const std::vector<Finding>& findings) {
  Json json = Json::array();
  for (const Finding& finding : findings) {
    json.push_back({{"rule", finding.rule},
                    {"severity", Name(finding.severity)},
                    {"method", finding.method},
                    {"explanation", finding.explanation}});
  }
  return json;
}

Json ComputationPart(const compare::ProgramComparison& comparison) {
  Json methods = Json::array();
  for (const auto& method : comparison.methods) methods.push_back(MethodJson(method));
  return {{"answer", Name(comparison.computation)},
          {"old_read", comparison.old_read == compare::ReadAs::kMeant ? "meant" : "planned"},
          {"methods", std::move(methods)},
          {"in_one_only", comparison.in_one_only}};
}

}  // namespace

std::string ComputationJson(const std::string& old_file, const std::string& new_file,
                            const compare::ProgramComparison& comparison) {
  Json failed = Json::array();
  if (comparison.computation == compare::Answer::kDiffers) failed.push_back("computation");
  const Json json = {{"old", old_file},
                     {"new", new_file},
                     {"failed", std::move(failed)},
                     {"computation", ComputationPart(comparison)}};
  return JsonText(json) + "\n";
}

std::string CompareJson(const ComparedFiles& files, const compare::ProgramComparison& comparison,
                        const std::vector<std::string>& failed) {
  Json memory = Json::array();
  for (const compare::MemoryRow& row : comparison.memory) {
    memory.push_back({{"method", row.method},
                      {"bank", row.bank},
                      {"old", BankJson(row.old_use)},
                      {"new", BankJson(row.new_use)}});
  }
  const compare::ConstantComparison& constants = comparison.constants;
  const Json json = {
      {"old", files.old_file},
      {"new", files.new_file},
      {"failed", failed},
      {"interface",
       {{"answer", Name(comparison.interface.answer)},
        {"differences", comparison.interface.differences}}},
      {"computation", ComputationPart(comparison)},
      {"constants",
       {{"answer", Name(constants.answer)},
        {"old_count", constants.old_count},
        {"new_count", constants.new_count},
        {"old_bytes", constants.old_bytes},
        {"new_bytes", constants.new_bytes},
        {"added", constants.added},
        {"gone", constants.gone}}},
      {"file_size",
       {{"old", SectionsJson(files.old_sizes)}, {"new", SectionsJson(files.new_sizes)}}},
      {"memory", std::move(memory)},
      {"grown", files.grown},
      {"findings",
       {{"new", FindingsJson(comparison.findings.added)},
        {"gone", FindingsJson(comparison.findings.gone)},
        {"same", FindingsJson(comparison.findings.same)}}}};
  return JsonText(json) + "\n";
}

}  // namespace pteproof
