#include "cli/verbs/lint_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "cli/io/json_text.h"
#include "cli/io/output.h"
#include "cli/io/paint.h"
#include "cli/io/quote.h"
#include "cli/load/load_module.h"
#include "reference/graph/lint.h"
#include "reference/graph/names.h"

namespace pteproof {
namespace {

using graph::InPlaceFinding;

std::string_view SeverityOf(const InPlaceFinding& finding) {
  return finding.is_note ? "note" : "error";
}

// What the values of a finding are called in its method.
std::vector<std::string> NamesIn(const graph::Module& module, std::string_view method) {
  const auto found = std::ranges::find(module.methods, method, &graph::Method::name);
  return graph::ValueNames(*found);
}

std::string Indented(std::string_view lines) {
  std::string text = "  ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

std::string TextOf(const std::string& file, std::span<const InPlaceFinding> findings) {
  const Paint paint = PaintForStandardOutput();
  const auto errors = std::ranges::count(findings, false, &InPlaceFinding::is_note);
  std::string text =
      fmt::format("{}: {}\n", QuotePath(file),
                  errors == 0 ? "right in place" : fmt::format("{} wrong in place", errors));
  for (const InPlaceFinding& finding : findings) {
    text += fmt::format("\n{} {}  method {}\n{}\n  Fix: {}\n", paint.Word(SeverityOf(finding)),
                        finding.rule, Quote(finding.method), Indented(finding.explanation),
                        finding.fix);
  }
  return text;
}

nlohmann::ordered_json JsonOf(const InPlaceFinding& finding, const graph::Module& module) {
  const std::vector<std::string> names = NamesIn(module, finding.method);
  nlohmann::ordered_json json = {{"rule", finding.rule},
                                 {"severity", SeverityOf(finding)},
                                 {"method", finding.method},
                                 {"result", graph::NameOf(names, finding.result)},
                                 {"operand", graph::NameOf(names, finding.operand)}};
  json["reader"] = finding.reader ? nlohmann::ordered_json(graph::NameOf(names, *finding.reader))
                                  : nlohmann::ordered_json(nullptr);
  json["explanation"] = finding.explanation;
  json["fix"] = finding.fix;
  return json;
}

std::string JsonOf(const std::string& file, const graph::Module& module, bool right,
                   std::span<const InPlaceFinding> findings) {
  nlohmann::ordered_json json = {{"file", file}, {"right", right}};
  json["findings"] = nlohmann::ordered_json::array();
  for (const InPlaceFinding& finding : findings) {
    json["findings"].push_back(JsonOf(finding, module));
  }
  return JsonText(json) + "\n";
}

ExitCode LintOne(const std::string& file, const LintRequest& request) {
  const auto module = LoadModule(file);
  if (!module.ok()) {
    Complain(module.error().why);
    return module.error().code;
  }
  const std::vector<InPlaceFinding> findings = graph::Lint(module.value(), request.order);
  const bool right = std::ranges::all_of(findings, &InPlaceFinding::is_note);
  WriteReport(
      request.json, [&] { return JsonOf(file, module.value(), right, findings); },
      [&] { return TextOf(file, findings); });
  return right ? ExitCode::kSafe : ExitCode::kUnsafe;
}

}  // namespace

ExitCode RunLint(const LintRequest& request) {
  ExitCode worst = ExitCode::kSafe;
  for (const std::string& file : request.files) worst = Worse(worst, LintOne(file, request));
  return worst;
}

}  // namespace pteproof
