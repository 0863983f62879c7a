#include "cli/render/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "cli/io/quote.h"
#include "cli/render/file_sections.h"
#include "properties/bank_waste.h"

namespace pteproof {
namespace {

using compare::Answer;
using compare::MethodComparison;
using compare::ProgramComparison;

std::string PartLine(std::string_view part, std::string_view answer) {
  return fmt::format("{:<13} {}\n", part, answer);
}

std::string SideText(std::string_view which, const compare::DifferenceSide& side) {
  std::string place;
  if (side.instruction >= 0) place += fmt::format(" instruction {}", side.instruction);
  if (side.value >= 0) place += fmt::format("{} v{}", place.empty() ? "" : ",", side.value);
  if (place.empty() && side.term.empty()) return "";
  std::string text = fmt::format("    {}:{}", which, place);
  if (!side.term.empty()) text += fmt::format("{} {}", place.empty() ? "" : ":", side.term);
  return Quote(text, kLongestLine) + "\n";
}

std::string MethodText(const MethodComparison& method) {
  std::string text = fmt::format("  {} under {}: {}", Quote(method.method),
                                 PolicyWords(method.policies), Name(method.answer));
  const std::string basis = BasisOf(method);
  if (!basis.empty()) text += fmt::format("; {}", Quote(basis, kLongestLine));
  text += "\n";
  const bool rests = method.answer == Answer::kSame || method.answer == Answer::kAgrees;
  for (const std::string& assumed : rests ? method.assumed : std::set<std::string>()) {
    text += fmt::format("    assumes that {}\n", Quote(assumed, kLongestLine));
  }
  if (!method.difference) return text;
  text += fmt::format("    {}\n", Quote(method.difference->where, kLongestLine));
  text += SideText("old", method.difference->old_side);
  return text + SideText("new", method.difference->new_side);
}

bool IsMeant(const ProgramComparison& comparison) {
  return comparison.old_read == compare::ReadAs::kMeant;
}

std::string MethodsText(const ProgramComparison& comparison) {
  std::string answer(Name(comparison.computation));
  if (!comparison.in_one_only.empty()) {
    std::vector<std::string> names;
    for (const std::string& name : comparison.in_one_only) names.push_back(Quote(name));
    answer +=
        fmt::format(", of the methods that both have; not compared: {}", fmt::join(names, ", "));
  }
  if (IsMeant(comparison)) answer += "; compared with what the old program was meant to compute";
  std::string text = PartLine("computation", answer);
  for (const MethodComparison& method : comparison.methods) text += MethodText(method);
  return text;
}

std::string SignedChange(uint64_t before, uint64_t after) {
  if (after >= before) return fmt::format("+{}", after - before);
  return fmt::format("-{}", before - after);
}

std::string SizesText(const ComparedFiles& files) {
  std::string text =
      fmt::format("  {:<15} {:>14} {:>14} {:>14}\n", "bytes", "old", "new", "change");
  for (const FileSection& section : kFileSections) {
    const uint64_t before = files.old_sizes.*section.bytes;
    const uint64_t after = files.new_sizes.*section.bytes;
    if (before == 0 && after == 0) continue;
    text += fmt::format("  {:<15} {:>14} {:>14} {:>14}\n", section.words, before, after,
                        SignedChange(before, after));
  }
  return text;
}

std::string MemoryText(const std::vector<compare::MemoryRow>& rows) {
  std::string text;
  for (const compare::MemoryRow& row : rows) {
    text += fmt::format(
        "  {} bank {}: {} bytes instead of {} ({}); peak live bytes {} instead of {}; waste {} "
        "instead of {}\n",
        Quote(row.method), row.bank, row.new_use.size, row.old_use.size,
        SignedChange(row.old_use.size, row.new_use.size), row.new_use.load, row.old_use.load,
        WasteOf(row.new_use), WasteOf(row.old_use));
  }
  return text;
}

std::string FindingLine(std::string_view which, const Finding& finding) {
  const std::string first = finding.explanation.substr(0, finding.explanation.find('\n'));
  const std::string of = finding.method.empty() ? "" : fmt::format(" in {}", Quote(finding.method));
  return fmt::format("  {}: {} {}{}: {}\n", which, Name(finding.severity), finding.rule, of,
                     Quote(first, kLongestLine));
}

std::string FindingsText(const compare::FindingComparison& findings) {
  std::string text =
      PartLine("findings", fmt::format("{} new, {} gone, {} the same", findings.added.size(),
                                       findings.gone.size(), findings.same.size()));
  for (const Finding& finding : findings.added) text += FindingLine("new", finding);
  for (const Finding& finding : findings.gone) text += FindingLine("gone", finding);
  return text;
}

// How far the answer on computation goes.
std::string LastLine(const ProgramComparison& comparison) {
  switch (comparison.computation) {
    case Answer::kSame:
      if (IsMeant(comparison)) {
        return "The new program computes what the old one was meant to: proved for all inputs and "
               "all sequences of calls.\n";
      }
      return fmt::format(
          "{} the same: proved for all inputs and all sequences of calls.\n",
          comparison.in_one_only.empty() ? "Both compute" : "The methods of both compute");
    case Answer::kAgrees:
      return "No difference was found, but it is not proved that there is none.\n";
    case Answer::kOpen:
      return "It is open whether both compute the same.\n";
    case Answer::kDiffers:
      if (IsMeant(comparison)) {
        return "The new program does not compute what the old one was meant to.\n";
      }
      return "The programs do not compute the same.\n";
  }
  return "";
}

}  // namespace

std::string PolicyWords(const PolicySet& policies) {
  if (policies == PolicySet::All()) return "every policy";
  std::vector<std::string_view> names;
  for (const Policy policy : kAllPolicies) {
    if (policies.Has(policy)) names.push_back(Name(policy));
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

std::string BasisOf(const MethodComparison& method) {
  const std::string runs = fmt::format("{} random calls agree", method.runs);
  switch (method.answer) {
    case Answer::kSame: {
      std::string text = "proved for all inputs";
      if (method.sizes_vary && method.sizes == 0) text += ", whatever their sizes are";
      if (method.sizes_vary && method.sizes > 0) {
        text += fmt::format(", at all {} choices of sizes", method.sizes);
      }
      if (method.paths > std::max<int64_t>(method.sizes, 1))
        text += fmt::format(", on {} paths", method.paths);
      if (method.loops > 0) text += ", loops by induction";
      return text;
    }
    case Answer::kAgrees: {
      const std::string sizes =
          method.sizes_vary ? fmt::format("terms are equal at {} choices of sizes, ", method.sizes)
                            : std::string();
      return fmt::format("not proved: {}; {}{}", method.reason, sizes, runs);
    }
    case Answer::kOpen:
      return method.reason;
    case Answer::kDiffers:
      if (!method.run_difference.empty()) return "a run shows it: " + method.run_difference;
      return method.runs > 0 ? "other terms; " + runs : "other terms";
  }
  return "";
}

std::string ComputationText(const std::string& old_file, const std::string& new_file,
                            const compare::ProgramComparison& comparison) {
  std::string text = fmt::format("old {}\nnew {}\n", QuotePath(old_file), QuotePath(new_file));
  return text + MethodsText(comparison) + LastLine(comparison);
}

std::string CompareText(const ComparedFiles& files, const ProgramComparison& comparison) {
  std::string text =
      fmt::format("old {}\nnew {}\n", QuotePath(files.old_file), QuotePath(files.new_file));
  text += PartLine("interface", Name(comparison.interface.answer));
  for (const std::string& line : comparison.interface.differences) {
    text += fmt::format("  {}\n", Quote(line, kLongestLine));
  }
  text += MethodsText(comparison);
  const compare::ConstantComparison& constants = comparison.constants;
  text +=
      PartLine("constants", fmt::format("{}: {} of {} bytes instead of {} of {}; {} new, {} gone",
                                        Name(constants.answer), constants.new_count,
                                        constants.new_bytes, constants.old_count,
                                        constants.old_bytes, constants.added, constants.gone));
  text += PartLine("file size", SignedChange(files.old_sizes.file, files.new_sizes.file));
  text += SizesText(files);
  text += PartLine("memory", comparison.memory.empty()
                                 ? "no banks"
                                 : fmt::format("device banks take {}", files.banks));
  text += MemoryText(comparison.memory);
  for (const std::string& line : files.grown) {
    text += fmt::format("  {}\n", Quote(line, kLongestLine));
  }
  text += FindingsText(comparison.findings);
  return text + LastLine(comparison);
}

}  // namespace pteproof
