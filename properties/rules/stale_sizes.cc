// Names whose sizes are not those of their source. One that no instruction makes, of a tensor whose
// sizes a call may change, keeps the sizes of the file. One that a call makes may get larger ones.
#include <fmt/format.h>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/rule_names.h"
#include "properties/rules/method_rules.h"
#include "properties/rules/resized.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

[[gnu::cold]] Finding TellStale(const MethodMeaning& meant, int32_t name, int32_t source,
                                int32_t reader) {
  Finding finding = FindingAt(rule::kNotProvable, Severity::kNote, *meant.method, reader,
                              {name, source}, meant.flow().PlaceOf(name));
  finding.undecided = true;
  finding.explanation = fmt::format(
      "{} uses {}, a name of {}, whose sizes a call may change.\n"
      "No instruction gives the name these sizes: it keeps those of the file.\n"
      "In a call with smaller sizes, the bytes behind them are taken, too.",
      Capital(ReaderWords(meant.flow(), reader, name)), ValueWords(*meant.method, name),
      ValueWords(*meant.method, source));
  finding.fix =
      "Keep the call that makes the view, or, if all calls have the sizes of the file, accept the "
      "finding in a manifest (`suppress`).";
  return finding;
}

// Who uses the value first; the instruction count: the caller; -1: nobody.
int32_t FirstUser(const MethodMeaning& meant, int32_t v) {
  const auto& usage = meant.roles.usage[static_cast<size_t>(v)];
  if (usage.first_read >= 0) return usage.first_read;
  return usage.is_output ? static_cast<int32_t>(meant.method->instructions.size()) : -1;
}

[[gnu::cold]] Finding TellWide(const MethodMeaning& meant, const Transfer& made, int32_t source) {
  Finding finding = FindingAt(rule::kNotProvable, Severity::kNote, *meant.method, made.instruction,
                              {made.to, source}, meant.flow().PlaceOf(source));
  finding.undecided = true;
  finding.explanation = fmt::format(
      "{} makes {} a name of {}, which may have fewer bytes.\n"
      "A later instruction writes to the name. With sizes above those of its source, it writes "
      "over the bytes behind.",
      Capital(InstructionWords(*meant.method, made.instruction)),
      ValueWords(*meant.method, made.to), ValueWords(*meant.method, source));
  finding.fix = "Give the name the bounds of its source.";
  return finding;
}

// Views that may have more bytes than they lie in, and are written to: ExecuTorch compares sizes
// when the view is made. After a move both names are one tensor, with its bytes.
void AddWide(const MethodMeaning& meant, std::vector<Finding>& findings) {
  const Method& method = *meant.method;
  std::map<int32_t, uint64_t> bytes;  // of a name: those that it lies in
  for (const Transfer& made : meant.aliases.transfers) {
    if (!made.dynamic) continue;
    const auto at = static_cast<size_t>(made.instruction);
    const bool moves = method.instructions[at].kind == InstructionKind::kMove;
    const Tensor& name = *method.TensorOf(made.to);
    for (const int32_t source : meant.aliases.SourcesOf(made)) {
      const Tensor& base = *method.TensorOf(source);
      const auto known = bytes.find(source);
      const uint64_t most = known == bytes.end() ? base.nbytes : known->second;
      if (!moves && name.nbytes <= most) continue;
      const bool is_new = bytes.insert_or_assign(made.to, most).second;
      // Of a static view, or one of other elements, the call is refused.
      if (moves || name.dynamism == Dynamism::kStatic || name.dtype != base.dtype) continue;
      const Usage& usage = meant.roles.usage[static_cast<size_t>(made.to)];
      if (is_new && usage.writes_own_bytes()) findings.push_back(TellWide(meant, made, source));
    }
  }
}

}  // namespace

std::vector<Finding> CheckStaleSizes(const MethodMeaning& meant) {
  std::vector<Finding> findings;
  AddWide(meant, findings);
  const std::vector<bool> resized = ResizedOf(*meant.method).any;
  std::vector<bool> varies = resized;
  for (const Transfer& birth : meant.aliases.transfers) {
    if (birth.dynamic || birth.phase != Phase::kBefore) continue;
    const auto name = static_cast<size_t>(birth.to);
    for (const int32_t source : meant.aliases.SourcesOf(birth)) {
      if (!varies[static_cast<size_t>(source)] || varies[name]) continue;
      varies[name] = true;  // a name of it varies, too
      const int32_t reader = FirstUser(meant, birth.to);
      if (reader >= 0) findings.push_back(TellStale(meant, birth.to, source, reader));
    }
  }
  return findings;
}

}  // namespace pteproof::checks
