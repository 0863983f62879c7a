#include "cli/verbs/rules_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/finding_names.h"
#include "cli/io/output.h"
#include "cli/io/paint.h"
#include "cli/io/quote.h"
#include "cli/render/text_tables.h"
#include "pteproof/rules.h"

namespace pteproof {
namespace {

// Words of `text` on lines of at most `width` columns, each after `indent`.
std::string Wrapped(std::string_view text, size_t width, std::string_view indent) {
  std::string wrapped;
  std::string line;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (!line.empty() && line.size() + 1 + end > width) {
      wrapped += fmt::format("{}{}\n", indent, line);
      line.clear();
    }
    line += fmt::format("{}{}", line.empty() ? "" : " ", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped + fmt::format("{}{}\n", indent, line);
}

std::string ListText() {
  std::vector<std::vector<std::string>> rows;
  for (const RuleInfo& rule : AllRules()) {
    rows.push_back(
        {std::string(rule.name), std::string(Name(rule.severity)), std::string(rule.summary)});
  }
  return Aligned(rows, 3, "");
}

std::string RuleText(const RuleInfo& rule, const Paint& paint) {
  constexpr size_t kWidth = 76;
  constexpr std::string_view kIndent = "  ";
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
    text += fmt::format("\n{}\n{}", heading, Wrapped(body, kWidth, kIndent));
  }
  return text;
}

}  // namespace

ExitCode RunRules(const std::string& name) {
  if (name.empty()) {
    WriteOutput(ListText());
    return ExitCode::kSafe;
  }
  const RuleInfo* rule = FindRule(name);
  if (rule == nullptr) {
    Complain(fmt::format("there is no rule '{}'; did you mean '{}'?", Quote(name),
                         NearestRule(name).name));
    return ExitCode::kUsage;
  }
  WriteOutput(RuleText(*rule, PaintForStandardOutput()));
  return ExitCode::kSafe;
}

}  // namespace pteproof
