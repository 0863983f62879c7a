// A value that is used although nothing made it on some path, or after its memory was freed:
// undecided, since the path may be impossible; an error where nothing makes it on any.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "properties/rules/method_rules.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

Finding UseAt(const MethodMeaning& meant, const LiveName& name, Severity severity) {
  return FindingAt(rule::kReadBeforeWrite, severity, *meant.method, name.reader, {name.name},
                   meant.flow().PlaceOf(name.name));
}

std::string UseWords(const MethodMeaning& meant, const LiveName& name, std::string_view verb) {
  return fmt::format("{} {} {}.", Capital(ReaderWords(meant.flow(), name.reader, name.name)), verb,
                     ValueWords(*meant.method, name.name));
}

// A view whose base's name was given to other bytes: nothing ever writes the bytes that it reads.
[[gnu::cold]] Finding TellStray(const MethodMeaning& meant, const LiveName& name) {
  Finding finding = UseAt(meant, name, Severity::kError);
  finding.explanation = fmt::format(
      "{}\nNo instruction writes these bytes, and the value is not a buffer: the exporter made it "
      "after the inputs.\nThe bytes hold whatever was there before.",
      UseWords(meant, name, "reads"));
  finding.fix = "Clone the value that it is a view of, and take the view of the clone.";
  finding.clone = Clone::kOther;
  return finding;
}

[[gnu::cold]] Finding TellUnmade(const MethodMeaning& meant, const LiveName& name) {
  Finding finding = UseAt(meant, name, Severity::kNote);
  finding.undecided = true;
  finding.explanation = fmt::format(
      "{}\nOn some path from the start of the method no instruction has written it.\n"
      "If a call takes that path, the reader gets the bytes that were there before.",
      UseWords(meant, name, "reads"));
  finding.fix =
      "Write the value on every path that leads to the read, or, if no call takes the others, "
      "accept the finding in a manifest (`suppress`).";
  return finding;
}

// Recorded from ExecuTorch: the read ends in a null pointer.
[[gnu::cold]] Finding TellFreed(const MethodMeaning& meant, int32_t free, const LiveName& name) {
  Finding finding = UseAt(meant, name, Severity::kNote);
  finding.undecided = true;
  finding.explanation = fmt::format(
      "{}\n{} has freed its memory before.\nIf a call takes that path, the kernel follows a null "
      "pointer.",
      UseWords(meant, name, "uses"), Capital(InstructionWords(*meant.method, free)));
  finding.fix = "Free the value after its last use, or not at all.";
  return finding;
}

// From the end of the block backwards, who uses a name next. O(accesses log accesses).
void AddFreed(const MethodMeaning& meant, size_t block, std::vector<Finding>& findings) {
  std::map<int32_t, int32_t> next;  // name: its user
  for (const LiveName& live : meant.live.out[block]) next.emplace(live.name, live.reader);
  const Block& at_hand = meant.graph.blocks[block];
  for (int32_t i = at_hand.end; i-- > at_hand.begin;) {
    const auto at = static_cast<size_t>(i);
    const Instruction& instruction = meant.method->instructions[at];
    if (instruction.kind == InstructionKind::kFree) {
      const auto found = next.find(instruction.target);
      if (found != next.end())
        findings.push_back(TellFreed(meant, i, {found->first, found->second}));
    }
    for (const Rename& rename : meant.effects.RenamesOf(at)) next.erase(rename.to);
    for (const Rename& rename : meant.effects.RenamesOf(at)) next[rename.from] = i;
    for (const Read& read : meant.effects.ReadsOf(at)) next[read.value] = i;
    for (const Write& write : meant.effects.WritesOf(at)) next[write.value] = i;
  }
}

bool HasFree(const Method& method) {
  return std::ranges::any_of(method.instructions, [](const Instruction& instruction) {
    return instruction.kind == InstructionKind::kFree;
  });
}

}  // namespace

std::vector<Finding> CheckFreed(const MethodMeaning& meant) {
  std::vector<Finding> findings;
  if (!HasFree(*meant.method) || !meant.live.complete) return findings;
  for (size_t b = 0; b < meant.graph.blocks.size(); ++b) {
    if (meant.graph.blocks[b].reachable) AddFreed(meant, b, findings);
  }
  return findings;
}

std::vector<Finding> CheckUnmade(const MethodMeaning& meant) {
  std::vector<Finding> findings;
  for (const LiveName& name : meant.unmade) {
    const bool is_stray = std::ranges::binary_search(meant.aliases.stray, name.name);
    findings.push_back(is_stray ? TellStray(meant, name) : TellUnmade(meant, name));
  }
  return findings;
}

}  // namespace pteproof::checks
