#include "tests/golden/golden_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <utility>

#include "properties/agreement/drawn_plan.h"
#include "pteproof/check.h"
#include "pteproof/prove.h"
#include "pteproof/read.h"
#include "runtime/read_bundle.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

std::string WordsOf(const Verdicts& verdicts) {
  std::vector<std::string_view> words;
  for (const Verdict verdict : verdicts) words.push_back(Name(verdict));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string WordsOf(PolicySet policies) {
  if (policies == PolicySet::All()) return "all";
  std::vector<std::string_view> words;
  for (const Policy policy : kAllPolicies) {
    if (policies.Has(policy)) words.push_back(Name(policy));
  }
  return fmt::format("{}", fmt::join(words, "+"));
}

std::string WordsOf(const Finding& finding) {
  std::string text =
      fmt::format("{}{} {} {} '{}' i{} v{}", finding.suppressed_because.empty() ? "" : "known ",
                  finding.undecided ? "undecided" : Name(finding.severity), finding.rule,
                  WordsOf(finding.policies), finding.method, finding.instruction,
                  fmt::join(finding.values, ","));
  if (finding.bank != 0) text += fmt::format(" bank {}", finding.bank);
  if (finding.bytes) text += fmt::format(" [{},{})", finding.bytes->lo, finding.bytes->hi);
  return text;
}

std::string Refused(const std::vector<Finding>& findings) {
  std::set<std::string_view> rules;
  for (const Finding& finding : findings) rules.insert(finding.rule);
  return fmt::format("malformed: {}", fmt::join(rules, " "));
}

Result<Program, std::vector<Finding>> ReadAny(const fs::path& file, Bytes bytes) {
  if (file.extension() != ".bpte") return ReadProgram(bytes);
  auto bundle = ReadBundle(bytes);
  if (!bundle) return bundle.error();
  return ReadProgram(bundle.value().program);
}

}  // namespace

std::string GoldenLine(std::string_view subject, const Program& program, const Manifest* manifest) {
  const bool all_first = manifest != nullptr && manifest->all_first.value_or(false);
  const Report report = Check(program, {.manifest = manifest, .all_first = all_first});
  ProveOptions asked;
  asked.manifest = manifest;
  asked.all_first = all_first;
  const Proof proof = Prove(program, asked);
  std::vector<std::string> findings;
  for (const Finding& finding : report.findings) findings.push_back(WordsOf(finding));
  return fmt::format("{}\t{}\t{}\t{} of {} {} {}{}", subject, WordsOf(report.verdicts),
                     fmt::join(findings, "; "), WordsOf(proof.verdicts), proof.proved,
                     proof.refuted, proof.unknown, proof.complete ? "" : " incomplete");
}

std::vector<std::string> GoldenLinesOfFile(const fs::path& root, const fs::path& file) {
  const std::string name = file.lexically_relative(root).generic_string();
  const std::vector<std::byte> bytes = ReadBytes(file);
  const auto program = ReadAny(file, bytes);
  if (!program) return {fmt::format("{}\t{}\t\t", name, Refused(program.error()))};
  std::vector<std::string> lines = {GoldenLine(name, program.value(), nullptr)};
  fs::path beside = file;
  beside.replace_extension(".manifest.json");
  if (!fs::exists(beside)) return lines;
  if (const auto manifest = ParseManifest(ReadText(beside)); manifest) {
    lines.push_back(GoldenLine(name + " with manifest", program.value(), &manifest.value()));
  }
  return lines;
}

std::optional<std::string> GoldenLineOfSound(uint64_t seed) {
  const auto drawn = DrawPlan(seed);
  if (!drawn) return std::nullopt;
  return GoldenLine(fmt::format("sound {}", seed), drawn->planned.program, nullptr);
}

std::optional<std::string> GoldenLineOfDamaged(uint64_t seed) {
  const auto drawn = DrawPlan(seed);
  if (!drawn) return std::nullopt;
  const auto damaged = DrawDamage(drawn->planned.program, seed);
  if (!damaged) return std::nullopt;
  return GoldenLine(fmt::format("damaged {} {}", seed, Name(damaged->damage)), damaged->program,
                    nullptr);
}

}  // namespace pteproof
