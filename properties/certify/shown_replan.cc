#include "properties/certify/shown_replan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "meaning/program_meaning.h"
#include "planner/lift/webs.h"
#include "planner/repair/spread.h"
#include "planner/replan/dropped_copies.h"
#include "planner/replan/forms.h"
#include "planner/replan/new_numbers.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"

namespace pteproof::certify {
namespace {

struct Freedom {
  bool move_state = false;
  bool reorder = false;
  bool early_stores = false;
  std::vector<planner::BankOf> keep;
  bool drop_copies = false;

  [[nodiscard]] bool spreads() const { return move_state || reorder || drop_copies; }
};

// The old program with its meaning, which no new plan changes.
struct MeantSource {
  compare::ComparedSide side;
  meaning::ProgramMeaning meant;
  std::vector<planner::MethodWebs> webs;
};

// In a plan whose outputs have to last longer than ExecuTorch promises.
std::optional<std::string> OutputCutShortIn(const planner::Replanned& replanned,
                                            const planner::ReplanOptions& options) {
  if (options.outputs == planner::OutputsLast::kNextCall) return std::nullopt;
  std::optional<Manifest> manifest;
  if (options.manifest != nullptr) {
    manifest = planner::WithNewNumbers(*options.manifest, replanned.program, replanned.values_at);
  }
  const auto webs = planner::WebsOf(replanned.program, manifest ? &*manifest : nullptr);
  auto cut_short = planner::OutputCutShort(replanned.program, webs, options.outputs);
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
  if (freedom.spreads()) {
    spread = planner::SpreadOut(start, given.meant, freedom.move_state);
  }
  if (spread && !spread->failure.empty()) {
    attempt.unwritable = std::move(spread->failure);
    return attempt;
  }
  planner::ReplanOptions packing = options.plan;
  packing.keep = freedom.keep;
  packing.manifest = source.manifest;
  packing.spread = spread.has_value();
  packing.reorder = freedom.reorder;
  packing.drop_copies = freedom.drop_copies;
  if (spread && !changed) packing.offsets_of = source.program;
  const Program& program = spread ? spread->program : start;
  std::vector<planner::MethodWebs> moved;  // of a plan in between
  if (changed || spread) moved = planner::WebsOf(given.meant, program);
  const auto& webs = changed || spread ? moved : given.webs;
  attempt.replanned = freedom.early_stores || freedom.reorder
                          ? planner::MoveStoresAndPlaces(program, webs, packing)
                          : planner::MovePlaces(program, webs, packing);
  planner::SetSizesBefore(*source.program, attempt.replanned);
  if (auto cut_short = OutputCutShortIn(attempt.replanned, packing)) {
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
  certify.values_at = attempt.replanned.values_at;
  certify.updates = attempt.replanned.updates;
  certify.dropped = attempt.replanned.dropped;
  certify.bank = options.bank;
  certify.outputs = options.plan.outputs;
  if (spread) certify.nameless = std::move(spread->nameless);
  compare::ComparedSide planned = source;
  planned.program = &attempt.replanned.program;
  if (source.manifest != nullptr && !attempt.replanned.values_at.empty()) {
    attempt.manifest =
        planner::WithNewNumbers(*source.manifest, *source.program, attempt.replanned.values_at);
    planned.manifest = &*attempt.manifest;
  }
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

bool Holds(const ShownReplan& shown) {
  return shown.unwritable.empty() && shown.certificate.holds();
}

uint64_t BytesOf(const planner::Replanned& replanned) {
  uint64_t bytes = 0;
  for (const planner::ReplannedBank& bank : replanned.banks) bytes += bank.after;
  return bytes;
}

// With stores where they may come, and buffers moved if that is asked for.
ShownReplan InTheGivenOrder(const MeantSource& given, const ShownReplanOptions& options) {
  Freedom freedom = {options.move_state, false, options.plan.in_place, options.plan.keep};
  if (freedom.move_state) {
    ShownReplan moved = Attempt(given, options, freedom);
    if (Holds(moved)) return moved;
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

// In less memory, or with fewer copies in as much.
bool IsBetter(const planner::Replanned& one, const planner::Replanned& other) {
  const auto dropped = [](const planner::Replanned& replanned) {
    size_t count = 0;
    for (const auto& method : replanned.dropped) count += method.size();
    return count;
  };
  const uint64_t bytes = BytesOf(one);
  return bytes < BytesOf(other) || (bytes == BytesOf(other) && dropped(one) > dropped(other));
}

}  // namespace

ShownReplan ReplanShown(const compare::ComparedSide& source, const ShownReplanOptions& options) {
  MeantSource given = {source, meaning::MeaningOf(*source.program, source.manifest), {}};
  given.webs = planner::WebsOf(given.meant, *source.program);
  ShownReplan best = InTheGivenOrder(given, options);
  if (!best.unwritable.empty()) return best;
  Freedom freedom = {options.move_state, options.reorder, options.plan.in_place, options.plan.keep,
                     options.plan.in_place && planner::MayDropCopies(*source.program)};
  if (freedom.drop_copies) {
    ShownReplan dropped = Attempt(given, options, freedom);
    if (Holds(dropped)) {
      return IsBetter(dropped.replanned, best.replanned) || !Holds(best) ? dropped : best;
    }
    freedom.drop_copies = false;
  }
  if (!options.reorder) return best;
  ShownReplan ordered = Attempt(given, options, freedom);
  const bool is_better = IsBetter(ordered.replanned, best.replanned) || !Holds(best);
  return Holds(ordered) && is_better ? ordered : best;
}

}  // namespace pteproof::certify
