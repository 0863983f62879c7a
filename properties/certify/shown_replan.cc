#include "properties/certify/shown_replan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "meaning/program_meaning.h"
#include "planner/lift/webs.h"
#include "planner/repair/spread.h"
#include "planner/replan/forms.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"

namespace pteproof::certify {
namespace {

struct Freedom {
  bool move_state = false;
  bool early_stores = false;
  std::vector<planner::BankOf> keep;
};

// The old program with its meaning, which no new plan changes.
struct MeantSource {
  compare::ComparedSide side;
  meaning::ProgramMeaning meant;
  std::vector<planner::MethodWebs> webs;
};

// In a plan whose outputs have to last longer than ExecuTorch promises.
std::optional<std::string> OutputCutShortIn(const Program& program,
                                            const planner::ReplanOptions& options) {
  if (options.outputs == planner::OutputsLast::kNextCall) return std::nullopt;
  const auto webs = planner::WebsOf(program, options.manifest);
  auto cut_short = planner::OutputCutShort(program, webs, options.outputs);
  if (cut_short) *cut_short += ", and no plan of these banks keeps it longer (--outputs)";
  return cut_short;
}

ShownReplan Attempt(const MeantSource& given, const ShownReplanOptions& options,
                    const Freedom& freedom) {
  const compare::ComparedSide& source = given.side;
  ShownReplan attempt;
  std::optional<planner::ChangedBanks> changed;
  if (options.bank)
    changed = planner::ChangeBank(*source.program, given.webs, *options.bank,
                                  planner::KeepsOutputs(options.plan));
  if (changed && !changed->failure.empty()) {
    attempt.unwritable = std::move(changed->failure);
    return attempt;
  }
  const Program& start = changed ? changed->program : *source.program;
  std::optional<planner::Spread> spread;
  if (freedom.move_state) spread = planner::SpreadOut(start, given.meant, true);
  if (spread && !spread->failure.empty()) {
    attempt.unwritable = std::move(spread->failure);
    return attempt;
  }
  planner::ReplanOptions packing = options.plan;
  packing.keep = freedom.keep;
  packing.manifest = source.manifest;
  packing.spread = spread.has_value();
  const Program& program = spread ? spread->program : start;
  std::vector<planner::MethodWebs> moved;  // of a plan in between
  if (changed || spread) moved = planner::WebsOf(given.meant, program);
  const auto& webs = changed || spread ? moved : given.webs;
  attempt.replanned = freedom.early_stores ? planner::MoveStoresAndPlaces(program, webs, packing)
                                           : planner::MovePlaces(program, webs, packing);
  planner::SetSizesBefore(*source.program, attempt.replanned);
  if (auto cut_short = OutputCutShortIn(attempt.replanned.program, packing)) {
    attempt.unwritable = *std::move(cut_short);
    return attempt;
  }
  auto bytes = WriteProgram(attempt.replanned.program);
  if (!bytes.ok()) {
    attempt.unwritable = bytes.error();
    return attempt;
  }
  attempt.bytes = std::move(bytes).value();
  const auto back = ReadProgram(attempt.bytes);
  attempt.certificate.failure = back.ok()
                                    ? ProgramDifference(back.value(), attempt.replanned.program)
                                    : std::string("the new file cannot be read");
  if (!attempt.certificate.failure.empty()) return attempt;
  CertifyOptions certify = options.certify;
  certify.now_at = attempt.replanned.now_at;
  certify.updates = attempt.replanned.updates;
  certify.bank = options.bank;
  certify.outputs = options.plan.outputs;
  if (spread) certify.nameless = std::move(spread->nameless);
  compare::ComparedSide planned = source;
  planned.program = &attempt.replanned.program;
  attempt.certificate = Certify(source, planned, certify);
  return attempt;
}

// The bank that a new finding is about: that of its method, or of another method, whose writes may
// be the reason; any, if there is no such one. Nothing: no bank is left to keep. An error may be
// one of reading alone: two values that come to one place can look like names of each other.
std::optional<planner::BankOf> BankToKeep(const ShownReplan& attempt) {
  const auto& added = attempt.certificate.added;
  if (!added) return std::nullopt;
  const planner::ReplannedBank* best = nullptr;
  int best_fit = -1;
  for (const planner::ReplannedBank& bank : attempt.replanned.banks) {
    if (bank.after == bank.before) continue;
    const int fit = (bank.method == added->method ? 2 : 0) + (bank.bank == added->bank ? 1 : 0);
    if (fit > best_fit) best = &bank;
    best_fit = std::max(best_fit, fit);
  }
  if (best == nullptr) return std::nullopt;
  return planner::BankOf{best->method, best->bank};
}

}  // namespace

ShownReplan ReplanShown(const compare::ComparedSide& source, const ShownReplanOptions& options) {
  MeantSource given = {source, meaning::MeaningOf(*source.program, source.manifest), {}};
  given.webs = planner::WebsOf(given.meant, *source.program);
  Freedom freedom = {options.move_state, options.plan.in_place, options.plan.keep};
  if (freedom.move_state) {
    ShownReplan moved = Attempt(given, options, freedom);
    if (moved.unwritable.empty() && moved.certificate.holds()) return moved;
    freedom.move_state = false;
  }
  for (;;) {
    ShownReplan attempt = Attempt(given, options, freedom);
    if (!attempt.unwritable.empty()) return attempt;
    if (const auto keep = BankToKeep(attempt)) {
      freedom.keep.push_back(*keep);
    } else if (!attempt.certificate.holds() && !attempt.replanned.now_at.empty()) {
      freedom.early_stores = false;
      freedom.keep = options.plan.keep;
    } else {
      return attempt;
    }
  }
}

}  // namespace pteproof::certify
