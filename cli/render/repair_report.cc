#include "cli/render/repair_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "cli/io/json_text.h"
#include "cli/io/quote.h"
#include "cli/render/compare_text.h"
#include "cli/render/device_total.h"
#include "cli/render/text_tables.h"

namespace pteproof {
namespace {

using certify::Certificate;
using planner::AddedCopy;
using planner::Repaired;

// "2 of entry-value-lost, 1 of plan-overlap"; empty if none is gone.
std::string GoneText(const Certificate& certificate) {
  std::map<std::string_view, int> counts;
  for (const Finding& finding : certificate.gone) {
    if (finding.severity == Severity::kError) ++counts[finding.rule];
  }
  std::string text;
  for (const auto& [rule, count] : counts) {
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", count, rule);
  }
  return text;
}

std::string CopiesText(const Repaired& repaired) {
  std::string text;
  for (size_t m = 0; m < repaired.methods.size(); ++m) {
    for (const AddedCopy& copy : repaired.methods[m].copies) {
      text += fmt::format("  copy added: {}, instruction {}: {} of v{} to v{}; {}\n",
                          Quote(repaired.replanned.program.methods[m].name), copy.instruction,
                          copy.op, copy.from, copy.to, copy.reason);
    }
  }
  return text;
}

planner::Conventions AllConventions(const Repaired& repaired) {
  planner::Conventions all;
  for (const planner::RepairedMethod& method : repaired.methods) {
    all.views += method.conventions.views;
    all.concatenations += method.conventions.concatenations;
    all.slices += method.conventions.slices;
    all.unnamed_buffers += method.conventions.unnamed_buffers;
  }
  return all;
}

// What the file does not say, and its meaning is taken to be.
std::string MeaningText(const Repaired& repaired) {
  const planner::Conventions all = AllConventions(repaired);
  std::string text;
  const auto add = [&](int64_t count, std::string_view what, std::string_view rest) {
    if (count == 0) return;
    text += fmt::format("{}{} {}{} {}", text.empty() ? "" : ", ", count, what,
                        count == 1 ? "" : "s", rest);
  };
  add(all.views, "view", "that no instruction makes");
  add(all.concatenations, "concatenation", "that no instruction makes");
  add(all.slices, "slice", "that no instruction makes");
  add(all.unnamed_buffers, "buffer", "without a name");
  return text.empty() ? "" : fmt::format("rests on: {}\n", text);
}

std::set<std::string> OperatorsAdded(const Program& old_program, const Repaired& repaired) {
  std::set<std::string> known;
  for (const Method& method : old_program.methods) {
    for (const Operator& op : method.operators) known.insert(op.name);
  }
  std::set<std::string> added;
  for (const planner::RepairedMethod& method : repaired.methods) {
    for (const AddedCopy& copy : method.copies) {
      if (!known.contains(std::string(copy.op))) added.insert(std::string(copy.op));
    }
  }
  return added;
}

nlohmann::ordered_json MethodJson(const Method& method, const planner::RepairedMethod& repaired) {
  auto copies = nlohmann::ordered_json::array();
  for (const AddedCopy& copy : repaired.copies) {
    copies.push_back({{"instruction", copy.instruction},
                      {"operator", copy.op},
                      {"from", copy.from},
                      {"to", copy.to},
                      {"reason", copy.reason}});
  }
  return {{"method", method.name},
          {"meaning",
           {{"views", repaired.conventions.views},
            {"concatenations", repaired.conventions.concatenations},
            {"slices", repaired.conventions.slices},
            {"unnamed_buffers", repaired.conventions.unnamed_buffers}}},
          {"copies", std::move(copies)},
          {"instructions", repaired.instructions}};
}

// What no plan mends, by the loaders for which that is so.
std::string LeftText(const Certificate& certificate) {
  std::string text;
  for (const Finding& finding : certificate.left) {
    text += fmt::format(
        "  stays unsafe under {}: {}: {}\n", PolicyWords(finding.policies), finding.rule,
        Quote(finding.explanation.substr(0, finding.explanation.find('\n')), kLongestLine));
  }
  return text;
}

}  // namespace

std::string RepairText(const RepairFiles& files, const Repaired& repaired,
                       const Certificate& certificate) {
  std::string text = fmt::format("{}: repaired, safe under {}\n", QuotePath(files.names.old_file),
                                 PolicyWords(certificate.policies));
  const std::string gone = GoneText(certificate);
  if (!gone.empty()) text += fmt::format("  errors fixed: {}\n", gone);
  for (const std::string& change : files.changes) {
    text += fmt::format("  changed: {}\n", Quote(change, kLongestLine));
  }
  text += CopiesText(repaired);
  for (const std::string& op : OperatorsAdded(*files.names.old_program, repaired)) {
    text += fmt::format("  operator added: {}\n", op);
  }
  if (certificate.given_up != PolicySet::None()) {
    text += fmt::format("  under {} it computes the same as before, but is not safe any more\n",
                        PolicyWords(certificate.given_up));
  }
  text += LeftText(certificate);
  text +=
      fmt::format("  device banks take {}\n",
                  DeviceTotalsText(DeviceTotals(*files.names.old_program,
                                                repaired.replanned.program, files.names.policy)));
  text += BanksText(repaired.replanned, certificate);
  text += LaidOverText(repaired.replanned);
  text += MeaningText(repaired);
  return text + ShownText(certificate);
}

std::string RepairJson(const RepairFiles& files, const Repaired& repaired,
                       const Certificate& certificate, const nlohmann::ordered_json& again) {
  auto json = CertificateObject(files.names, repaired.replanned, certificate);
  auto methods = nlohmann::ordered_json::array();
  for (size_t m = 0; m < repaired.methods.size(); ++m) {
    methods.push_back(MethodJson(repaired.replanned.program.methods[m], repaired.methods[m]));
  }
  auto gone = nlohmann::ordered_json::array();
  for (const Finding& finding : certificate.gone) {
    gone.push_back({{"rule", finding.rule}, {"method", finding.method}});
  }
  json["operators_added"] = OperatorsAdded(*files.names.old_program, repaired);
  json["repair"] = {
      {"changes", files.changes},

      {"policies", PolicyWords(certificate.policies)},
      {"given_up",
       certificate.given_up == PolicySet::None() ? "" : PolicyWords(certificate.given_up)},
      {"gone", std::move(gone)},
      {"methods", std::move(methods)}};
  if (!again.is_null()) json["planned_again"] = again;
  return JsonText(json) + "\n";
}

}  // namespace pteproof
