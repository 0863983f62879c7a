#include "cli/render/link_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "cli/io/json_text.h"
#include "cli/io/quote.h"
#include "cli/render/compare_text.h"
#include "cli/render/replan_report.h"
#include "cli/render/text_tables.h"
#include "planner/options.h"
#include "pteproof/version.h"

namespace pteproof {
namespace {

using certify::LinkCertificate;
using planner::Linked;
using planner::SharedBuffer;

std::string BuffersText(const Linked& linked) {
  if (linked.shared.empty()) return "";
  std::vector<std::vector<std::string>> rows = {
      {"shared buffer", "bank", "offset", "bytes", "methods", "initial value"}};
  for (const SharedBuffer& each : linked.shared) {
    const bool zero = each.form.initial.empty();
    rows.push_back({Quote(each.name), std::to_string(planner::kSharedBank),
                    std::to_string(each.offset), std::to_string(each.form.nbytes),
                    std::to_string(each.users),
                    linked.init ? "et_module_init" : (zero ? "zeros" : "stored")});
  }
  return Aligned(rows, 1, "  ");
}

std::string_view LinkAnswer(const LinkCertificate& certificate) {
  auto answer = compare::Answer::kSame;
  for (const auto& method : certificate.methods) answer = compare::Worse(answer, method.answer);
  if (answer == compare::Answer::kOpen) answer = compare::Answer::kAgrees;  // the runs did
  return Name(answer);
}

int64_t LinkCalls(const LinkCertificate& certificate) {
  int64_t calls = 0;
  for (const certify::MethodRuns& runs : certificate.runs) calls += runs.calls;
  return calls;
}

nlohmann::ordered_json LinkVerdictsJson(const Verdicts& verdicts) {
  nlohmann::ordered_json json;
  for (const Policy policy : kAllPolicies) {
    json[std::string(Name(policy))] = Name(verdicts[static_cast<size_t>(policy)]);
  }
  return json;
}

nlohmann::ordered_json BuffersJson(const Linked& linked) {
  auto buffers = nlohmann::ordered_json::array();
  for (const SharedBuffer& each : linked.shared) {
    buffers.push_back({{"name", each.name},
                       {"bank", planner::kSharedBank},
                       {"offset", each.offset},
                       {"bytes", each.form.nbytes},
                       {"methods", each.users},
                       {"zero", each.form.initial.empty()}});
  }
  return buffers;
}

std::vector<std::string> ConstantsMade(const Linked& linked) {
  std::vector<std::string> made;
  for (const planner::LinkedSource& source : linked.sources) {
    made.insert(made.end(), source.as_state.begin(), source.as_state.end());
  }
  return made;
}

}  // namespace

std::string LinkText(const LinkedFiles& files, const Linked& linked,
                     const LinkCertificate& certificate) {
  std::string text =
      fmt::format("{} of {}, {} shared\n", Counted(linked.program.methods.size(), "method"),
                  Counted(files.old_files.size(), "file"), Counted(linked.shared.size(), "buffer"));
  text += BuffersText(linked);
  for (const std::string& each : ConstantsMade(linked)) {
    text += fmt::format("  constant that became the buffer: {}\n", Quote(each));
  }
  for (const auto& [key, name] : linked.renamed) {
    text += fmt::format("  state of '{}' alone: '{}', now '{}'\n", Quote(key.first),
                        Quote(key.second), Quote(name));
  }
  text += fmt::format("file size: {} bytes in {}, {} in one\n", files.old_size,
                      Counted(files.old_files.size(), "file"), files.new_size);
  text += files.memory;
  text += fmt::format(
      "shown: check finds nothing new; {} obligations proved{}; computation {}; {} random calls "
      "agree{}\n",
      certificate.proved,
      certificate.unproved == 0 ? "" : fmt::format(", {} not proved", certificate.unproved),
      LinkAnswer(certificate), LinkCalls(certificate),
      certificate.initial_set == 0
          ? ""
          : fmt::format("; et_module_init sets {}", Counted(certificate.initial_set, "buffer")));
  return text;
}

std::string LinkJson(const LinkedFiles& files, const Linked& linked,
                     const LinkCertificate& certificate) {
  const nlohmann::ordered_json json = {
      {"pteproof", Version()},
      {"old", files.old_files},
      {"new", files.new_file},
      {"holds", certificate.holds()},
      {"failure", certificate.failure},
      {"bytes", {{"old", files.old_size}, {"new", files.new_size}}},
      {"shared", BuffersJson(linked)},
      {"constants_made_state", ConstantsMade(linked)},
      {"policies", PolicyWords(certificate.policies)},
      {"check", LinkVerdictsJson(certificate.check)},
      {"proof",
       {{"verdicts", LinkVerdictsJson(certificate.proof)},
        {"proved", certificate.proved},
        {"unproved", certificate.unproved}}},
      {"computation", MethodsJson(certificate.methods)},
      {"runs", RunsJson(certificate.runs)},
      {"buffers_set_by_et_module_init", certificate.initial_set}};
  return JsonText(json) + "\n";
}

}  // namespace pteproof
