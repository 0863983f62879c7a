#include "cli/verbs/rules_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/finding_names.h"
#include "cli/io/json_text.h"
#include "cli/io/output.h"
#include "cli/io/paint.h"
#include "cli/io/quote.h"
#include "cli/io/terminal.h"
#include "cli/render/text_tables.h"
#include "pteproof/rules.h"

namespace pteproof {
namespace {

std::string ListText() {
  std::vector<std::vector<std::string>> rows;
  for (const RuleInfo& rule : AllRules()) {
    rows.push_back(
        {std::string(rule.name), std::string(Name(rule.severity)), std::string(rule.summary)});
  }
  return Aligned(rows, 3, "");
}

std::string RuleText(const RuleInfo& rule, const Paint& paint) {
  constexpr std::string_view kIndent = "  ";
  constexpr size_t kWidest = 76;
  const size_t width = std::min(kWidest, TerminalColumns() - kIndent.size());
  std::string text =
      fmt::format("{} ({}): {}\n", rule.name, paint.Word(Name(rule.severity)), rule.summary);
  const std::array<std::pair<std::string_view, std::string_view>, 5> parts = {{
      {"What must hold", rule.invariant},
      {"Meaning", rule.meaning},
      {"Example", rule.example},
      {"Fix", rule.fix},
      {"Loader policies that matter", rule.policies},
  }};
  for (const auto& [heading, body] : parts) {
    text += fmt::format("\n{}\n{}", heading, Wrapped(body, width, kIndent));
  }
  const std::vector<std::string> reports = ReportsOf(rule);
  if (!reports.empty()) text += "\nReported in public\n";
  for (const std::string& address : reports) text += fmt::format("{}{}\n", kIndent, address);
  return text;
}

std::string RuleJson(const RuleInfo& rule) {
  return JsonText({{"rule", rule.name},
                   {"severity", Name(rule.severity)},
                   {"summary", rule.summary},
                   {"invariant", rule.invariant},
                   {"meaning", rule.meaning},
                   {"example", rule.example},
                   {"fix", rule.fix},
                   {"policies", rule.policies},
                   {"reported", ReportsOf(rule)}}) +
         "\n";
}

}  // namespace

ExitCode RunRules(const RulesRequest& request) {
  if (request.rule.empty()) {
    std::string lines;
    if (request.json) {
      for (const RuleInfo& rule : AllRules()) lines += RuleJson(rule);
    }
    WriteOutput(request.json ? lines : ListText());
    return ExitCode::kSafe;
  }
  const RuleInfo* rule = FindRule(request.rule);
  if (rule == nullptr) {
    const RuleInfo* nearest = NearestRule(request.rule);
    Complain(fmt::format("rules: there is no rule '{}'; {}", Quote(request.rule),
                         nearest == nullptr ? "'pteproof rules' lists them"
                                            : fmt::format("did you mean '{}'?", nearest->name)));
    return ExitCode::kUsage;
  }
  WriteOutput(request.json ? RuleJson(*rule) : RuleText(*rule, PaintForStandardOutput()));
  return ExitCode::kSafe;
}

}  // namespace pteproof
