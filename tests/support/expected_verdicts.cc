#include "tests/support/expected_verdicts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/finding_names.h"
#include "base/rule_names.h"
#include "properties/verdict.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

using nlohmann::json;

Verdict VerdictNamed(const std::string& name) {
  for (const Verdict v : {Verdict::kSafe, Verdict::kUndecided, Verdict::kUnsafe}) {
    if (Name(v) == name) return v;
  }
  ADD_FAILURE() << "no verdict is called " << name;
  return Verdict::kUndecided;
}

ExpectedRow RowOf(const json& entry, const char* key) {
  ExpectedRow row;
  if (!entry.contains(key)) return row;
  for (const auto& [policy, verdict] : entry[key].items()) {
    const auto named = PolicyNamed(policy);
    if (!named.has_value()) {
      ADD_FAILURE() << "no policy is called " << policy;
      continue;
    }
    row[static_cast<size_t>(*named)] = VerdictNamed(verdict.get<std::string>());
  }
  return row;
}

std::vector<RuleChoice> RulesOf(const json& entry, const char* key) {
  return entry.contains(key) ? entry[key].get<std::vector<RuleChoice>>()
                             : std::vector<RuleChoice>();
}

ExpectedFile ExpectedFrom(const json& entry) {
  for (const auto& [key, ignored] : entry.items()) {
    constexpr std::string_view kKnown[] = {"file",          "why",   "malformed",           "alone",
                                           "with_manifest", "rules", "rules_with_manifest", "run"};
    EXPECT_TRUE(std::ranges::find(kKnown, key) != std::end(kKnown)) << "unknown key " << key;
  }
  return {entry.value("malformed", false), RowOf(entry, "alone"), RowOf(entry, "with_manifest"),
          RulesOf(entry, "rules"), RulesOf(entry, "rules_with_manifest")};
}

bool Admits(const RuleChoice& choice, const Finding& finding) {
  return std::ranges::find(choice, finding.rule) != choice.end();
}

bool IsErrorUnder(const Finding& finding, Policy policy) {
  return finding.severity == Severity::kError && finding.policies.Has(policy);
}

// The row that holds, and the rules that go with it.
struct Wanted {
  ExpectedRow row;
  std::vector<RuleChoice> rules;
};

Wanted WantedOf(const ExpectedFile& expected, bool with_manifest) {
  Wanted wanted = {expected.alone, expected.rules};
  if (!with_manifest) return wanted;
  for (size_t p = 0; p < wanted.row.size(); ++p) {
    if (expected.with_manifest[p].has_value()) wanted.row[p] = expected.with_manifest[p];
  }
  wanted.rules.insert(wanted.rules.end(), expected.rules_with_manifest.begin(),
                      expected.rules_with_manifest.end());
  return wanted;
}

void CompareVerdicts(const Wanted& wanted, const Report& report, std::vector<std::string>& said) {
  for (const Policy p : kAllPolicies) {
    const auto want = wanted.row[static_cast<size_t>(p)];
    const Verdict got = report.verdicts[static_cast<size_t>(p)];
    if (want.has_value() && *want != got) {
      said.push_back(fmt::format("{} is {}, expected {}", Name(p), Name(got), Name(*want)));
    }
  }
}

// Under an unsafe policy the rule, or `state-split` where that is the reason, is an error.
void CompareRule(const RuleChoice& choice, const Wanted& wanted, const Report& report,
                 std::vector<std::string>& said) {
  const auto fits = [&](const Finding& f) { return Admits(choice, f); };
  if (std::ranges::none_of(report.findings, fits)) {
    said.push_back(fmt::format("no finding of {}", fmt::join(choice, " or ")));
    return;
  }
  for (const Policy p : kAllPolicies) {
    const auto is_reason = [&](const Finding& f) {
      return IsErrorUnder(f, p) && (fits(f) || f.rule == rule::kStateSplit);
    };
    const bool unsafe = wanted.row[static_cast<size_t>(p)] == Verdict::kUnsafe;
    if (unsafe && std::ranges::none_of(report.findings, is_reason)) {
      said.push_back(fmt::format("{} is no error under {}", fmt::join(choice, " or "), Name(p)));
    }
  }
}

}  // namespace

Expectations ReadExpectations(const std::filesystem::path& root) {
  Expectations expectations;
  const json document = json::parse(ReadText(root / "EXPECTED.json"), nullptr, false);
  EXPECT_TRUE(document.is_object()) << root << " has no EXPECTED.json that can be read";
  if (!document.is_object()) return expectations;
  for (const json& entry : document["files"]) {
    expectations[entry["file"].get<std::string>()] = ExpectedFrom(entry);
  }
  return expectations;
}

std::map<std::string, std::string> ReadExplanations(const std::filesystem::path& root) {
  std::map<std::string, std::string> explanations;
  if (std::filesystem::exists(root / "STORIES.json")) {
    const json document = json::parse(ReadText(root / "STORIES.json"));
    return document["stories"].get<std::map<std::string, std::string>>();
  }
  for (const auto& file : FilesBelow(root / "bugs")) {
    if (file.filename() != "calls.json") continue;
    const json calls = json::parse(ReadText(file));
    if (!calls.contains("story") || !calls["story"].is_string()) continue;
    explanations[file.parent_path().filename().string()] = calls["story"].get<std::string>();
  }
  return explanations;
}

std::vector<std::string> Disagreements(const ExpectedFile* expected, const Report& report,
                                       bool with_manifest) {
  std::vector<std::string> said;
  if (expected == nullptr) {
    for (const Finding& f : report.findings) {
      if (f.severity == Severity::kError) said.push_back(fmt::format("unexpected {}", f.rule));
    }
    return said;
  }
  const Wanted wanted = WantedOf(*expected, with_manifest);
  CompareVerdicts(wanted, report, said);
  for (const RuleChoice& choice : wanted.rules) CompareRule(choice, wanted, report, said);
  return said;
}

std::vector<std::string> Untold(std::span<const ToldPlace> places,
                                std::span<const RuleChoice> choices, const Report& report) {
  std::vector<std::string> untold;
  for (const ToldPlace& place : places) {
    const bool told = std::ranges::any_of(report.findings, [&](const Finding& f) {
      const auto admits = [&](const RuleChoice& choice) { return Admits(choice, f); };
      return IsAt(f, place) && std::ranges::any_of(choices, admits);
    });
    if (!told) untold.push_back(TextOf(place));
  }
  return untold;
}

std::string Brief(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) {
    text += fmt::format("\n  {} {} {} instruction {} bank {}", Name(f.severity), f.rule, f.method,
                        f.instruction, f.bank);
    if (f.bytes.has_value()) text += fmt::format(" [{},{})", f.bytes->lo, f.bytes->hi);
  }
  return text;
}

}  // namespace pteproof
