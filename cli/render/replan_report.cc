#include "cli/render/replan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "cli/io/json_text.h"
#include "cli/io/quote.h"
#include "cli/render/compare_text.h"
#include "cli/render/device_total.h"
#include "cli/render/text_tables.h"
#include "pteproof/version.h"
#include "reference/op_over_operand.h"

namespace pteproof {
namespace {

using certify::Certificate;
using planner::Replanned;
using planner::ReplannedBank;

std::vector<DeviceTotal> TotalsOf(const ReplanFiles& files, const Replanned& replanned) {
  return DeviceTotals(*files.old_program, replanned.program, files.policy);
}

int64_t CallsOf(const Certificate& certificate) {
  int64_t calls = 0;
  for (const certify::MethodRuns& runs : certificate.runs) calls += runs.calls;
  return calls;
}

std::string_view AnswerOf(const Certificate& certificate) {
  auto answer = compare::Answer::kSame;
  for (const auto& method : certificate.methods) answer = compare::Worse(answer, method.answer);
  if (answer == compare::Answer::kOpen) answer = compare::Answer::kAgrees;  // the runs did
  return Name(answer);
}

nlohmann::ordered_json VerdictsJson(const Verdicts& verdicts) {
  nlohmann::ordered_json json;
  for (const Policy policy : kAllPolicies) {
    json[std::string(Name(policy))] = Name(verdicts[static_cast<size_t>(policy)]);
  }
  return json;
}

// The peak live bytes of the new plan, as `check` tells them; nothing: it does not tell.
std::optional<uint64_t> PeakLiveOf(const ReplannedBank& bank, const Certificate& certificate) {
  const auto use = std::ranges::find_if(certificate.new_banks, [&](const BankUse& each) {
    return each.method == bank.method && each.bank == bank.bank;
  });
  if (use == certificate.new_banks.end()) return std::nullopt;
  return use->load;
}

struct NamedCause {
  std::string_view key;
  uint64_t bytes = 0;
  std::string words;
};

// What the bank has beyond its peak live bytes, by reason; empty: nothing.
std::vector<NamedCause> CausesOf(const ReplannedBank& bank, const Certificate& certificate) {
  const auto peak_live = PeakLiveOf(bank, certificate);
  if (!peak_live || bank.after <= *peak_live) return {};
  const planner::BankCauses& why = bank.causes;
  std::vector<NamedCause> causes = {
      {"guard", why.guard, "room behind the last value"},
      {"gaps", why.gaps, "gaps that no placement closes"},
      {"other-methods", why.others, "bytes that other methods keep"},
      {"outputs", why.outputs,
       fmt::format("output v{} (valid until the next call of its method)", why.output)},
      {"state", why.state, fmt::format("state that stays at its place (v{})", why.state_value)},
      {"alignment", why.alignment, "the alignment of the old offsets"},
      {"together", why.movable,
       why.widest < 0 ? std::string("values that move together")
                      : fmt::format("views and parts of each other (v{} is one)", why.widest)}};
  // They lie on top of each other in this order, from the bank's size down; only what is above the
  // peak live bytes counts.
  uint64_t beyond = bank.after - *peak_live;
  for (NamedCause& cause : causes) {
    cause.bytes = std::min(cause.bytes, beyond);
    beyond -= cause.bytes;
  }
  causes.emplace_back("kept", beyond, "the old plan, which was kept");
  std::erase_if(causes, [](const NamedCause& cause) { return cause.bytes == 0; });
  std::ranges::stable_sort(causes, std::ranges::greater(), &NamedCause::bytes);
  return causes;
}

nlohmann::ordered_json CausesJson(const ReplannedBank& bank, const Certificate& certificate) {
  auto causes = nlohmann::ordered_json::array();
  for (const NamedCause& cause : CausesOf(bank, certificate)) {
    causes.push_back({{"cause", cause.key}, {"bytes", cause.bytes}});
  }
  return causes;
}

nlohmann::ordered_json BanksJson(const Replanned& replanned, const Certificate& certificate) {
  auto banks = nlohmann::ordered_json::array();
  for (const ReplannedBank& bank : replanned.banks) {
    const auto peak_live = PeakLiveOf(bank, certificate);
    banks.push_back({{"method", bank.method},
                     {"bank", bank.bank},
                     {"before", bank.before},
                     {"after", bank.after},
                     {"peak_live", peak_live ? nlohmann::ordered_json(*peak_live)
                                             : nlohmann::ordered_json(nullptr)},
                     {"bound", bank.peak_live},
                     {"causes", CausesJson(bank, certificate)}});
  }
  return banks;
}

nlohmann::ordered_json LaidOverJson(const Replanned& replanned) {
  auto laid = nlohmann::ordered_json::array();
  for (const ReplannedBank& bank : replanned.banks) {
    for (const planner::LaidOver& each : bank.laid_over) {
      laid.push_back({{"method", bank.method},
                      {"instruction", each.instruction},
                      {"operand", each.operand},
                      {"result", each.result}});
    }
  }
  return laid;
}

// By their numbers in the old program.
nlohmann::ordered_json UpdatesJson(const Replanned& replanned) {
  auto updates = nlohmann::ordered_json::array();
  for (size_t m = 0; m < replanned.updates.size(); ++m) {
    for (const planner::UpdateInPlace& each : replanned.updates[m]) {
      updates.push_back({{"method", replanned.program.methods[m].name},
                         {"instruction", each.update},
                         {"store", each.store}});
    }
  }
  return updates;
}

// Of each method that has any: calls that are gone (`instructions`), or for each instruction its
// number now, -1 of one that is gone (`now_at`).
nlohmann::ordered_json NumbersJson(const Replanned& replanned,
                                   const std::vector<std::vector<int32_t>>& numbers,
                                   const char* key) {
  auto json = nlohmann::ordered_json::array();
  for (size_t m = 0; m < numbers.size(); ++m) {
    if (numbers[m].empty()) continue;
    json.push_back({{"method", replanned.program.methods[m].name}, {key, numbers[m]}});
  }
  return json;
}

// A line for each bank that is larger than its peak live bytes.
std::string CausesText(const Replanned& replanned, const Certificate& certificate) {
  std::string text;
  for (const ReplannedBank& bank : replanned.banks) {
    std::vector<std::string> parts;
    for (const NamedCause& cause : CausesOf(bank, certificate)) {
      parts.push_back(fmt::format("{} for {}", cause.bytes, cause.words));
    }
    if (parts.empty()) continue;
    text += fmt::format("  {}, bank {}, beyond its peak live bytes: {}\n", Quote(bank.method),
                        bank.bank, fmt::join(parts, "; "));
  }
  return text;
}

// The same of values; none is gone.
nlohmann::ordered_json ValuesJson(const Replanned& replanned) {
  auto moved = nlohmann::ordered_json::array();
  for (size_t m = 0; m < replanned.values_at.size(); ++m) {
    if (replanned.values_at[m].empty()) continue;
    moved.push_back(
        {{"method", replanned.program.methods[m].name}, {"now_at", replanned.values_at[m]}});
  }
  return moved;
}

// Methods whose outputs last less long than before.
std::set<std::string_view> ShortenedIn(const Certificate& certificate) {
  std::set<std::string_view> methods;
  for (const Finding& finding : certificate.shortened) methods.insert(finding.method);
  return methods;
}

}  // namespace

nlohmann::ordered_json MethodsJson(std::span<const compare::MethodComparison> compared) {
  auto methods = nlohmann::ordered_json::array();
  for (const auto& method : compared) {
    methods.push_back({{"method", method.method},
                       {"policies", PolicyWords(method.policies)},
                       {"answer", Name(method.answer)},
                       {"reason", method.reason},
                       {"assumed", method.assumed}});
  }
  return methods;
}

nlohmann::ordered_json RunsJson(std::span<const certify::MethodRuns> made) {
  auto runs = nlohmann::ordered_json::array();
  for (const certify::MethodRuns& each : made) {
    runs.push_back({{"method", each.method}, {"calls", each.calls}, {"not_made", each.not_made}});
  }
  return runs;
}

std::string BanksText(const Replanned& replanned, const Certificate& certificate) {
  const bool is_bound = std::ranges::any_of(replanned.banks, [&](const ReplannedBank& bank) {
    const auto peak_live = PeakLiveOf(bank, certificate);
    return peak_live && bank.peak_live > *peak_live;
  });
  std::vector<std::vector<std::string>> rows = {
      {"bytes of method", "bank", "before", "after", "saved", "peak live"}};
  if (is_bound) rows.front().push_back("bound");
  for (const ReplannedBank& bank : replanned.banks) {
    const auto peak_live = PeakLiveOf(bank, certificate);
    rows.push_back({Quote(bank.method), std::to_string(bank.bank), std::to_string(bank.before),
                    std::to_string(bank.after),
                    std::to_string(static_cast<int64_t>(bank.before - bank.after)),
                    peak_live ? std::to_string(*peak_live) : "unknown"});
    if (is_bound) rows.back().push_back(std::to_string(bank.peak_live));
  }
  return Aligned(rows, 1, "  ") + CausesText(replanned, certificate);
}

std::string LaidOverText(const Replanned& replanned) {
  size_t laid_over = 0;
  for (const ReplannedBank& bank : replanned.banks) laid_over += bank.laid_over.size();
  if (laid_over == 0) return "";
  return fmt::format(
      "{} results now lie over operands, as ExecuTorch {}'s kernels allow; other kernels may "
      "not\n",
      laid_over, kOverOperandRelease);
}

// A store that comes earlier passes what was ahead of it.
std::string OrderText(const Replanned& replanned) {
  int64_t early = 0;
  std::string text;
  for (size_t m = 0; m < replanned.now_at.size(); ++m) {
    const std::vector<int32_t>& now_at = replanned.now_at[m];
    if (m < replanned.values_at.size() && !replanned.values_at[m].empty()) {
      text += fmt::format("instructions of {} come in another order\n",
                          Quote(replanned.program.methods[m].name));
      continue;
    }
    int32_t furthest = -1;
    for (const int32_t at : now_at) {
      early += at >= 0 && at < furthest ? 1 : 0;
      furthest = std::max(furthest, at);
    }
  }
  if (early == 0) return text;
  return text +
         (early == 1 ? "1 store comes earlier\n" : fmt::format("{} stores come earlier\n", early));
}

std::string UpdatesText(const Replanned& replanned) {
  size_t updates = 0;
  for (const auto& method : replanned.updates) updates += method.size();
  if (updates == 0) return "";
  std::string text =
      updates == 1 ? "1 buffer is updated in place, without a store\n"
                   : fmt::format("{} buffers are updated in place, without stores\n", updates);
  for (const std::string& op : replanned.operators_added) {
    text += fmt::format("  operator added: {}\n", op);
  }
  return text;
}

std::string DroppedText(const Replanned& replanned) {
  size_t dropped = 0;
  for (const auto& method : replanned.dropped) dropped += method.size();
  if (dropped == 0) return "";
  return dropped == 1 ? "1 copy is dropped\n" : fmt::format("{} copies are dropped\n", dropped);
}

std::string OutputsText(const Certificate& certificate) {
  std::string text;
  for (const std::string_view method : ShortenedIn(certificate)) {
    text += fmt::format(
        "outputs of {} last until the next call of any method, as ExecuTorch promises; before, "
        "other methods left them alone (--outputs own-next-call)\n",
        Quote(std::string(method)));
  }
  return text;
}

std::string ShownText(const Certificate& certificate) {
  return fmt::format(
      "shown: check finds nothing new; {} obligations proved{}; computation {}; {} random calls "
      "agree\n",
      certificate.proved,
      certificate.unproved == 0 ? ""
                                : fmt::format(", {} not proved, as before", certificate.unproved),
      AnswerOf(certificate), CallsOf(certificate));
}

std::string ReplanText(const ReplanFiles& files, const Replanned& replanned,
                       const Certificate& certificate) {
  const bool is_smaller = std::ranges::any_of(
      replanned.banks, [](const ReplannedBank& bank) { return bank.after < bank.before; });
  std::string text = fmt::format(
      "{}: {}device banks take {}{}\n", QuotePath(files.old_file),
      is_smaller ? "" : "no bank is smaller: ", DeviceTotalsText(TotalsOf(files, replanned)),
      certificate.shortened.empty() ? "" : ", if outputs are read before the next call");
  text += BanksText(replanned, certificate);
  text += UpdatesText(replanned);
  text += DroppedText(replanned);
  text += OrderText(replanned);
  text += LaidOverText(replanned);
  text += OutputsText(certificate);
  text += ShownText(certificate);
  return text;
}

nlohmann::ordered_json CertificateObject(const ReplanFiles& files, const Replanned& replanned,
                                         const Certificate& certificate) {
  return {{"pteproof", Version()},
          {"old", files.old_file},
          {"new", files.new_file},
          {"holds", certificate.holds()},
          {"failure", certificate.failure},
          {"device", DeviceTotalsJson(TotalsOf(files, replanned))},
          {"banks", BanksJson(replanned, certificate)},
          {"check",
           {{"old", VerdictsJson(certificate.old_check)},
            {"new", VerdictsJson(certificate.new_check)},
            {"gone", certificate.gone.size()}}},
          {"proof",
           {{"old", VerdictsJson(certificate.old_proof)},
            {"new", VerdictsJson(certificate.new_proof)},
            {"proved", certificate.proved},
            {"unproved", certificate.unproved}}},
          {"computation", MethodsJson(certificate.methods)},
          {"runs", RunsJson(certificate.runs)},
          {"outputs_shortened", ShortenedIn(certificate)},
          {"operators_added", replanned.operators_added},
          {"results_over_operands_added", LaidOverJson(replanned)},
          {"updates_in_place", UpdatesJson(replanned)},
          {"copies_dropped", NumbersJson(replanned, replanned.dropped, "instructions")},
          {"instructions_moved", NumbersJson(replanned, replanned.now_at, "now_at")},
          {"values_moved", ValuesJson(replanned)}};
}

std::string CertificateJson(const ReplanFiles& files, const Replanned& replanned,
                            const Certificate& certificate) {
  return JsonText(CertificateObject(files, replanned, certificate)) + "\n";
}

}  // namespace pteproof
