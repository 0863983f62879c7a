#include "cli/render/proof_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "base/finding_names.h"
#include "cli/io/json_text.h"
#include "cli/io/quote.h"
#include "cli/load/file_report.h"
#include "cli/render/proof_words.h"
#include "cli/render/trust_words.h"
#include "properties/agreement/confirm.h"

namespace pteproof {
namespace {

using proofs::Decision;
using proofs::Obligation;

constexpr size_t kMostTold = 20;

std::string_view Name(proofs::Answer answer) {
  switch (answer) {
    case proofs::Answer::kProved:
      return "proved";
    case proofs::Answer::kRefuted:
      return "refuted";
    case proofs::Answer::kUnknown:
      return "unknown";
  }
  return "";
}

// The answer as a word. What leaves two readings of the file refutes neither.
std::string_view AnswerWord(const Obligation& obligation, const Decision& decision) {
  if (proofs::LeavesOpen(obligation, decision)) return "undecided";
  return Name(decision.answer);
}

std::string_view Name(proofs::How how) {
  switch (how) {
    case proofs::How::kFolded:
      return "numbers";
    case proofs::How::kSolver:
      return "solver";
    case proofs::How::kLemmas:
      return "bounds";
    case proofs::How::kDefinitions:
      return "definitions";
  }
  return "";
}

// The word for the whole file.
std::string_view HeadWord(Overall overall) {
  switch (overall) {
    case Overall::kSafe:
      return "proved";
    case Overall::kUnsafe:
      return "refuted";
    case Overall::kUndecided:
      return "undecided";
    case Overall::kDepends:
      return "depends";
  }
  return "";
}

std::string PolicyRow(const ProofReport& report, const Paint& paint) {
  std::string row = " ";
  for (const Policy policy : kAllPolicies) {
    const Verdict verdict = report.verdicts[static_cast<size_t>(policy)];
    row += fmt::format(" {}{}: {}  ", Name(policy), report.policy == policy ? " (chosen)" : "",
                       paint.Word(Name(verdict)));
  }
  row.resize(row.find_last_not_of(' ') + 1);
  return row + "\n";
}

std::string Explanation(const Obligation& o, const Decision& d,
                        const std::vector<std::string>& names, const Report& check,
                        const Paint& paint) {
  const std::string_view word = d.vacuous ? "vacuous" : AnswerWord(o, d);
  std::string explanation =
      fmt::format("  {} {}{}  {}\n", paint.Word(word == "proved" ? "safe" : word), o.kind,
                  LoaderWords(o.policies), PlaceWords(o));
  if (d.answer == proofs::Answer::kRefuted) explanation += QuoteLines(o.refuted, "    ");
  if (!o.checked) explanation += QuoteLines("to show: " + GoalWords(o.goal, names), "    ");
  if (!d.model.empty())
    explanation += QuoteLines("fails for: " + ModelWords(d.model, names), "    ");
  if (d.answer == proofs::Answer::kUnknown)
    explanation += QuoteLines("reason: " + d.reason, "    ");
  if (d.answer == proofs::Answer::kRefuted && IsJudgedByCheck(o, d) && !IsConfirmed(o, d, check)) {
    explanation += "    not confirmed: the check finds nothing there, so one of the two is wrong\n";
  }
  if (d.vacuous)
    explanation += "    reason: no sizes fulfil the ranges, so the obligation proves nothing\n";
  if (d.disagree)
    explanation += "    the second solver disagrees: one of the two answers is wrong\n";
  return explanation;
}

const explain::Why* WhyOf(const ProofReport& report, size_t o) {
  if (!report.whys) return nullptr;
  const auto at = report.whys->why.find(o);
  return at == report.whys->why.end() ? nullptr : &at->second;
}

std::string WhyExplanation(const ProofReport& report, size_t o) {
  const explain::Why* why = WhyOf(report, o);
  if (why == nullptr) return "";
  if (!why->why_not.empty()) return QuoteLines("sufficient facts: " + why->why_not, "    ");
  std::string text =
      fmt::format("    sufficient facts, {} of {}:\n", why->facts, report.whys->facts);
  for (const std::string& fact : why->enough) text += QuoteLines(fact, "      ");
  return text;
}

// Obligations of loaders that are not in use are left out.
bool IsTold(const ProofReport& report, size_t o) {
  const Decision& d = report.proof.decisions[o];
  if (report.policy && !report.proof.obligations.list[o].policies.Has(*report.policy)) return false;
  return d.answer != proofs::Answer::kProved || d.vacuous || d.disagree;
}

std::string Explanations(const ProofReport& report, const Paint& paint) {
  const auto names = NamesOf(report.proof.obligations.symbols);
  std::vector<size_t> told;
  for (size_t o = 0; o < report.proof.decisions.size(); ++o) {
    if (IsTold(report, o)) told.push_back(o);
  }
  std::string explanations;
  for (const size_t o : std::span(told).first(std::min(told.size(), kMostTold))) {
    const Obligation& obligation = report.proof.obligations.list[o];
    explanations += Explanation(obligation, report.proof.decisions[o], names, report.check, paint);
    explanations += WhyExplanation(report, o);
    if (proofs::IsSuppressed(obligation, report.known)) {
      explanations += "    accepted: the manifest suppresses it\n";
    }
  }
  if (told.size() > kMostTold) {
    explanations += fmt::format("  {} more (--json has them all)\n", told.size() - kMostTold);
  }
  return explanations;
}

// What only the file alone leaves unproved.
std::string AloneText(const ProofReport& report, const Paint& paint) {
  if (!report.alone) return "";
  const std::string told = Explanations(*report.alone, paint);
  return told.empty() ? "" : "  without the manifest, which is not trusted:\n" + told;
}

size_t AcceptedIn(const ProofReport& report) {
  return proofs::AcceptedOf(report.proof, report.known, report.policy) +
         (report.alone ? AcceptedIn(*report.alone) : 0);
}

// Of both readings, those of the file alone that are told.
proofs::ProofCounts CountBoth(const ProofReport& report) {
  proofs::ProofCounts counts = proofs::Count(report.proof);
  if (!report.alone) return counts;
  const proofs::ProofCounts more = proofs::Count(report.alone->proof);
  counts.proved += more.proved;
  counts.refuted += more.refuted;
  counts.undecided += more.undecided;
  counts.unknown += more.unknown;
  counts.vacuous += more.vacuous;
  counts.by_constants += more.by_constants;
  return counts;
}

std::string Assumptions(const ProofReport& report) {
  std::string text;
  for (const std::string& assumption : report.proof.obligations.assumptions) {
    text += QuoteLines("assumed: " + assumption, "  ");
  }
  return text;
}

// " (3 of them under other loaders)", where a loader was chosen.
size_t RefutedElsewhere(const ProofReport& report) {
  size_t elsewhere = report.alone ? RefutedElsewhere(*report.alone) : 0;
  for (size_t o = 0; report.policy && o < report.proof.decisions.size(); ++o) {
    const bool refuted =
        AnswerWord(report.proof.obligations.list[o], report.proof.decisions[o]) == "refuted";
    if (refuted && !report.proof.obligations.list[o].policies.Has(*report.policy)) ++elsewhere;
  }
  return elsewhere;
}

std::string ElsewhereWords(const ProofReport& report) {
  const size_t elsewhere = RefutedElsewhere(report);
  return elsewhere == 0 ? "" : fmt::format(" ({} of them under other loaders)", elsewhere);
}

// Findings of the rules that the check and the proof have in common, of both readings.
size_t CheckedIn(const ProofReport& report) {
  const auto own =
      std::ranges::count(report.proof.obligations.list, true, &proofs::Obligation::checked);
  return static_cast<size_t>(own) + (report.alone ? CheckedIn(*report.alone) : 0);
}

std::string Totals(const ProofReport& report) {
  const proofs::Obligations& obligations = report.proof.obligations;
  const proofs::ProofCounts counts = CountBoth(report);
  const size_t decided = report.proof.decisions.size() + obligations.held +
                         (report.alone ? report.alone->proof.decisions.size() : 0);
  std::string text;
  if (obligations.swept.has_value()) {
    text =
        fmt::format("  pairs of a write and a value that is live then: {}, {} by a second count\n",
                    obligations.pairs, *obligations.swept);
  } else {
    text = fmt::format(
        "  pairs of a write and a value that is live then: {}, too many for a second count\n",
        obligations.pairs);
  }
  const size_t broken = CheckedIn(report);
  text += fmt::format("  rules in which nothing is computed: checked, {}\n",
                      broken == 0 ? "all hold" : fmt::format("{} do not hold", broken));
  return text +
         fmt::format(
             "  {} obligations ({} on numbers alone): {} proved, {} refuted{}, {}{} unknown; "
             "{:.3f} s, "
             "{}\n",
             decided, counts.by_constants, counts.proved, counts.refuted, ElsewhereWords(report),
             counts.undecided > 0 ? fmt::format("{} undecided, ", counts.undecided) : "",
             counts.unknown, report.seconds, report.solvers);
}

nlohmann::ordered_json JsonOf(const Obligation& o, const Decision& d,
                              const std::vector<std::string>& names, const Report& check) {
  nlohmann::ordered_json json = {{"kind", o.kind},
                                 {"answer", AnswerWord(o, d)},
                                 {"method", o.method},
                                 {"instruction", nullptr},
                                 {"values", o.values},
                                 {"goal", nullptr},
                                 {"decided_by", o.checked ? "check" : Name(d.how)}};
  if (!o.checked) json["goal"] = GoalWords(o.goal, names);
  if (o.instruction >= 0) json["instruction"] = o.instruction;
  for (const Policy policy : kAllPolicies) {
    if (o.policies.Has(policy)) json["policies"].push_back(Name(policy));
  }
  if (o.severity != Severity::kError) json["leaves_open"] = true;
  if (d.answer == proofs::Answer::kRefuted) {
    json["explanation"] = o.refuted;
    if (o.checked || IsJudgedByCheck(o, d)) {
      json["confirmed"] = o.checked || IsConfirmed(o, d, check);
    }
  }
  if (d.answer == proofs::Answer::kUnknown) json["reason"] = d.reason;
  if (!d.core.empty()) json["core"] = d.core;
  if (d.vacuous) json["vacuous"] = true;
  if (d.needs_no_facts) json["needs_no_facts"] = true;
  if (d.second.has_value()) json["second"] = Name(*d.second);
  for (const proofs::ModelValue& value : d.model) {
    json["model"][names[static_cast<size_t>(value.symbol)]] = value.value;
  }
  return json;
}

void AddObligations(const ProofReport& report, nlohmann::ordered_json& list) {
  const proofs::Obligations& obligations = report.proof.obligations;
  const auto names = NamesOf(obligations.symbols);
  for (size_t o = 0; o < report.proof.decisions.size(); ++o) {
    const Decision& decision = report.proof.decisions[o];
    list.push_back(JsonOf(obligations.list[o], decision, names, report.check));
    const explain::Why* why = WhyOf(report, o);
    if (why != nullptr && why->why_not.empty()) {
      list.back()["enough"] = {{"facts", why->facts}, {"texts", why->enough}};
    }
    if (decision.answer != proofs::Answer::kProved &&
        proofs::IsSuppressed(obligations.list[o], report.known)) {
      list.back()["accepted"] = true;
    }
  }
}

}  // namespace

ExitCode ExitCodeOf(const ProofReport& report) {
  return ExitCodeOf(OverallOf(
      report.trusted ? proofs::OpenVerdictsOf(report.proof, report.known) : report.verdicts,
      report.policy));
}

std::string RenderText(const ProofReport& report, const Paint& paint, bool quiet) {
  std::optional<std::string_view> by_word;
  if (report.by_word) by_word = HeadWord(*report.by_word);
  const std::string_view verdict = HeadWord(report.overall());
  std::string text = fmt::format("{}: {}{}\n", QuotePath(report.file, kLongestLine), verdict,
                                 TrustWords(verdict, AcceptedIn(report), by_word, report.manifest));
  if (!quiet) {
    text += PolicyRow(report, paint);
    if (!report.manifest.empty()) {
      text += fmt::format("  manifest: {}\n", Quote(report.manifest, kLongestLine));
    }
    text += Explanations(report, paint) + AloneText(report, paint) + Assumptions(report);
  }
  return text + Totals(report);
}

std::string RenderJson(const ProofReport& report) {
  const proofs::Obligations& obligations = report.proof.obligations;
  const proofs::ProofCounts counts = CountBoth(report);
  nlohmann::ordered_json json = {{"file", report.file},
                                 {"verdict", HeadWord(report.overall())},
                                 {"accepted", AcceptedIn(report)},
                                 {"manifest", nullptr},
                                 {"trusted", nullptr},
                                 {"proved", counts.proved},
                                 {"refuted", counts.refuted},
                                 {"undecided", counts.undecided},
                                 {"unknown", counts.unknown},
                                 {"vacuous", counts.vacuous},
                                 {"pairs", obligations.pairs},
                                 {"swept", nullptr},
                                 {"seconds", report.seconds},
                                 {"solvers", report.solvers},
                                 {"assumptions", obligations.assumptions}};
  if (!report.manifest.empty()) {
    json["manifest"] = report.manifest;
    json["trusted"] = report.trusted;
  }
  if (report.by_word) json["by_word"] = HeadWord(*report.by_word);
  if (obligations.swept.has_value()) json["swept"] = *obligations.swept;
  if (report.whys) json["facts"] = report.whys->facts;
  for (const Policy policy : kAllPolicies) {
    json["policies"][std::string(Name(policy))] =
        Name(report.verdicts[static_cast<size_t>(policy)]);
  }
  json["obligations"] = nlohmann::ordered_json::array();
  AddObligations(report, json["obligations"]);
  if (report.alone) {
    const size_t with_manifest = json["obligations"].size();
    AddObligations(*report.alone, json["obligations"]);
    for (size_t o = with_manifest; o < json["obligations"].size(); ++o) {
      json["obligations"][o]["file_alone"] = true;
    }
  }
  return JsonText(json) + "\n";
}

std::string RenderList(const std::string& file, const proofs::Obligations& obligations) {
  const auto names = NamesOf(obligations.symbols);
  std::map<std::string_view, size_t> by_kind;
  std::string text = fmt::format("{}: to show\n", QuotePath(file, kLongestLine));
  for (const Obligation& o : obligations.list) {
    ++by_kind[o.kind];
    text += QuoteLines(fmt::format("{}{}  {}: {}", o.kind, LoaderWords(o.policies), PlaceWords(o),
                                   o.checked ? "does not hold" : GoalWords(o.goal, names)),
                       "  ");
  }
  text += fmt::format("  {} obligations:", obligations.list.size());
  for (const auto& [kind, count] : by_kind) text += fmt::format(" {} {}", count, kind);
  return text + "\n";
}

}  // namespace pteproof
