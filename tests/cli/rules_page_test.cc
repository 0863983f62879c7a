// docs/reference/rules.md: the catalogue, and for each rule a file of the corpus that breaks it,
// with what the command prints about it and with the picture of its plan.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding_names.h"
#include "pteproof/rules.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

const std::string kRulesFile = "docs/reference/rules.md";
const std::string kPictures = "docs/pictures/rules/";

struct RuleExample {
  std::string_view rule;
  std::string_view file;  // in corpus/
  std::string_view policy;
};

// Small files in which little else is wrong. Rules of files have theirs in
// corpus/crafted/INDEX.tsv.
constexpr std::array kExamples = {
    RuleExample{"plan-overlap", "regressions/program/two-results-in-one-place.pte", "private"},
    RuleExample{"plan-bounds", "real/bugs/stale-pass/stale-pass.pte", "private"},
    RuleExample{"plan-alignment", "crafted/placement-misaligned.pte", "private"},
    RuleExample{"alias-lifetime", "real/bugs/in-place-result-freed/in-place-result-freed.pte",
                "private"},
    RuleExample{"in-place-alias", "real/bugs/in-place-flip/in-place-flip.pte", "private"},
    RuleExample{"in-place-single-use", "real/bugs/in-place-reread/in-place-reread.pte", "private"},
    RuleExample{"in-place-pass-through", "regressions/program/number-of-data-of-a-ptd.pte",
                "private"},
    RuleExample{"state-clobbered", "real/bugs/private-state/private-state.pte", "share-all"},
    RuleExample{"shared-layout", "real/bugs/pass-part/pass-part.pte", "share-all"},
    RuleExample{"state-split", "real/models/put_get/put_get.pte", "private"},
    RuleExample{"write-back-missing", "real/bugs/store-dropped-view/store-dropped-view.pte",
                "private"},
    RuleExample{"entry-value-lost", "real/bugs/old-value-returned/old-value-returned.pte",
                "private"},
    RuleExample{"read-before-write", "real/finds/no-initial-unnamed/no-initial-unnamed.pte",
                "private"},
    RuleExample{"initialised-twice", "real/bugs/late-load/late-load.pte", "share-all"},
    RuleExample{"initial-value-wrong", "real/bugs/initial-wrong-table/initial-wrong-table.pte",
                "share-all"},
    RuleExample{"mutability-mismatch", "real/bugs/reader-constant/reader-constant.pte",
                "share-all"},
    RuleExample{"region-escape", "real/bugs/cond-siblings/cond-siblings.pte", "private"},
    RuleExample{"bound-too-small", "real/bugs/no-upper-bound/no-upper-bound.pte", "private"},
    RuleExample{"output-misbound", "real/bugs/outputs-shifted/outputs-shifted.pte", "private"},
    RuleExample{"dim-order-mismatch", "regressions/program/rows-of-another-layout.pte", "private"},
    RuleExample{"call-refused", "reports/refused-update/row.pte", "private"},
    RuleExample{"output-invalidated", "real/bugs/late-load-ok/late-load-ok.pte", "share-all"},
    RuleExample{"concurrent-access", "real/models/put_get/put_get.pte", "share-all"},
    RuleExample{"device-mismatch", "regressions/program/empty-initial-value-not-written.pte",
                "private"},
    RuleExample{"delegate-mismatch", "delegates/planted/two-sizes.pte", "private"},
    RuleExample{"delegate-output-unwritten", "delegates/planted/add-unwritten.pte", "private"},
    RuleExample{"memory-missing", "real/models/unplanned_buffers/unplanned_buffers.pte", "private"},
    RuleExample{"load-fails", "reports/operator-missing/relu_.pte", "share-all"},
    RuleExample{"phantom-slot", "real/models/phantom_slot/phantom_slot.pte", "private"},
    RuleExample{"plan-waste", "real/bugs/suite-order/suite-order.pte", "private"},
    RuleExample{"self-copy", "real/models/name_clash/name_clash.pte", "private"},
    RuleExample{"not-provable", "crafted/legal/delegate-without-compile-specs.pte", "private"},
};

std::vector<std::string> LinesOfText(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The words after `pteproof` that show the rule; none if no file of the corpus breaks it.
std::vector<std::string> CommandFor(std::string_view rule) {
  for (const RuleExample& example : kExamples) {
    if (example.rule != rule) continue;
    if (rule == "load-fails") {
      return {"check", "--loader", "executorch.runtime@1.5", "corpus/" + std::string(example.file)};
    }
    if (rule == "concurrent-access") {
      return {"check",
              "--use",
              "concurrent",
              "--policy",
              std::string(example.policy),
              "corpus/" + std::string(example.file)};
    }
    return {"check", "--trust-manifests", "--policy", std::string(example.policy),
            "corpus/" + std::string(example.file)};
  }
  if (rule == "file-text") return {"check", "corpus/pteasm/no-type.pteasm"};
  for (const std::string& row : LinesOfText(ReadText("corpus/crafted/INDEX.tsv"))) {
    const size_t end = row.find('\t');
    if (row.substr(end + 1, row.find('\t', end + 1) - end - 1) != rule) continue;
    const std::string file = "corpus/crafted/" + row.substr(0, end);
    if (file.ends_with(".ptd")) return {"check", "corpus/crafted/base.pte", "--data", file};
    return {"check", file};
  }
  return {};
}

std::string Joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += ' ' + word;
  return line;
}

// The line of the file's verdict and the finding of the rule, with `...` for all else; empty if the
// rule is not among the findings.
std::string Excerpt(const std::vector<std::string>& lines, std::string_view rule) {
  const auto is_of_rule = [&](const std::string& line) {
    return line.starts_with("  ") && !line.starts_with("   ") &&
           (line + " ").find(" " + std::string(rule) + " ") != std::string::npos;
  };
  const auto first = std::find_if(lines.begin(), lines.end(), is_of_rule);
  if (first == lines.end()) return "";
  auto last = first + 1;
  while (last != lines.end() && last->starts_with("    ")) ++last;
  std::string text = lines.front() + "\n";
  if (first - lines.begin() > 1) text += "...\n";
  for (auto line = first; line != last; ++line) text += *line + "\n";
  if (std::any_of(last, lines.end(), [](const auto& line) { return !line.empty(); })) {
    text += "...\n";
  }
  return text;
}

std::string ExampleText(const RuleInfo& rule) {
  const std::vector<std::string> command = CommandFor(rule.name);
  if (command.empty()) return "";
  const std::string shown = Excerpt(LinesOfText(RunCommand(command).out), rule.name);
  if (shown.empty()) return "";
  return fmt::format("\n**An example file.**\n\n```console\n$ pteproof{}\n{}```\n", Joined(command),
                     shown);
}

// Links to public reports of such mistakes: "[pytorch/executorch#6971](...)".
std::string ReportsText(const RuleInfo& rule) {
  std::string links;
  for (const std::string& address : ReportsOf(rule)) {
    constexpr std::string_view kHost = "https://github.com/";
    std::string name = address.substr(kHost.size());
    name.replace(name.find("/issues/"), std::string_view("/issues/").size(), "#");
    links += fmt::format("{}[{}]({})", links.empty() ? "" : ", ", name, address);
  }
  return links.empty() ? "" : fmt::format("\n**Reported in public.** {}\n", links);
}

std::string PictureText(const RuleExample& example) {
  return fmt::format("\n![The plan of {}](../pictures/rules/{}.svg)\n",
                     example.file.substr(example.file.rfind('/') + 1), example.rule);
}

std::string RuleText(const RuleInfo& rule) {
  std::string text = fmt::format(
      "\n## {}\n\n{}: {}.\n\n**What must hold.** {}\n\n**Meaning.** {}\n\n**Example.** "
      "{}\n\n**Fix.** "
      "{}\n\n**Loader policies that matter.** {}\n",
      rule.name, Name(rule.severity), rule.summary, rule.invariant, rule.meaning, rule.example,
      rule.fix, rule.policies);
  text += ReportsText(rule);
  const std::string shown = ExampleText(rule);
  if (shown.empty()) return text;
  text += shown;
  for (const RuleExample& example : kExamples) {
    if (example.rule == rule.name) text += PictureText(example);
  }
  return text;
}

std::string RulesPageText() {
  std::string page =
      "# Rules\n\nMade from the catalogue, which `pteproof rules RULE` prints. Names never change "
      "meaning. A malformed file gets `file-*` findings, with the place in the file, and is not "
      "judged further.\n\n| rule | comes as | what is wrong |\n|---|---|---|\n";
  for (const RuleInfo& rule : PlanRules()) {
    page +=
        fmt::format("| [{0}](#{0}) | {1} | {2} |\n", rule.name, Name(rule.severity), rule.summary);
  }
  for (const RuleInfo& rule : AllRules()) page += RuleText(rule);
  return page;
}

std::string Picture(const RuleExample& example) {
  return RunCommand({"map", "corpus/" + std::string(example.file), "--trust-manifests", "--policy",
                     std::string(example.policy)})
      .out;
}

// With PTEPROOF_UPDATE_DOCS in the environment page and pictures are written anew.
TEST(RulesPage, SaysWhatTheCatalogueSays) {
  RecordProperty("slow", "runs the command of every example");
  std::filesystem::current_path(PTEPROOF_SOURCE_DIR);
  const std::string text = RulesPageText();
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) std::ofstream(kRulesFile) << text;
  EXPECT_EQ(ReadText(kRulesFile), text);
}

TEST(RulesPage, HasAPictureForEachRuleOfPlans) {
  std::filesystem::current_path(PTEPROOF_SOURCE_DIR);
  EXPECT_EQ(kExamples.size(), PlanRules().size());
  const std::string page = ReadText(kRulesFile);
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr)
    std::filesystem::create_directories(kPictures);
  for (const RuleExample& example : kExamples) {
    EXPECT_NE(page.find(PictureText(example)), std::string::npos) << example.rule;
    const std::string drawn = Picture(example);
    const std::string file = kPictures + std::string(example.rule) + ".svg";
    if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) std::ofstream(file) << drawn;
    EXPECT_EQ(ReadText(file), drawn) << file;
  }
}

}  // namespace
}  // namespace pteproof
